"""The folder as a store: a mapping, whole values only, whatever happens to writers and to the disk."""

from __future__ import annotations

import errno
import hashlib
import itertools
import multiprocessing
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from derlib.cache import DirectoryStore, _store

NAMES = ["a", "b", "c-1", "0_x"]

posix_only = pytest.mark.skipif(os.name != "posix", reason="forks, kills processes or syncs folders as POSIX does")


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "store")


def files(store: DirectoryStore) -> list[str]:
    return sorted(path.name for path in store.path.rglob("*") if path.is_file())


def made_value(name: str, number: int) -> bytes:
    """A value that proves itself: any part of it, or a mix of two, does not have its digest."""
    content = f"{name} {number} ".encode() * random.Random(number).randrange(1, 6000)
    return hashlib.blake2b(content, digest_size=16).digest() + content


def is_whole(name: str, value: bytes) -> bool:
    digest, content = value[:16], value[16:]
    return content.startswith(name.encode()) and hashlib.blake2b(content, digest_size=16).digest() == digest


# A mapping.


def test_it_is_a_mapping_that_another_object_on_the_same_folder_sees(store: DirectoryStore) -> None:
    store["b"] = b"2"
    store["a"] = b"1"
    store["a"] = b"one"
    again = DirectoryStore(str(store.path))
    assert dict(again) == {"a": b"one", "b": b"2"} == dict(store)
    assert len(again) == 2
    assert "a" in again
    assert again.get("z") is None
    assert again.pop("a") == b"one"
    assert list(store) == ["b"]
    store.clear()
    assert not store
    assert files(store) == []


@pytest.mark.parametrize(
    "value",
    [b"", b"\0" * 100_000, bytearray(b"abc"), memoryview(b"abc")],
    ids=["none", "many", "bytearray", "memoryview"],
)
def test_any_octets_come_back_as_bytes(store: DirectoryStore, value: bytes) -> None:
    store["a"] = value
    assert type(store["a"]) is bytes
    assert store["a"] == bytes(value)


def test_what_is_not_there_is_a_key_error(store: DirectoryStore) -> None:
    for name in ("a", "../a", ""):
        with pytest.raises(KeyError):
            store[name]
        with pytest.raises(KeyError):
            del store[name]
        assert name not in store
    assert 5 not in store


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../a", "a/b", "/a", "a\\b", "c:a", ".hidden", "-a", "A", "a.b", "a\0", "a\n", "ä", "٣", "a" * 201],
)
def test_a_name_that_could_lead_out_of_the_folder_or_be_another_one_is_refused(
    store: DirectoryStore, name: str
) -> None:
    with pytest.raises(ValueError, match="a name has"):
        store[name] = b"x"
    assert files(store) == []


def test_the_longest_name_is_kept(store: DirectoryStore) -> None:
    store["a" * 200] = b"x"
    assert list(store) == ["a" * 200]


def test_names_spread_over_folders(store: DirectoryStore) -> None:
    for number in range(100):
        store[f"same-beginning-{number}"] = b""
    assert 50 < len(list(store.path.iterdir())) <= 100
    assert len(store) == 100


def test_strange_files_in_the_folder_are_no_values(store: DirectoryStore) -> None:
    store["a"] = b"1"
    (folder,) = store.path.iterdir()
    (folder / "README.txt").write_text("x")
    (folder / "b").mkdir()
    (store.path / "c").write_text("x")
    other = store.path / ("00" if folder.name != "00" else "01")
    other.mkdir()
    (other / "a").write_text("x")
    assert list(store) == ["a"]
    assert store["a"] == b"1"


@posix_only
def test_what_is_no_file_is_an_error_and_is_not_waited_for(store: DirectoryStore) -> None:
    for make in (os.mkfifo, os.mkdir):
        store["a"] = b"1"
        path = _store._place(store.path, "a")
        path.unlink()
        make(path)
        with pytest.raises(OSError, match=r"not a regular file|a directory"):
            store["a"]
        assert "a" not in store
        assert list(store) == []
        if make is os.mkfifo:
            store["a"] = b"2"
            assert store["a"] == b"2"


@posix_only
def test_folders_and_files_are_the_users_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = DirectoryStore(tmp_path / "new" / "store")
        store["a"] = b"1"
    finally:
        os.umask(old)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "new", *(tmp_path / "new").rglob("*")]
    }
    assert modes.pop("a") == 0o600
    assert set(modes.values()) == {0o700}


