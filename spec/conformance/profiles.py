# SPDX-License-Identifier: Apache-2.0
"""How thoroughly Hypothesis searches: four profiles, in this one place.

`KVPROOF_PROFILE` chooses one; `dev` when it is not set. While mutants are tested (`MUTANT_UNDER_TEST` is set) it is
always `mutation`. No profile has a deadline: time depends on what else the machine does, and right does not.
"""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hypothesis import HealthCheck, Phase, settings

VARIABLE = "KVPROOF_PROFILE"

REPEATABLE: Mapping[str, Any] = MappingProxyType({"derandomize": True, "database": None, "deadline": None})
"""The same examples in every run."""

PROFILES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "dev": {"deadline": None},
        "ci": {**REPEATABLE, "print_blob": True},
        "nightly": {"deadline": None, "max_examples": 5_000, "stateful_step_count": 100},
        "mutation": {
            **REPEATABLE,
            "max_examples": 30,
            # That it fails is all that matters.
            "phases": (Phase.explicit, Phase.generate),
            # The trampolines of the mutation tool call test methods of a class through more than one instance.
            "suppress_health_check": [HealthCheck.differing_executors],
        },
    }
)


def chosen(environment: Mapping[str, str]) -> str:
    """The name of the profile that these environment variables ask for. ValueError when there is none of that name."""
    if environment.get("MUTANT_UNDER_TEST"):
        return "mutation"
    name = environment.get(VARIABLE) or "dev"
    if name not in PROFILES:
        raise ValueError(f"{VARIABLE} is '{name}'; it must be one of {', '.join(PROFILES)}")
    return name


def load() -> str:
    """Make the chosen profile the default of everything that Hypothesis runs from now on; returns its name."""
    name = chosen(os.environ)
    for profile, values in PROFILES.items():
        settings.register_profile(profile, **values)
    settings.load_profile(name)
    return name
