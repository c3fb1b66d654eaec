"""Declarations: what a family measures, on which input, with which libraries. Called by bench/families/.

A family is data. Its module imports neither derlib nor a measured library, because every worker process imports it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["time", "memory", "size", "count"]


@dataclass(frozen=True)
class Peer:
    """A library, and the module here that uses it.

    `module` has one function per operation; it takes the argument that an input returns, and returns a `Task`. The
    version is that of the installed `distribution`, of Python if there is none, or what `version()` of the module
    returns. `remedy` says how to install the library.
    """

    module: str
    distribution: str = ""
    remedy: str = "`make bench-setup` installs the libraries"


@dataclass(frozen=True)
class Input:
    """An input of operations.

    `make(quick)` returns the argument for the operations, usually the path of a file, which it creates if necessary.
    `warm()` returns a small input of the same kind. It is processed before memory is measured, so that modules and
    compiled schemas do not count.
    """

    what: str
    make: Callable[[bool], str]
    warm: Callable[[], str] | None = None


@dataclass(frozen=True)
class Side:
    """One participant of a case: an operation of a peer.

    `operation` is that of the case unless given, `label` the name of the peer unless given. Sides that are `checked`
    must yield the same facts as the first checked side. `note` says what a reader must know, for example what the
    peer leaves out.
    """

    peer: str
    operation: str = ""
    label: str = ""
    checked: bool = True
    note: str = ""

    @property
    def name(self) -> str:
        """The label, or the name of the peer."""
        return self.label or self.peer


def as_sides(given: tuple[Side | str, ...]) -> tuple[Side, ...]:
    """Return the sides; a string is the name of a peer."""
    return tuple(Side(one) if isinstance(one, str) else one for one in given)


@dataclass(frozen=True)
class Case:
    """The same work on the same input by several sides, measured in turn; the others are compared with the first.

    `kind` says what is measured: the time of the operation, the rise of the peak of memory in a fresh process, the size
    of the returned bytes, or a "count", the returned number. A side runs at least `least` times and at most `runs`
    times; in between, the time budget of the run decides. `timeout` limits each answer of a worker, in seconds.
    """

    name: str
    operation: str
    input: str
    sides: tuple[Side | str, ...]
    kind: Kind = "time"
    topic: str = ""
    runs: int = 31
    least: int = 3
    timeout: float = 120

    def all_sides(self) -> tuple[Side, ...]:
        """Return the sides as `Side` objects."""
        return as_sides(self.sides)


@dataclass(frozen=True)
class Growth:
    """How the cost of an operation grows with the size of its input: a case at each of `sizes`.

    `make(size)` returns the argument for a size, `warm()` one that is not measured, as for an `Input`. `unit` is that
    of the sizes.
    """

    name: str
    operation: str
    sizes: tuple[int, ...]
    quick_sizes: tuple[int, ...]
    make: Callable[[int], str]
    sides: tuple[Side | str, ...] = ("derlib",)
    unit: str = "entries"
    kind: Kind = "time"
    warm: Callable[[], str] | None = None
    runs: int = 9
    least: int = 3
    timeout: float = 120

    def case(self, size: int) -> Case:
        """Return the case at one size."""
        name = f"{self.name}, size {size:,}"
        return Case(name, self.operation, "", self.sides, self.kind, "growth", self.runs, self.least, self.timeout)

    def all_sizes(self) -> list[int]:
        """Return the sizes of full and quick runs, in order."""
        return sorted({*self.sizes, *self.quick_sizes})


@dataclass(frozen=True)
class Counted:
    """An operation of derlib whose instructions are counted, on the argument that `make` returns."""

    name: str
    operation: str
    make: Callable[[], str]


@dataclass(frozen=True)
class Family:
    """A family: a name, what it is about, and what it measures. `caveats` are sentences for the end of the report."""

    name: str
    what: str
    peers: Mapping[str, Peer]
    inputs: Mapping[str, Input] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    growths: tuple[Growth, ...] = ()
    counted: tuple[Counted, ...] = ()
    caveats: tuple[str, ...] = ()
