"""Fuzzing: targets that take any octets, and what must hold for all of them. CONTRIBUTING.md says how to run them."""
