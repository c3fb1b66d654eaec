"""DER in hexadecimal and base64."""

import base64
import textwrap
from hashlib import sha256

import pytest
from support.commands import CERTIFICATE, make_certificate, put, run, run_json

from derlib import pem

pytestmark = pytest.mark.usefixtures("empty_folder")

HEX = CERTIFICATE.hex()
ARRAY = ",\n  ".join(f"0x{octet:02x}" for octet in CERTIFICATE)
BASE64 = base64.b64encode(CERTIFICATE).decode()



def dump(line: str, last: str = "") -> str:
    """Return a hexadecimal dump. `line` formats the offset, 16 bytes and their characters; `last` the final offset."""
    found = []
    for at in range(0, len(CERTIFICATE), 16):
        octets = CERTIFICATE[at : at + 16]
        pairs = octets.hex()
        characters = "".join(chr(octet) if 32 < octet < 127 else "." for octet in octets)
        words = {
            "pairs": " ".join(pairs[two : two + 2] for two in range(0, len(pairs), 2)),
            "words": " ".join(pairs[four : four + 4] for four in range(0, len(pairs), 4)),
            "halves": f"{octets[:8].hex(' ')}  {octets[8:].hex(' ')}".rstrip(),
        }
        found.append(line.format(at=at, characters=characters, **words))
    return "\n".join([*found, last.format(at=len(CERTIFICATE))])


TEXTS = {
    "xxd": dump("{at:08x}: {words:39}  {characters}"),
    "xxd -g1": dump("{at:08x}: {pairs:47}  {characters}"),
    "xxd -i": f"unsigned char a_der[] = {{\n  {ARRAY}\n}};\nunsigned int a_der_len = {len(CERTIFICATE)};\n",
    "hexdump -C": dump("{at:08x}  {halves:48}  |{characters}|", "{at:08x}\n"),
    "od -t x1": dump("{at:07o} {pairs}", "{at:07o}\n"),
    "od -A x -t x1": dump("{at:07x} {pairs}", "{at:07x}\n"),
    "hexadecimal": HEX,
    "upper case": HEX.upper(),
    "0x": "0x" + HEX,
    "an array of C": f"{ARRAY},\n",
    "0x before each byte": " ".join(f"0X{octet:02X}" for octet in CERTIFICATE),
    "colons": CERTIFICATE.hex(":"),
    "colons and lines": "\n    ".join(textwrap.wrap(CERTIFICATE.hex(":"), 45)),
    "spaces": CERTIFICATE.hex(" "),
    "lines": "\n".join(textwrap.wrap(HEX, 64)) + "\n",
    "lines of Windows": "\r\n".join(textwrap.wrap(HEX, 64)) + "\r\n",
    "base64": BASE64,
    "base64 in lines": "\n".join(textwrap.wrap(BASE64, 64)) + "\n",
    "base64 without padding": BASE64.rstrip("="),
    "base64url": base64.urlsafe_b64encode(CERTIFICATE).decode(),
    "a byte order mark": "\ufeff" + BASE64,
    "space at both ends": f"\n {BASE64} \n\n",
}


@pytest.mark.parametrize("form", TEXTS)
def test_a_text_is_the_bytes_that_it_encodes(form: str) -> None:
    put(a_der=CERTIFICATE, a_txt=TEXTS[form])
    for command in ("cert", "show", "dump", "lint"):
        assert run(command, "a.txt").stdout.replace("a.txt", "a.der") == run(command, "a.der").stdout
    # The offset of an element is the one in the decoded bytes.
    assert run("extract", "a.txt", "4", "--to", "hex").stdout == run("extract", "a.der", "4", "--to", "hex").stdout
    assert run("diff", "a.txt", "a.der").stdout == ""


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
@pytest.mark.parametrize("text", [HEX, BASE64, pem.encode(CERTIFICATE, "CERTIFICATE")], ids=["hex", "base64", "PEM"])
def test_a_text_in_utf16_is_read(encoding: str, text: str) -> None:
    """Programs of Windows write such files with a byte order mark, and other programs without."""
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    put(a_txt=(mark + text).encode(encoding), b_txt=text)
    assert run("cert", "a.txt").stdout == run("cert", "b.txt").stdout


def test_another_text_in_utf16_is_not_several_values() -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        put(a_txt="These are notes, and no certificate.".encode(encoding))
        assert "it is text in UTF-16, not ASN.1" in run("dump", "a.txt", status=1).stderr


