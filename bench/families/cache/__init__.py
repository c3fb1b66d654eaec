"""CRLs through derlib.cache, signed and not, beside decoding them without a cache."""

from bench.harness import Case, Family, Input, Peer, Side
from bench.paths import BUILD

ENTRIES = 415_756
QUICK_ENTRIES = 2_000
STORES = {"memory": "memory", "directory": "a folder", "sqlite": "SQLite"}


def crl(quick: bool) -> str:
    """Return the large CRL of the family `crl`, or a small one."""
    from bench.make_crl import crl_file

    return str(crl_file(QUICK_ENTRIES if quick else ENTRIES, folder=BUILD))


def through_cache(store: str, *, signed: bool) -> Case:
    """Return the case of a CRL through one store."""
    suffix = f"{store}_signed" if signed else store
    sides = (
        Side("derlib", "decode", "no cache"),
        Side("derlib", f"miss_{suffix}", "miss", note="decoded and stored"),
        Side("derlib", f"hit_{suffix}", "hit", note="the caller has the bytes of the CRL"),
        Side("derlib", f"load_{suffix}", "load", note="the caller has only the key"),
        Side("derlib", f"forged_{suffix}", "forged", note="the entry was changed: logged, decoded and stored again"),
    )
    name = f"{'signed ' * signed}cache in {STORES[store]}"
    return Case(name, "decode", "crl", sides, topic="cache", runs=21, timeout=300)


def derived(what: str, operation: str) -> Case:
    """Return the case of a value computed from a CRL."""
    sides = (
        Side("derlib", f"make_{operation}", "no cache"),
        Side("derlib", f"derive_{operation}", "derived", note="computed, pickled, signed and stored in memory"),
        Side("derlib", f"find_{operation}", "found", note="signature verified, and unpickled"),
    )
    return Case(f"{what} of a CRL", f"make_{operation}", "crl", sides, topic="derived values", runs=21, timeout=300)


FAMILY = Family(
    name="cache",
    what="CRLs through derlib.cache",
    peers={"derlib": Peer("bench.families.cache.peers.derlib", "derlib")},
    caveats=(
        "A cache is intended for stores that several processes or machines share; the measured stores are local.",
        "Written data stays in the cache of the operating system, so the figures do not show the speed of the disk.",
    ),
    inputs={"crl": Input("a CRL of 415,756 entries", crl)},
    cases=(
        *(through_cache(store, signed=signed) for store in STORES for signed in (False, True)),
        derived("index", "index"),
        derived("table of Python values", "table"),
    ),
)
