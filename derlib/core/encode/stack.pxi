# A check of the C stack, for recursion whose depth the caller controls: encoding and printing of values.
#
# Validation and decoding do not need it: they use at most about 500 bytes for a level of nesting, and `Limits.depth` is
# at most 200. All levels fit on a stack of 128 KiB, the size for threads under musl.


def check_stack():
    """Raise RecursionError if the C stack of this thread is nearly full."""
    if stack_is_full():
        raise RecursionError("nested too deeply for the stack of this thread")
