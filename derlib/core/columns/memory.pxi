# The memory of buffers. Freed blocks are kept for the next batches.
#
# The system takes some microseconds to provide a new page of 4 KiB, several times what it takes to fill it with cells.
# The C library returns large blocks to the system, so they are kept here: up to POOL_OCTETS in the process. Blocks of
# zeros are not kept, because most of their pages were never provided. Arrays are released in any thread, without the
# GIL; a thread that finds the pool in use does without it.

cdef enum:
    POOL_SLOTS = 64
    POOL_OCTETS = 1 << 24           # the most that is kept
    POOL_LEAST = 1 << 15            # smaller blocks are left to the C library
    # Before the octets of a block, because Arrow recommends this alignment: the capacity of the block, and whether it
    # is kept
    BLOCK_HEADER = 64

cdef size_t *POOL[POOL_SLOTS]
cdef void *POOL_LOCK = NULL         # not NULL while a thread uses the pool
cdef size_t POOL_SIZE = 0           # the capacities of the blocks in the pool
memset(POOL, 0, sizeof(POOL))


cdef uint8_t *take_memory(size_t *capacity, bint zero) noexcept nogil:
    """Return memory for `capacity` octets or more, and set it to their number; return NULL if there is none."""
    global POOL_SIZE
    cdef size_t *block = NULL
    cdef int i
    if capacity[0] > <size_t>PY_SSIZE_T_MAX - BLOCK_HEADER:
        return NULL
    if zero:
        block = <size_t *>calloc(1, BLOCK_HEADER + capacity[0])
    else:
        if capacity[0] >= <size_t>POOL_LEAST and set_if_null(&POOL_LOCK, &POOL_LOCK):
            for i in range(<int>POOL_SLOTS):
                # A block may be a little too large, but not so large that most of it would not be used.
                if POOL[i] != NULL and capacity[0] <= POOL[i][0] <= 2 * capacity[0]:
                    block = POOL[i]
                    POOL[i] = NULL
                    POOL_SIZE -= block[0]
                    break
            exchange_null(&POOL_LOCK)
        if block != NULL:
            capacity[0] = block[0]
            return <uint8_t *>block + BLOCK_HEADER
        block = <size_t *>malloc(BLOCK_HEADER + capacity[0])
    if block == NULL:
        return NULL
    block[0] = capacity[0]
    block[1] = not zero and capacity[0] >= <size_t>POOL_LEAST
    return <uint8_t *>block + BLOCK_HEADER


cdef void free_memory(uint8_t *data) noexcept nogil:
    """Free memory of `take_memory`, or keep it for other buffers; do nothing for NULL."""
    global POOL_SIZE
    cdef size_t *block
    cdef int i
    if data == NULL:
        return
    block = <size_t *>(data - BLOCK_HEADER)
    if block[1] and set_if_null(&POOL_LOCK, &POOL_LOCK):
        if block[0] <= <size_t>POOL_OCTETS - POOL_SIZE:
            for i in range(<int>POOL_SLOTS):
                if POOL[i] == NULL:
                    POOL[i] = block
                    POOL_SIZE += block[0]
                    block = NULL
                    break
        exchange_null(&POOL_LOCK)
    free(block)
