"""The peers of the family `packets`: each module defines the format for one library, codes with it, and names its
operations. The marks say what counts as lines of code."""
