"""Comparisons of derlib with its peers; not part of the installed package."""
