"""CRLs and certificates: decode, encode, pickle and search them.

Libraries that would take minutes for the large CRL get a small one, and derlib is measured with that, too. Some
sides are derlib itself doing something else, or what Python does with the same bytes.
"""

from dataclasses import replace

from bench.families.crl.inputs import INPUTS, crl_file, small, uniform_file
from bench.families.crl.threads import FREE_THREADED
from bench.harness import Case, Counted, Family, Growth, Peer, Side

HERE = "bench.families.crl.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "cryptography": Peer(f"{HERE}.cryptography", "cryptography"),
    "cryptography.hazmat.asn1": Peer(f"{HERE}.cryptography_asn1", "cryptography"),
    "asn1crypto": Peer(f"{HERE}.asn1crypto", "asn1crypto"),
    "pyasn1": Peer(f"{HERE}.pyasn1", "pyasn1"),
    "asn1tools": Peer(f"{HERE}.asn1tools", "asn1tools"),
    "pycrate": Peer(f"{HERE}.pycrate", "pycrate"),
    "pyderasn": Peer(f"{HERE}.pyderasn", "pyderasn", remedy="its authors publish it on their own site"),
    "OpenSSL": Peer(f"{HERE}.libcrypto"),
    "Python": Peer(f"{HERE}.python"),
}
ASN1 = "cryptography.hazmat.asn1"
SLOW = ("asn1crypto", "pyasn1", "asn1tools", "pycrate", "pyderasn", ASN1)
PICKLING = ("asn1crypto", "pyasn1", "pyderasn")


def python(operation: str, label: str) -> Side:
    """Return what Python itself does with the same bytes."""
    note = "not a lower bound: a search for one byte is much faster" if operation == "find" else ""
    return Side("Python", operation, label, checked=False, note=note)


LOAD = Side("cryptography", label="cryptography load", note="does not parse the entries")
NATIVE = Side("asn1crypto", note="`native` builds a dict of the whole CRL")
DUMP = Side("asn1crypto", label="asn1crypto dump(force=True)")
READ = Side("asn1crypto", note="a CRL that was read; its parsed values are pickled, too")
SEARCH = python("find", "bytes.find of 6 absent bytes")
COPY = python("copy", "copy of the bytes")
DECODE = Side("derlib", "decode", "decode", checked=False)
DICT = Side("derlib", "dict_get", "dict.get")


THREADS = {"one_thread": "one CRL in one thread", "two_threads": "two CRLs in two threads"}


def openssl(function: str) -> Side:
    """Return a function of OpenSSL's libcrypto."""
    return Side("OpenSSL", label=f"OpenSSL {function}", checked=function.startswith("i2d"))


def unread(operation: str) -> Side:
    """Return asn1crypto with a CRL that has not been read."""
    note = "pickles the bytes and checks nothing"
    return Side("asn1crypto", f"{operation}_unread", "asn1crypto, nothing read", note=note)


def memory(name: str, operation: str, sides: tuple[Side | str, ...], given: str = "plain", runs: int = 3) -> Case:
    """Return a case that measures by how much an operation raises the peak of memory."""
    return Case(f"memory: {name}", operation, given, sides, "memory", "memory", runs, least=1)


def decoding() -> tuple[Case, ...]:
    """Return the cases that decode and read."""
    d2i = openssl("d2i_X509_CRL")
    one, two = (Side("Python", f"in_{count}", label, checked=False) for count, label in THREADS.items())
    return (
        Case("decode a CRL", "decode", "plain", ("derlib", LOAD, d2i, SEARCH), topic="decode"),
        Case("decode a CRL with reason codes", "decode", "reasons", ("derlib", LOAD, d2i, SEARCH), topic="decode"),
        Case(
            "decode a CRL and read every entry",
            "decode_and_read",
            "plain",
            ("derlib", "cryptography", ASN1, NATIVE),
            topic="decode",
            runs=9,
            least=2,
        ),
        Case(
            "decode a CRL with reason codes and read every entry",
            "decode_and_read",
            "reasons",
            ("derlib", "cryptography", ASN1),
            topic="decode",
            runs=9,
            least=2,
        ),
        Case(
            "decode a CRL with reason codes and get the reason of every entry",
            "decode_and_get_reasons",
            "reasons",
            ("derlib", "cryptography"),
            topic="decode",
            runs=9,
            least=2,
        ),
        Case(
            "decode a small CRL and read every entry",
            "decode_and_read",
            "small",
            ("derlib", NATIVE, *SLOW[1:]),
            topic="decode",
            runs=9,
        ),
        memory("decode a CRL", "decode", ("derlib", LOAD), runs=9),
        memory("decode a CRL with reason codes", "decode", ("derlib", LOAD), "reasons", runs=9),
        memory("decode a CRL and read every entry", "decode_and_read", ("derlib", "cryptography", ASN1, NATIVE)),
        Case(
            "decode two CRLs in two threads",
            "in_two_threads",
            "plain",
            ("derlib", Side("derlib", "in_one_thread", THREADS["one_thread"], checked=False)),
            topic="threads",
        ),
        *reading_in_threads(),
        Case("hash two CRLs with SHA-1 in two threads", "", "plain", (two, one), topic="threads"),
    )


def reading_in_threads() -> tuple[Case, ...]:
    """Return the case that makes Python objects in two threads. With the GIL, it would measure the GIL."""
    if not FREE_THREADED:
        return ()
    one = Side("derlib", "read_in_one_thread", THREADS["one_thread"], checked=False)
    title = "decode two CRLs and read every entry in two threads"
    return (Case(title, "read_in_two_threads", "plain", ("derlib", one), topic="threads", runs=9),)


