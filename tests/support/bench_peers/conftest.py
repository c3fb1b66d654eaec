"""Some of these modules cannot be imported, on purpose, so pytest must not search them for examples."""

collect_ignore_glob = ["*.py"]
