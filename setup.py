"""Build the extension module. Everything else about the package is in pyproject.toml.

pip and build call this through setuptools, and the Makefile as `setup.py build_ext --inplace`. The switches are
environment variables, which work with each of them:

    DERLIB_DEBUG=1                      assertions, bounds checks, -O0 -g
    DERLIB_SANITIZE=address,undefined   assertions, with these sanitizers
    DERLIB_COVERAGE=1                   line tracing for coverage.py, nogil code included
    DERLIB_PORTABLE=1                   only CPython's public C API: none of the switches of derlib/core/cpython.h
    DERLIB_CORE=0                       everything except the core: an editable install beside a build in place
    DERLIB_UNSUPPORTED_PYTHON=1         also build for free-threaded CPython 3.13, which no test of a release covers
"""

import gzip
import json
import logging
import os
import shutil
import sys
import sysconfig
import tarfile
import tempfile
from glob import glob
from pathlib import Path
from typing import Any

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.errors import CompileError, LinkError, PlatformError

DEBUG = os.environ.get("DERLIB_DEBUG", "") not in ("", "0")
SANITIZE = os.environ.get("DERLIB_SANITIZE", "")
COVERAGE = os.environ.get("DERLIB_COVERAGE", "") not in ("", "0")
PORTABLE = os.environ.get("DERLIB_PORTABLE", "") not in ("", "0")
CORE = os.environ.get("DERLIB_CORE", "") != "0"
UNSUPPORTED_PYTHON = os.environ.get("DERLIB_UNSUPPORTED_PYTHON", "") not in ("", "0")
CHECKED = DEBUG or bool(SANITIZE)

DIRECTIVES = {
    "language_level": 3,
    # With binding=True, methods of extension types do not check that `self` is an instance of their class: called
    # through the class, they would read any object as one. CPython's own descriptors check it.
    "binding": False,
    # `help` and `inspect.signature` have no other source for the parameters of these functions.
    "embedsignature": True,
    "embedsignature.format": "clinic",
    # No generated members: mypy.stubtest compares the hand-written stub with the module.
    "auto_pickle": False,
    "autotestdict": False,
    # The octet cursor checks its own bounds, and nothing else moves a pointer. Off under the sanitizers as well: there,
    # a bounds check would raise IndexError where a release build reads out of bounds.
    "boundscheck": DEBUG,
    "initializedcheck": CHECKED,
    "wraparound": False,
    "cdivision": True,
    "linetrace": COVERAGE,
}


def macros() -> list[tuple[str, str | None]]:
    """Return the C macros of the chosen switches."""
    chosen: list[tuple[str, str | None]] = []
    if not CHECKED:
        chosen.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))
    if PORTABLE:
        chosen.append(("DERLIB_PORTABLE", "1"))
    if COVERAGE:
        # coverage.py's Cython plugin understands the C tracer only, not sys.monitoring.
        chosen += [
            ("CYTHON_TRACE", "1"),
            ("CYTHON_TRACE_NOGIL", "1"),
            ("CYTHON_USE_SYS_MONITORING", "0"),
        ]
    return chosen


def compiler_arguments() -> list[str]:
    """Return the compiler's arguments. They follow Python's own, and so override them."""
    if os.name == "nt":
        return ["/Od", "/Zi"] if DEBUG else ["/O2"]
    if SANITIZE:
        return [
            "-O1",
            # Line numbers for reports. The variables, too, take a third of the time of compiling.
            "-g1",
            "-UNDEBUG",
            "-fno-omit-frame-pointer",
            f"-fsanitize={SANITIZE}",
            "-fno-sanitize-recover=all",
        ]
    if DEBUG or COVERAGE:
        return ["-O0", "-g", "-UNDEBUG"]
    # Debug information would make the module several times larger.
    return ["-O3", "-g0"]


def linker_arguments() -> list[str]:
    """Return the linker's arguments."""
    return [f"-fsanitize={SANITIZE}"] if SANITIZE and os.name != "nt" else []


