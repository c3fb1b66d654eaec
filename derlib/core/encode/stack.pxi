# How much of the C stack is left, for recursion whose depth a caller chooses: values that are written, and printed.
#
# The check pass and reading need no such look: a level of nesting takes at most some 500 bytes there, and
# `Limits.depth` is at most 200. So a stack of 128 KiB, which threads have under musl, has room for all levels.


def refuse_full_stack():
    """Raise RecursionError where little is left of the stack of this thread."""
    if stack_is_full():
        raise RecursionError("the value is nested too deeply for the stack of this thread")
