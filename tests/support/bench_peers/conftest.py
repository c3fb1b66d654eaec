"""Some of these modules cannot be imported, and are there for that: pytest must not look for examples in them."""

collect_ignore_glob = ["*.py"]