# Options that turn a memory fault into a crash before it can be exploited, as (compiler options, linker options). Each
# pair is used if the compiler and the linker accept it.
HARDENING: list[tuple[list[str], list[str]]] = [
    # A canary before the return address of functions with arrays of bytes. -fstack-protector-strong adds it to a third
    # of all functions, and costs up to 3.5 % more instructions (docs/security.md).
    (["-fstack-protector"], []),
    # memcpy and the like check the sizes that the compiler knows. Python's own options may define another level.
    (["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"], []),
    # Full RELRO: the loader resolves the addresses of all functions at the start, and makes their table read-only.
    ([], ["-Wl,-z,relro", "-Wl,-z,now"]),
]


class CoreFirst(build):
    """Build the core before the Python files are copied, so that a missing compiler is the first thing reported."""

    sub_commands = sorted(build.sub_commands, key=lambda command: command[0] != "build_ext")


class BuildHardened(build_ext):
    """Generate the C file of the core, and build it with the options of `HARDENING` that the compiler accepts.

    Debug builds do not use them: _FORTIFY_SOURCE needs optimisation, and the sanitizers find more.
    """

    def build_extensions(self) -> None:
        """Build the core; exit if this machine cannot compile for Python."""
        if not self.accepts("#include <Python.h>\n", [], []):
            raise SystemExit(self.what_is_missing())
        for extension in self.extensions:
            extension.sources = generated(extension)
        if os.name != "nt" and not CHECKED and not COVERAGE:
            for compiled, linked in HARDENING:
                if self.accepts(PROBE, ["-O2", "-Werror", *compiled], linked):
                    for extension in self.extensions:
                        extension.extra_compile_args += compiled
                        extension.extra_link_args += linked
        super().build_extensions()

    def accepts(self, source: str, compiled: list[str], linked: list[str]) -> bool:
        """Return whether a shared object can be built from a source with these options."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tried.c")
            path.write_text(source)
            logging.disable(logging.INFO)  # the commands
            try:
                objects = self.compiler.compile([str(path)], output_dir=folder, extra_postargs=compiled)
                self.compiler.link_shared_object(objects, str(Path(folder, "tried.so")), extra_postargs=linked)
            except (CompileError, LinkError, PlatformError):
                return False
            finally:
                logging.disable(logging.NOTSET)
        return True

    def what_is_missing(self) -> str:
        """Return one line that says why nothing can be compiled, and what to do."""
        command = getattr(self.compiler, "compiler", ["cl.exe"])[0]
        if self.accepts("int derlib_tried;\n", [], []):
            fault = "the C headers of Python (Python.h) are missing"
        elif shutil.which(command):
            fault = f"the C compiler ({command}) does not work"
        else:
            fault = f"no C compiler ({command}) was found"
        return (
            f"derlib cannot be compiled: {fault}. Install what is missing (on Debian: gcc, libc6-dev and python3-dev), "
            "or use a wheel, which needs no compiler; those of releases are on PyPI: "
            "pip install --only-binary=derlib derlib"
        )


# What `HARDENING` is tried with. The options must not warn.
PROBE = "#include <string.h>\nint derlib_tried(const char *p) { return (int)strlen(p); }\n"


class ReproducibleSdist(sdist):
    """Write the same archive for the same sources: SOURCE_DATE_EPOCH is the time of all files, as it is in wheels."""

    def make_archive(self, base_name: str, format: str, *arguments: Any, base_dir: str, **options: Any) -> str:
        """Write the folder `base_dir` to an archive, and return its path."""
        if format != "gztar" or "SOURCE_DATE_EPOCH" not in os.environ:
            path: str = super().make_archive(base_name, format, *arguments, base_dir=base_dir, **options)
            return path
        time = int(os.environ["SOURCE_DATE_EPOCH"])

        def without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.uid, member.gid, member.uname, member.gname, member.mtime = 0, 0, "", "", time
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            return member

        self.mkpath(self.dist_dir)
        path = f"{base_name}.tar.gz"
        with (
            open(path, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=time) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=without_owner)
        return path


class WheelWithSBOM(bdist_wheel):
    """Build a wheel with a software bill of materials (PEP 770, CycloneDX 1.6)."""

    def write_wheelfile(self, wheelfile_base: str, *arguments: str) -> None:
        """Write the files of the folder .dist-info that setuptools does not know from the metadata."""
        super().write_wheelfile(wheelfile_base, *arguments)
        folder = Path(wheelfile_base, "sboms")
        folder.mkdir(exist_ok=True)
        text = json.dumps(bill_of_materials(self.distribution.get_version()), indent=2) + "\n"
        Path(folder, "derlib.cdx.json").write_text(text, encoding="utf-8")


def bill_of_materials(version: str) -> dict[str, object]:
    """Return what a wheel is made of: derlib, and the C code that Cython adds to the core."""

    def component(name: str, version: str, licence: str) -> dict[str, object]:
        purl = f"pkg:pypi/{name.lower()}@{version}"
        named = {"type": "library", "name": name, "version": version, "licenses": [{"license": {"id": licence}}]}
        return {**named, "bom-ref": purl, "purl": purl}

    derlib, cython = component("derlib", version, "MIT"), component("Cython", Cython.__version__, "Apache-2.0")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": derlib},
        "components": [cython],
        "dependencies": [
            {"ref": derlib["bom-ref"], "dependsOn": [cython["bom-ref"]]},
            {"ref": cython["bom-ref"], "dependsOn": []},
        ],
    }


def switches_changed(record: Path) -> bool:
    """Return whether the last build in this folder had other switches, directives or options; record the present ones.

    Cython and setuptools only compare file times, so they do not rebuild for a changed switch.
    """
    now = f"debug={DEBUG} sanitize={SANITIZE} coverage={COVERAGE} portable={PORTABLE}\n{DIRECTIVES}\n{HARDENING}\n"
    before = record.read_text() if record.exists() else ""
    if before != now:
        record.parent.mkdir(exist_ok=True)
        record.write_text(now)
    return before != now


def return_nothing(generated: Path) -> None:
    """Make traced functions report None as their result, in a coverage build.

    Cython converts each result to a Python object, and a pointer to bytes as if it were a C string: it reads beyond the
    input, or from an invalid address.
    """
    converted, nothing = "PyObject *pyvalue = convert_function(cresult);", "PyObject *pyvalue = __Pyx_NewRef(Py_None);"
    text = generated.read_text(encoding="utf-8")
    if converted in text:
        generated.write_text(text.replace(converted, nothing), encoding="utf-8")
    elif nothing not in text:
        raise SystemExit(f"{generated}: this version of Cython traces the results of functions in another way")


def check_python() -> None:
    """Exit if this is free-threaded CPython 3.13: it was experimental, and 3.14 replaced it."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") and sys.version_info < (3, 14) and not UNSUPPORTED_PYTHON:
        raise SystemExit(
            "derlib does not support free-threaded CPython 3.13; use free-threaded CPython 3.14 or later, "
            "or CPython 3.13 with the GIL"
        )


