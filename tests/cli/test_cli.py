"""The command `derlib`: output, exit status, errors, and any input."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import derlib
from derlib import pem

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

import click
from click.testing import CliRunner
from support.commands import (
    BAD,
    CERTIFICATE,
    CRL,
    SMALL,
    command,
    left_by_its_reader,
    make_crl,
    process,
    put,
    run,
    run_json,
    variables,
)

pytestmark = pytest.mark.usefixtures("empty_folder")

# --- Inputs


@pytest.mark.parametrize("verb", ["cert", "dump"])
def test_pem_is_detected_and_its_blocks_have_headings(verb: str) -> None:
    put(one_pem=pem.encode(CERTIFICATE, "CERTIFICATE"), a_der=CERTIFICATE)
    put(two_pem=2 * ("Some text\n" + pem.encode(CERTIFICATE, "CERTIFICATE")))
    alone = run(verb, "a.der").stdout
    assert run(verb, "one.pem").stdout == alone
    assert run(verb, "-", stdin=Path("one.pem").read_bytes()).stdout == alone
    second = 3 + len(Path("one.pem").read_text().splitlines())
    heads = [
        f"two.pem: block {n} (CERTIFICATE, line {line}):\n" for n, line in ((1, 2), (2, second))
    ]
    output = run(verb, "two.pem").stdout
    assert output == f"{heads[0]}{alone}\n{heads[1]}{alone}"
    assert run(verb, "a.der", "one.pem").stdout == f"a.der:\n{alone}\none.pem:\n{alone}"
    documents = run_json(verb, "two.pem")
    assert [(d["block"], d["label"]) for d in documents] == [(1, "CERTIFICATE"), (2, "CERTIFICATE")]


def test_blocks_with_other_labels_are_skipped() -> None:
    encrypted = "-----BEGIN KEY-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END KEY-----\n"
    put(a_pem=encrypted + pem.encode(CERTIFICATE, "CERTIFICATE"), key_pem=encrypted)
    assert "0x1a2b" in run("cert", "a.pem").stdout
    assert "no PEM block labelled X509 CRL or CRL" in run("crl", "a.pem", status=1).stderr
    assert 'the block "KEY" (line 1) is encrypted' in run("dump", "key.pem", status=1).stderr


def test_a_block_has_one_number_in_all_commands() -> None:
    put(a_pem=pem.encode(b"\x30\0", "OTHER") + pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(CRL, "X509 CRL"))
    assert run("cert", "a.pem").stdout.startswith("a.pem: block 2 (CERTIFICATE, line 4):\n")
    for verb, number in (("cert", 2), ("crl", 3)):
        assert [one["block"] for one in run_json(verb, "a.pem")] == [number]
        label = run("convert", "a.pem", "--block", str(number), "--to", "pem").stdout.splitlines()[0]
        assert label == f"-----BEGIN {'CERTIFICATE' if number == 2 else 'X509 CRL'}-----"


# --- Errors

@pytest.mark.parametrize("verb", ["cert", "crl", "dump"])
@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_invalid_data_is_one_error_line_and_status_1(verb: str, data: bytes) -> None:
    put(bad_der=data)
    result = run(verb, "bad.der", status=1)
    # dump shows the elements before a fault.
    begun = [BAD[name] for name in ("truncated", "trailing byte", "bad DER in PEM", "nested too deeply")]
    assert bool(result.stdout) == (verb == "dump" and data in begun)
    assert result.stderr.startswith("derlib: bad.der: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 1100
    (document,) = run_json(verb, "bad.der", status=1)
    assert document["file"] == "bad.der"
    if (verb, data) == ("crl", CERTIFICATE + b"\0"):
        assert result.stderr == "derlib: bad.der: it is an X.509 Certificate: use derlib cert\n"
    else:
        assert document["error"]["message"] in result.stderr


def test_the_error_has_the_path_and_the_offset() -> None:
    put(bad_crl=CRL.replace(b"\x02\x03\x10\x00\x03", b"\x02\x03\x00\x00\x03"))
    result = run("crl", "bad.crl", status=1)
    assert "tbs_cert_list.revoked_certificates[3].user_certificate at offset" in result.stderr
    (document,) = run_json("crl", "bad.crl", status=1)
    assert document["error"]["path"] == [
        "tbs_cert_list",
        "revoked_certificates",
        3,
        "user_certificate",
    ]
    assert isinstance(document["error"]["offset"], int)


def test_valid_files_are_shown_if_others_are_invalid() -> None:
    put(good_der=CERTIFICATE, bad_der=b"\0", bundle_pem=pem.encode(b"\5\0", "CERTIFICATE") * 2)
    os.mkdir("folder")
    result = run(
        "cert", "bad.der", "good.der", "absent", "folder", "bundle.pem", "good.der", status=1
    )
    assert result.stdout.count("0x1a2b") == 2
    errors = result.stderr.splitlines()
    assert len(errors) == 5
    assert errors[1].startswith("derlib: absent: No such file")
    # Some commands read only one file.
    assert errors[2] == "derlib: folder: Is a directory; name a file in it"
    assert errors[3].startswith("derlib: bundle.pem: block 1 (CERTIFICATE, line 1): at offset 0")
    documents = run_json("cert", "bad.der", "good.der", "absent", status=1)
    assert ["error" in document for document in documents] == [True, False, True]


def test_json_has_the_number_of_a_damaged_block() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n")
    first, second = run_json("cert", "a.pem", status=1)
    assert (first["block"], second["block"]) == (1, 2)
    assert "base64" in second["error"]["message"]


def test_blocks_before_an_invalid_block_are_shown() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + "-----BEGIN CERTIFICATE-----\n")
    result = run("cert", "a.pem", status=1)
    assert "0x1a2b" in result.stdout
    assert "has no END line" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["dump"],
        ["dump", "--depth", "-1", "a.der"],
        ["dump", "--offset", "x", "a.der"],
        ["cert", "--nonsense", "a.der"],
        ["crl", "--all", "--entries", "3", "a.der"],
    ],
)
def test_wrong_command_lines_have_status_2(arguments: Sequence[str]) -> None:
    put(a_der=CRL)
    result = run(*arguments, status=2)
    assert "Usage: derlib" in result.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root can read every file")
def test_an_unreadable_file_is_one_error_line() -> None:
    put(a_der=CERTIFICATE)
    Path("a.der").chmod(0)
    assert run("cert", "a.der", status=1).stderr == "derlib: a.der: Permission denied\n"


# --- Pipes


@pytest.mark.skipif(os.name != "posix", reason="other systems report closed pipes differently")
@pytest.mark.parametrize(
    "arguments", [["dump"], ["dump", "--json"], ["crl", "--all"], ["crl", "--json"]], ids=" ".join
)
def test_a_broken_pipe_has_no_message(arguments: list[str]) -> None:
    put(a_crl=make_crl(20_000))
    assert left_by_its_reader(*arguments, "a.crl") == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the test writes to /dev/full")
def test_a_full_disk_is_one_error_line() -> None:
    put(a_crl=CRL)
    with open("/dev/full", "wb") as full:
        child = process("crl", "a.crl", stdout=full)
        _, errors = child.communicate(timeout=60)
    assert child.returncode == 1
    assert errors.startswith(b"derlib: standard output: ")
    assert errors.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the test needs ru_maxrss in KiB, as on Linux")
@pytest.mark.parametrize(
    "arguments", [["dump"], ["dump", "--json"], ["crl", "--json"]], ids=" ".join
)
def test_a_large_file_takes_little_memory(arguments: list[str]) -> None:
    put(a_crl=make_crl(100_000))
    script = (
        "import resource, sys; from derlib.cli.app import derlib\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "derlib.main(sys.argv[1:], standalone_mode=False)\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "sys.exit(after - before > 20_000 and f'{after - before} KiB')\n"
    )
    subprocess.run(
        [sys.executable, "-c", script, *arguments, "a.crl"],
        env=variables(),
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=300,
    )


@pytest.mark.skipif(os.name != "posix", reason="the test closes the stream with a POSIX shell")
def test_closed_streams_cause_no_traceback() -> None:
    put(a_der=CERTIFICATE)
    for arguments, status in (
        ("cert - <&-", 1),
        ("cert a.der >&-", 1),
        ("convert a.der --to der >&-", 1),
        ("cert --help > /dev/full", 1),
        ("--version > /dev/full", 1),
        ("cert a.der absent >&- 2>&-", 1),
    ):
        result = subprocess.run(
            f"{sys.executable} -m derlib {arguments}",
            shell=True,
            env=variables(),
            capture_output=True,
            timeout=60,
        )
        assert (result.returncode, b"Traceback" in result.stderr) == (status, False)


@pytest.mark.skipif(os.name != "posix", reason="the test sends a POSIX signal")
def test_an_interrupt_ends_the_process_as_a_signal_does() -> None:
    put(a_der=CERTIFICATE)

    # A shell starts background jobs with SIGINT ignored, and processes inherit that from the tests.
    def heed_interrupts() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with process("cert", "a.der", "-", "--jsonl", stdin=subprocess.PIPE, preexec_fn=heed_interrupts) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        # The first file has been shown; derlib waits for standard input.
        assert child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) == -signal.SIGINT
        assert child.stderr.read().strip() == b"derlib: interrupted"


# --- Without click, version, help


def test_without_click_one_line_names_the_package(tmp_path: Path) -> None:
    script = "import sys; sys.modules['click'] = None; from derlib.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=variables(),
        capture_output=True,
        timeout=60,
    )
    assert result.returncode == 1
    assert result.stderr.count(b"\n") == 1
    assert b"pip install click" in result.stderr


def test_an_import_error_inside_click_is_not_reported_as_missing_click(tmp_path: Path) -> None:
    # click is installed, but a module that it imports is missing.
    (tmp_path / "click.py").write_text("import a_part_of_click")
    environment = variables()
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    script = [sys.executable, "-c", "from derlib.cli import main; main()"]
    result = subprocess.run(script, env=environment, capture_output=True, timeout=60)
    assert result.returncode == 1
    assert b"ModuleNotFoundError: No module named 'a_part_of_click'" in result.stderr
    assert b"pip install" not in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the test needs RLIMIT_AS and /proc, as on Linux")
def test_a_file_larger_than_memory_is_one_error_line() -> None:
    put(a_der=CERTIFICATE)
    with open("large.der", "wb") as file:
        file.truncate(1 << 33)
    # The limit is above the current size: a sanitizer reserves much memory. By default it aborts when memory ends.
    script = (
        "import resource; pages = int(open('/proc/self/statm').read().split()[0]); "
        "limit = pages * resource.getpagesize() + (1 << 32); "
        "resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY)); "
        "from derlib.cli import main; main()"
    )
    sanitizer = f"{os.environ.get('ASAN_OPTIONS', '')}:allocator_may_return_null=1"
    result = subprocess.run(
        [sys.executable, "-c", script, "cert", "large.der", "a.der"],
        env=variables(ASAN_OPTIONS=sanitizer),
        capture_output=True,
        timeout=60,
    )
    assert result.returncode == 1
    assert result.stderr == b"derlib: large.der: too large for the memory of this machine\n"
    assert b"0x1a2b" in result.stdout


@pytest.mark.parametrize("verb", ["lint", "grep 2.5.29.17", "convert --to pem", "cert", "dump"])
def test_a_memory_error_is_one_line_or_two(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*_: object, **__: object) -> None:
        raise MemoryError

    put(a_der=CERTIFICATE)
    for holder, name in (
        ("derlib._document_types.DocumentType", "decode"),
        ("derlib.cli.commands.cert.Certificate", "decode"),
        ("derlib", "parse"),
    ):
        monkeypatch.setattr(f"{holder}.{name}", ends)
    output = run(*verb.split(), "a.der", status=1).output
    assert "a.der: " in output
    assert "not enough memory\n" in output
    assert output.count("\n") == 1 + (verb == "lint")


def test_version() -> None:
    assert run("--version").stdout == f"derlib {derlib.__version__}\n"


@pytest.mark.parametrize("verb", ["", *command.list_commands(click.Context(command))])
def test_help_has_an_example(verb: str) -> None:
    output = run(*[verb][: bool(verb)], "--help").stdout
    assert f"derlib {verb}" in output
    assert "Example" in output


# --- Random input


def test_random_changes_cause_no_traceback() -> None:
    chance = random.Random(5280)
    originals = [CERTIFICATE, CRL, SMALL, pem.encode(CERTIFICATE, "CERTIFICATE").encode()]
    for round_ in range(120):
        data = bytearray(chance.choice(originals))
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        put(a_der=bytes(data))
        verb = ("cert", "crl", "dump")[round_ % 3]
        for options in ((), ("--json",)):
            result = CliRunner().invoke(command, [verb, "a.der", *options])
            assert result.exit_code in (0, 1)
            assert result.exception is None or isinstance(result.exception, SystemExit)
            assert result.stderr.count("\n") == result.exit_code
            if options:
                json.loads(result.stdout)


def test_tolerated_deviations_are_reported_on_standard_error_and_in_json():
    broken = str(Path(__file__).parents[2] / "docs" / "examples" / "broken.pem")
    where = "tbs_certificate.extensions[0].critical at offset 161"
    refused = CliRunner().invoke(command, ["cert", broken])
    assert refused.exit_code == 1
    assert "--tolerate boolean-true accepts it" in refused.stderr
    shown = CliRunner().invoke(command, ["cert", broken, "--tolerate", "boolean-true"])
    assert shown.exit_code == 0
    assert "serial:" in shown.stdout
    assert f"tolerated {where}: boolean-true (X.690 11.1)" in shown.stderr
    for name in ("cert", "dump"):
        found = json.loads(CliRunner().invoke(command, [name, broken, "--json", "--tolerate", "boolean-true"]).stdout)
        (tolerated,) = found[0]["tolerated"]
        assert (tolerated["deviation"], tolerated["offset"]) == ("boolean-true", 161)
