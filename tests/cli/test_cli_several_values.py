"""DER files in which several values follow each other: each value is a document, and offsets are those of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support.commands import CERTIFICATE, CRL, put, run, run_json

from derlib import pem

pytestmark = pytest.mark.usefixtures("empty_folder")

FIVE = bytes.fromhex("3003020105")
SIX = bytes.fromhex("3003020106")
#: The second value has a BOOLEAN that a deviation tolerates, at offset 7 of the file.
TOLERATED = FIVE + bytes.fromhex("3003010101")
#: In the second value, an INTEGER ends after the SEQUENCE around it.
TRUNCATED = FIVE + bytes.fromhex("30053003020201")


def heads(name: str, *values: bytes) -> list[str]:
    """Return the names of the documents of a file with these values."""
    offsets = [sum(map(len, values[:index])) for index in range(len(values))]
    return [f"{name}: value {number} (offset {offset}):" for number, offset in enumerate(offsets, 1)]


@pytest.mark.parametrize(("verb", "der"), [("cert", CERTIFICATE), ("crl", CRL)])
def test_each_value_is_shown_below_its_name(verb: str, der: bytes) -> None:
    put(one_der=der, two_der=der * 2)
    alone = run(verb, "one.der").stdout
    first, second = heads("two.der", der, der)
    shown = f"{first}\n{alone}\n{second}\n{alone}"
    assert run(verb, "two.der").stdout == shown
    assert run(verb, "-", stdin=der * 2).stdout == shown.replace("two.der: ", "-: ")
    documents = run_json(verb, "two.der")
    assert [(one["value"], one["offset"]) for one in documents] == [(1, 0), (2, len(der))]
    [document] = run_json(verb, "one.der")
    assert document.keys() == {"file", {"cert": "certificate", "crl": "crl"}[verb]}
    assert document.items() <= (documents[1] | {"file": "one.der"}).items()


def test_lines_of_entries_have_the_number_of_the_value() -> None:
    put(two_crl=CRL * 2)
    lines = run("crl", "two.crl", "--jsonl").stdout.splitlines()
    assert {(one["file"], one["value"]) for one in map(json.loads, lines)} == {("two.crl", 1), ("two.crl", 2)}
    files = {row.split("\t")[-1] for row in run("crl", "two.crl", "--tsv").stdout.splitlines()[1:]}
    assert files == {head[:-1] for head in heads("two.crl", CRL, CRL)}


def test_a_value_of_another_type_is_reported() -> None:
    put(a_der=CERTIFICATE + CRL)
    result = run("cert", "a.der", status=1)
    assert "0x1a2b" in result.stdout
    assert heads("a.der", CERTIFICATE, CRL)[1] in result.stderr
    assert "use derlib crl" in result.stderr


def test_dump_has_the_offsets_of_the_file() -> None:
    put(a_der=FIVE + SIX)
    assert run("dump", "a.der").stdout == (
        "a.der: value 1 (offset 0):\n"
        "  offset  hl   length  element\n"
        "       0   2        3  SEQUENCE\n"
        "       2   2        1    INTEGER 5\n"
        "\n"
        "a.der: value 2 (offset 5):\n"
        "  offset  hl   length  element\n"
        "       5   2        3  SEQUENCE\n"
        "       7   2        1    INTEGER 6\n"
    )
    second = run_json("dump", "a.der")[1]
    assert (second["value"], second["offset"], second["element"]["offset"]) == (2, 5, 5)
    assert second["element"]["children"][0]["offset"] == 7


@pytest.mark.parametrize(("offset", "shown"), [(0, "SEQUENCE"), (2, "INTEGER 5"), (5, "SEQUENCE"), (7, "INTEGER 6")])
def test_an_offset_selects_the_value(offset: int, shown: str) -> None:
    put(a_der=FIVE + SIX)
    first = run("dump", "a.der", "--offset", str(offset)).stdout.splitlines()[1]
    assert first.split(maxsplit=3)[0::3] == [str(offset), shown]
    hexadecimal = (FIVE + SIX)[offset:].hex()
    assert hexadecimal.startswith(run("extract", "a.der", str(offset), "--to", "hex").stdout.strip())


@pytest.mark.parametrize("command", [["dump", "a.der", "--offset", "5"], ["extract", "a.der", "5"]])
def test_the_error_of_a_selected_value_has_the_offset_in_the_file(command: list[str]) -> None:
    put(a_der=TRUNCATED)
    assert "at offset 9: " in run(*command, status=1).stderr


@pytest.mark.parametrize("offset", [1, 8, 10, 99])
def test_an_offset_without_an_element_is_not_found(offset: int) -> None:
    put(a_der=FIVE + SIX)
    for command in (["dump", "a.der", "--offset"], ["extract", "a.der"]):
        error = run(*command, str(offset), status=3).stderr
        # extract reads up to the end of the value with the offset.
        size = 5 if command[0] == "extract" and offset < len(FIVE) else 10
        assert f"no element starts at offset {offset}; the input is {size} bytes" in error


@pytest.mark.parametrize("options", [[], ["--ber"]])
def test_an_offset_and_the_number_of_its_value_select_the_same(options: list[str]) -> None:
    put(a_der=FIVE + SIX)
    for selection in ([], ["--block", "2"]):
        assert run("extract", "a.der", "7", "--to", "hex", *selection, *options).stdout == "020106\n"
    error = run("extract", "a.der", "2", "--block", "2", *options, status=3).stderr
    assert "a.der: value 2 (offset 5): no element starts at offset 2; the input is" in error


@pytest.mark.parametrize("command", ["crl", "show", "dump", "grep **", "lint"])
def test_several_values_in_a_pem_block_are_an_error_without_an_option(command: str) -> None:
    put(a_pem=pem.encode(CRL * 2, "X509 CRL"))
    result = run(*command.split(), "a.pem", status=1)
    if command == "lint":
        assert "bytes follow the value (X.690 8.1.1.1) [trailing-data]" in result.stdout
    else:
        assert "; the block has 2 values (RFC 7468 2) (X.690 8.1.1.1)\n" in result.stderr
        # The option would drop the second CRL.
        assert "--tolerate" not in result.stderr


def test_grep_and_lint_have_the_offsets_of_the_file() -> None:
    put(a_der=FIVE + SIX, tolerated_der=TOLERATED)
    assert run("grep", "[0]", "a.der").stdout == (
        "a.der: value 1 (offset 0): 2: [0]: 5\na.der: value 2 (offset 5): 7: [0]: 6\n"
    )
    assert [one["matches"][0]["offset"] for one in run_json("grep", "[0]", "a.der")] == [2, 7]
    first, second = run("lint", "tolerated.der", status=1).stdout.splitlines()
    assert first == "tolerated.der: value 1 (offset 0): no faults, as DER of an unknown type"
    assert second.startswith("tolerated.der: value 2 (offset 5): offset 7: TRUE is not encoded as ff")
    assert run_json("lint", "tolerated.der", status=1)[1]["lint"]["faults"][0]["offset"] == 7


@pytest.mark.parametrize("verb", ["dump", "view"])
def test_errors_have_the_offset_in_the_file(verb: str) -> None:
    put(a_der=TRUNCATED)
    result = run(verb, "a.der", status=1)
    assert result.stderr == (
        "derlib: a.der: value 2 (offset 5): at offset 9: an element (02 02 01) declares 2 contents octets; "
        "the input ends after 1, at offset 12 (X.690 8.1.3)\n"
    )
    if verb == "dump":
        assert "INTEGER 5" in result.stdout
        assert run_json(verb, "a.der", status=1)[1]["error"]["offset"] == 9


def test_the_end_of_linting_has_the_offset_in_the_file() -> None:
    put(a_der=TRUNCATED)
    assert "offset 9: an element (02 02 01) declares 2 contents octets; the input ends after 1, at offset 12" in run(
        "lint", "a.der", "--type", "der", status=1).stdout


def test_tolerated_faults_have_the_offset_in_the_file() -> None:
    put(a_der=TOLERATED)
    for verb in ("dump", "grep"):
        pattern = ["[0]"] if verb == "grep" else []
        result = run(verb, *pattern, "a.der", "--tolerate", "boolean-true")
        assert result.stderr == "derlib: a.der: value 2 (offset 5): tolerated at offset 7: boolean-true (X.690 11.1)\n"
        documents = run_json(verb, *pattern, "a.der", "--tolerate", "boolean-true")
        assert documents[1]["tolerated"][0]["offset"] == 7


@pytest.mark.parametrize("command", [["extract", "a.der", "[0]", "--to", "hex"], ["convert", "a.der", "--to", "der"]])
def test_one_value_is_selected_by_its_number(command: list[str]) -> None:
    put(a_der=FIVE + SIX)
    assert "a.der: the file has 2 values; select one with --block N" in run(*command, status=1).stderr
    assert "value 3 does not exist; the file has 2 values" in run(*command, "--block", "3", status=1).stderr
    output = run(*command, "--block", "2", "-o", "out").stdout or Path("out").read_bytes()
    assert output in (SIX, b"020106\n")


@pytest.mark.parametrize("verb", ["show", "view"])
def test_a_selected_block_that_is_invalid_or_absent_is_an_error(verb: str) -> None:
    valid = pem.encode(CERTIFICATE, "CERTIFICATE")
    put(a_pem=valid.replace("\nM", "\n!") + valid + pem.encode(CRL, "X509 CRL"))
    for number, message in (
        ("1", "a.pem: line 2: byte 21 is not in the base64 alphabet"),
        ("4", "a.pem: block 4 does not exist; the file has 3 blocks"),
    ):
        result = run(verb, "a.pem", "--block", number, status=1)
        assert result.stderr.startswith(f"derlib: {message}")
        assert result.stdout == ""
    assert not Path("a.pem.html").exists()


def test_errors_in_a_selected_value_have_the_offset_in_the_file() -> None:
    put(a_der=TRUNCATED)
    for command in (["extract", "a.der", "[0]"], ["convert", "a.der", "--to", "der"]):
        assert "at offset 9: " in run(*command, "--block", "2", "--type", "der", status=1).stderr
    assert "a.der: value 2 (offset 5): at offset 9: " in run(
        "diff", "a.der", "a.der", "--block", "2", "--type", "der", status=2).stderr


def test_diff_compares_values_with_the_same_number() -> None:
    put(a_der=FIVE + SIX, b_der=FIVE + FIVE)
    assert run("diff", "a.der", "b.der", "--block", "1").stdout == ""
    assert run("diff", "a.der", "b.der", "--block", "2", status=1).stdout == "~ [0]: 6 -> 5\n"
    [difference] = run_json("diff", "a.der", "b.der", "--block", "2", status=1)
    assert difference["old"] == {"offset": 7, "value": 6}
    assert "the file has 2 values" in run("diff", "a.der", "b.der", status=2).stderr


def test_all_values_are_in_the_page() -> None:
    put(a_der=FIVE + SIX)
    run("view", "a.der")
    page = Path("a.der.html").read_text()
    for head in heads("a.der", FIVE, SIX):
        assert head.removeprefix("a.der: ")[:-1] in page  # the heading has the name of the file


#: Data after a value that is not another one.
NOT_A_VALUE = [
    b"\n", b"\0", b"\0" * 8, b"\x30", b"\x30\x05\x02", b"\x30\x80\0\0", b"garbage", b"-----", b"\xff\xff\xff\xff"
]


@pytest.mark.parametrize("after", [*NOT_A_VALUE, b"text after the values\n" * 20])
@pytest.mark.parametrize("verb", ["dump", "cert", "view"])
def test_data_after_the_values_is_an_error(verb: str, after: bytes) -> None:
    put(one_der=CERTIFICATE + after, two_der=CERTIFICATE * 2 + after)
    size = len(CERTIFICATE)
    result = run(verb, "one.der", status=1)
    # What can be read is shown, or in the page.
    shown = {"dump": f"       0   4      {size - 4}  SEQUENCE\n", "view": "one.der.html\n", "cert": ""}[verb]
    assert shown in result.stdout
    assert bool(result.stdout) == bool(shown)
    assert result.stderr.startswith(f"derlib: one.der: at offset {size}: bytes follow the end of the value")
    result = run(verb, "two.der", status=1)
    assert result.stderr.startswith(f"derlib: two.der: value 3 (offset {2 * size}): ")
    assert f"at offset {2 * size}" in result.stderr or after.startswith(b"text")
    assert result.stderr.count("\n") == 1
    heads_of_values = heads("two.der", CERTIFICATE, CERTIFICATE)
    if verb != "view":
        assert all(head in result.stdout for head in heads_of_values)
        # The bytes belong to the last value, and no value is lost.
        result = run(verb, "two.der", "--tolerate", "trailing-data")
        assert f"at offset {2 * size}: trailing-data" in result.stderr
        assert all(head in result.stdout for head in heads_of_values)


def test_a_truncated_value_does_not_hide_those_before_it() -> None:
    put(a_der=CERTIFICATE * 2 + CERTIFICATE[:-9])
    offset = 2 * len(CERTIFICATE)
    for verb in ("cert", "show", "lint", "dump", "grep **"):
        result = run(*verb.split(), "a.der", status=1)
        message = f"a.der: value 3 (offset {offset}): {'' if verb == 'lint' else 'at '}offset {offset}: "
        assert message in result.output
        assert all(head[:-1] in result.stdout for head in heads("a.der", CERTIFICATE, CERTIFICATE))
        assert f"declares {len(CERTIFICATE) - 4} contents octets; the input ends after" in result.output
    (_, _, third) = run_json("cert", "a.der", status=1)
    assert (third["value"], third["error"]["offset"]) == (3, offset)
    error = run("dump", "a.der", "--offset", str(offset), status=1).stderr
    assert error.startswith(f"derlib: a.der: at offset {offset}: ")


@pytest.mark.parametrize("options", [[], ["--tolerate", "trailing-data"]])
def test_a_table_has_the_values_before_other_data(options: list[str]) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
    put(a_der=CERTIFICATE * 2 + CERTIFICATE[:-9])
    command = ["table", "a.der", "--columns", "version", "--without", "fingerprint,error_rule", "--type", "cert"]
    result = run(*command, *options, status=0 if options else 1)
    _, *rows = result.stdout.splitlines()
    assert rows[:2] == ["a.der,1,2,,", "a.der,2,2,,"]
    if not options:
        assert rows[2:] == ["a.der,3,,content-truncated,0"]
        offset = 2 * len(CERTIFICATE)
        assert result.stderr.startswith(f"derlib: a.der: value 3 (offset {offset}): at offset {offset}: ")


def test_a_fault_inside_a_value_does_not_hide_the_next_from_show() -> None:
    put(a_der=TRUNCATED + SIX)
    result = run("show", "a.der", status=1)
    first, _, third = heads("a.der", FIVE, TRUNCATED[len(FIVE) :], SIX)
    assert first in result.stdout
    assert third in result.stdout
    assert result.stderr.startswith("derlib: a.der: value 2 (offset 5): at offset 9: ")


def test_the_elements_of_a_damaged_value_are_not_values() -> None:
    # The SEQUENCE has lost its header.
    put(a_der=bytes.fromhex("020101 3000 02"))
    assert "a.der: at offset 3: bytes follow the end of the value" in run("dump", "a.der", status=1).stderr


def test_a_value_is_not_trailing_data() -> None:
    put(a_der=FIVE + SIX)
    assert run("dump", "a.der", "--tolerate", "trailing-data").stdout == run("dump", "a.der").stdout
    for offset, value in ((0, FIVE), (len(FIVE), SIX)):
        assert value.hex() in run("extract", "a.der", str(offset), "--to", "hex", "--tolerate", "trailing-data").stdout


@pytest.mark.parametrize("text", [pem.encode(FIVE, "X")[12:], '{"a": 1}' * 9, "MIIB" * 40])
def test_text_is_not_several_values(text: str) -> None:
    error = run("dump", "-", stdin=text.encode(), status=1).stderr
    assert "value" not in error.partition("at offset")[0]


def test_values_in_a_pem_block_are_an_error() -> None:
    put(a_pem=pem.encode(FIVE + SIX, "X"))
    for command in (["dump", "a.pem"], ["dump", "a.pem", "--offset", "0"], ["extract", "a.pem", "0"]):
        assert "bytes follow the end of the value" in run(*command, status=1).stderr


def test_many_values_take_linear_time() -> None:
    put(a_der=FIVE * 20_000)
    assert run("lint", "a.der").stdout.count("no faults") == 20_000
