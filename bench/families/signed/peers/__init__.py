"""The peers of this family: each module works with one library."""
