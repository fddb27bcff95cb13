# SPDX-License-Identifier: Apache-2.0
"""Profiles, packaging and the lock file."""

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from kvproof import __version__
from spec.conformance import profiles

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, "dev"),
        ({"KVPROOF_PROFILE": ""}, "dev"),
        ({"KVPROOF_PROFILE": "ci"}, "ci"),
        ({"KVPROOF_PROFILE": "nightly"}, "nightly"),
        ({"KVPROOF_PROFILE": "nightly", "MUTANT_UNDER_TEST": "impl.window.x__mutmut_1"}, "mutation"),
        ({"KVPROOF_PROFILE": "ci", "MUTANT_UNDER_TEST": ""}, "ci"),
    ],
)
def test_the_profile_that_is_chosen(environment: dict[str, str], name: str) -> None:
    assert profiles.chosen(environment) == name


def test_this_run_has_the_profile_that_it_asks_for() -> None:
    expected = settings.get_profile(profiles.chosen(os.environ))
    assert settings.default is not None
    assert repr(settings.default) == repr(expected)


@pytest.mark.parametrize("name", ["ci", "mutation"])
def test_repeatable_profiles(name: str) -> None:
    profile = settings.get_profile(name)
    assert profile.derandomize
    assert profile.database is None
    assert profile.deadline is None


def test_profiles_differ_in_thoroughness() -> None:
    examples = [settings.get_profile(name).max_examples for name in ("mutation", "dev", "nightly")]
    assert examples == sorted(set(examples))


def test_an_unknown_profile_is_a_clear_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "tests/test_frame.py"],
        cwd=ROOT,
        env={**os.environ, "KVPROOF_PROFILE": "nightley"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    message = "KVPROOF_PROFILE is 'nightley'; it must be one of dev, ci, nightly, mutation"
    assert done.stderr.strip() == f"ERROR: {message}"


def locked() -> dict[str, str]:
    """Package → version of every line of the lock file."""
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in lines)
    return dict(line.split("==") for line in lines)


def wanted() -> list[tuple[str, str, str]]:
    """(package, == or >=, version) of everything that setup.cfg asks for."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    texts = [config["options"]["install_requires"], *config["options.extras_require"].values()]
    found = [re.fullmatch(r"([a-z0-9-]+)(==|>=)([0-9][0-9a-z.]*)", line) for text in texts for line in text.split()]
    assert all(found)
    return [(match[1], match[2], match[3]) for match in found if match]


def test_the_lock_file_holds_what_setup_cfg_asks_for() -> None:
    versions = locked()
    assert len(wanted()) > 8
    for package, relation, version in wanted():
        assert package in versions
        if relation == "==":
            assert versions[package] == version
        else:
            assert numbers(versions[package]) >= numbers(version)


def numbers(version: str) -> list[int]:
    """The numbers of a version, to be compared."""
    return [int(part) for part in version.split(".")]


def test_solvers_are_pinned() -> None:
    assert {package for package, relation, _ in wanted() if relation == "=="} >= {"z3-solver", "cvc5", "crosshair-tool"}


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """Run make as a person would, also when make runs these tests."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", *words], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_a_file_that_is_not_mutated_fails() -> None:
    done = make("mutate", "FILE=impl/nothing.py")
    assert done.returncode != 0
    assert "'impl/nothing.py' is not mutated" in done.stderr


def test_make_help_lists_every_target() -> None:
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets
    printed = make("help").stdout
    assert sorted(line.split()[1] for line in printed.splitlines()[1:]) == sorted(targets[1].split())


def test_the_version_is_a_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
