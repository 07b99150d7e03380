"""A plug-in for pytest: each scenario is a test of your lock on real servers. README.md describes it.

In pytest.ini: addopts = -p pytest_lockstorm, and lockstorm_scenarios, the scenarios. In a test:

    def test_lock(lockstorm):
        lockstorm("python3 mylock.py", "--set", "lock.kind=single")
"""
import json
import shlex
import subprocess

import pytest


def pytest_addoption(parser):
    parser.addini("lockstorm", "the program (default: lockstorm-full)", default="lockstorm-full")
    parser.addini("lockstorm_scenarios", "the scenarios that are tests", type="args", default=["distlock/blind-delete"])


def pytest_generate_tests(metafunc):
    if "lockstorm" in metafunc.fixturenames:
        metafunc.parametrize("lockstorm", metafunc.config.getini("lockstorm_scenarios"), indirect=True)


@pytest.fixture
def lockstorm(request):
    scenario, program = request.param, shlex.split(request.config.getini("lockstorm")) + ["live"]

    def run(adapter, *args):
        """Fails if the lock breaks a promise that Lockstorm's own lock keeps here, live and simulated."""
        verdicts = ["--verdicts", scenario, "--adapter", f"lock={adapter}", "--format", "json", "--no-store"]
        made = subprocess.run([*program, *verdicts, *args], capture_output=True, text=True)
        rows = json.loads(made.stdout)["rows"] if made.stdout.startswith("{") else []
        if len(rows) != 2:
            pytest.fail(made.stderr, pytrace=False)
        own, lock = rows
        if not lock["runs"]:
            pytest.skip(lock["refused"])
        kept = set(lock.get("broken") or {}) - set(own.get("broken") or {}) - set(own.get("simulated") or [])
        if kept:
            story = subprocess.run([*program, scenario, "--adapter", adapter, "--no-store", *args], capture_output=True, text=True)
            pytest.fail(f"{scenario}: broken, and kept by Lockstorm's own lock: {', '.join(sorted(kept))}\n\n{story.stdout}", pytrace=False)
        unknown = set(lock.get("unknown") or {})
        if unknown or lock.get("missing"):
            pytest.skip(f"not known on this machine: {sorted(unknown) or sorted(lock['missing'])}")

    return run
