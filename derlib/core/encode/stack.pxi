# A check of the C stack, for recursion whose depth the caller controls: encoding and printing of values.
#
# Validation and decoding do not need it: they use at most about 500 bytes for a level of nesting, and `Limits.depth` is
# at most 200. All levels fit on a stack of 128 KiB, the size for threads under musl.

cdef extern from *:
    """
    #if defined(__linux__) || defined(__APPLE__)
    #include <pthread.h>
    #define DERLIB_KNOWS_STACK
    #endif
    #ifdef DERLIB_KNOWS_STACK
    /* Space for calls into Python, such as a comparison or an exception. */
    #define DERLIB_STACK_MARGIN 24576
    /* The lowest address of this thread's stack, and the address below which the stack counts as full. Equal if the
       stack is unknown; NULL before they are looked up. */
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
    /* Return whether this thread's stack is nearly full. False if the program runs Python on another stack. */
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
    """Raise RecursionError if this thread's stack is nearly full."""
    if stack_is_full():
        raise RecursionError("the value is nested too deeply for the stack of this thread")
