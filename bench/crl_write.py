"""Encoding, changing, pickling and searching a large CRL beside peers: the write rows of `python -m bench.crl`.

Called by bench/crl.py. "From Python values" means a dict per entry with an `int` and a `datetime`, made before the
clock starts, and no octet of an entry kept; the few fields around the entries are views. Before a row is timed, what
both sides make is compared, octet by octet.
"""

import pickle
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import count, islice
from random import Random
from typing import Any

import asn1crypto.crl

import derlib
from bench.libcrypto import LibcryptoCRL, Missing
from bench.measure import Figures, Plan, Work, interleave, versus
from bench.report import Row, ratio_row
from bench.stream import stream_growth
from derlib import Sequence, SequenceOf
from derlib.schemas.crl import CertificateList, RevokedCertificate, TBSCertList

PROTOCOL = 5
LOOKUPS = 10_000
STREAM_RUNS = 3
SEED = 20261101
TOPIC = "write"


def demand(condition: bool, complaint: str) -> None:
    """Stop where two sides differ."""
    if not condition:
        raise SystemExit(complaint)


def fields_of(view: Sequence) -> dict[str, Any]:
    """The fields of a view by name: decoded values, nested views."""
    return {field.name: getattr(view, field.name) for field in derlib.fields(type(view))}


def values_of_entry(entry: RevokedCertificate) -> dict[str, Any]:
    """An entry as Python values without any of its octets."""
    values = {"user_certificate": entry.user_certificate, "revocation_date": entry.revocation_date}
    if entry.crl_entry_extensions is not None:
        values["crl_entry_extensions"] = [fields_of(extension) for extension in entry.crl_entry_extensions]
    return values


def values_of_crl(crl: CertificateList) -> dict[str, Any]:
    """A CRL whose entries are Python values and whose other fields are views."""
    tbs = fields_of(crl.tbs_cert_list)
    tbs["revoked_certificates"] = [values_of_entry(entry) for entry in tbs["revoked_certificates"]]
    return fields_of(crl) | {"tbs_cert_list": tbs}


def asn1crypto_row(data: bytes, values: dict[str, Any], plan: Plan) -> Row:
    """Every entry anew, against asn1crypto doing the same with the values that it holds."""
    peer = asn1crypto.crl.CertificateList.load(data)
    demand(peer.dump(force=True) == data, "asn1crypto encodes another CRL than it read")
    demand(derlib.encode(values, CertificateList) == data, "derlib encodes another CRL than it read")
    figures = versus(
        Work(lambda: derlib.encode(values, CertificateList)),
        Work(lambda: peer.dump(force=True)),
        plan.slowest_runs,
    )
    work = "encode CRL, plain, every entry anew from Python values"
    return ratio_row(work, "asn1crypto dump(force=True)", *figures, reach=1 / 25, aim=1 / 60, topic=TOPIC)


def libcrypto_row(kind: str, data: bytes, values: dict[str, Any], plan: Plan) -> Row:
    """The signed part anew, against OpenSSL, which encodes from C structs."""
    tbs: Mapping[str, Any] = values["tbs_cert_list"]
    work = f"encode TBSCertList, {kind}, every entry anew from Python values"
    ours = Work(lambda: derlib.encode(tbs, TBSCertList))
    try:
        peer = LibcryptoCRL(data)
    except Missing as reason:
        alone = interleave({"ours": ours}, plan.slow_runs)["ours"]
        return Row(work, f"OpenSSL is absent: {reason}", alone, None, alone.median, "ms", topic=TOPIC)
    wanted = CertificateList.decode(data).tbs_cert_list.encode()
    demand(peer.encode(take=True) == wanted, "OpenSSL encodes another TBSCertList than it read")
    demand(derlib.encode(tbs, TBSCertList) == wanted, "derlib encodes another TBSCertList than it read")
    figures = versus(ours, Work(peer.encode), plan.slow_runs)
    name = f"{peer.version} i2d_re_X509_CRL_tbs"
    peer.close()
    return ratio_row(work, name, *figures, reach=2.0, aim=0.8, topic=TOPIC)


def change_rows(data: bytes, plan: Plan) -> Iterator[Row]:
    """One field of a decoded CRL changed, at the top and within the signed part, against a plain copy."""
    crl = CertificateList.decode(data)
    later = crl.tbs_cert_list.this_update + timedelta(seconds=1)
    signature = derlib.BitString(bytes(len(crl.signature_value.bytes)))
    span = crl.span("tbs_cert_list", "this_update")
    renewed = data[: span.content_offset] + later.strftime("%y%m%d%H%M%SZ").encode() + data[span.end :]
    span = crl.span("signature_value")
    signed = data[: span.content_offset + 1] + signature.bytes

    def sign() -> bytes:
        return crl.replace(signature_value=signature).encode()

    def renew() -> bytes:
        return crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(this_update=later)).encode()

    octets = memoryview(data)
    for work, change, wanted in (
        ("decoded CRL, signature replaced, and encode", sign, signed),
        ("decoded CRL, thisUpdate replaced, and encode", renew, renewed),
    ):
        demand(change() == wanted, f"{work}: other octets than expected")
        figures = versus(Work(change), Work(lambda: bytes(octets)), plan.runs)
        yield ratio_row(work, "bytes copy into a new buffer", *figures, reach=3.0, aim=1.5, topic=TOPIC)


