"""`--jsonl`, which writes a line of JSON for each document."""

import json
import subprocess

import pytest
from support.commands import CERTIFICATE, CRL, make_certificate, process, put, run, run_json

from derlib import pem

pytestmark = pytest.mark.usefixtures("empty_folder")


@pytest.mark.parametrize("command", [["show"], ["cert"], ["dump"], ["lint"], ["grep", "**.subject"]])
def test_each_line_is_an_element_of_the_array_of_json(command: list[str]) -> None:
    put(a_der=CERTIFICATE, b_pem=pem.encode(CERTIFICATE, "CERTIFICATE") * 2)
    lines = run(*command, "a.der", "b.pem", "--jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == run_json(*command, "a.der", "b.pem")
    assert len(lines) == 3


def test_an_error_is_a_line() -> None:
    put(a_der=CERTIFICATE, b_der=b"\x30")
    result = run("cert", "b.der", "a.der", "missing.der", "--jsonl", status=1)
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [sorted(each) for each in documents] == [["error", "file"], ["certificate", "file"], ["error", "file"]]


def test_the_differences_of_two_files_are_lines() -> None:
    put(a_der=CERTIFICATE, b_der=make_certificate("Other", "example.com"))
    lines = run("diff", "a.der", "b.der", "--jsonl", status=1).stdout.splitlines()
    assert [json.loads(line) for line in lines] == json.loads(run("diff", "a.der", "b.der", "--json", status=1).stdout)
    assert len(lines) == 3
    assert run("diff", "a.der", "a.der", "--jsonl").stdout == ""


@pytest.mark.parametrize("command", [["cert"], ["crl"], ["show"], ["diff"]])
def test_the_forms_cannot_be_combined(command: list[str]) -> None:
    put(a_der=CRL)
    error = run(*command, "a.der", "a.der", "--json", "--jsonl", status=2).stderr
    assert "--json and --jsonl cannot be combined" in error


def test_a_line_is_written_before_the_next_file_is_read() -> None:
    put(a_der=CERTIFICATE)
    with process("cert", "a.der", "-", "--jsonl", stdin=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert json.loads(child.stdout.readline())["file"] == "a.der"
        child.stdin.write(CERTIFICATE)
        child.stdin.close()
        assert json.loads(child.stdout.readline())["file"] == "-"
        assert child.wait(timeout=60) == 0
