"""`DirectoryStore` is a mapping with whole values only, also after crashes of writers and errors of the disk."""

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
    """Return a value that begins with its digest, so that a part of it or a mix of two is detected."""
    content = f"{name} {number} ".encode() * random.Random(number).randrange(1, 6000)
    return hashlib.blake2b(content, digest_size=16).digest() + content


def is_whole(name: str, value: bytes) -> bool:
    digest, content = value[:16], value[16:]
    return content.startswith(name.encode()) and hashlib.blake2b(content, digest_size=16).digest() == digest


# A mapping.


def test_two_objects_on_the_same_folder_are_the_same_mapping(store: DirectoryStore) -> None:
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
def test_any_buffer_is_read_back_as_bytes(store: DirectoryStore, value: bytes) -> None:
    store["a"] = value
    assert type(store["a"]) is bytes
    assert store["a"] == bytes(value)


def test_a_missing_or_invalid_name_is_a_key_error(store: DirectoryStore) -> None:
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
def test_an_unsafe_name_cannot_be_set(
    store: DirectoryStore, name: str
) -> None:
    with pytest.raises(ValueError, match="is not a name: expected"):
        store[name] = b"x"
    assert files(store) == []


def test_the_longest_name_can_be_stored(store: DirectoryStore) -> None:
    store["a" * 200] = b"x"
    assert list(store) == ["a" * 200]


def test_names_are_distributed_over_folders(store: DirectoryStore) -> None:
    for number in range(100):
        store[f"same-beginning-{number}"] = b""
    assert 50 < len(list(store.path.iterdir())) <= 100
    assert len(store) == 100


