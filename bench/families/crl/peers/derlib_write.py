"""derlib: encode, change, pickle and search a CRL. derlib.py exports these operations.

"Anew" means from a dict per entry with an `int` and a `datetime`, built before the clock starts; no encoding of an
entry is reused. The few fields around the entries are views.
"""

import pickle
from collections.abc import Iterator
from datetime import timedelta
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import Any

import derlib
from bench.families.crl.inputs import KEY
from bench.families.crl.stream import check_equal, check_file, entries
from bench.families.crl.stream import crl as crl_around
from bench.harness import Task
from derlib import Sequence, SequenceOf
from derlib.schemas.crl import CertificateList, RevokedCertificate, TBSCertList
from derlib.schemas.x509 import sa_ed25519

PROTOCOL = 5
SEARCHES = 10_000
SEED = 20261101


def fields_of(view: Sequence) -> dict[str, Any]:
    """Return the fields of a view by name."""
    return {field.name: getattr(view, field.name) for field in derlib.fields(type(view))}


def values_of_entry(entry: RevokedCertificate) -> dict[str, Any]:
    """Return an entry as Python values."""
    values = {"user_certificate": entry.user_certificate, "revocation_date": entry.revocation_date}
    if entry.crl_entry_extensions is not None:
        values["crl_entry_extensions"] = [fields_of(extension) for extension in entry.crl_entry_extensions]
    return values


def values_of_crl(crl: CertificateList) -> dict[str, Any]:
    """Return a CRL whose entries are Python values and whose other fields are views."""
    tbs = fields_of(crl.tbs_cert_list)
    tbs["revoked_certificates"] = [values_of_entry(entry) for entry in tbs["revoked_certificates"]]
    return fields_of(crl) | {"tbs_cert_list": tbs}


def decoded(path: str) -> CertificateList:
    """Return a decoded CRL."""
    return CertificateList.decode(Path(path).read_bytes())


def whole(encoded: object) -> list[object]:
    """Return the encoding as the only fact."""
    return [encoded]


def same(encoded: bytes, expected: bytes) -> list[object]:
    """Raise ValueError unless the encoding is the expected one."""
    if encoded != expected:
        raise ValueError("the encoding is not the expected one")
    return [True]


def encode(path: str) -> Task:
    """Return the bytes that were decoded."""
    crl = decoded(path)
    return Task(crl.encode, whole)


def encode_anew(path: str) -> Task:
    """Encode every entry from Python values."""
    values = values_of_crl(decoded(path))
    return Task(lambda: derlib.encode(values, CertificateList), whole)


def encode_tbs_anew(path: str) -> Task:
    """Encode only the signed part, every entry from Python values."""
    tbs = values_of_crl(decoded(path))["tbs_cert_list"]
    return Task(lambda: derlib.encode(tbs, TBSCertList), whole)


