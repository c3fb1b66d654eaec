"""Tests of the command line; `conftest.py` opens the pages of `derlib view` in a browser."""
