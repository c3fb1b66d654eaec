"""Mutation proof of the rules: each check of the core is taken away, and a test must fail for it (`make mutate`)."""
