"""Theorems about the shipped code, exhaustive exploration, contracts, and the evidence table that `make prove` prints."""
