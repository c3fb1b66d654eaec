# The commands for developers; CONTRIBUTING.md describes all of them. They need git, make, Python 3.10 or later and a C
# compiler, and install everything else into .venv/ and build/.
#
#   make demo [CRL=path]                          decode a large CRL, and print its contents and the times
#   make test [ARGS=...]                          build, and run the suite on all cores; ARGS are passed to pytest
#   make fuzz [SECONDS=...] [ARGS="TARGET..."]    fuzz each target for so many seconds
#   make bench [ARGS="FAMILY..."]                 compare derlib with other libraries
#   make bench-quick                              check that the benchmark works
#   make report [ARGS="DIR --out FILE"]           write a page with tables and charts of the results
#   PYTHON=python3.12 make test                   use another Python

PYTHON ?= python3
VENV ?= .venv
CRL ?=
ARGS ?=

BIN := $(VENV)/bin
# The names of these stamps contain the version of Python, so another Python gets a new environment.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)
READY := $(VENV)/.ready-$(or $(VERSION),none)
TESTS := $(VENV)/.tests-$(or $(VERSION),none)
TOOLS := $(VENV)/.tools-$(or $(VERSION),none)
PEERS := $(VENV)/.peers-$(or $(VERSION),none)
SDIST := build/pyasn1_alt_modules-0.4.10.tar.gz
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help demo test build tools lint types package bench bench-quick bench-setup report test-report docs site test-site sanitize portable fuzz coverage mutate clean

help:
	@echo "make demo [CRL=path] | test [ARGS=...] | tools | lint | types | package | bench [ARGS=...] | bench-quick | bench-setup | report [ARGS=...] | test-report | docs | site | test-site | sanitize | portable | fuzz [SECONDS=...] [ARGS=...] | coverage | mutate | clean"

demo: build $(TESTS)
	@$(BIN)/python -m bench.demo $(CRL)

test: build $(TESTS) $(SDIST)
	$(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal $(ARGS)

# setup.py compares file times and switches, and does nothing if everything is up to date.
build: $(READY)
	@$(BIN)/python setup.py -q build_ext --inplace

# For all the commands below.
tools: build $(TOOLS)

lint: $(TOOLS)
	$(BIN)/ruff check .
	PATH="$(BIN):$$PATH" cython-lint derlib
	$(BIN)/python .ci/check-layers

types: build $(TOOLS)
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m mypy.stubtest derlib._core --mypy-config-file pyproject.toml


# If a library cannot be installed, it is reported as missing, and the others are measured.
bench: build
	@$(MAKE) -s $(PEERS) || echo "some libraries cannot be installed; they are reported as missing"
	$(BIN)/python -m bench $(ARGS)

bench-quick: override ARGS += --quick
bench-quick: bench

# Always runs pip, because a library may have been removed since.
bench-setup: $(READY)
	@rm -f $(PEERS)
	@$(MAKE) -s $(PEERS)

report: $(TOOLS)
	$(BIN)/python -m bench report $(ARGS)

# Tests that need a browser are skipped if there is none.
test-report: build $(TOOLS)
	$(BIN)/python -m pytest tests/bench/test_figures.py tests/bench/test_report.py tests/bench/test_report_page.py

# The table of rules, the verdicts on public files, and the tables and charts of the stored figures (docs/figures/). Tests fail if they are stale.
docs: build $(TOOLS)
	$(BIN)/python -m docs.make_rules
	$(BIN)/python -W ignore -m docs.make_strict
	$(BIN)/python -m bench.readme

# The pages as HTML in build/site/; warnings are errors. Sphinx does not notice that conf.py has changed, so that starts
# anew.
site: build $(TOOLS)
	@test build/site-doctrees/environment.pickle -nt docs/conf.py || rm -rf build/site-doctrees build/site
	$(BIN)/python -m sphinx -q -W --keep-going -b html -c docs -d build/site-doctrees . build/site

# Tests that need a browser are skipped if there is none.
test-site: site
	$(BIN)/python -m pytest -q tests/test_site.py

# Builds in its own tree under build/, so that the normal build stays as it is.
package: $(TOOLS)
	.ci/package $(VENV)

# Builds in its own tree, too.
sanitize: $(TESTS)
	.ci/sanitize $(VENV) $(ARGS)

# Builds in its own tree, too. Without ARGS, runs the tests of the core.
portable: $(TESTS)
	.ci/portable $(VENV) $(ARGS)

# Guided by coverage if there is clang. The corpus is kept in build/fuzz/corpus, or in FUZZ_CORPUS.
SECONDS ?= 3600
fuzz: build $(TESTS)
	.ci/fuzz $(VENV) $(SECONDS) $(ARGS)

# Builds in its own tree, too. With ARGS, reports the lines that those tests run.
coverage: $(TOOLS)
	.ci/coverage $(VENV) $(ARGS)

# Builds in its own tree, too. Removes each check of the core, and expects a test to fail.
mutate: $(TESTS)
	$(BIN)/python -m tests.mutation $(ARGS)

clean:
	rm -rf build dist .venv* *.egg-info derlib/*.so derlib/*.c derlib/*.html .coverage
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# An editable install, which provides the `derlib` command and the version. It leaves out the core, which `build` compiles
# in place; here it would be compiled in a temporary folder. PYTHONWARNINGS hides setuptools' warning about such installs.
INSTALL := DERLIB_CORE=0 PYTHONWARNINGS=ignore $(PIP) install --no-build-isolation --config-settings editable_mode=compat

$(READY): pyproject.toml
	@test -e $@ || { echo "making $(VENV)"; .ci/make-venv $(PYTHON) $(VENV); }
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --group build
	$(INSTALL) --editable '.[cli]'
	@touch $@

$(TESTS): $(READY)
	$(INSTALL) --editable '.[cli,test]'
	@touch $@

# Test data that only the sdist of another project has (tests/corpus/alt_modules.py). Without it, these tests are skipped.
$(SDIST): | $(READY)
	@$(PIP) download --no-deps --no-build-isolation --no-binary :all: -d build pyasn1-alt-modules==0.4.10 \
	|| echo "pyasn1-alt-modules cannot be downloaded; its values are not tested"

$(TOOLS): $(TESTS)
	$(PIP) install --group dev
	@touch $@

# Exact versions, so that two runs compare the same libraries.
$(PEERS): $(READY) bench/requirements.txt
	$(PIP) install -r bench/requirements.txt
	@touch $@
