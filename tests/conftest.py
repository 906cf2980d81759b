"""Shared by all tests: where optional conformance data would lie, and how thoroughly hypothesis searches."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

OPTIONAL_DATA: Path = Path(__file__).resolve().parents[2] / "shared"
"""Optional conformance data beside the repository; tests that want it skip where it is absent."""

settings.register_profile("fast", max_examples=60, deadline=None, derandomize="CI" in os.environ)
settings.register_profile("brief", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