def build_and_sign(path: str) -> Task:
    """Build a CRL from serial numbers and times; cryptography signs the encoding."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    tbs = fields_of(decoded(path).tbs_cert_list) | {"signature": sa_ed25519, "crl_extensions": None}
    tbs["revoked_certificates"] = [values_of_entry(entry) for entry in tbs["revoked_certificates"]]
    key = Ed25519PrivateKey.from_private_bytes(KEY)

    def call() -> bytes:
        signed = derlib.encode(tbs, TBSCertList)
        signature = derlib.BitString(key.sign(signed))
        around = {
            "tbs_cert_list": TBSCertList.decode(signed),
            "signature_algorithm": sa_ed25519,
            "signature_value": signature,
        }
        return derlib.encode(around, CertificateList)

    return Task(call, whole)


def sign(path: str) -> Task:
    """Replace the signature of a decoded CRL."""
    data = Path(path).read_bytes()
    crl = CertificateList.decode(data)
    signature = derlib.BitString(bytes(len(crl.signature_value.bytes)))
    expected = data[: crl.span("signature_value").content_offset + 1] + signature.bytes
    return Task(lambda: crl.replace(signature_value=signature).encode(), lambda encoded: same(encoded, expected))


def renew(path: str) -> Task:
    """Replace thisUpdate of a decoded CRL."""
    data = Path(path).read_bytes()
    crl = CertificateList.decode(data)
    later = crl.tbs_cert_list.this_update + timedelta(seconds=1)
    span = crl.span("tbs_cert_list", "this_update")
    expected = data[: span.content_offset] + later.strftime("%y%m%d%H%M%SZ").encode() + data[span.end :]

    def call() -> bytes:
        return crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(this_update=later)).encode()

    return Task(call, lambda encoded: same(encoded, expected))


def facts(crl: CertificateList) -> Iterator[object]:
    """Yield what the CRL contains, without extensions."""
    tbs = crl.tbs_cert_list
    yield int(tbs.this_update.timestamp())
    for entry in tbs.revoked_certificates or ():
        yield entry.user_certificate, int(entry.revocation_date.timestamp()), ()


def dumps(path: str) -> Task:
    """Pickle a decoded CRL."""
    crl = decoded(path)
    return Task(lambda: pickle.dumps(crl, PROTOCOL), lambda encoded: facts(pickle.loads(encoded)))


def added_by_pickle(path: str) -> Task:
    """Return by how many bytes the pickle is longer than the CRL."""
    crl = decoded(path)
    encoded = len(crl.encode())
    return Task(lambda: len(pickle.dumps(crl, PROTOCOL)) - encoded, unit="bytes")


def loads(path: str) -> Task:
    """Unpickle a CRL, which validates it again."""
    encoded = pickle.dumps(decoded(path), PROTOCOL)
    return Task(lambda: pickle.loads(encoded), facts)


def entries_of(path: str) -> SequenceOf[RevokedCertificate]:
    """Return the entries of a CRL that was just decoded, so that they have no index yet."""
    found = decoded(path).tbs_cert_list.revoked_certificates
    assert found is not None
    return found


def index(path: str) -> Task:
    """Index all entries by serial number; a list keeps its index, so each run gets a new list."""
    return Task(lambda fresh: fresh.index_by("user_certificate"), setup=lambda: entries_of(path))


def look_up(path: str, kind: str) -> Task:
    """Return a task of many searches, half of them for absent serial numbers; the facts are what was found."""
    crl = decoded(path)
    listed = entries_of(path)
    dictionary: dict[int, RevokedCertificate] = {}
    for entry in listed:
        dictionary.setdefault(entry.user_certificate, entry)
    random = Random(SEED)
    searches = min(SEARCHES, len(dictionary))
    present = random.sample(list(dictionary), searches // 2)
    drawn = (random.randrange(1, 0x800000) for _ in count())
    absent = islice((serial for serial in drawn if serial not in dictionary), searches // 2)
    both = [*present, *absent]
    serials = random.sample(both, len(both))
    searches_by_kind = {"lookup": listed.index_by("user_certificate").find, "crl": crl.find, "dict": dictionary.get}
    find: Any = searches_by_kind[kind]

    def run() -> None:
        for serial in serials:
            find(serial)

    def found(_: object) -> Iterator[object]:
        for serial in serials:
            entry = find(serial)
            yield serial, entry and bytes(entry.der)

    return Task(run, found, per=len(serials))


def lookup_find(path: str) -> Task:
    """Search an index of the entries."""
    return look_up(path, "lookup")


def find(path: str) -> Task:
    """Search through the CRL."""
    return look_up(path, "crl")


def dict_get(path: str) -> Task:
    """Search a dict of views, for comparison."""
    return look_up(path, "dict")


def stream(number: str) -> Task:
    """Write a CRL whose entries come from a generator to a file; they are never all in memory."""
    amount = int(number)
    check_equal(min(amount, 1000))

    def call() -> Any:
        file = TemporaryFile()  # noqa: SIM115 - the facts read it
        derlib.encode_to(file, crl_around(entries(amount)), CertificateList)
        return file

    def checked(file: Any) -> list[object]:
        check_file(file, amount)
        return [amount]

    return Task(call, checked)
