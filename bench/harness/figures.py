"""What repeated measurements of one thing gave. Called by the harness and by bench/demo.py."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """All samples in their order, in one unit."""

    samples: tuple[float, ...]
    unit: str = "ms"

    @property
    def median(self) -> float:
        """The middle one of the samples."""
        return statistics.median(self.samples)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between these two lies the middle half of the samples; of fewer than four, the lowest and the highest."""
        if len(self.samples) < 4:
            return min(self.samples), max(self.samples)
        low, _, high = statistics.quantiles(self.samples, n=4, method="inclusive")
        return low, high

    @property
    def spread(self) -> float:
        """The standard deviation of the samples as a share of their mean; 0 of a single one."""
        mean = statistics.mean(self.samples)
        return statistics.stdev(self.samples) / mean if len(self.samples) > 1 and mean else 0.0

    def plain(self) -> dict[str, object]:
        """For JSON: every sample, and what was made of them."""
        return {
            "unit": self.unit,
            "runs": len(self.samples),
            "median": self.median,
            "min": min(self.samples),
            "max": max(self.samples),
            "quartiles": list(self.quartiles),
            "spread": self.spread,
            "samples": list(self.samples),
        }

    def __str__(self) -> str:
        return f"{self.median:.3g} {self.unit} ({min(self.samples):.3g} to {max(self.samples):.3g})"
