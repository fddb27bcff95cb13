# SPDX-License-Identifier: Apache-2.0
# The few commands that people type. Each one sets up .venv first, which takes no time when it is there already.

.DEFAULT_GOAL := verify
.PHONY: verify test lint bench prove prove-again prove-stable readme-table mutate mutate-core mutate-rtl synth help clean set-up
PY := .venv/bin/python

verify: set-up ## the main job: check everything on one screen
	@$(PY) -m kvproof verify

test: set-up ## all tests
	@$(PY) -m pytest -n auto

lint: set-up ## ruff and mypy --strict, on everything
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy

bench: set-up ## how fast the page table is, against a plain one
	@$(PY) -m kvproof bench

prove: set-up ## every proof, as a table, also in out/proofs.md (UNIT=dma: of one unit of the chip)
	@$(PY) -m proofs $(UNIT:%=--unit %) $(if $(FORCE),--force)

prove-again: set-up ## a second solver re-checks the queries of z3
	@$(PY) -m proofs --again

prove-stable: set-up ## every proof of z3 under five solver seeds
	@$(PY) -m proofs --stable

readme-table: set-up ## write the table of claims into README.md
	@$(PY) -m proofs --readme-table

mutate: set-up ## mutation score of the tests (FILE=impl/window.py for one file); also in out/mutation.json and .svg
	@mkdir -p out
	@$(PY) -m kvproof.mutation $(FILE) --json out/mutation.json --plot out/mutation.svg

mutate-core: set-up ## the same for the files of which every mutant has to be killed
	@mkdir -p out
	@$(PY) -m kvproof.mutation --core --json out/mutation.json --plot out/mutation.svg

mutate-rtl: set-up ## mutation score of the harnesses of the Verilog; UNIT=dma for one unit
	@$(PY) -m proofs.rtl_mutation $(UNIT)

synth: set-up ## what every unit of the chip takes, by yosys: gates, flip-flops, longest path
	@$(PY) -m impl.chip.synth

set-up: ## only make .venv and install everything
	@sh scripts/set_up.sh

clean: ## remove .venv, caches and everything generated
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build mutants out *.egg-info
	find spec impl proofs kvproof tests -name __pycache__ -prune -exec rm -rf {} +

help: ## this list
	@echo "make           the same as make verify"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20