def certificates() -> tuple[Case, ...]:
    """Return the cases on the roots of certifi."""
    title = "decode the certificates of certifi"
    deep = Side("derlib", "read_certificates_to_the_bottom")
    return (
        Case(title, "decode_certificates", "certifi", ("derlib", "cryptography"), topic="certificates"),
        Case(
            f"{title} and read their fields and extensions",
            "read_certificates",
            "certifi",
            ("derlib", "cryptography"),
            topic="certificates",
        ),
        Case(
            f"{title} and read every field of every extension",
            "read_certificates",
            "certifi",
            (deep, "cryptography"),
            topic="certificates",
        ),
    )


def encoding() -> tuple[Case, ...]:
    """Return the cases that encode: the decoded bytes, from Python values, and after a change."""
    i2d = openssl("i2d_re_X509_CRL_tbs")
    decoded = Side("derlib", note="returns the decoded bytes")
    builder = Side("cryptography", label="cryptography's builder", note="a builder for each entry")
    tbs = "encode a TBSCertList"
    return (
        Case("encode a decoded CRL", "encode", "plain", (decoded, COPY), topic="encode"),
        Case(
            "encode a CRL from Python values",
            "encode_anew",
            "plain",
            ("derlib", DUMP, ASN1),
            topic="encode",
            runs=5,
            least=2,
        ),
        Case(f"{tbs} from Python values", "encode_tbs_anew", "plain", ("derlib", i2d), topic="encode", runs=9),
        Case(
            f"{tbs} with reason codes from Python values",
            "encode_tbs_anew",
            "reasons",
            ("derlib", i2d),
            topic="encode",
            runs=9,
        ),
        Case(
            "encode a small CRL from Python values", "encode_anew", "small", ("derlib", *SLOW), topic="encode", runs=9
        ),
        Case("build a small CRL and sign it", "build_and_sign", "small", ("derlib", builder), topic="encode", runs=9),
        Case("replace the signature of a CRL and encode it", "sign", "plain", ("derlib", COPY), topic="encode"),
        Case("replace thisUpdate of a CRL and encode it", "renew", "plain", ("derlib", COPY), topic="encode"),
        memory("encode a CRL from Python values", "encode_anew", ("derlib", DUMP, ASN1)),
        memory("encode_to from a generator", "stream", ("derlib",), "stream"),
    )


def pickling() -> tuple[Case, ...]:
    """Return the cases that pickle."""
    cases = []
    for operation, plain in (("dumps", python("dumps", "pickle.dumps of bytes")), ("loads", DECODE)):
        title = f"pickle.{operation} of a"
        refusing = ("cryptography", ASN1) if operation == "dumps" else ()
        sides = ("derlib", plain, READ, unread(operation), *refusing)
        cases += [
            Case(f"{title} CRL", operation, "plain", sides, topic="pickle", least=2),
            Case(f"{title} small CRL", operation, "small", ("derlib", *PICKLING), topic="pickle", runs=9),
            memory(f"{title} CRL", operation, ("derlib", READ)),
        ]
    sides = ("derlib", READ, unread("dumps"), python("data", "DER"))
    return (
        *cases,
        Case("size of a pickled CRL", "dumps", "plain", sides, "size", "size"),
        Case("bytes that pickling adds to a CRL", "added_by_pickle", "plain", ("derlib",), "count", "overhead"),
    )


def searching() -> tuple[Case, ...]:
    """Return the cases that find a serial number."""
    title = "find a serial number with"
    return (
        Case("index a CRL by serial number", "index", "plain", ("derlib", DECODE), topic="search"),
        Case(f"{title} Lookup.find", "lookup_find", "plain", ("derlib", DICT), topic="search"),
        Case(f"{title} CertificateList.find", "find", "plain", ("derlib", DICT), topic="search"),
    )


SIZES = tuple(1000 * 2**power for power in range(0, 13, 2))
QUICK_SIZES = (1000, 8000)
SLOW_SIZES, SLOW_QUICK_SIZES = (2000, 4000, 8000, 16_000), (500, 1000)


def growths() -> tuple[Growth, ...]:
    """Return time and memory by the number of entries, from a thousand to four million.

    Beside derlib is what Python does with the same bytes: processor caches and new pages of memory make that grow
    faster than in proportion, too.
    """
    found: list[Growth] = []
    for what, operation, beside in (
        ("decode", "decode", (SEARCH,)),
        ("encode from Python values", "encode_anew", ()),
        ("pickle.dumps", "dumps", (python("dumps", "pickle.dumps of bytes"),)),
        ("pickle.loads", "loads", (python("loads", "pickle.loads of bytes"),)),
    ):
        time = Growth(f"time, {what}", operation, SIZES, QUICK_SIZES, uniform_file, ("derlib", *beside))
        name = f"memory, {what}"
        found += [time, replace(time, name=name, sides=("derlib",), kind="memory", warm=small, runs=1, least=1)]
    title = "time, decode and read every entry, other libraries"
    found.append(Growth(title, "decode_and_read", SLOW_SIZES, SLOW_QUICK_SIZES, crl_file, SLOW, runs=5))
    return tuple(found)


FAMILY = Family(
    name="crl",
    what="CRLs and certificates",
    peers=PEERS,
    caveats=(
        "A script generates the CRLs, which resemble CAcert's CRL: short serial numbers, one kind of extension.",
        "The libraries do not check the same rules. The notes say what a library does not check.",
        "Slow libraries process a small CRL of 20,000 entries; for comparison, derlib processes it, too.",
    ),
    inputs=INPUTS,
    cases=(*decoding(), *certificates(), *encoding(), *pickling(), *searching()),
    growths=growths(),
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
