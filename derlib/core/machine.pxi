# Declarations of machine.h: words, atomics, text, hashing, the stack of a thread.

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

# Defined in core/schema/node.pxi.
cdef struct Node
cdef struct OpenEntries
cdef struct OpenEntry

cdef extern from "core/machine.h":
    # Reading the input
    const uint64_t TAG_NUMBER_LIMIT "DERLIB_TAG_NUMBER_LIMIT"
    const uint64_t HUGE_LENGTH "DERLIB_HUGE_LENGTH"
    bint unlikely "derlib_unlikely"(bint) noexcept nogil
    void prefetch "derlib_prefetch"(const uint8_t *p) noexcept nogil
    uint8_t octet_at "derlib_octet"(const uint8_t *p) noexcept nogil

    # Words
    uint64_t load8 "derlib_load8"(const uint8_t *p) noexcept nogil
    uint32_t load4 "derlib_load4"(const uint8_t *p) noexcept nogil
    uint64_t big_endian "derlib_big_endian"(uint64_t x) noexcept nogil
    uint32_t load4_once "derlib_load4_once"(const uint8_t *p) noexcept nogil
    void store4 "derlib_store4"(uint8_t *p, uint32_t x) noexcept nogil
    unsigned int words_before_zero "derlib_words_before_zero"(const uint8_t *p) noexcept nogil
    bint all_digits8 "derlib_digits8"(uint64_t x) noexcept nogil
    uint64_t pairs8 "derlib_pairs8"(uint64_t x) noexcept nogil
    bint usual_date "derlib_usual_date"(const uint8_t *p) noexcept nogil
    ctypedef struct Ranges "derlib_ranges":
        uint8_t low[64]
        uint8_t span[64]
    bint in_ranges "derlib_in_ranges"(const uint8_t *p, const Ranges *ranges, int start) noexcept nogil
    bint in_ranges16 "derlib_in_ranges16"(const uint8_t *p, const Ranges *ranges, int start) noexcept nogil
    int32_t date_hours "derlib_date_hours"(const uint8_t *p, uint32_t *month, int32_t *seconds) noexcept nogil
    void copy_short "derlib_copy_short"(uint8_t *to, const uint8_t *p, Py_ssize_t n) noexcept

    # Text
    bint is_ascii "derlib_is_ascii"(const uint8_t *p, Py_ssize_t n) noexcept nogil
    int ascii_before "derlib_ascii_before"(uint64_t eight) noexcept nogil

    # Hashing
    uint64_t siphash "derlib_siphash"(const uint8_t *p, size_t n, const uint64_t *key) noexcept nogil
    enum: SHORT_HASH "DERLIB_SHORT_HASH"
    enum: SHORT_HASH_WORDS "DERLIB_SHORT_HASH_WORDS"
    uint32_t word_hash "derlib_word_hash"(uint64_t x, size_t n, const uint64_t *words) noexcept nogil
    uint32_t short_hash "derlib_short_hash"(const uint8_t *p, size_t n, const uint64_t *words) noexcept nogil

    # Threads. FREE_THREADED: other threads may use Python objects while this one does, so no reference may be
    # borrowed from a container that they could change. `load_word` and its variants read a whole word that any thread
    # may store, without an order; `load_flag` and `load_count` also order the memory around them.
    const bint FREE_THREADED "DERLIB_FREE_THREADED"
    void store_release "derlib_store_release"(void **place, void *value) noexcept nogil
    void *load_acquire "derlib_load_acquire"(void **place) noexcept nogil
    void store_release_entries "derlib_store_release"(OpenEntries **place, OpenEntries *value) noexcept nogil
    OpenEntries *load_acquire_entries "derlib_load_acquire"(OpenEntries **place) noexcept nogil
    void store_release_entry "derlib_store_release"(const OpenEntry **place, const OpenEntry *value) noexcept nogil
    const OpenEntry *load_acquire_entry "derlib_load_acquire"(const OpenEntry **place) noexcept nogil
    bint set_if_null "derlib_set_if_null"(void **place, void *value) noexcept nogil
    void *exchange_null "derlib_exchange_null"(void **place) noexcept nogil
    uint64_t load_word "derlib_load_word"(const uint64_t *place) noexcept nogil
    void store_word "derlib_store_word"(uint64_t *place, uint64_t word) noexcept nogil
    unsigned int load_version "derlib_load_word"(const unsigned int *place) noexcept nogil
    void store_version "derlib_store_word"(unsigned int *place, unsigned int version) noexcept nogil
    int load_int "derlib_load_word"(const int *place) noexcept nogil
    void store_int "derlib_store_word"(int *place, int value) noexcept nogil
    Py_ssize_t load_size "derlib_load_word"(const Py_ssize_t *place) noexcept nogil
    void store_size "derlib_store_word"(Py_ssize_t *place, Py_ssize_t size) noexcept nogil
    const uint8_t *load_place "derlib_load_word"(const uint8_t **place) noexcept nogil
    void store_place "derlib_store_word"(const uint8_t **place, const uint8_t *p) noexcept nogil
    uint64_t load_count "derlib_load_count"(const uint64_t *place) noexcept nogil
    void add_one "derlib_add_one"(uint64_t *place) noexcept nogil
    bint load_flag "derlib_load_flag"(const bint *place) noexcept nogil
    void set_flag "derlib_set_flag"(bint *place) noexcept nogil

    # The stack
    bint stack_is_full "derlib_stack_is_full"() noexcept nogil
