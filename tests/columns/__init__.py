"""Tests of columns and of the Arrow interface."""
