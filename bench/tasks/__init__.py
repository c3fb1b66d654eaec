"""The same tasks with derlib, asn1crypto and cryptography: `python -m bench.tasks` runs them, and counts their lines.

Each module has a function for each task, with its imports, as a user writes it. The functions of a task return equal
results. tests/bench/test_tasks.py compares them.
"""
