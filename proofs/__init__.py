"""Theorems about the shipped code, exhaustive exploration, contracts, and the table that `make prove` prints."""
