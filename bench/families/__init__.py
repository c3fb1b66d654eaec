"""The families of the benchmark: each module or package here has one as `FAMILY`, and is found by its name."""
