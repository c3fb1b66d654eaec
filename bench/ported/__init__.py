"""Small programs written with another library (before/), and ported to derlib (examples/).

`python -m bench.ported` compares what both write, measures both, and writes the table of docs/ported.md.
tests/bench/test_ported.py compares them on small inputs.
"""
