"""Figures in the unit that fits them. Called by everything that shows figures."""

UNITS = {
    "ns": ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")),
    "bytes": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "bytes")),
}
KINDS = {"time": "time", "memory": "growth of peak memory", "size": "size", "count": "number"}
LITTLE_MEMORY = 100_000
"""A smaller increase of memory is noise, because the system counts whole pages."""


def number(value: float) -> str:
    """Return a number with three significant digits.

    >>> [number(one) for one in (0, 0.01234, 3.8999, 42, 7163.2)]
    ['0', '0.0123', '3.9', '42', '7,160']
    """
    return f"{value:.3g}" if abs(value) < 999.5 else f"{float(f'{value:.3g}'):,.0f}"


def scaled(unit: str, value: float) -> tuple[float, str]:
    """Return the factor and the name of the unit that fits a value in nanoseconds or bytes.

    >>> scaled("ns", 4200), scaled("bytes/packet", 97)
    ((1000.0, 'µs'), (1, 'bytes'))
    """
    base = unit.partition("/")[0]
    fitting = UNITS.get(base, ((1, base),))
    return next((one for one in fitting if value >= 0.9995 * one[0]), fitting[-1])


def amount(value: float, unit: str) -> str:
    """Return a value with its unit.

    >>> [amount(*one) for one in ((10281900, "ns"), (0.5, "ns/byte"), (1, "bytes"), (97, "bytes"), (9145423, "bytes"))]
    ['10.3 ms', '0.5 ns', '1 byte', '97 bytes', '8.72 MiB']
    """
    factor, name = scaled(unit, value)
    return f"{number(value / factor)} {'byte' if (value, name) == (1, 'bytes') else name}"


def times(value: float, first: float, kind: str) -> str:
    """Return how many times the first figure another one is, or an empty string if the first is close to zero.

    >>> times(49.7, 10.3, "time"), times(1, 2, "time"), times(1e6, 123.4, "time"), times(5e8, 0, "memory")
    ('4.8×', '0.50×', '8,104×', '')
    """
    if not first or (kind == "memory" and first < LITTLE_MEMORY):
        return ""
    ratio = value / first
    return f"{ratio:.2f}×" if ratio < 0.95 else f"{ratio:.1f}×" if ratio < 9.95 else f"{ratio:,.0f}×"
