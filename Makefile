# Everything a checkout needs: `make help` lists it.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready
.DEFAULT_GOAL := help
.PHONY: help setup check test proof browser bench docs demo warm lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Glaswerk needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

setup: $(STAMP) ## install the locked tools and Glaswerk into .venv

warm: $(STAMP) ## compile the loops ahead, so that no first fit waits
	@$(BIN)/glaswerk warm

demo: $(STAMP) warm ## write the report on the Auto MPG cars, and say where it is
	@$(BIN)/glaswerk report auto_mpg --target mpg --output auto_mpg-report.html

check: $(STAMP) ## formatting, rules, types, import contracts
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo | tail -n 8

test: $(STAMP) warm ## the tests that any checkout passes
	$(BIN)/python -m pytest -n 2 -m "not proof"

browser: ## Chromium and poppler from Debian's packages, where they are missing (needs root)
	@{ command -v chromium && command -v pdftoppm; } >/dev/null || { apt-get update -qq && apt-get install -qq -y chromium poppler-utils >/dev/null; }

proof: $(STAMP) warm ## the tests that need a browser, kills or the shared files; says what was absent
	$(BIN)/python -m pytest -m proof

bench: $(STAMP) warm ## the named claims, or one: make bench CLAIM=least_squares
	$(BIN)/python -m benchmarks $(or $(CLAIM),all)

docs: $(STAMP) ## the pages, offline, in docs/_build/html
	$(BIN)/sphinx-build -q -W -b html docs docs/_build/html
	@echo docs/_build/html/index.html

lock: ## renew requirements.lock (needs uv)
	uv pip compile pyproject.toml --extra dev --extra docs --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --no-annotate --upgrade -o requirements.lock

clean: ## remove what make made
	rm -rf .venv docs/_build .mypy_cache .ruff_cache .hypothesis