@pytest.mark.parametrize("indentation", ["  ", "\t", "    \t "])
def test_an_indented_pem_block_is_read(indentation: str) -> None:
    lines = ["ca:", *(indentation + line for line in pem.encode(CERTIFICATE, "CERTIFICATE").splitlines()), "name: é"]
    for end in ("\n", "\r\n"):
        put(a_yaml=end.join(lines), a_pem="ca:\n" + pem.encode(CERTIFICATE, "CERTIFICATE"))
        assert run("cert", "a.yaml").stdout == run("cert", "a.pem").stdout
        document = run_json("cert", "a.yaml")[0]
        assert (document["block"], document["line"]) == (1, 2)


def test_indented_and_other_blocks_of_one_file_are_read() -> None:
    block = pem.encode(CERTIFICATE, "CERTIFICATE")
    indented = textwrap.indent(block, "    ")
    put(a_yaml=f"{block}ca: |\n{indented}  more: |\n{indented}{block}".encode())
    found = run_json("cert", "a.yaml")
    size = block.count("\n")
    assert [one["line"] for one in found] == [1, size + 2, 2 * size + 3, 3 * size + 3]
    assert [one["certificate"]["sha256"] for one in found] == [sha256(CERTIFICATE).hexdigest()] * 4


def test_der_with_an_indented_pem_block_in_a_string_is_der() -> None:
    put(a_der=b"\x0c\x14\n  -----BEGIN X-----" + b"\x04\x01\x07")
    assert "OCTET STRING 07" in run("dump", "a.der").stdout


def test_der_that_begins_with_the_bytes_of_a_byte_order_mark_is_der() -> None:
    put(a_der=bytes.fromhex("fffe4100"))
    assert "[PRIVATE 16193]" in run("dump", "a.der").stdout


@pytest.mark.parametrize(
    "join",
    [
        lambda values: b"".join(values).hex(),
        lambda values: "\n".join(value.hex() for value in values),
        lambda values: base64.b64encode(b"".join(values)).decode(),
        lambda values: "\n".join(base64.b64encode(value).decode() for value in values),
    ],
    ids=["hexadecimal", "a line of hexadecimal each", "base64", "a line of base64 each"],
)
def test_a_text_can_have_several_values(join) -> None:
    put(a_txt=join([make_certificate(f"{size * 'x'}") for size in (1, 2, 3)]))
    documents = run_json("cert", "a.txt")
    assert [each["certificate"]["subject"] for each in documents] == ["CN=x", "CN=xx", "CN=xxx"]
    assert [each["value"] for each in documents] == [1, 2, 3]


def test_a_fault_in_a_text_has_its_offset_in_the_bytes() -> None:
    for text in (HEX[:-2], base64.b64encode(CERTIFICATE[:-1]).decode()):
        error = run("cert", "-", stdin=text.encode(), status=1).stderr
        assert "declares 419 contents octets; the input ends after 418" in error


OTHERS = ["", "0", "0x", ":", "=", "hello", "some words\n" * 9, "cafe\n", "MIIB", "MAA=MAA*", '{"a": 1}', "a" * 200]


@pytest.mark.parametrize("text", OTHERS)
def test_another_text_is_an_error(text: str) -> None:
    result = run("dump", "-", stdin=text.encode(), status=1)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


LONG_TEXTS = [
    "A" * 200_000 + "*",
    "A=" * 100_000 + "*",
    "30" * 200_000 + "x",
    "0:" * 200_000,
    "0x30," * 200_000 + "x",
    "{0x30," * 200_000,
    "{" + " " * 200_000,
    "0000000 " + "30 " * 200_000,
    "0000000 30\n" * 100_000,
]


@pytest.mark.parametrize("text", LONG_TEXTS)
def test_a_long_text_takes_linear_time(text: str) -> None:
    run("dump", "-", stdin=text.encode(), status=1)


def test_der_of_letters_only_is_not_a_text() -> None:
    # A SEQUENCE of 48 octets, whose identifier and length octets are the digits 00.
    data = b"00" + bytes.fromhex("162e") + b"3" * 46
    assert '"3333' in run("dump", "-", stdin=data).stdout


@pytest.mark.parametrize("text", [HEX, textwrap.fill(BASE64, 64), CERTIFICATE.hex(" ")], ids=["hex", "base64", "pairs"])
def test_one_damaged_character_does_not_make_another_format_of_a_text(text: str) -> None:
    at = 61
    assert text[at].isalnum()
    for octet in (b"\xe3", b"?", b"\0"):
        put(a_txt=text[:at].encode() + octet + text[at + 1 :].encode())
        message = f"it is hexadecimal or base64, except for byte {octet.hex()} at offset {at}; "
        assert run("show", "a.txt", status=1).stderr.startswith(f"derlib: a.txt: {message}")
    put(a_txt="Many thanks for the certificate which you sent to me.\n")
    assert "it is text, not ASN.1" in run("show", "a.txt", status=1).stderr
