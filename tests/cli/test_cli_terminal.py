"""The command line at a terminal: pager, completion, help, startup, escapes, colours."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import (
    CERTIFICATE,
    CRL,
    HOSTILE,
    SMALL,
    der,
    make_certificate,
    make_crl,
    process,
    put,
    run,
    run_json,
    variables,
)

from derlib.cli.app import derlib as command
from derlib.cli.output.escapes import printable

pytestmark = pytest.mark.usefixtures("empty_folder")
posix = pytest.mark.skipif(os.name != "posix", reason="this system does not have pseudo-terminals")

#: A pager that stores its input, and one that exits immediately.
KEEPER = f"{shlex.quote(sys.executable)} -c 'import sys; open(\"paged\", \"wb\").write(sys.stdin.buffer.read())'"
LEAVER = f"{shlex.quote(sys.executable)} -c 'pass'"


def at_a_terminal(*arguments: str, **environment: str) -> tuple[int, bytes, bytes]:
    """Return the status, output and errors of the command with standard output on a terminal."""
    ours, theirs = os.openpty()
    child = process(*arguments, environment={"TERM": "xterm", **environment}, stdout=theirs)
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 10_000)
        except OSError:  # Linux says so when the other side is closed.
            break
        if not piece:
            break
        output += piece
    _, errors = child.communicate(timeout=60)
    os.close(ours)
    return child.returncode, output, errors


# --- The pager


@posix
@pytest.mark.parametrize("variable", ["PAGER", "DERLIB_PAGER"])
def test_a_pager_gets_the_output_with_its_colours(variable: str) -> None:
    put(a_der=CERTIFICATE)
    assert at_a_terminal("cert", "a.der", "--pager", **{variable: KEEPER}) == (0, b"", b"")
    assert Path("paged").read_text() == run("cert", "a.der", "--color").stdout


@posix
@pytest.mark.parametrize(
    "arguments",
    ["crl a.crl", "dump a.crl", "grep id-ce-cRLNumber a.crl", "lint a.crl", "diff a.crl b.crl", "crl a.crl --tsv"],
)
def test_every_command_with_text_output_has_a_pager(arguments: str) -> None:
    put(a_crl=CRL, b_crl=make_crl(3))
    status, output, errors = at_a_terminal(*arguments.split(), "--pager", "--no-color", PAGER=KEEPER)
    assert (output, errors) == (b"", b"")
    assert Path("paged").read_text() == run(*arguments.split(), status=status).stdout


@posix
def test_a_pager_needs_the_option_and_a_terminal() -> None:
    put(a_der=CERTIFICATE)
    assert b"0x1a2b" in at_a_terminal("cert", "a.der", PAGER=KEEPER)[1]
    child = process("cert", "a.der", "--pager", environment={"PAGER": KEEPER})
    assert b"0x1a2b" in child.communicate(timeout=60)[0]
    at_a_terminal("cert", "absent", "--pager", PAGER=KEEPER)
    assert not Path("paged").exists()


@posix
def test_a_pager_that_is_closed_early_causes_no_message() -> None:
    put(a_crl=make_crl(20_000))
    assert at_a_terminal("crl", "a.crl", "--all", "--pager", PAGER=LEAVER) == (0, b"", b"")


@posix
def test_an_interrupt_is_left_to_the_pager() -> None:
    put(a_der=CERTIFICATE)
    # The pager reads everything and interrupts derlib, as Ctrl-C does, before it is finished.
    code = (
        "import os, signal, sys; text = sys.stdin.buffer.read(); os.kill(os.getppid(), signal.SIGINT); "
        'open("paged", "wb").write(text)'
    )
    pager = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    assert at_a_terminal("cert", "a.der", "--pager", "--no-color", PAGER=pager) == (0, b"", b"")
    assert Path("paged").read_text() == run("cert", "a.der").stdout


@posix
@pytest.mark.parametrize("pager", ["/nowhere/pager", "'", "/"])
def test_without_a_pager_the_output_goes_to_the_terminal(pager: str) -> None:
    put(a_der=CERTIFICATE)
    status, output, errors = at_a_terminal("cert", "a.der", "--pager", PAGER=pager)
    assert (status, errors.count(b"\n")) == (0, 1)
    assert errors.startswith(b"derlib: pager: ")
    assert pager.encode() in errors
    assert b"0x1a2b" in output


@posix
def test_the_status_does_not_depend_on_the_pager() -> None:
    put(a_crl=CRL)
    assert at_a_terminal("crl", "a.crl", "--find", "1", "--pager", PAGER=KEEPER)[0] == 3


@posix
def test_der_for_a_terminal_is_an_error_with_a_remedy() -> None:
    put(a_der=CERTIFICATE)
    status, output, errors = at_a_terminal("convert", "a.der", "--to", "der")
    assert (status, output) == (1, b"")
    said = b"DER is not written to a terminal; write it to a file with -o, or select another format with --to"
    assert errors == b"derlib: a.der: " + said + b"\n"
    assert at_a_terminal("convert", "a.der", "--to", "der", "-o", "b.der") == (0, b"", b"")
    assert Path("b.der").read_bytes() == CERTIFICATE


# --- Completion


@posix
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_a_script_and_completions(shell: str) -> None:
    if shell == "bash" and not Path("/bin/bash").exists():
        pytest.skip("click asks bash for its version")
    script = subprocess.run(
        [sys.executable, "-m", "derlib"],
        env=variables(_DERLIB_COMPLETE=f"{shell}_source"),
        capture_output=True, text=True, timeout=60, check=True,
    ).stdout
    assert "_DERLIB_COMPLETE" in script
    for words, at, expected in (("derlib cr", 1, "crl"), ("derlib lint --tolerate named", 3, "named-bits"),
                                ("derlib convert --to js", 3, "json"), ("derlib crl --fi", 2, "--find"),
                                ("derlib show --type time-st", 3, "time-stamp-response"),
                                ("derlib table --without fingerp", 3, "fingerprint"),
                                ("derlib table --without error,subject_alt", 3, "error,subject_alt_names"),
                                ("derlib table --columns rea", 3, "reason")):
        incomplete = words.split()[at]
        found = subprocess.run(
            [sys.executable, "-m", "derlib"],
            env=variables(_DERLIB_COMPLETE=f"{shell}_complete", COMP_WORDS=words,
                          COMP_CWORD=incomplete if shell == "fish" else str(at)),
            capture_output=True, text=True, timeout=60, check=True,
        ).stdout
        assert expected in found


# --- Help


def test_the_help_of_all_names_each_command_once() -> None:
    import click

    output = run("--help").stdout
    for name in command.list_commands(click.Context(command)):
        assert output.count(f"\n  {name} ") == 1
    assert "..." not in output.partition("Commands:")[2]


def test_each_option_says_what_it_does() -> None:
    import click

    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        assert found.name == name
        for parameter in found.params:
            assert not isinstance(parameter, click.Option) or parameter.help, (name, parameter.name)


def test_the_help_of_tolerate_names_deviations_that_exist() -> None:
    text = " ".join(run("cert", "--help").stdout.split())
    names = text.partition("such as ")[2].partition(". ")[0].split(" or ")
    assert len(names) == 2
    run("dump", "a.der", *(word for name in names for word in ("--tolerate", name)), status=1)


def test_help_fits_a_terminal_of_eighty_columns() -> None:
    import click

    for name in command.list_commands(click.Context(command)):
        assert max(map(len, run(name, "--help").stdout.splitlines())) <= 80, name


# --- Start


def test_a_command_imports_no_more_than_it_needs() -> None:
    script = (
        "import sys\n"
        "from derlib.cli.app import derlib\n"
        "derlib.main(['dump', 'a.crl'], standalone_mode=False)\n"
        "names = {'derlib.schemas.x509', 'derlib.cli.commands.crl', 'derlib.cli.commands.view', 'subprocess', 'rich'}\n"
        "print(sorted(names & sys.modules.keys()), file=sys.stderr)\n"
    )
    put(a_crl=CRL)
    found = subprocess.run(
        [sys.executable, "-c", script], env=variables(), capture_output=True, timeout=60
    )
    # In Python 3.10, the module `platform` imports subprocess.
    assert found.stderr in ([b"[]\n", b"['subprocess']\n"] if sys.version_info < (3, 11) else [b"[]\n"])


# --- Escapes and colours


@pytest.mark.parametrize("color", ["--color", "--no-color"])
def test_the_contents_of_a_file_are_escaped(color: str) -> None:
    put(
        a_der=make_certificate(HOSTILE),
        b_crl=make_crl(3, issuer=HOSTILE),
        c_der=make_certificate(alternative="\x1b]0;title\x07\x7f"),
        d_der=der(0x30, der(0x80, b"\x1b[2J"), der(0x30, der(0x16, b"\x1b[2J"))),
    )
    for verb, file in (
        ("cert", "a.der"),
        ("cert", "c.der"),
        ("crl", "b.crl"),
        *(("dump", file) for file in ("a.der", "b.crl", "c.der", "d.der")),
    ):
        plain = run(verb, file, color).stdout
        for style in ("1", "2", "31", "32", "36", "0"):
            plain = plain.replace(f"\033[{style}m", "") if color == "--color" else plain
        assert all(character.isprintable() for character in plain.replace("\n", ""))
        output = run(verb, file, "--json").stdout
        assert all(" " <= character <= "~" for character in output.replace("\n", ""))


@posix
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_table_is_escaped_on_a_terminal_only(form: str) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow, which derlib table needs, is not installed")
    put(a_der=make_certificate("\x1b[2J\u202eé"))
    arguments = ["table", "a.der", "--columns", "subject", "--to", form]
    _, output, errors = at_a_terminal(*arguments)
    assert errors == b""
    assert all(character.isprintable() for character in output.decode().replace("\r\n", ""))
    assert "[2J" in output.decode()
    for character in "\u202eé":
        assert character in run(*arguments).stdout


@pytest.mark.skipif(os.name != "posix", reason="other systems do not allow such names")
def test_the_name_of_a_file_is_escaped() -> None:
    name = "evil\x1b[31m\n\u202e.der"
    Path(name).write_bytes(CERTIFICATE)
    result = run("cert", name, name, "x" + name, status=1)
    for text in (result.stdout, result.stderr):
        assert all(character.isprintable() for character in text.replace("\n", ""))
    assert result.stderr.count("\n") == 1
    assert run_json("cert", name)[0]["file"] == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢字", "plain é 漢字"),
        ("\\", "\\\\"),
        ("\x00\x1b\x7f\x85\x9f", r"\x00\x1b\x7f\x85\x9f"),
        (
            "\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
            r"\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
        ),
        ("\u2028\u2029\ufeff\U000e0001", r"\u2028\u2029\ufeff\U000e0001"),
        ("\ud800", r"\ud800"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_colours_are_written_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    put(a_der=CERTIFICATE)
    for verb in ("cert", "dump"):
        assert "\033[" not in run(verb, "a.der").stdout
        assert "\033[" in run(verb, "a.der", "--color").stdout
        assert "\033[" not in run(verb, "a.der", "--color", "--json").stdout
    monkeypatch.setattr("derlib.cli.output.standard_output._wants_color", lambda: True)
    assert "\033[" in run("cert", "a.der").stdout
    assert "\033[" not in run("cert", "a.der", "--no-color").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not have pseudo-terminals")
@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colour_on_a_terminal_unless_no_color_is_set(
    environment: dict[str, str], coloured: bool
) -> None:
    put(a_der=SMALL)
    ours, theirs = os.openpty()
    child = process("dump", "--depth", "0", "a.der", environment=environment, stdout=theirs)
    _, errors = child.communicate(timeout=60)
    os.close(theirs)
    output = os.read(ours, 10_000)
    os.close(ours)
    assert (child.returncode, errors) == (0, b"")
    assert (b"\033[" in output) == coloured


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_in_a_pipe_if_force_color_is_set(environment: dict[str, str], coloured: bool) -> None:
    put(a_der=SMALL)
    output, _ = process("dump", "a.der", environment=environment).communicate(timeout=60)
    assert (b"\033[" in output) == coloured
    output, _ = process("dump", "a.der", "--json", environment=environment).communicate(timeout=60)
    assert b"\033[" not in output


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_characters_outside_the_encoding_are_escaped(encoding: str) -> None:
    put(a_der=make_certificate("é 漢"))
    child = process("cert", "a.der", environment={"PYTHONIOENCODING": encoding})
    output, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, b"")
    assert "\\u6f22" in output.decode(encoding) or encoding == "utf-8"
