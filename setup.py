"""The one extension module and its switches; everything else stands in pyproject.toml.

Called by pip and build through setuptools, and by the Makefile as `setup.py build_ext --inplace`.
Switches are environment variables, so that they reach the compiler through any of these ways:

    DERLIB_DEBUG=1                      assertions, bounds checks, -O0 -g
    DERLIB_SANITIZE=address,undefined   assertions, under these sanitizers
    DERLIB_COVERAGE=1                   line tracing for coverage.py, nogil code included
    DERLIB_PORTABLE=1                   only CPython's public C API: none of the switches of derlib/core/cpython.h
    DERLIB_CORE=0                       everything but the core: an editable install beside a build in place
"""

import os
import tempfile
from glob import glob
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError

DEBUG = os.environ.get("DERLIB_DEBUG", "") not in ("", "0")
SANITIZE = os.environ.get("DERLIB_SANITIZE", "")
COVERAGE = os.environ.get("DERLIB_COVERAGE", "") not in ("", "0")
PORTABLE = os.environ.get("DERLIB_PORTABLE", "") not in ("", "0")
CORE = os.environ.get("DERLIB_CORE", "") != "0"
CHECKED = DEBUG or bool(SANITIZE)

DIRECTIVES = {
    "language_level": 3,
    # With binding=True, methods of extension types do not check that `self` is an instance of their class: called from
    # the class, they read any object as if it were one. CPython's own descriptors check it.
    "binding": False,
    # CPython has no other way to know the parameters of such functions, for `help` and `inspect.signature`.
    "embedsignature": True,
    "embedsignature.format": "clinic",
    # mypy.stubtest compares the stub with the module: no members that nobody wrote.
    "auto_pickle": False,
    "autotestdict": False,
    # The octet cursor is the one place that moves a pointer, and it checks its bounds itself.
    # Not under the sanitizers: a bounds check would raise IndexError where a release build reads out of bounds.
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
    """Return the compiler's arguments; they come after Python's own and so prevail."""
    if os.name == "nt":
        return ["/Od", "/Zi"] if DEBUG else ["/O2"]
    if SANITIZE:
        return [
            "-O1",
            "-g",
            "-UNDEBUG",
            "-fno-omit-frame-pointer",
            f"-fsanitize={SANITIZE}",
            "-fno-sanitize-recover=all",
        ]
    if DEBUG or COVERAGE:
        return ["-O0", "-g", "-UNDEBUG"]
    # Debug information would make the module several times as large as its code.
    return ["-O3", "-g0"]


def linker_arguments() -> list[str]:
    """Return the linker's arguments."""
    return [f"-fsanitize={SANITIZE}"] if SANITIZE and os.name != "nt" else []


# Options that turn a memory fault into a crash before it can be exploited: (for the compiler, for the linker). Each is
# used if the compiler and the linker accept it.
HARDENING: list[tuple[list[str], list[str]]] = [
    # A canary before the return address of functions with arrays of octets. -fstack-protector-strong has it in a third
    # of all functions, and costs up to 3.5 % more instructions (docs/security.md).
    (["-fstack-protector"], []),
    # memcpy and the like check the sizes that the compiler knows. Python's own options may define another level.
    (["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"], []),
    # Full RELRO: the loader resolves the addresses of all functions at once, and makes their table read-only.
    ([], ["-Wl,-z,relro", "-Wl,-z,now"]),
]


class BuildHardened(build_ext):
    """Build the core with the options of `HARDENING` that the compiler accepts.

    Debug builds go without: _FORTIFY_SOURCE needs optimisation, and the sanitizers find more.
    """

    def build_extensions(self) -> None:
        """Add the options to each extension, and build them."""
        if os.name != "nt" and not CHECKED and not COVERAGE:
            for compiled, linked in HARDENING:
                if self.accepts(compiled, linked):
                    for extension in self.extensions:
                        extension.extra_compile_args += compiled
                        extension.extra_link_args += linked
        super().build_extensions()

    def accepts(self, compiled: list[str], linked: list[str]) -> bool:
        """Return whether a shared object can be built with these options, without a warning."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "tried.c")
            source.write_text("#include <string.h>\nint derlib_tried(const char *p) { return (int)strlen(p); }\n")
            try:
                objects = self.compiler.compile(
                    [str(source)], output_dir=folder, extra_postargs=["-O2", "-Werror", *compiled]
                )
                self.compiler.link_shared_object(objects, str(Path(folder, "tried.so")), extra_postargs=linked)
            except (CompileError, LinkError):
                return False
        return True


def switches_changed(record: Path) -> bool:
    """Say whether the last build in this folder had other switches, directives or options, and record the present ones.

    Neither Cython nor setuptools rebuilds for a changed switch: both look at file times only.
    """
    now = f"debug={DEBUG} sanitize={SANITIZE} coverage={COVERAGE} portable={PORTABLE}\n{DIRECTIVES}\n{HARDENING}\n"
    before = record.read_text() if record.exists() else ""
    if before != now:
        record.parent.mkdir(exist_ok=True)
        record.write_text(now)
    return before != now


def return_nothing(generated: Path) -> None:
    """Have traced functions tell None for the value that they return.

    Cython makes a Python object of each, and takes a pointer to octets for a text that ends with a zero octet: it reads
    behind what was decoded, or at no address at all.
    """
    converted, nothing = "PyObject *pyvalue = convert_function(cresult);", "PyObject *pyvalue = __Pyx_NewRef(Py_None);"
    text = generated.read_text(encoding="utf-8")
    if converted in text:
        generated.write_text(text.replace(converted, nothing), encoding="utf-8")
    elif nothing not in text:
        raise SystemExit(f"{generated}: this Cython tells what functions return in another way")


def free_once(generated: Path) -> None:
    """Have a list comprehension for which memory ends free its element once.

    Cython 3.3 gives the element away as it appends it, also where that fails, and then frees it again.
    """
    appended = "int result = PyList_Append(list, x);\n    "
    always, taken = f"{appended}Py_DECREF(x);", f"{appended}if (result == 0) Py_DECREF(x);"
    text = generated.read_text(encoding="utf-8")
    if always in text:
        generated.write_text(text.replace(always, taken), encoding="utf-8")


def extensions() -> list[Extension]:
    """Return the one extension module, with its C file made."""
    # The coverage plugin finds the C file only beside its source.
    folder = "" if COVERAGE else "build/cython"
    core = Extension(
        "derlib._core",
        sources=["derlib/_core.pyx"],
        depends=sorted(glob("derlib/core/**/*.pxi", recursive=True) + glob("derlib/core/*.h")),
        include_dirs=["derlib"],
        define_macros=macros(),
        extra_compile_args=compiler_arguments(),
        extra_link_args=linker_arguments(),
    )
    made: list[Extension] = cythonize(
        [core],
        compiler_directives=DIRECTIVES,
        build_dir=folder or None,
        force=switches_changed(Path("build/switches.txt")),
    )
    generated = Path(folder, "derlib", "_core.c")
    free_once(generated)
    if COVERAGE:
        return_nothing(generated)
    return made


setup(ext_modules=extensions() if CORE else [], cmdclass={"build_ext": BuildHardened})
