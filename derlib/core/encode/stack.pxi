# How much of the C stack is left, for recursion whose depth a caller chooses: values that are written, and printed.
#
# The check pass and reading need no such look: a level of nesting takes at most some 500 bytes there, and
# `Limits.depth` is at most 200. So a stack of 128 KiB, which threads have under musl, has room for all levels.

cdef extern from *:
    """
    #if defined(__linux__) || defined(__APPLE__)
    #include <pthread.h>
    #define DERLIB_KNOWS_STACK
    #endif
    #ifdef DERLIB_KNOWS_STACK
    /* What Python itself may take for what is called here, such as a comparison or an exception. */
    #define DERLIB_STACK_MARGIN 24576
    /* The lowest address of the stack of this thread, and the one below which it is too full: equal where the stack is
       not known, and both NULL until it is looked up. */
    static __thread const char *derlib_stack_lowest = NULL, *derlib_stack_full = NULL;
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
        if (size == 0) lowest = (void *)&derlib_stack_lowest;
        derlib_stack_lowest = lowest;
        derlib_stack_full = (const char *)lowest + (size < DERLIB_STACK_MARGIN ? size : DERLIB_STACK_MARGIN);
    }
    /* Return whether little of the stack of this thread is left. A program may run Python on a stack of its own: then
       the address is outside the thread's, and nothing is known. */
    static int derlib_stack_is_full(void) {
        const char here = 0;
        if (derlib_stack_full == NULL) derlib_find_stack();
        return &here < derlib_stack_full && &here >= derlib_stack_lowest;
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
