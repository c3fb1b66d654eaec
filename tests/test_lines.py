"""The reasons for lines that no test runs are of lines that are there, and the page says what was counted."""

from pathlib import Path

import pytest

make_coverage = pytest.importorskip("docs.make_coverage", reason="docs/ is not beside the tests")
gaps = pytest.importorskip("tests.lines.gaps")

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_says_what_the_record_says():
    recorded = make_coverage.RECORDED
    page = recorded.page.read_text(encoding="utf-8")
    assert page == recorded.render(), f"CONTRIBUTING.md is stale; run {make_coverage.COMMAND}"
    assert set(recorded.stored().get("gaps", {})) <= set(gaps.REASONS)


@pytest.mark.parametrize("file", sorted({file for files in gaps.GAPS.values() for file in files}))
def test_a_reason_is_given_once_for_a_line_that_is_there(file):
    lines = [line for files in gaps.GAPS.values() for line in files.get(file, [])]
    assert len(set(lines)) == len(lines)
    present = {line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()}
    assert set(lines) <= present


def test_a_line_without_a_reason_and_a_reason_without_its_line_are_told(monkeypatch):
    main = pytest.importorskip("tests.lines.__main__", reason="coverage.py comes with `make coverage`")
    table = {"memory": {"derlib/pem.py": ["import re", "no such line"]}}
    monkeypatch.setattr(main, "GAPS", table)
    monkeypatch.setattr(main, "REASONS", {"memory": gaps.Reason("none is left")})
    counts, wrong = main.explained({"derlib/pem.py": {1: "some other line"}})
    assert counts == {}
    assert [fault.rpartition(": ")[2] for fault in wrong] == ["some other line", "import re", "no such line"]
