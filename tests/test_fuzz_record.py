"""The record of fuzzing adds up what the logs say, and the page says what the record says."""

import json

import pytest
from fuzz import record
from fuzz.targets import TARGETS

make_fuzzing = pytest.importorskip("docs.make_fuzzing", reason="docs/ is not beside the tests")

GOOD = """\
INFO: Seed: 1
#2000\tINITED cov: 1500 ft: 4000 corp: 900/20Kb exec/s: 500 rss: 120Mb
#60000\tDONE   cov: 1712 ft: 5000 corp: 990/30Kb lim: 4096 exec/s: 1000 rss: 130Mb
Done 60000 runs in 61 second(s)
stat::number_of_executed_units: 60000
stat::average_exec_per_sec:     983
"""
BAD = """\
#2000\tINITED cov: 1500 ft: 4000 corp: 900/20Kb exec/s: 500 rss: 120Mb
#2310\tNEW    cov: 1501 ft: 4001 corp: 901/20Kb lim: 40 exec/s: 500 rss: 120Mb L: 7/90 MS: 1 Custom-
==1==ERROR: AddressSanitizer: heap-buffer-overflow
"""
STOPPED = """\
#2000\tINITED cov: 1500 ft: 4000 corp: 900/20Kb exec/s: 500 rss: 120Mb
==1== libFuzzer: run interrupted; exiting
stat::number_of_executed_units: 3000
"""


def test_a_log_is_read_as_it_stands():
    assert record.run_of(GOOD) == {"seconds": 61, "executed": 60000, "edges": 1712, "findings": 0}
    assert record.run_of(BAD) == {"seconds": 0, "executed": 2310, "edges": 1501, "findings": 1}
    assert record.run_of(STOPPED) == {"seconds": 0, "executed": 3000, "edges": 1500, "findings": 0}


def test_runs_of_one_core_on_one_day_add_up_and_others_stay_apart():
    made = {}
    for log, core in ((GOOD, "a1"), (BAD, "a1"), (GOOD, "b2")):
        made = record.added(made, "parse", {"date": "2026-01-02", "core": core, **record.run_of(log)})
    assert made == {"parse": [
        {"date": "2026-01-02", "core": "a1", "seconds": 61, "executed": 62310, "edges": 1712, "findings": 1},
        {"date": "2026-01-02", "core": "b2", "seconds": 61, "executed": 60000, "edges": 1712, "findings": 0},
    ]}
    assert "| `parse` | 0.03 | 122,310 | 1,712 | 1 | 2026-01-02 | 2 |\n" in make_fuzzing.table(made)


def test_a_run_is_recorded_of_a_core_that_is_committed_and_of_no_other(tmp_path, monkeypatch):
    (tmp_path / "parse.log").write_text(GOOD)
    file = tmp_path / "fuzzing.json"
    monkeypatch.setattr("sys.argv", ["record", str(tmp_path), str(file), "parse"])
    monkeypatch.setattr(record, "core_tree", lambda: None)
    assert record.main() == 1
    assert not file.exists()
    monkeypatch.setattr(record, "core_tree", lambda: "abc1234")
    assert record.main() == 0
    assert record.main() == 0
    [row] = json.loads(file.read_text())["parse"]
    assert (row["core"], row["seconds"], row["executed"]) == ("abc1234", 122, 120000)


def test_the_page_says_what_the_record_says():
    recorded = make_fuzzing.RECORDED
    page = recorded.page.read_text(encoding="utf-8")
    assert page == recorded.render(), f"docs/fuzzing.md is stale; run {make_fuzzing.COMMAND}"
    assert set(recorded.stored()) <= set(TARGETS)


def test_the_page_has_every_target():
    page = make_fuzzing.RECORDED.page.read_text(encoding="utf-8")
    assert [name for name in TARGETS if f"`{name}`" not in page] == []
