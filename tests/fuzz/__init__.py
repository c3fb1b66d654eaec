"""Fuzzing: functions that accept any bytes, and properties of all results. CONTRIBUTING.md says how to run them."""