def test_other_files_in_the_folder_are_ignored(store: DirectoryStore) -> None:
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
def test_a_pipe_or_folder_with_the_name_of_a_value_is_an_error(store: DirectoryStore) -> None:
    for make in (os.mkfifo, os.mkdir):
        store["a"] = b"1"
        path = _store._path_of(store.path, "a")
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
def test_new_folders_and_files_are_accessible_to_the_user_only(tmp_path: Path) -> None:
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
def test_an_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    DirectoryStore(tmp_path)["a"] = b"1"
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_removed_folder_is_created_again(store: DirectoryStore) -> None:
    store["a"] = b"1"
    for path in sorted(store.path.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    store.path.rmdir()
    assert dict(store) == {}
    store["a"] = b"2"
    assert dict(store) == {"a": b"2"}


# The order of steps, and steps that fail.


def test_contents_are_flushed_before_the_rename(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store["a"] = b"1"
    steps = []
    for name in ("open", "write", "fsync", "replace"):
        plain = getattr(os, name)

        def recorded(*args: object, name: str = name, plain: Callable[..., object] = plain, **kwargs: object) -> object:
            steps.append(name)
            return plain(*args, **kwargs)

        monkeypatch.setattr(os, name, recorded)
    store["a"] = b"2"
    folder = ["open", "fsync"] if os.name == "posix" else []
    assert steps == ["open", "write", "fsync", "replace", *folder]


STEPS = ["open", "write", "fsync", "close", "replace"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EDQUOT], ids=errno.errorcode.get)
def test_a_failed_step_leaves_only_the_old_value(
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
            # A full disk writes a part, then fails.
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


def test_partial_writes_are_continued(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = os.write
    monkeypatch.setattr(os, "write", lambda file, contents: plain(file, bytes(contents)[:1]))
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
def test_a_file_size_limit_leaves_the_old_value(store: DirectoryStore) -> None:
    store["a"] = b"old"
    run = subprocess.run(
        [sys.executable, "-c", FULL, store.path], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(run.stdout) == errno.EFBIG
    assert store["a"] == b"old"
    assert files(store) == ["a", "b"]


def test_the_constructor_raises_if_it_cannot_create_the_folder(tmp_path: Path) -> None:
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
def test_values_can_be_stored_if_folders_do_not_support_fsync(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    refuse_fsync_of_folders(monkeypatch, error)
    store["a"] = b"1"
    assert store["a"] == b"1"


@posix_only
def test_a_failed_fsync_of_a_folder_is_an_error(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_fsync_of_folders(monkeypatch, errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        store["a"] = b"1"


def test_a_parent_folder_can_be_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The superuser can read every folder, so the error is simulated.
    plain = os.open

    def opened(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path) == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)
    store = DirectoryStore(tmp_path / "store")
    store["a"] = b"1"
    assert dict(store) == {"a": b"1"}


def test_folders_are_not_opened_on_windows(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = os.open

    def opened(path: str | Path, flags: int, mode: int = 0o777) -> int:
        # The error of Windows for a folder.
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(_store, "_WINDOWS", True)
    store["a"] = b"1"
    assert dict(store) == {"a": b"1"}


# Temporary files of killed writers, and whole values in spite of them.


def test_only_old_temporary_files_are_removed(store: DirectoryStore) -> None:
    store["a"] = b"1"
    (folder,) = store.path.iterdir()
    old, young = folder / f"{_store._TEMPORARY}old", folder / f"{_store._TEMPORARY}young"
    for path in (old, young):
        path.write_bytes(b"part of a val")
    os.utime(old, (0, 0))
    os.utime(folder / "a", (0, 0))
    assert list(store) == ["a"]
    again = DirectoryStore(store.path)
    assert old.exists(), "reading removed a file"
    again["a"] = b"2"
    assert not old.exists()
    assert young.exists()
    assert dict(again) == {"a": b"2"}


def test_a_writer_whose_temporary_file_was_removed_gets_an_error(
    store: DirectoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store["a"] = b"old"
    plain = os.fsync

    def slow_fsync(file: int) -> None:
        monkeypatch.undo()
        for path in store.path.rglob(f"{_store._TEMPORARY}*"):
            os.utime(path, (0, 0))
        DirectoryStore(store.path)["a"] = b"other"
        plain(file)

    monkeypatch.setattr(os, "fsync", slow_fsync)
    with pytest.raises(FileNotFoundError):
        store["a"] = b"new"
    assert dict(store) == {"a": b"other"}
    store["a"] = b"new"
    assert dict(store) == {"a": b"new"}


def forked(work: Callable[[], object]) -> int:
    """Run `work` in a fork of this process, and return its process number."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(1)
    return child


@posix_only
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", [*STEPS, "part of write"])
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_writer_killed_at_any_step_leaves_the_old_or_the_new_value(
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
        # This is a fork, so the function need not be restored.
        setattr(os, step.removeprefix("part of "), killed)
        store["a"] = b"new"

    _, status = os.waitpid(forked(work), 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    done = step == "replace" and moment == "after"
    assert store.get("a") == (b"new" if done else old)
    store["a"] = b"newer"
    assert dict(store) == {"a": b"newer"}


def write_forever(path: Path, seed: int, began: int) -> None:
    """Write values until killed; write a byte to `began` after the first one."""
    store = DirectoryStore(path)
    for number in itertools.count(seed * 1_000_001):
        name = NAMES[number % len(NAMES)]
        store[name] = made_value(name, number)
        if number == seed * 1_000_001:
            os.write(began, b"!")


@posix_only
def test_writers_killed_at_random_times_leave_whole_values(store: DirectoryStore) -> None:
    """Run three writers at a time; kill each after a random time, and replace it by another one."""
    draw = random.Random(20261120)
    writers: list[tuple[int, int]] = []
    seen: dict[str, set[bytes]] = {name: set() for name in NAMES}

    def check_values() -> None:
        for name in NAMES:
            value = store.get(name)
            if value is not None:
                assert is_whole(name, value), f"{name} is damaged: {value[:60]!r}"
                seen[name].add(value[:16])
        assert set(store) <= set(NAMES)

    def start(number: int) -> tuple[int, int]:
        reader, began = os.pipe()
        writer = forked(lambda: write_forever(store.path, number, began))
        os.close(began)
        return writer, reader

    def kill(writer: int, reader: int) -> None:
        # Wait until the writer has written, also on a slow disk.
        os.read(reader, 1)
        os.close(reader)
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)

    try:
        for number in range(240):
            writers.append(start(number))
            time.sleep(draw.uniform(0, 0.01))
            check_values()
            if len(writers) == 3:
                kill(*writers.pop(draw.randrange(3)))
                check_values()
    finally:
        for writer in writers:
            kill(*writer)
    check_values()
    # Without enough values, the test would show nothing.
    assert all(len(values) > 5 for values in seen.values())
    leftovers = [name for name in files(store) if name.startswith(_store._TEMPORARY)]
    for path in store.path.rglob(f"{_store._TEMPORARY}*"):
        os.utime(path, (0, 0))
    after = DirectoryStore(store.path)
    for name in NAMES:
        after[name] = made_value(name, 1)
    assert files(after) == sorted(NAMES), f"some of {len(leftovers)} temporary files were not removed"


def write_and_read(job: tuple[Path, int]) -> int:
    """Write and read each name 40 times, while others do the same; return how many values were whole."""
    path, seed = job
    store = DirectoryStore(path)
    whole = 0
    for number in range(40):
        for name in NAMES:
            store[name] = made_value(name, seed * 1000 + number)
            whole += is_whole(name, store[name])
    return whole


def test_concurrent_readers_see_only_whole_values(store: DirectoryStore) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        whole = pool.map(write_and_read, [(store.path, seed) for seed in range(4)])
    assert whole == [160] * 4
    assert files(store) == sorted(NAMES)


def test_processes_can_create_the_same_folders_concurrently(tmp_path: Path) -> None:
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