def pickle_rows(data: bytes, plan: Plan) -> Iterator[Row]:
    """To a pickle and back, and its size."""
    crl = CertificateList.decode(data)
    pickled = pickle.dumps(crl, PROTOCOL)
    demand(pickle.loads(pickled) == crl, "a pickled CRL comes back as another")
    demand(pickle.loads(pickled).encode() == data, "a pickled CRL comes back with other octets")
    figures = versus(
        Work(lambda: pickle.dumps(crl, PROTOCOL)), Work(lambda: pickle.dumps(data, PROTOCOL)), plan.runs
    )
    yield ratio_row("pickle.dumps of a CRL", "pickle.dumps of bytes", *figures, reach=1.5, aim=1.05, topic=TOPIC)
    figures = versus(Work(lambda: pickle.loads(pickled)), Work(lambda: CertificateList.decode(data)), plan.runs)
    yield ratio_row("pickle.loads of a CRL", "decode", *figures, reach=1.5, aim=1.1, topic=TOPIC)
    sizes = (Figures((len(octets) / 2**20,), "MiB") for octets in (pickled, data))
    yield ratio_row("size of a pickled CRL", "DER", *sizes, reach=1.0001, aim=1.0001, topic=TOPIC)


def entries_of(data: bytes) -> SequenceOf[RevokedCertificate]:
    """The entries of a CRL that was just decoded, so that no index of them is there yet."""
    entries = CertificateList.decode(data).tbs_cert_list.revoked_certificates
    assert entries is not None
    return entries


def index_row(data: bytes, plan: Plan) -> Row:
    """The index of all entries by serial number, against the check."""
    # A list keeps its index, so each run has a list of its own; the first round is not counted.
    fresh = [entries_of(data) for _ in range(plan.runs + 1)]
    figures = versus(
        Work(lambda: fresh.pop().index_by("user_certificate")),
        Work(lambda: CertificateList.decode(data)),
        plan.runs,
    )
    return ratio_row("index of the entries by serial number", "decode", *figures, reach=3.0, aim=1.0, topic=TOPIC)


def look_up_rows(data: bytes, plan: Plan) -> Iterator[Row]:
    """One look-up among all entries, half of them in vain; a dict of views shows what Python itself takes."""
    crl = CertificateList.decode(data)
    entries = entries_of(data)
    dictionary: dict[int, RevokedCertificate] = {}
    for entry in entries:
        dictionary.setdefault(entry.user_certificate, entry)
    random = Random(SEED)
    present = random.sample(list(dictionary), LOOKUPS // 2)
    drawn = (random.randrange(1, 0x800000) for _ in count())
    absent = islice((serial for serial in drawn if serial not in dictionary), LOOKUPS // 2)
    serials = random.sample([*present, *absent], LOOKUPS)
    lookup = entries.index_by("user_certificate")
    for serial in serials:
        wanted = dictionary.get(serial)
        demand(lookup.find(serial) == wanted == crl.find(serial), f"serial {serial}: found another entry")

    def over_all(find: Any) -> Work:
        def run() -> None:
            for serial in serials:
                find(serial)

        return Work(run)

    works = {
        "one look-up, Lookup.find": over_all(lookup.find),
        "one look-up, CertificateList.find": over_all(crl.find),
        "": over_all(dictionary.get),
    }
    figures = {name: times.per(LOOKUPS / 1000, "µs") for name, times in interleave(works, plan.runs).items()}
    theirs = figures.pop("")
    for work, ours in figures.items():
        yield Row(work, "dict.get", ours, theirs, ours.median, "µs", reach=1.0, aim=0.3, topic=TOPIC)


def stream_row(plan: Plan) -> Row:
    """The growth of the peak of memory while a CRL of very many entries is written to a file."""
    grown = Figures(tuple(stream_growth(plan.streamed) for _ in range(STREAM_RUNS)), "MiB")
    work = f"growth of peak memory, encode_to from a generator of {plan.streamed:,} entries"
    return Row(work, "-", grown, None, grown.median, "MiB", reach=64, aim=8, topic=TOPIC)


def measure(crls: Mapping[str, bytes], plan: Plan) -> Iterator[Row]:
    """Yield every write row; `crls` has a "plain" CRL, on which most rows stand."""
    for kind, data in crls.items():
        values = values_of_crl(CertificateList.decode(data))
        if kind == "plain":
            yield asn1crypto_row(data, values, plan)
        yield libcrypto_row(kind, data, values, plan)
    plain = crls["plain"]
    yield from change_rows(plain, plan)
    yield from pickle_rows(plain, plan)
    yield index_row(plain, plan)
    yield from look_up_rows(plain, plan)
    yield stream_row(plan)
