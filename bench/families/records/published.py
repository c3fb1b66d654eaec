"""What the author of quickle published for 1,000 objects. Called by the family's declaration.

The values are the data of the second chart on the page of benchmarks in quickle's documentation. The page does not say
on which machine and interpreter they were measured.
"""

from bench.harness import Published

SOURCE = "https://github.com/jcrist/quickle, docs/source/_static/bench-1k.json"
MILLISECONDS = {
    "orjson": (0.47105, 2.01379),
    "msgpack": (0.78359, 1.71914),
    "pyrobuf": (1.48787, 1.83707),
    "pickle, dicts": (0.96372, 1.02959),
    "pickle, named tuples": (2.57344, 1.25271),
    "quickle, dicts": (0.46218, 0.91932),
    "quickle, Structs": (0.29742, 0.73511),
}
"""For each library: to dump 1,000 persons that exist, and to load them."""

PUBLISHED = tuple(
    Published(f"{work} 1,000 persons", library, value, "ms", "not said", "not said", SOURCE)
    for at, work in enumerate(("dump", "load"))
    for library, values in MILLISECONDS.items()
    for value in (values[at],)
)
