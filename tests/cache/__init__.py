"""Tests of `derlib.cache`."""
