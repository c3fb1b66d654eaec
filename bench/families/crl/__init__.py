"""CRLs: decoding, encoding, pickling, looking up, and the roots of certifi, beside libraries that do the same.

Each case compares sides on one input. Those that would take minutes on the large CRL work on a reduced one, and derlib
beside them on that one too. Some sides are of derlib against itself, or of what Python does with the same octets.
"""

from typing import Any

from bench.families.crl.inputs import INPUTS, crl_file, small, uniform_file
from bench.families.crl.published import PUBLISHED
from bench.harness import Case, Counted, Family, Peer, Scaling, Side, Target

HERE = "bench.families.crl.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "cryptography": Peer(f"{HERE}.cryptography", "cryptography"),
    "cryptography.hazmat.asn1": Peer(f"{HERE}.cryptography_asn1", "cryptography"),
    "asn1crypto": Peer(f"{HERE}.asn1crypto", "asn1crypto"),
    "pyasn1": Peer(f"{HERE}.pyasn1", "pyasn1"),
    "asn1tools": Peer(f"{HERE}.asn1tools", "asn1tools"),
    "pycrate": Peer(f"{HERE}.pycrate", "pycrate"),
    "pyderasn": Peer(f"{HERE}.pyderasn", "pyderasn", remedy="its authors publish it on a site of their own"),
    "OpenSSL": Peer(f"{HERE}.libcrypto"),
    "Python": Peer(f"{HERE}.python"),
}
SLOW = ("asn1crypto", "pyasn1", "asn1tools", "pycrate", "pyderasn", "cryptography.hazmat.asn1")
PICKLING = ("asn1crypto", "pyasn1", "pyderasn")
LAZY = "does not look into entries"
ABSENT_OCTETS = "bytes.find of 6 absent octets"
NATIVE = "`.native` makes a dict of all that is in the CRL"


def reading(peers: tuple[str, ...]) -> tuple[Side, ...]:
    """These peers, where every entry is read."""
    return tuple(Side(peer, note=NATIVE if peer == "asn1crypto" else "") for peer in peers)


def python(operation: str, label: str) -> Side:
    """What Python itself does with the same octets; it claims no equal work."""
    note = "no floor: a search for one octet takes a small part of it" if operation == "find" else ""
    return Side("Python", operation, label, equal="", note=note)


def itself(operation: str, label: str, equal: str = "") -> Side:
    """derlib, doing something else."""
    return Side("derlib", operation, label, equal)


def decoding() -> tuple[Case, ...]:
    """Checking and reading the CRLs."""
    cases: list[Case] = []
    for title, given in (("decode CRL, plain", "plain"), ("decode CRL, half with reasons", "reasons")):
        load = Side("cryptography", label="cryptography load", note=LAZY)
        openssl = Side("OpenSSL", label="OpenSSL d2i_X509_CRL", equal="octets")
        search = python("find", ABSENT_OCTETS)
        targets = [Target(load.name, reach=1.0, aim=0.3), Target(openssl.name)]
        if given == "plain":
            targets.append(Target(search.name, reach=2.0, aim=0.7))
        cases.append(Case(title, "decode", given, ("derlib", load, openssl, search), tuple(targets), topic="decode"))
        full = ("derlib", "cryptography", "cryptography.hazmat.asn1", *(("asn1crypto",) if given == "plain" else ()))
        wanted = (Target("cryptography", reach=0.25, aim=0.12), *(Target(peer) for peer in full[2:]))
        full_title = f"{title}, and read every entry"
        cases.append(Case(full_title, "decode_and_read", given, reading(full), wanted, topic="decode", runs=9, least=2))
        growth = f"growth of peak memory, {title}"
        whole = (Target(load.name, reach=4, aim=0.1, figure=True),)
        cases.append(Case(growth, "decode", given, ("derlib", load), whole, "memory", "decode", 9, 3))
        if given == "plain":
            growth = f"{growth}, and read every entry"
            cases.append(Case(growth, "decode_and_read", given, reading(full), wanted[2:], "memory", "decode", 3, 1))
    title = "decode a reduced CRL, and read every entry"
    targets = [Target(peer) for peer in SLOW]
    sides = reading(("derlib", *SLOW))
    cases.append(Case(title, "decode_and_read", "reduced", sides, tuple(targets), topic="decode", runs=9))
    return tuple(cases)


