"""What a family says of itself: inputs, peers, cases, what is wanted of derlib. Called by bench/families/*.

A family is data. Its module imports no peer and not derlib: the parent process reads it, and so does each worker.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["time", "memory", "size", "count"]


@dataclass(frozen=True)
class Peer:
    """A library, and the module here that works with it.

    `module` has a function for each operation, which takes the argument of an input and returns a `Task`. It may have
    `version()`; otherwise the version is that of the installed `distribution`.

    `remedy` tells those who have not installed it how they can.

    `python()` is for a library that this interpreter cannot import: it returns the path of another one, of CPython 3.10
    or later, or raises `Unavailable` with the reason why there is none.
    """

    module: str
    distribution: str = ""
    python: Callable[[], str] | None = None
    remedy: str = "`make bench-setup` installs the peers"


@dataclass(frozen=True)
class Input:
    """What operations work on.

    `make(quick)` returns the one argument that operations get: mostly the path of a file, which it makes if it is not
    there yet. `warm()` returns a small one of the same kind: it is worked on before memory is measured, so that what is
    made once (modules, plans) is not counted.
    """

    what: str
    make: Callable[[bool], str]
    warm: Callable[[], str] | None = None


@dataclass(frozen=True)
class Side:
    """One of those that a case compares.

    Sides with the same `equal` must yield equal facts; "" claims nothing. `label` names the side within its case; left
    out, it is the peer's name. `note` says what a reader must know: what the peer leaves out, for example.
    """

    peer: str
    operation: str = ""
    label: str = ""
    equal: str = "facts"
    note: str = ""

    @property
    def name(self) -> str:
        """The label, or the peer's name."""
        return self.label or self.peer


@dataclass(frozen=True)
class Target:
    """What is wanted: the side `ours` divided by the side `against` is at most `reach`, and better `aim`.

    With `figure=True` our figure itself counts, not the ratio, and `against` may be "". Without `reach` and `aim` the
    row is there for comparison. `work` is the title of the row, if it is not the name of the case.
    """

    against: str
    reach: float | None = None
    aim: float | None = None
    ours: str = "derlib"
    figure: bool = False
    work: str = ""


@dataclass(frozen=True)
class Case:
    """The same work on the same input by several sides, measured in turn.

    `kind` says what is measured: the time of the operation, by how much it raises the peak of memory in a fresh
    process, the size of the octets that it returns, or a "count": the number that it returns, in its unit. A side is
    measured at most `runs` times, and no longer than the budget of the run allows, but `least` times in any case.
    `timeout` is for one answer of a worker, in seconds.
    """

    name: str
    operation: str
    input: str
    sides: tuple[Side | str, ...]
    targets: tuple[Target, ...] = ()
    kind: Kind = "time"
    topic: str = ""
    runs: int = 31
    least: int = 3
    timeout: float = 120

    def all_sides(self) -> tuple[Side, ...]:
        """The sides, a name alone being that of a peer."""
        return tuple(Side(side) if isinstance(side, str) else side for side in self.sides)


@dataclass(frozen=True)
class Scaling:
    """How the cost of an operation grows: measured at each of `sizes`, with the exponent of a fitted power.

    `make(size)` returns the argument for a size. The row of each side goes by the exponent; `reach` and `aim` are those
    of the first side, the others are there for comparison.
    """

    name: str
    operation: str
    sizes: tuple[int, ...]
    quick_sizes: tuple[int, ...]
    make: Callable[[int], str]
    sides: tuple[Side | str, ...] = ("derlib",)
    kind: Kind = "time"
    reach: float | None = None
    aim: float | None = None
    topic: str = ""
    warm: Callable[[], str] | None = None
    runs: int = 9
    least: int = 3
    timeout: float = 120


@dataclass(frozen=True)
class Fit:
    """What an operation costs for each of several things: a plane, fitted by least squares.

    `terms` names what costs; the first is what stands at every point, the base. A point has a number for each other
    term, and `make(point, quick)` returns the argument for it. Each side is measured at every point, or in a quick run
    at the `quick_points`. The fit weighs each point by what was measured there, so that it is relative errors that are
    kept small.
    """

    name: str
    operation: str
    terms: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]
    quick_points: tuple[tuple[float, ...], ...]
    make: Callable[[tuple[float, ...], bool], str]
    sides: tuple[Side | str, ...] = ("derlib",)
    kind: Kind = "time"
    topic: str = ""
    runs: int = 9
    least: int = 3
    timeout: float = 120


@dataclass(frozen=True)
class Published:
    """A figure that others measured and published: it is never mixed with ours.

    `bridge` names the library of the same table that is a peer here too: ratios to its figure can be set beside ours.
    """

    work: str
    library: str
    value: float
    unit: str
    interpreter: str
    machine: str
    source: str
    note: str = ""
    bridge: str = ""


@dataclass(frozen=True)
class Counted:
    """An operation of derlib's own whose instructions are counted, on the argument that `make` returns."""

    name: str
    operation: str
    make: Callable[[], str]


@dataclass(frozen=True)
class Family:
    """One family: a name, a sentence, and what it measures.

    `spread` is how large the standard deviation of samples of time may be, as a share of their mean; rows and
    measurements with a larger one say that their spread is too wide. None says nothing of it.
    `limits` are sentences on what its figures do not show: in the report the family opens with them.
    """

    name: str
    what: str
    peers: Mapping[str, Peer]
    inputs: Mapping[str, Input] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    limits: tuple[str, ...] = ()
    scalings: tuple[Scaling, ...] = ()
    fits: tuple[Fit, ...] = ()
    published: tuple[Published, ...] = ()
    counted: tuple[Counted, ...] = ()
    spread: float | None = None
