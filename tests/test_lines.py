"""The reasons for lines that no test runs are of lines that are there, and the page says what was counted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

make_coverage = pytest.importorskip("docs.make_coverage", reason="docs/ is not beside the tests")
gaps = pytest.importorskip("tests.lines.gaps")
torn = pytest.importorskip("tests.lines.torn")

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


def data_file(path, tracers):
    """What coverage.py writes, as far as it is asked for here: a file of the core with lines, and who traced it."""
    with closing(sqlite3.connect(path)) as data:
        data.executescript("""
            create table file (id integer primary key, path text);
            create table line_bits (file_id integer, numbits blob);
            create table tracer (file_id integer, tracer text);
            insert into file values (1, '/x/derlib/core/check.pxi');
            insert into line_bits values (1, x'01');
        """)
        data.executemany("insert into tracer values (1, ?)", [(name,) for name in tracers])
        data.commit()
    return path


def test_data_of_a_process_that_was_killed_as_it_wrote_is_left_out(tmp_path):
    whole = data_file(tmp_path / ".coverage.whole", ["lines.plugin"])
    assert not torn.is_torn(whole)
    assert torn.is_torn(data_file(tmp_path / ".coverage.untraced", []))
    cut = tmp_path / ".coverage.cut"
    cut.write_bytes(whole.read_bytes()[:6000])
    assert torn.is_torn(cut)
    (tmp_path / ".coverage.begun").write_bytes(b"")
    assert torn.is_torn(tmp_path / ".coverage.begun")