def certificates() -> tuple[Case, ...]:
    """The roots of certifi."""

    def case(title: str, operation: str, ours: str = "", reach: float | None = None, aim: float | None = None) -> Case:
        sides = (Side("derlib", ours), "cryptography")
        return Case(title, operation, "certifi", sides, (Target("cryptography", reach, aim),), topic="decode")

    deep = "read_certificates_to_the_bottom"
    return (
        case("decode certifi's roots, all extensions checked", "decode_certificates", reach=2.0, aim=1.0),
        case("the same, and read serial, names, validity, extensions", "read_certificates", reach=0.4, aim=0.2),
        case("for comparison: and every field inside every extension", "read_certificates", deep),
    )


def against_itself() -> tuple[Case, ...]:
    """Threads, and time per octet."""
    title = "decode two CRLs in two threads"
    one = itself("in_one_thread", "one CRL in one thread")
    sums = "for comparison: sha1 of two CRLs in two threads"
    hashing = (python("in_two_threads", "two"), python("in_one_thread", "one, one thread"))
    large, small_one = itself("decode_large", "derlib"), itself("decode_small", "at the smaller size")
    octet = "decode, time per octet at the larger size"
    return (
        Case(title, "in_two_threads", "plain", ("derlib", one), (Target(one.name, 1.3, 1.05),), topic="decode"),
        Case(sums, "", "plain", hashing, (Target(hashing[1].name, ours="two"),), topic="decode"),
        Case(octet, "", "two sizes", (large, small_one), (Target(small_one.name, 1.5, 1.1),), topic="decode", runs=9),
    )


def encoding() -> tuple[Case, ...]:
    """Encoding: what is kept, anew, and with a change."""
    kept = Case(
        "encode a decoded CRL",
        "encode",
        "plain",
        (Side("derlib", note="gives back the bytes that were decoded"), python("copy", "bytes copy into a new buffer")),
        (Target("bytes copy into a new buffer"),),
        topic="write",
    )
    dump = Side("asn1crypto", label="asn1crypto dump(force=True)")
    asn1 = "cryptography.hazmat.asn1"
    anew = "encode CRL, plain, every entry anew from Python values"
    targets = (Target(dump.name, 1 / 25, 1 / 60), Target(asn1))
    cases = [kept, Case(anew, "encode_anew", "plain", ("derlib", dump, asn1), targets, topic="write", runs=5, least=2)]
    for given, kind in (("plain", "plain"), ("reasons", "half with reasons")):
        title = f"encode TBSCertList, {kind}, every entry anew from Python values"
        openssl = Side("OpenSSL", label="OpenSSL i2d_re_X509_CRL_tbs")
        wanted = (Target(openssl.name, 2.0, 0.8),)
        cases.append(Case(title, "encode_tbs_anew", given, ("derlib", openssl), wanted, topic="write", runs=9))
    title = "encode a reduced CRL, every entry anew"
    beside = tuple(Target(peer) for peer in SLOW)
    cases.append(Case(title, "encode_anew", "reduced", ("derlib", *SLOW), beside, topic="write", runs=9))
    title = "build a reduced CRL from Python values, and sign it with Ed25519"
    builder = Side("cryptography", label="cryptography's builder", note="a builder for each entry")
    wanted = (Target(builder.name),)
    cases.append(Case(title, "build_and_sign", "reduced", ("derlib", builder), wanted, topic="write", runs=9))
    for operation, what in (("sign", "signature"), ("renew", "thisUpdate")):
        copy = python("copy", "bytes copy into a new buffer")
        title = f"decoded CRL, {what} replaced, and encode"
        cases.append(Case(title, operation, "plain", ("derlib", copy), (Target(copy.name, 3.0, 1.5),), topic="write"))
    growth = "growth of peak memory, encode CRL anew"
    memory = (Target(dump.name), Target(asn1))
    cases.append(Case(growth, "encode_anew", "plain", ("derlib", dump, asn1), memory, "memory", "write", 3, 1))
    return tuple(cases)


