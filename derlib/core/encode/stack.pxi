# How much of the C stack is left, for recursion whose depth a caller chooses: values that are written, and printed.
#
# The check pass and reading need no such look: a level of nesting takes some 400 octets there, and `Limits.depth` is
# 200 at most, so the smallest usual stack (128 KiB, in threads of musl) has room for all of them.

cdef extern from *:
    """
    #if defined(__linux__) || defined(__APPLE__)
    #include <pthread.h>
    #define DERLIB_KNOWS_STACK
    #endif
    #ifdef DERLIB_KNOWS_STACK
    /* What Python itself may take for what is called here, such as a comparison or an exception. */
    #define DERLIB_STACK_MARGIN 24576
    /* Where the stack of this thread begins to be too full, and the address behind its other end: NULL while that was
       not asked; equal where it is not known. */
    static __thread const char *derlib_stack_full = NULL, *derlib_stack_top = NULL;
    static void derlib_find_stack(void) {
        void *lowest = NULL;
        size_t size = 0;
    #ifdef __APPLE__
        size = pthread_get_stacksize_np(pthread_self());
        lowest = (char *)pthread_get_stackaddr_np(pthread_self()) - size;
    #else
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            if (pthread_attr_getstack(&attributes, &lowest, &size) != 0) size = 0;
            pthread_attr_destroy(&attributes);
        }
    #endif
        derlib_stack_top = (const char *)lowest + size;
        derlib_stack_full = size > 2 * DERLIB_STACK_MARGIN ? (const char *)lowest + DERLIB_STACK_MARGIN
            : derlib_stack_top;
        if (derlib_stack_top == NULL) derlib_stack_top = derlib_stack_full = (const char *)&derlib_stack_top;
    }
    /* Whether little of the stack of this thread is left. A program may run Python on a stack of its own: then the
       address is outside the thread's, and nothing is known. */
    static int derlib_stack_is_full(void) {
        const char here = 0;
        if (derlib_stack_top == NULL) derlib_find_stack();
        return &here < derlib_stack_full && &here >= derlib_stack_full - DERLIB_STACK_MARGIN;
    }
    #else
    static int derlib_stack_is_full(void) { return 0; }
    #endif
    """
    bint stack_is_full "derlib_stack_is_full"() noexcept nogil


def refuse_full_stack():
    """Raise RecursionError where little is left of the stack of this thread."""
    if stack_is_full():
        raise RecursionError("the value is nested too deeply for the stack of this thread")