@posix_only
def test_a_folder_that_exists_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    DirectoryStore(tmp_path)["a"] = b"1"
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_folder_that_was_removed_is_made_again(store: DirectoryStore) -> None:
    store["a"] = b"1"
    for path in sorted(store.path.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    store.path.rmdir()
    assert dict(store) == {}
    store["a"] = b"2"
    assert dict(store) == {"a": b"2"}


# The order of steps, and steps that fail.


def test_a_value_is_on_the_disk_before_its_name_is(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store["a"] = b"1"
    steps = []
    for name in ("open", "write", "fsync", "replace"):
        plain = getattr(os, name)

        def noted(*args: object, name: str = name, plain: Callable[..., object] = plain, **kwargs: object) -> object:
            steps.append(name)
            return plain(*args, **kwargs)

        monkeypatch.setattr(os, name, noted)
    store["a"] = b"2"
    folder = ["open", "fsync"] if os.name == "posix" else []
    assert steps == ["open", "write", "fsync", "replace", *folder]


STEPS = ["open", "write", "fsync", "close", "replace"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EDQUOT], ids=errno.errorcode.get)
def test_a_step_that_fails_leaves_the_old_value_and_nothing_else(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch, step: str, error: int
) -> None:
    store["a"] = b"old"
    plain = getattr(os, step)
    calls = 0

    def failing(*args: object, **kwargs: object) -> object:
        nonlocal calls
        calls += 1
        if step == "close":
            plain(*args, **kwargs)
        elif step == "write" and calls == 1:
            # A full disk takes what it can, then refuses.
            return plain(args[0], bytes(args[1])[:2])
        raise OSError(error, os.strerror(error))

    with monkeypatch.context() as patch:
        patch.setattr(os, step, failing)
        with pytest.raises(OSError, match=os.strerror(error)):
            store["a"] = b"new value"
    assert dict(store) == {"a": b"old"}
    assert files(store) == ["a"]
    store["a"] = b"new value"
    assert dict(store) == {"a": b"new value"}


def test_a_system_that_writes_an_octet_at_a_time_writes_all(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = os.write
    monkeypatch.setattr(os, "write", lambda file, octets: plain(file, bytes(octets)[:1]))
    store["a"] = b"all of it"
    assert store["a"] == b"all of it"


FULL = """
import resource, sys
from derlib.cache import DirectoryStore
store = DirectoryStore(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    store["a"] = bytes(200_000)
except OSError as error:
    print(error.errno)
store["b"] = bytes(60_000)
"""


@posix_only
def test_a_limit_of_the_system_in_the_middle_of_a_file_leaves_the_old_value(store: DirectoryStore) -> None:
    store["a"] = b"old"
    run = subprocess.run(
        [sys.executable, "-c", FULL, store.path], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(run.stdout) == errno.EFBIG
    assert store["a"] == b"old"
    assert files(store) == ["a", "b"]


def test_a_folder_that_cannot_be_made_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        DirectoryStore(tmp_path / "file" / "store")


def refuse_fsync_of_folders(monkeypatch: pytest.MonkeyPatch, error: int) -> None:
    plain = os.fsync

    def fsync(file: int) -> None:
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(error, os.strerror(error))
        plain(file)

    monkeypatch.setattr(os, "fsync", fsync)


@pytest.mark.parametrize("error", [errno.EINVAL, errno.ENOTSUP], ids=errno.errorcode.get)
def test_a_file_system_without_fsync_of_folders_still_keeps_values(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    refuse_fsync_of_folders(monkeypatch, error)
    store["a"] = b"1"
    assert store["a"] == b"1"


@posix_only
def test_a_folder_whose_names_cannot_be_brought_to_the_disk_is_an_error(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_fsync_of_folders(monkeypatch, errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        store["a"] = b"1"


def test_a_folder_above_the_store_may_be_one_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The superuser reads all, so the system does not refuse it by itself.
    plain = os.open

    def opened(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path) == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)
    store = DirectoryStore(tmp_path / "store")
    store["a"] = b"1"
    assert dict(store) == {"a": b"1"}


def test_on_windows_folders_are_not_opened(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = os.open

    def opened(path: str | Path, flags: int, mode: int = 0o777) -> int:
        # What Windows says of a folder.
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(_store, "_WINDOWS", True)
    store["a"] = b"1"
    assert dict(store) == {"a": b"1"}


# What killed writers leave.


def test_old_leftovers_are_removed_and_young_ones_are_not(store: DirectoryStore) -> None:
    store["a"] = b"1"
    (folder,) = store.path.iterdir()
    old, young = folder / f"{_store._ASIDE}old", folder / f"{_store._ASIDE}young"
    for path in (old, young):
        path.write_bytes(b"part of a val")
    os.utime(old, (0, 0))
    os.utime(folder / "a", (0, 0))
    assert list(store) == ["a"]
    again = DirectoryStore(store.path)
    assert old.exists(), "reading removes nothing"
    again["a"] = b"2"
    assert not old.exists()
    assert young.exists()
    assert dict(again) == {"a": b"2"}


def test_a_writer_whose_file_was_taken_for_a_leftover_is_told_and_can_write_again(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store["a"] = b"old"
    plain = os.fsync

    def slept_for_long(file: int) -> None:
        monkeypatch.undo()
        for path in store.path.rglob(f"{_store._ASIDE}*"):
            os.utime(path, (0, 0))
        DirectoryStore(store.path)["a"] = b"of another"
        plain(file)

    monkeypatch.setattr(os, "fsync", slept_for_long)
    with pytest.raises(FileNotFoundError):
        store["a"] = b"new"
    assert dict(store) == {"a": b"of another"}
    store["a"] = b"new"
    assert dict(store) == {"a": b"new"}


def forked(work: Callable[[], object]) -> int:
    """Run `work` in a copy of this process, and return its number. The copy never comes back here."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(1)
    return child


def kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@posix_only
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", [*STEPS, "part of write"])
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_writer_killed_at_any_step_leaves_the_old_value_or_the_new_one(
    store: DirectoryStore, step: str, moment: str, old: bytes | None
) -> None:
    if old is not None:
        store["a"] = old
    plain = getattr(os, step.removeprefix("part of "))

    def killed(*args: object, **kwargs: object) -> None:
        if step == "part of write":
            plain(args[0], bytes(args[1])[:3])
        elif moment == "after":
            plain(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        # A copy of a process, so nothing has to be put back.
        setattr(os, step.removeprefix("part of "), killed)
        store["a"] = b"new"

    _, status = os.waitpid(forked(work), 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    done = step == "replace" and moment == "after"
    assert store.get("a") == (b"new" if done else old)
    store["a"] = b"newer"
    assert dict(store) == {"a": b"newer"}


def write_forever(path: Path, seed: int, began: int) -> None:
    """Write one value after the other, and say when the first one is there."""
    store = DirectoryStore(path)
    for number in itertools.count(seed * 1_000_001):
        name = NAMES[number % len(NAMES)]
        store[name] = made_value(name, number)
        if number == seed * 1_000_001:
            os.write(began, b"!")


@posix_only
def test_writers_killed_at_random_points_leave_whole_values(store: DirectoryStore) -> None:
    """Three writers at a time; each is killed after a random while, and another takes its place."""
    draw = random.Random(20261120)
    writers: list[int] = []
    hear, began = os.pipe()
    seen: dict[str, set[bytes]] = {name: set() for name in NAMES}

    def read_on() -> None:
        for name in NAMES:
            value = store.get(name)
            if value is not None:
                assert is_whole(name, value), f"{name} is damaged: {value[:60]!r}"
                seen[name].add(value[:16])
        assert set(store) <= set(NAMES)

    try:
        for number in range(240):
            writers.append(forked(lambda number=number: write_forever(store.path, number, began)))
            # On a slow disk, too, each writer writes before it is killed.
            os.read(hear, 1)
            time.sleep(draw.uniform(0, 0.01))
            read_on()
            if len(writers) == 3:
                kill(writers.pop(draw.randrange(3)))
                read_on()
    finally:
        for writer in writers:
            kill(writer)
        os.close(hear)
        os.close(began)
    read_on()
    # The test is worth nothing if nobody wrote.
    assert all(len(values) > 5 for values in seen.values())
    leftovers = [name for name in files(store) if name.startswith(_store._ASIDE)]
    for path in store.path.rglob(f"{_store._ASIDE}*"):
        os.utime(path, (0, 0))
    after = DirectoryStore(store.path)
    for name in NAMES:
        after[name] = made_value(name, 1)
    assert files(after) == sorted(NAMES), f"of {len(leftovers)} leftovers some stayed"


def write_and_read(job: tuple[Path, int]) -> int:
    """Write every name again and again, and read what others wrote; how many values were whole."""
    path, seed = job
    store = DirectoryStore(path)
    whole = 0
    for number in range(40):
        for name in NAMES:
            store[name] = made_value(name, seed * 1000 + number)
            whole += is_whole(name, store[name])
    return whole


def test_concurrent_writers_and_readers_see_whole_values_only(store: DirectoryStore) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        whole = pool.map(write_and_read, [(store.path, seed) for seed in range(4)])
    assert whole == [160] * 4
    assert files(store) == sorted(NAMES)


def test_processes_that_make_the_same_folders_do_not_disturb_one_another(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    path = tmp_path / "not" / "there" / "yet"
    with context.Pool(4) as pool:
        assert pool.map(write_many_names, [(path, seed) for seed in range(4)]) == [None] * 4
    assert len(DirectoryStore(path)) == 100


def write_many_names(job: tuple[Path, int]) -> None:
    path, seed = job
    store = DirectoryStore(path)
    for number in range(100):
        store[f"name-{number}"] = bytes([seed]) * 100


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()
