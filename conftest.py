"""What holds for every test of the project: those of tests/ and examples/, and the examples of docs/ and docstrings."""

from hypothesis import HealthCheck, settings

# How long a draw took says nothing on a machine that is busy, or that runs under a sanitizer or coverage.
settings.register_profile("derlib", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("derlib")
