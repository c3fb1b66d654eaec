"""Peers for the tests of bench/harness; each module behaves differently."""
