"""derlib: encoding, changing, pickling and searching a CRL. Called through derlib.py beside it.

"Anew" means from a dict per entry with an `int` and a `datetime`, made before the clock starts, and no octet of an
entry kept; the few fields around the entries are views.
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
from bench.harness import Task
from bench.stream import crl as crl_around
from bench.stream import demand_equal, demand_sound, entries
from derlib import Sequence, SequenceOf
from derlib.schemas.crl import CertificateList, RevokedCertificate, TBSCertList
from derlib.schemas.x509 import sa_ed25519

PROTOCOL = 5
LOOKUPS = 10_000
SEED = 20261101


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


def decoded(path: str) -> CertificateList:
    """A CRL."""
    return CertificateList.decode(Path(path).read_bytes())


def whole(octets: object) -> list[object]:
    """What was written."""
    return [octets]


def same(octets: bytes, wanted: bytes) -> list[object]:
    """Refuse to be measured with wrong octets."""
    if octets != wanted:
        raise ValueError("other octets were written than expected")
    return [True]


def encode(path: str) -> Task:
    """The octets that a decoded CRL has kept."""
    crl = decoded(path)
    return Task(crl.encode, whole)


def encode_anew(path: str) -> Task:
    """Every entry from Python values."""
    values = values_of_crl(decoded(path))
    return Task(lambda: derlib.encode(values, CertificateList), whole)


def encode_tbs_anew(path: str) -> Task:
    """The signed part alone, every entry from Python values."""
    tbs = values_of_crl(decoded(path))["tbs_cert_list"]
    return Task(lambda: derlib.encode(tbs, TBSCertList), whole)


def build_and_sign(path: str) -> Task:
    """A CRL from serials and times; cryptography signs what derlib wrote."""
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
    """A decoded CRL with another signature."""
    data = Path(path).read_bytes()
    crl = CertificateList.decode(data)
    signature = derlib.BitString(bytes(len(crl.signature_value.bytes)))
    wanted = data[: crl.span("signature_value").content_offset + 1] + signature.bytes
    return Task(lambda: crl.replace(signature_value=signature).encode(), lambda octets: same(octets, wanted))


def renew(path: str) -> Task:
    """A decoded CRL with another thisUpdate."""
    data = Path(path).read_bytes()
    crl = CertificateList.decode(data)
    later = crl.tbs_cert_list.this_update + timedelta(seconds=1)
    span = crl.span("tbs_cert_list", "this_update")
    wanted = data[: span.content_offset] + later.strftime("%y%m%d%H%M%SZ").encode() + data[span.end :]

    def call() -> bytes:
        return crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(this_update=later)).encode()

    return Task(call, lambda octets: same(octets, wanted))


def facts(crl: CertificateList) -> Iterator[object]:
    """What the CRL says, without extensions."""
    tbs = crl.tbs_cert_list
    yield int(tbs.this_update.timestamp())
    for entry in tbs.revoked_certificates or ():
        yield entry.user_certificate, int(entry.revocation_date.timestamp()), ()


def dumps(path: str) -> Task:
    """Pickle a decoded CRL."""
    crl = decoded(path)
    return Task(lambda: pickle.dumps(crl, PROTOCOL), lambda octets: facts(pickle.loads(octets)))


def added_by_pickle(path: str) -> Task:
    """How many octets more than the CRL its pickle has."""
    crl = decoded(path)
    octets = len(crl.encode())
    return Task(lambda: len(pickle.dumps(crl, PROTOCOL)) - octets, unit="octets")


def loads(path: str) -> Task:
    """The way back, which checks everything again."""
    octets = pickle.dumps(decoded(path), PROTOCOL)
    return Task(lambda: pickle.loads(octets), facts)


def entries_of(path: str) -> SequenceOf[RevokedCertificate]:
    """The entries of a CRL that was just decoded, so that no index of them is there yet."""
    found = decoded(path).tbs_cert_list.revoked_certificates
    assert found is not None
    return found


def index(path: str) -> Task:
    """The index of all entries by serial number; a list keeps its own, so each run has a list of its own."""
    return Task(lambda fresh: fresh.index_by("user_certificate"), setup=lambda: entries_of(path))


def look_up(path: str, kind: str) -> Task:
    """Many look-ups among all entries, half of them in vain; the facts are what was found."""
    crl = decoded(path)
    listed = entries_of(path)
    dictionary: dict[int, RevokedCertificate] = {}
    for entry in listed:
        dictionary.setdefault(entry.user_certificate, entry)
    random = Random(SEED)
    lookups = min(LOOKUPS, len(dictionary))
    present = random.sample(list(dictionary), lookups // 2)
    drawn = (random.randrange(1, 0x800000) for _ in count())
    absent = islice((serial for serial in drawn if serial not in dictionary), lookups // 2)
    both = [*present, *absent]
    serials = random.sample(both, len(both))
    ways = {"lookup": listed.index_by("user_certificate").find, "crl": crl.find, "dict": dictionary.get}
    find: Any = ways[kind]

    def run() -> None:
        for serial in serials:
            find(serial)

    def found(_: object) -> Iterator[object]:
        for serial in serials:
            entry = find(serial)
            yield serial, entry and bytes(entry.der)

    return Task(run, found, per=len(serials) / 1000, unit="µs")


def lookup_find(path: str) -> Task:
    """Through an index of the entries."""
    return look_up(path, "lookup")


def find(path: str) -> Task:
    """Through the CRL."""
    return look_up(path, "crl")


def dict_get(path: str) -> Task:
    """A dict of views shows what Python itself takes."""
    return look_up(path, "dict")


def stream(number: str) -> Task:
    """A CRL of so many entries from a generator, written to a file; nothing has all of them at once."""
    amount = int(number)
    demand_equal(min(amount, 1000))

    def call() -> Any:
        file = TemporaryFile()  # noqa: SIM115 - the facts read it
        derlib.encode_to(file, crl_around(entries(amount)), CertificateList)
        return file

    def sound(file: Any) -> list[object]:
        demand_sound(file, amount)
        return [amount]

    return Task(call, sound)
