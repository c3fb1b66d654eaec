"""Mutants that no test can kill, each with its reason: (form, file, function, text) as `make mutate` prints them.

A mutant that survives without a reason fails the run, and so does a reason whose mutant is killed or gone.
"""

EQUIVALENT: dict[tuple[str, str, str, str], str] = {}
