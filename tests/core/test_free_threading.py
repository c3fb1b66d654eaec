"""Free-threaded builds of CPython: derlib leaves the GIL off there, and refuses the one that was experimental."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.threads import FREE_THREADED

SETUP = Path(__file__).parents[2] / "setup.py"

IMPORT_ALL = """
import contextlib, importlib, pkgutil, sys
import derlib
for module in pkgutil.walk_packages(derlib.__path__, "derlib."):
    if not module.name.endswith("__main__"):
        with contextlib.suppress(ImportError):  # of an extra that is not installed
            importlib.import_module(module.name)
print(sys._is_gil_enabled())
"""

# With another interpreter in place of this one, up to the first step of the build.
REFUSE = """
import runpy, sys, sysconfig
import Cython.Build, setuptools.command.bdist_wheel  # imported before the version is replaced
setuptools.setup = lambda **_: print("built")
sysconfig.get_config_var = lambda name: {free_threaded}
sys.version_info = {version}
runpy.run_path({setup!r})
"""


@pytest.mark.skipif(not FREE_THREADED, reason="this Python has a GIL")
def test_no_module_enables_the_gil():
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("version", "free_threaded", "switch", "built"),
    [
        ((3, 13, 5), 1, "", False),
        ((3, 13, 5), 1, "0", False),
        ((3, 13, 5), 1, "1", True),
        ((3, 13, 5), 0, "", True),
        ((3, 13, 5), None, "", True),
        ((3, 14, 0), 1, "", True),
    ],
)
def test_the_build_refuses_free_threaded_python_313(version, free_threaded, switch, built):
    pytest.importorskip("Cython", reason="setup.py needs Cython")
    if not SETUP.exists():
        pytest.skip("the tests of an installed package are without setup.py")
    environment = {**os.environ, "DERLIB_CORE": "0", "DERLIB_UNSUPPORTED_PYTHON": switch}
    code = REFUSE.format(free_threaded=free_threaded, version=version, setup=str(SETUP))
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    if built:
        assert (done.returncode, done.stdout) == (0, "built\n"), done.stderr
    else:
        assert done.returncode == 1
        assert "does not support free-threaded CPython 3.13; use free-threaded CPython 3.14" in done.stderr
