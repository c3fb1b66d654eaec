"""The peers of the family `records`: each module says how one library does it, and names its operations."""
