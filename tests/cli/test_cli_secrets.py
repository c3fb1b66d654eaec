"""`derlib dump`, `grep`, `diff` and the page of `derlib view` have the bytes of private keys only with `--secrets`."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from support.commands import CERTIFICATE, der, put, run

from derlib import ObjectIdentifier, pem
from derlib.schemas import keys, pkcs12
from derlib.schemas.algorithms import AlgorithmIdentifier

pytestmark = pytest.mark.usefixtures("empty_folder")

SECRET = bytes(range(0xA0, 0xC0))
ED = keys.PrivateKeyInfo(
    version=0, private_key_algorithm=AlgorithmIdentifier(algorithm="1.3.101.112"), private_key=SECRET
)
EC = keys.ECPrivateKey(version=1, private_key=SECRET)
BAG = der(0x30, bytes.fromhex("060b2a864886f70d010c0a0101"), der(0xA0, ED.encode()))
SAFE = pkcs12.AuthenticatedSafe(
    [pkcs12.ContentInfo(content_type=ObjectIdentifier("1.2.840.113549.1.7.1"), content=der(0x30, BAG))]
)
PFX = pkcs12.PFX(
    version=3,
    auth_safe=pkcs12.ContentInfo(content_type=ObjectIdentifier("1.2.840.113549.1.7.1"), content=SAFE.encode()),
)
DAMAGED = EC.encode().replace(bytes.fromhex("020101"), bytes.fromhex("020107"))
DOCUMENTS = {
    "PKCS #8": ED.encode(),
    "EC": EC.encode(),
    "RSA": keys.RSAPrivateKey(
        version=0, modulus=77, public_exponent=7, private_exponent=int.from_bytes(SECRET, "big"), prime1=7, prime2=11,
        exponent1=1, exponent2=7, coefficient=1,
    ).encode(),
    "PKCS #12": PFX.encode(),
    "unknown version": DAMAGED,
    "PEM": pem.encode(ED.encode(), "PRIVATE KEY").encode(),
    "label": pem.encode(der(0x30, der(0x0C, b"x"), der(0x04, SECRET)), "PRIVATE KEY").encode(),
}
BER = b"\x30\x80" + ED.encode()[2:-36] + bytes.fromhex("2480") + der(0x04, b"\x04\x20" + SECRET[:16]) + der(
    0x04, SECRET[16:]
) + bytes(4)


def dumped(*options: str) -> str:
    result = run("dump", "a.der", *options)
    assert result.exit_code == 0
    return re.sub("[^0-9a-f]", "", result.stdout)


def has_bytes(*options: str, status: int = 0) -> bool:
    """Return whether the page has bytes of the key."""
    run("view", "a.der", "-o", "a.html", *options, status=status)
    page = Path("a.html").read_text(encoding="utf-8")
    blocks = re.findall('<script type="text/plain"[^>]*>([^<]*)', page)
    return any(SECRET[4:8] in base64.b64decode(block) for block in blocks) or "a4:a5" in page


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_private_key_is_hidden_unless_asked_for(name: str) -> None:
    put(a_der=DOCUMENTS[name])
    shown = SECRET[4:8].hex()
    for options in ((), ("--json",), ("--no-into",)):
        assert shown not in dumped(*options)
    assert "(hidden; --secrets shows it)" in run("dump", "a.der").stdout
    # A long string is shortened in text.
    assert shown in dumped("--secrets", "--json")
    # The contents are not those that the label of the PEM block promises.
    status = 1 if name == "label" else 0
    assert not has_bytes(status=status)
    assert has_bytes("--secrets", status=status)


def test_a_private_key_in_ber_is_hidden_unless_asked_for() -> None:
    put(a_der=BER)
    assert SECRET[4:8].hex() not in dumped("--ber")
    assert SECRET[4:8].hex() in dumped("--ber", "--secrets")
    assert not has_bytes("--ber")
    # Without the option, the file has a page, too.
    assert not has_bytes(status=1)
    assert has_bytes("--secrets", status=1)
    assert has_bytes("--ber", "--secrets")


def test_the_rest_of_a_key_and_other_documents_are_shown() -> None:
    put(a_der=DOCUMENTS["PKCS #12"])
    text = run("dump", "a.der").stdout
    assert text.count("hidden") == 1
    assert "Ed25519 (1.3.101.112)" in text
    put(a_der=CERTIFICATE)
    assert "hidden" not in run("dump", "a.der").stdout
    assert run("dump", "a.der").stdout == run("dump", "a.der", "--secrets").stdout


@pytest.mark.parametrize("name", DOCUMENTS)
def test_grep_and_diff_show_keys_only_with_secrets(name: str) -> None:
    octets = DOCUMENTS[name]
    put(a_der=octets, b_der=der(0x30, b"\2\1\0"))
    shown = SECRET[4:8].hex()
    # It is not a valid key, as its label says.
    type_ = ("--type", "der") if name == "label" else ()
    for status, arguments in enumerate((("grep", "**", "a.der", *type_), ("diff", "a.der", "b.der", *type_))):
        for options in ((), ("--json",)):
            hidden = run(*arguments, *options, status=status).stdout
            assert shown not in hidden.replace(":", "")
            assert "(hidden; --secrets shows it)" in hidden
            full = run(*arguments, *options, "--secrets", status=status).stdout
            assert "(hidden" not in full
            # A long string is shortened in text.
            assert options == () or shown in full


def test_grep_shows_the_public_parts_of_a_key() -> None:
    put(a_der=ED.encode())
    assert run("grep", "**.algorithm", "a.der").stdout == "7: private_key_algorithm.algorithm: id-Ed25519\n"


def test_an_error_of_a_private_key_in_a_page_quotes_no_byte_of_it() -> None:
    """The private key of an RSAPrivateKey is not a minimal INTEGER, so the message would quote its first bytes."""
    exponent = b"\0\x11\x22\x33\x44" + bytes(124)
    numbers = [der(2, each) for each in (b"\0", b"\0\xc1" + bytes(127), b"\1\0\1", exponent)]
    put(a_pem=pem.encode(der(0x30, *numbers, *[der(2, b"\1")] * 5), "RSA PRIVATE KEY"))
    result = run("view", "a.pem", "-o", "a.html", status=1)
    assert "(hidden; --secrets shows it): integer-not-minimal" in result.stderr
    assert "11 22 33" not in result.stderr
    assert "11:22" not in Path("a.html").read_text(encoding="utf-8")
