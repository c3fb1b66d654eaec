# The few commands a person needs. On a machine with git, make, Python 3.10 or later and a C compiler,
# `make demo` and `make test` do all the set-up themselves, in .venv/ and build/.
#
#   make demo [CRL=path]      decode a large CRL and print what it says, with times
#   make test [ARGS=...]      build, and run the whole suite, in a process for each core (ARGS go to pytest; -n0 is one)
#   make fuzz [SECONDS=...] [ARGS="TARGET..."]   fuzz each target for as long
#   make bench [ARGS="FAMILY..."]   measure derlib beside its peers; make bench-quick only looks whether that works
#   make report [ARGS="DIR --out FILE"]   one page with tables and charts of what was measured
#   PYTHON=python3.12 make test

PYTHON ?= python3
VENV ?= .venv
CRL ?=
ARGS ?=

BIN := $(VENV)/bin
# The name of the stamp holds the version: another Python makes the environment anew.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)
READY := $(VENV)/.ready-$(or $(VERSION),none)
TESTS := $(VENV)/.tests-$(or $(VERSION),none)
TOOLS := $(VENV)/.tools-$(or $(VERSION),none)
PEERS := $(VENV)/.peers-$(or $(VERSION),none)
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help demo test build lint types package bench bench-quick bench-setup report test-report docs site sanitize fuzz coverage mutate clean

help:
	@echo "make demo [CRL=path] | test [ARGS=...] | lint | types | package | bench [ARGS=...] | bench-quick | bench-setup | report [ARGS=...] | test-report | docs | site | sanitize | fuzz [SECONDS=...] [ARGS=...] | coverage | mutate | clean"

demo: build $(TESTS)
	@$(BIN)/python -m bench.demo $(CRL)

test: build $(TESTS)
	$(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal $(ARGS)

# setup.py compares file times and switches itself, and does nothing when all is up to date.
build: $(READY)
	@$(BIN)/python setup.py -q build_ext --inplace

lint: $(TOOLS)
	$(BIN)/ruff check .
	PATH="$(BIN):$$PATH" cython-lint derlib
	$(BIN)/python .ci/check-layers

types: build $(TOOLS)
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m mypy.stubtest derlib._core --mypy-config-file pyproject.toml

# Two builds give one wheel where they take the same time for the time of its files.
package: export SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2>/dev/null),946684800)
package: $(TOOLS)
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python .ci/check-package dist

# A library that cannot be installed here is reported as missing; the others are measured.
bench: build
	@$(MAKE) -s $(PEERS) || echo "some libraries cannot be installed; they are reported as missing"
	$(BIN)/python -m bench $(ARGS)

bench-quick: override ARGS += --quick
bench-quick: bench

# Always looks: a peer may have been removed since.
bench-setup: $(READY)
	@rm -f $(PEERS)
	@$(MAKE) -s $(PEERS)

report: $(TOOLS)
	$(BIN)/python -m bench report $(ARGS)

# In a browser, if there is one; otherwise those tests are skipped, and say so.
test-report: build $(TOOLS)
	$(BIN)/python -m pytest tests/bench/test_figures.py tests/bench/test_report.py tests/bench/test_report_page.py

# The table of rules, and the tables and charts of the stored figures (docs/figures/). Tests fail when they are stale.
docs: build $(TOOLS)
	$(BIN)/python -m docs.make_rules
	$(BIN)/python -m bench.readme

# The pages as HTML, in build/site/; what Sphinx warns of is an error. It does not see what conf.py does to pages.
site: build $(TOOLS)
	@test build/site-doctrees/environment.pickle -nt docs/conf.py || rm -rf build/site-doctrees build/site
	$(BIN)/python -m sphinx -q -W --keep-going -b html -c docs -d build/site-doctrees . build/site

# In a tree of its own under build/, so that the normal build stays as it is.
sanitize: $(TESTS)
	.ci/sanitize $(VENV) $(ARGS)

# Guided by coverage where there is clang; the corpus stays in build/fuzz/corpus, or where FUZZ_CORPUS says.
SECONDS ?= 3600
fuzz: build $(TESTS)
	.ci/fuzz $(VENV) $(SECONDS) $(ARGS)

# In a tree of its own as well; with ARGS, only what those tests run.
coverage: $(TOOLS)
	.ci/coverage $(VENV) $(ARGS)

# In a tree of its own as well: each check of the core taken away, and the test that fails for it.
mutate: $(TESTS)
	$(BIN)/python -m tests.mutation $(ARGS)

clean:
	rm -rf build dist .venv* *.egg-info derlib/*.so derlib/*.c derlib/*.html .coverage
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# An editable install, so that the `derlib` command and the version are there as they are for a user. The core is left to
# `build`: here it would be compiled in a folder that goes away. setuptools warns of what such an install is; no news.
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

$(TOOLS): $(TESTS)
	$(PIP) install --group dev
	@touch $@

# Exact versions, so that two runs compare the same peers.
$(PEERS): $(READY) bench/requirements.txt
	$(PIP) install -r bench/requirements.txt
	@touch $@