def core() -> Extension:
    """Return the extension module."""
    return Extension(
        "derlib._core",
        sources=["derlib/_core.pyx"],
        depends=sorted(glob("derlib/core/**/*.pxi", recursive=True) + glob("derlib/core/*.h")),
        include_dirs=["derlib"],
        define_macros=macros(),
        extra_compile_args=compiler_arguments(),
        extra_link_args=linker_arguments(),
    )


def generated(extension: Extension) -> list[str]:
    """Generate the C file of the core, and return the sources to compile."""
    # A coverage build changes the file that Cython writes. A forced build ignores the cache, so a file for other
    # directives is removed instead.
    cache = None if COVERAGE else os.environ.get("CYTHON_CACHE_DIR")
    changed = switches_changed(Path("build/switches.txt"))
    if changed and cache:
        Path("build/cython/derlib/_core.c").unlink(missing_ok=True)
    # The coverage plugin only finds a C file that is next to its source.
    [made] = cythonize(
        [extension],
        compiler_directives=DIRECTIVES,
        build_dir=None if COVERAGE else "build/cython",
        force=changed and not cache,
        cache=cache,
    )
    if COVERAGE:
        return_nothing(Path("derlib/_core.c"))
    sources: list[str] = made.sources
    return sources


check_python()
setup(
    ext_modules=[core()] if CORE else [],
    cmdclass={"build": CoreFirst, "build_ext": BuildHardened, "sdist": ReproducibleSdist, "bdist_wheel": WheelWithSBOM},
)
