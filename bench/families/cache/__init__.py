"""Signing as blake2signer's page on performance measures it, and derlib's own cache, which signs with blake2signer.

That page asks for a standard deviation two orders below the mean. So does this family: rows say where it is wider.
"""

from functools import partial
from random import Random

from bench.families.cache.published import PUBLISHED
from bench.harness import Case, Family, Input, Peer, Side, Target
from bench.places import BUILD, write

HERE = "bench.families.cache.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "blake2signer": Peer(f"{HERE}.blake2signer", "blake2signer"),
    "hashlib": Peer(f"{HERE}.hashlib"),
}
FOLDER = BUILD / "cache"
ENTRIES = 415_756
QUICK_ENTRIES = 2_000
PHRASE = b"The harbour lights go out at five. "
SPREAD = 0.01


def text(size: int, quick: bool) -> str:
    """A file with so many octets of text, which compresses well."""
    return written(f"text-{size}", (PHRASE * (size // len(PHRASE) + 1))[:size])


def noise(size: int, quick: bool) -> str:
    """A file with so many octets that do not compress."""
    return written(f"noise-{size}", Random(size).randbytes(size))


def written(name: str, octets: bytes) -> str:
    """The path of a file that holds these octets."""
    path = FOLDER / name
    write(path, octets)
    return str(path)


def crl(quick: bool) -> str:
    """The large CRL of the family `crl`, or a small one."""
    from bench.make_crl import crl_file

    return str(crl_file(QUICK_ENTRIES if quick else ENTRIES, folder=BUILD))


INPUTS = {
    "a few words": Input("80 octets of text", partial(text, 80)),
    "a paragraph": Input("105 octets of text", partial(text, 105)),
    "a page": Input("4,200 octets of text", partial(text, 4_200)),
    "a chapter": Input("21,000 octets of text", partial(text, 21_000)),
    "a library": Input("40 MB of text", lambda quick: text(400_000 if quick else 40_000_000, quick)),
    "a little noise": Input("32 octets that do not compress", partial(noise, 32)),
    "a page of noise": Input("4,200 octets that do not compress", partial(noise, 4_200)),
    "crl": Input("a CRL of 415,756 entries", crl),
}


def signer(operation: str, label: str) -> Side:
    """A way to use blake2signer."""
    return Side("blake2signer", operation, label)


def compared(name: str, given: str, first: Side, *others: Side) -> Case:
    """Ways to use blake2signer, each beside the first."""
    targets = tuple(Target(first.name, ours=other.name) for other in others)
    return Case(f"{name} {given}", first.operation, given, (first, *others), targets, topic="sign")


def signers() -> list[Case]:
    """What blake2signer's page measures; signing and verifying are apart."""
    cases = [
        compared(f"{verb}, signer made once or per call,", "a few words", *sides)
        for verb, sides in {
            "sign": (signer("sign_made_once", "made once"), signer("sign_made_per_call", "made per call")),
            "unsign": (signer("unsign_made_once", "made once"), signer("unsign_made_per_call", "made per call")),
            "dumps": (signer("dumps_made_once", "made once"), signer("dumps_made_per_call", "made per call")),
            "loads": (signer("loads_made_once", "made once"), signer("loads_made_per_call", "made per call")),
        }.items()
    ]
    cases.append(compared("make a signer for", "a few words", signer("make_plain", "plain")))
    for verb in ("sign", "unsign"):
        once = f"{verb}_made_once"
        cases += (
            compared(f"{verb}, bytes or str,", given, signer(once, "bytes"), signer(f"{verb}_text", "str"))
            for given in ("a few words", "a library")
        )
        cases += (
            compared(
                f"{verb}, salt or deterministic,",
                given,
                signer(once, "salt"),
                signer(f"{verb}_deterministic", "deterministic"),
            )
            for given in ("a paragraph", "a page")
        )
        cases += (
            compared(
                f"{verb}, by hash,",
                given,
                signer(once, "BLAKE2b"),
                signer(f"{verb}_blake2s", "BLAKE2s"),
                signer(f"{verb}_blake3", "BLAKE3"),
            )
            for given in ("a few words", "a page", "a chapter")
        )
    for verb, serial in (("sign", "dumps"), ("unsign", "loads")):
        sides = (signer(f"{verb}_made_once", "plain signer"), signer(f"{serial}_made_once", "serializer"))
        cases.append(compared(f"{verb}, plain or serialized,", "a few words", *sides))
        cases += (
            compared(
                f"{serial}, by compression,",
                given,
                signer(f"{serial}_full", "full"),
                signer(f"{serial}_smart", "smart"),
                signer(f"{serial}_off", "off"),
            )
            for given in ("a few words", "a page", "a little noise", "a page of noise")
        )
    return cases


def stored(store: str, title: str, *, signed: bool) -> Case:
    """A CRL through a cache, beside decoding it without one."""
    suffix = f"{store}_signed" if signed else store
    ways = {
        "miss": Side("derlib", f"miss_{suffix}", "miss", note="decoded and kept"),
        "hit": Side("derlib", f"hit_{suffix}", "hit", note="the caller has the octets"),
        "load": Side("derlib", f"load_{suffix}", "load", note="the caller has the key only"),
        "forged": Side("derlib", f"forged_{suffix}", "forged", note="found out, logged, decoded and kept anew"),
    }
    alone = Side("derlib", "decode", "no cache")
    name = f"CRL in {title}, {'signed' if signed else 'not signed'}"
    targets = tuple(Target(alone.name, ours=way) for way in ways)
    return Case(name, "decode", "crl", (alone, *ways.values()), targets, topic="cache", runs=21, timeout=300)


def derived(what: str, operation: str) -> Case:
    """Something made of a CRL, beside making it without a cache."""
    alone = Side("derlib", f"make_{operation}", "no cache")
    kept = Side("derlib", f"derive_{operation}", "derived", note="made, pickled, signed and kept in memory")
    found = Side("derlib", f"find_{operation}", "found", note="digest of the data, signature, pickle")
    targets = (Target(alone.name, ours=kept.name), Target(alone.name, reach=1, ours=found.name))
    sides = (alone, kept, found)
    return Case(f"{what} of a CRL", f"make_{operation}", "crl", sides, targets, topic="cache", runs=21, timeout=300)


def hashes() -> list[Case]:
    """The hash that derlib.cache uses beside others. It offers no choice; these show what one would change."""
    key = ("blake2b", "blake2s", "sha256", "sha3_256")
    sides = tuple(Side("hashlib", each, each, equal="") for each in key)
    targets = tuple(Target(sides[0].name, ours=each.name) for each in sides[1:])
    return [
        Case("digest of a CRL for its key", key[0], "crl", sides, targets, topic="cache", runs=21),
        compared(
            "sign, by hash,",
            "crl",
            signer("sign_made_once", "BLAKE2b"),
            signer("sign_blake2s", "BLAKE2s"),
            signer("sign_blake3", "BLAKE3"),
        ),
    ]


STORES = {"memory": "memory", "directory": "a folder", "sqlite": "SQLite"}
FAMILY = Family(
    name="cache",
    what="blake2signer in its ways, and CRLs through derlib.cache, which signs with it",
    peers=PEERS,
    limits=(
        "A store across a network, for which a cache is made, and several processes at one store.",
        "Disks as such: what is written stays in the operating system's cache.",
    ),
    inputs=INPUTS,
    cases=(
        *signers(),
        *(stored(store, title, signed=signed) for store, title in STORES.items() for signed in (False, True)),
        derived("index", "index"),
        derived("table of Python values", "table"),
        *hashes(),
    ),
    published=PUBLISHED,
    spread=SPREAD,
)
