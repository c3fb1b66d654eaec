"""Mutation tests: each check of the core is removed in turn, and a test must fail without it (`make mutate`)."""