def pickling() -> tuple[Case, ...]:
    """Pickles, their size, and what they take."""
    read = Side("asn1crypto", note="what was read before is pickled as well")
    peers = ("derlib", read, "cryptography", "cryptography.hazmat.asn1")
    plain = python("dumps", "pickle.dumps of bytes")
    check = itself("decode", "decode")
    octets = python("octets", "DER")
    to, back = "pickle.dumps of a CRL", "pickle.loads of a CRL"
    label, note = "asn1crypto, nothing read", "its octets are pickled, and nothing is checked"
    dump, load = (Side("asn1crypto", f"{operation}_unread", label, note=note) for operation in ("dumps", "loads"))
    others = (Target("asn1crypto"), Target(label))
    # asn1crypto takes many seconds.
    twice: dict[str, Any] = {"topic": "write", "least": 2}
    cases = [
        Case(to, "dumps", "plain", (*peers, dump, plain), (Target(plain.name, 1.5, 1.05), *others), **twice),
        Case(back, "loads", "plain", (*peers[:2], load, check), (Target("decode", 1.5, 1.1), *others), **twice),
        Case(
            "size of a pickled CRL",
            "dumps",
            "plain",
            ("derlib", read, dump, octets),
            (Target("DER"), *others),
            "size",
            "write",
        ),
        # A ten-thousandth of the 8.72 MiB. Told in octets it is the same for every CRL.
        Case(
            "what a pickle adds to the octets of a CRL",
            "added_by_pickle",
            "plain",
            ("derlib",),
            (Target("", 914, 914, figure=True),),
            "count",
            "write",
        ),
    ]
    for operation in ("dumps", "loads"):
        growth = f"growth of peak memory, pickle.{operation} of a CRL"
        cases.append(Case(growth, operation, "plain", peers[:2], others[:1], "memory", "write", 3, 1))
        title = f"pickle.{operation} of a reduced CRL"
        wanted = tuple(Target(peer) for peer in PICKLING)
        cases.append(Case(title, operation, "reduced", ("derlib", *PICKLING), wanted, topic="write", runs=9))
    return tuple(cases)


def look_up() -> tuple[Case, ...]:
    """The index, look-ups, and writing what is never all there."""
    check = itself("decode", "decode")
    get = itself("dict_get", "dict.get", "facts")
    index = "index of the entries by serial number"
    cases = [Case(index, "index", "plain", ("derlib", check), (Target("decode", 3.0, 1.0),), topic="write")]
    for operation, title in (("lookup_find", "Lookup.find"), ("find", "CertificateList.find")):
        wanted = (Target("dict.get", 1.0, 0.3, figure=True),)
        cases.append(Case(f"one look-up, {title}", operation, "plain", ("derlib", get), wanted, topic="write"))
    title = "growth of peak memory, encode_to from a generator"
    wanted = (Target("", 64, 8, figure=True),)
    cases.append(Case(title, "stream", "stream", ("derlib",), wanted, "memory", "write", 3, 2))
    return tuple(cases)


SIZES = tuple(1000 * 2**power for power in range(0, 13, 2))
QUICK_SIZES = (1000, 8000)
SLOW_SIZES, SLOW_QUICK_SIZES = (2000, 4000, 8000, 16_000), (500, 1000)
READING = Scaling(
    "pyasn1 and others, decode and read", "decode_and_read", SLOW_SIZES, SLOW_QUICK_SIZES, crl_file, SLOW, runs=5
)


def growing(what: str, operation: str, *beside: Side) -> tuple[Scaling, ...]:
    """Time and memory of one of derlib's operations from a thousand entries to four million.

    What stands `beside` it is what Python does with the same octets: caches and new pages of memory make that grow
    faster than in proportion too.
    """
    sides: tuple[Side | str, ...] = ("derlib", *beside)
    return (
        Scaling(f"time, {what}", operation, SIZES, QUICK_SIZES, uniform_file, sides, reach=1.02, topic="growth"),
        Scaling(
            f"memory, {what}", operation, SIZES, QUICK_SIZES, uniform_file, kind="memory", warm=small, runs=1, least=1
        ),
    )


FAMILY = Family(
    name="crl",
    what="certificate revocation lists, and the certificates that a browser trusts",
    peers=PEERS,
    limits=(
        "Real CRLs: these are made by a script in the shape of CAcert's, with short serials, one kind of extension and "
        "no look at what is signed.",
        "Libraries that do equal checks: what a peer leaves out is in its note, and what derlib refuses and a peer "
        "accepts is in no figure.",
        "Slow peers on the large CRL: they have a reduced one, and derlib beside them on that one too.",
    ),
    inputs=INPUTS,
    cases=(*decoding(), *certificates(), *against_itself(), *encoding(), *pickling(), *look_up()),
    scalings=(
        *growing("decode", "decode", python("find", ABSENT_OCTETS)),
        *growing("encode anew", "encode_anew"),
        *growing("pickle.dumps", "dumps", python("dumps", "pickle.dumps of bytes")),
        *growing("pickle.loads", "loads", python("loads", "pickle.loads of bytes")),
        READING,
    ),
    published=PUBLISHED,
    counted=tuple(
        Counted(name, operation, lambda: crl_file(2000))
        for name, operation in (
            ("decode", "decode"),
            ("decode and read every entry", "decode_and_read"),
            ("encode every entry anew", "encode_anew"),
            ("pickle.dumps", "dumps"),
            ("pickle.loads", "loads"),
            ("look-ups through the CRL", "find"),
        )
    ),
)
