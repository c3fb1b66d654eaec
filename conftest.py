"""Settings for all tests of the project: tests/, examples/, and the examples in docs/ and docstrings."""

from hypothesis import HealthCheck, settings

# No deadline: the time of an example means nothing on a busy machine, or under a sanitizer or coverage.
settings.register_profile("derlib", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("derlib")
