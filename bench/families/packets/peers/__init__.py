"""The peers of the family `packets`: each module defines the format for one library, and its operations."""
