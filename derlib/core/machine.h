/* Plain C for the core: words, atomics, text, hashing, the stack of a thread. Declared in machine.pxi.

   Nothing here depends on the layout of CPython's objects; cpython.h has the code that does. */

#ifndef DERLIB_MACHINE_H
#define DERLIB_MACHINE_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define derlib_unlikely(x) __builtin_expect(!!(x), 0)
#define derlib_prefetch(p) __builtin_prefetch((p), 1)
#else
#define derlib_unlikely(x) (x)
#define derlib_prefetch(p) ((void)(p))
#endif

/* Reading the input. */

/* Tag numbers below 2^60 leave room for the class and the form in a word of 64 bits. */
#define DERLIB_TAG_NUMBER_LIMIT ((uint64_t)1 << 60)
/* A length that is longer than any input. `length >> 55` stays true for it. */
#define DERLIB_HUGE_LENGTH (~(uint64_t)0)
/* Load a byte exactly once: in a shared buffer that changes, the value that was checked is the value that is used. */
#define derlib_octet(p) (*(const volatile uint8_t *)(p))

/* Words in the byte order of the machine, from and to little-endian bytes. */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define derlib_le64(x) __builtin_bswap64(x)
#define derlib_le32(x) __builtin_bswap32(x)
#else
#define derlib_le64(x) (x)
#define derlib_le32(x) (x)
#endif
static inline uint64_t derlib_load8(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return derlib_le64(x); }
static inline uint32_t derlib_load4(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return derlib_le32(x); }
static inline void derlib_store4(uint8_t *p, uint32_t x) { x = derlib_le32(x); memcpy(p, &x, 4); }
/* Return a little-endian word as the number that its bytes are in big-endian order. */
#if defined(__GNUC__)
#define derlib_big_endian(x) __builtin_bswap64(x)
#else
static inline uint64_t derlib_big_endian(uint64_t x) {
    x = (x & 0x00FF00FF00FF00FFu) << 8 | (x >> 8 & 0x00FF00FF00FF00FFu);
    x = (x & 0x0000FFFF0000FFFFu) << 16 | (x >> 16 & 0x0000FFFF0000FFFFu);
    return x << 32 | x >> 32;
}
#endif
/* Load four bytes exactly once, as `derlib_octet` does: the compiler must keep the word. */
#if defined(__GNUC__)
static inline uint32_t derlib_load4_once(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    __asm__ volatile("" : "+r"(x));
    return derlib_le32(x);
}
#else
#define derlib_load4_once(p) \
    (derlib_octet(p) | (uint32_t)derlib_octet((p) + 1) << 8 | (uint32_t)derlib_octet((p) + 2) << 16 \
     | (uint32_t)derlib_octet((p) + 3) << 24)
#endif
/* Return how many of eight words of four bytes come before the first that is zero. */
#if !defined(DERLIB_PORTABLE) && defined(__SSE2__) && defined(__GNUC__)
/* A loop branches on words that look random: a quarter of the time of an index is lost to wrong predictions. */
#include <emmintrin.h>
static inline unsigned derlib_words_before_zero(const uint8_t *p) {
    __m128i zero = _mm_setzero_si128();
    __m128i first = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)p), zero);
    __m128i second = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(p + 16)), zero);
    return (unsigned)__builtin_ctz(0x10000 | _mm_movemask_epi8(_mm_packs_epi32(first, second))) / 2;
}
#else
static inline unsigned derlib_words_before_zero(const uint8_t *p) {
    unsigned n = 0;
    while (n < 8 && derlib_load4(p + 4 * n) != 0) n++;
    return n;
}
#endif

/* Return whether all eight bytes are digits, 30 to 39: the high half is 3, and adding 6 does not carry into it. */
static inline int derlib_digits8(uint64_t x) {
    return ((x & 0xF0F0F0F0F0F0F0F0u) | (((x + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) >> 4))
        == 0x3333333333333333u;
}
/* Convert eight digits to four two-digit numbers, one in each even byte, the first in the lowest. */
static inline uint64_t derlib_pairs8(uint64_t x) {
    x &= 0x0F0F0F0F0F0F0F0Fu;
    return (x * 10 + (x >> 8)) & 0x00FF00FF00FF00FFu;
}
/* Return whether the digits YYMMDDhhmmss at `p` have a month from 01 to 12, a day that it has in every year, and an hour
   up to 23. The caller has compared each digit: the tens of a month are 0 or 1, of a day up to 3, of an hour up to 2. If
   the bytes have changed since, the answer is wrong, but nothing else happens.

   The two digits of a number are read as hexadecimal, which needs no multiplication by ten: 31 becomes 0x31. */
#define DERLIB_DAYS(twenties, thirties) (0x3FEu | (uint64_t)0x3FF << 16 | (uint64_t)(twenties) << 32 | (thirties) << 48)
#define DERLIB_DAYS_28 DERLIB_DAYS(0x1FF, (uint64_t)0)
#define DERLIB_DAYS_30 DERLIB_DAYS(0x3FF, (uint64_t)1)
#define DERLIB_DAYS_31 DERLIB_DAYS(0x3FF, (uint64_t)3)
/* By month, the set of its days. */
static const uint64_t derlib_days[32] = {
    0, DERLIB_DAYS_31, DERLIB_DAYS_28, DERLIB_DAYS_31, DERLIB_DAYS_30, DERLIB_DAYS_31, DERLIB_DAYS_30, DERLIB_DAYS_31,
    DERLIB_DAYS_31, DERLIB_DAYS_30, 0, 0, 0, 0, 0, 0, DERLIB_DAYS_31, DERLIB_DAYS_30, DERLIB_DAYS_31
};
static inline int derlib_usual_date(const uint8_t *p) {
    /* MMDDhhmm: the low halves of the eight bytes; then each odd byte has both halves of a number. */
    uint64_t pairs = (derlib_load8(p + 2) & 0x0F0F0F0F0F0F0F0Fu) * 0x1001;
    return (derlib_days[pairs >> 8 & 0x1F] >> (pairs >> 24 & 0x3F) & 1) && (uint8_t)(pairs >> 40) <= 0x23;
}

/* A range for each of 64 bytes, from `low` to `low + span`. */
#define DERLIB_RANGES 64
#ifdef _MSC_VER
#define DERLIB_ALIGNED __declspec(align(16))
#else
#define DERLIB_ALIGNED __attribute__((aligned(16)))
#endif
typedef struct {
    DERLIB_ALIGNED uint8_t low[DERLIB_RANGES];
    DERLIB_ALIGNED uint8_t span[DERLIB_RANGES];
} derlib_ranges;
/* Return whether 32 bytes at `p + from` are within their ranges. Subtracting the lowest value wraps around for a byte
   below it. */
#if !defined(DERLIB_PORTABLE) && (defined(__SSE2__) || defined(_M_X64))
/* Every x86-64 has SSE2. This is a third of the instructions that gcc makes of the loop below. */
#include <emmintrin.h>
static inline __m128i derlib_outside(const uint8_t *p, const derlib_ranges *ranges, int from) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(p + from));
    bytes = _mm_sub_epi8(bytes, _mm_load_si128((const __m128i *)(ranges->low + from)));
    return _mm_subs_epu8(bytes, _mm_load_si128((const __m128i *)(ranges->span + from)));
}
static inline int derlib_in_ranges(const uint8_t *p, const derlib_ranges *ranges, int from) {
    __m128i outside = _mm_or_si128(derlib_outside(p, ranges, from), derlib_outside(p, ranges, from + 16));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(outside, _mm_setzero_si128())) == 0xFFFF;
}
/* The same for 16 bytes. */
static inline int derlib_in_ranges16(const uint8_t *p, const derlib_ranges *ranges, int from) {
    __m128i outside = derlib_outside(p, ranges, from);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(outside, _mm_setzero_si128())) == 0xFFFF;
}
/* From the digits YYMMDDhhmmss at `p`, where 16 bytes are readable, return the hours DD * 24 + hh, and set `month` to
   YY * 16 + MM and `seconds` to mm * 60 + ss. Of bytes that are not digits, it takes the low four bits. */
static inline int32_t derlib_date_hours(const uint8_t *p, uint32_t *month, int32_t *seconds) {
    __m128i digits = _mm_and_si128(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8(0x0F));
    __m128i tens = _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10));
    __m128i numbers = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
    __m128i sums = _mm_madd_epi16(numbers, _mm_set_epi16(0, 0, 1, 60, 1, 24, 1, 16));
    *month = (uint32_t)_mm_cvtsi128_si32(sums);
    *seconds = _mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
    return _mm_cvtsi128_si32(_mm_srli_si128(sums, 4));
}
#else
static inline int derlib_in_ranges(const uint8_t *p, const derlib_ranges *ranges, int from) {
    uint8_t outside = 0;
    int i;
    for (i = from; i < from + 32; i++) outside |= (uint8_t)(p[i] - ranges->low[i]) > ranges->span[i];
    return !outside;
}
static inline int derlib_in_ranges16(const uint8_t *p, const derlib_ranges *ranges, int from) {
    uint8_t outside = 0;
    int i;
    for (i = from; i < from + 16; i++) outside |= (uint8_t)(p[i] - ranges->low[i]) > ranges->span[i];
    return !outside;
}
static inline int32_t derlib_date_hours(const uint8_t *p, uint32_t *month, int32_t *seconds) {
    int32_t numbers[6];
    int i;
    for (i = 0; i < 6; i++) numbers[i] = (p[2 * i] & 0x0F) * 10 + (p[2 * i + 1] & 0x0F);
    *month = (uint32_t)(numbers[0] * 16 + numbers[1]);
    *seconds = numbers[4] * 60 + numbers[5];
    return numbers[2] * 24 + numbers[3];
}
#endif
/* Copy fewer than 128 bytes, usually few. */
static inline void derlib_copy_short(uint8_t *to, const uint8_t *from, Py_ssize_t n) {
    uint64_t first, last;
    uint32_t head, tail;
    if (n > 16) {
        memcpy(to, from, (size_t)n);
    } else if (n >= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + n - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + n - 8, &last, 8);
    } else if (n >= 4) {
        memcpy(&head, from, 4);
        memcpy(&tail, from + n - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to + n - 4, &tail, 4);
    } else {
        while (n-- > 0) to[n] = from[n];
    }
}

/* Text. */

/* Return whether all bytes are below 0x80. Reads eight at a time; the last eight may overlap those before. */
static inline int derlib_is_ascii(const unsigned char *p, Py_ssize_t n) {
    uint64_t all = 0, word;
    Py_ssize_t i;
    if (n < 8) {
        if (n >= 4) {
            uint32_t first, last;
            memcpy(&first, p, 4);
            memcpy(&last, p + n - 4, 4);
            return !((first | last) & 0x80808080u);
        }
        for (i = 0; i < n; i++) all |= p[i];
        return !(all & 0x80);
    }
    for (i = 0; i < n - 8; i += 8) {
        memcpy(&word, p + i, 8);
        all |= word;
    }
    memcpy(&word, p + n - 8, 8);
    return !((all | word) & 0x8080808080808080u);
}
/* Return the number of bytes below 0x80 before the first other one, in eight bytes that have another one; or 0. */
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define derlib_ascii_before(eight) (__builtin_ctzll((eight) & 0x8080808080808080u) >> 3)
#else
#define derlib_ascii_before(eight) 0
#endif

/* UTF-8 of characters that have one, two or four bytes each (X.690 8.23.10, annex D of ISO 10646). NAME_length returns
   the number of bytes, or -1 if there is a surrogate; NAME_write writes them. Most text is ASCII, so NAME_write tries
   eight characters at a time. */
#define DERLIB_UTF8(NAME, UNIT, COUNT, TOP, EIGHT) \
static Py_ssize_t NAME##_length(const UNIT *from, Py_ssize_t n) { \
    const UNIT *end = from + n; \
    Py_ssize_t length = n; \
    COUNT surrogates = 0; \
    while (from < end) { \
        /* In parts whose count fits into COUNT: narrow counters vectorise best. */ \
        const UNIT *part = end - from > 4096 ? from + 4096 : end; \
        COUNT more = 0; \
        for (; from < part; from++) { \
            more += from[0] >= 0x80; \
            if (TOP > 0xFF) { \
                more += from[0] >= 0x800; \
                surrogates |= (from[0] & (TOP ^ 0x7FF)) == 0xD800; \
            } \
            if (TOP > 0xFFFF) more += (uint32_t)from[0] >= 0x10000; \
        } \
        length += more; \
    } \
    return surrogates ? -1 : length; \
} \
static void NAME##_write(const UNIT *from, Py_ssize_t n, unsigned char *to) { \
    const UNIT *end = from + n, *part; \
    while (from < end) { \
        part = end; \
        if (end - from >= 8) { \
            uint64_t words[sizeof(UNIT)], all = 0; \
            size_t k; \
            memcpy(words, from, sizeof(words)); \
            for (k = 0; k < sizeof(UNIT); k++) all |= words[k]; \
            part = from + 8; \
            if (!(all & EIGHT)) { \
                for (k = 0; k < 8; k++) to[k] = (unsigned char)from[k]; \
                from += 8; \
                to += 8; \
                continue; \
            } \
        } \
        for (; from < part; from++) { \
            uint32_t c = from[0]; \
            if (c < 0x80) { \
                *to++ = (unsigned char)c; \
                continue; \
            } \
            if (c < 0x800) *to++ = (unsigned char)(0xC0 | c >> 6); \
            else { \
                if (c < 0x10000) *to++ = (unsigned char)(0xE0 | c >> 12); \
                else { \
                    *to++ = (unsigned char)(0xF0 | c >> 18); \
                    *to++ = (unsigned char)(0x80 | (c >> 12 & 0x3F)); \
                } \
                *to++ = (unsigned char)(0x80 | (c >> 6 & 0x3F)); \
            } \
            *to++ = (unsigned char)(0x80 | (c & 0x3F)); \
        } \
    } \
}
DERLIB_UTF8(derlib_utf8_of_one, Py_UCS1, uint16_t, 0xFF, 0x8080808080808080u)
DERLIB_UTF8(derlib_utf8_of_two, Py_UCS2, uint16_t, 0xFFFF, 0xFF80FF80FF80FF80u)
DERLIB_UTF8(derlib_utf8_of_four, Py_UCS4, uint32_t, 0x1FFFFF, 0xFFFFFF80FFFFFF80u)

/* SipHash-1-3 (Aumasson and Bernstein). Words are little-endian, so that a pickled table works on any machine. */

#define DERLIB_ROTATE(x, b) (((x) << (b)) | ((x) >> (64 - (b))))
#define DERLIB_SIP_ROUND \
    v0 += v1; v1 = DERLIB_ROTATE(v1, 13) ^ v0; v0 = DERLIB_ROTATE(v0, 32); \
    v2 += v3; v3 = DERLIB_ROTATE(v3, 16) ^ v2; \
    v0 += v3; v3 = DERLIB_ROTATE(v3, 21) ^ v0; \
    v2 += v1; v1 = DERLIB_ROTATE(v1, 17) ^ v2; v2 = DERLIB_ROTATE(v2, 32);
static uint64_t derlib_siphash(const uint8_t *p, size_t n, const uint64_t key[2]) {
    uint64_t v0 = key[0] ^ 0x736f6d6570736575u, v1 = key[1] ^ 0x646f72616e646f6du;
    uint64_t v2 = key[0] ^ 0x6c7967656e657261u, v3 = key[1] ^ 0x7465646279746573u;
    uint64_t word;
    size_t left = n;
    int i;
    for (; left >= 8; left -= 8, p += 8) {
        word = derlib_load8(p);
        v3 ^= word; DERLIB_SIP_ROUND v0 ^= word;
    }
    word = (uint64_t)n << 56;
    for (i = 0; i < (int)left; i++) word |= (uint64_t)p[i] << (8 * i);
    v3 ^= word; DERLIB_SIP_ROUND v0 ^= word;
    v2 ^= 0xff;
    DERLIB_SIP_ROUND DERLIB_SIP_ROUND DERLIB_SIP_ROUND
    return v0 ^ v1 ^ v2 ^ v3;
}

/* A hash of at most 32 bytes, a quarter as expensive as SipHash. For random `words`, which nobody else knows, two
   different values have the same hash with a probability of 2^-32, whatever they are: the high half of the sum is a
   strongly universal hash of a vector (M. Thorup, "High Speed Hashing for Integers and Strings"), and the steps after it
   are invertible (the finalizer of MurmurHash3). These scatter the hashes of values in sequence. The vector is the
   length and words of four bytes, which may overlap, so different values have different vectors. */
#define DERLIB_SHORT_HASH 32
#define DERLIB_SHORT_HASH_WORDS 10
static inline uint64_t derlib_pair(const uint8_t *p, const uint8_t *q, const uint64_t words[2]) {
    return (words[0] + derlib_load4(p)) * (words[1] + derlib_load4(q));
}
static inline uint32_t derlib_scatter(uint64_t sum) {
    uint32_t hash = (uint32_t)(sum >> 32);
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    return hash ^ hash >> 16;
}
/* The hash of n bytes, at most eight, from a word that begins with them; the rest of the word is zero. */
static inline uint32_t derlib_word_hash(uint64_t x, size_t n, const uint64_t words[4]) {
    return derlib_scatter(words[0] + words[1] * n + (words[2] + (uint32_t)x) * (words[3] + (x >> 32)));
}
static inline uint32_t derlib_short_hash(const uint8_t *p, size_t n, const uint64_t words[DERLIB_SHORT_HASH_WORDS]) {
    uint64_t sum = words[0] + words[1] * n;
    if (n >= 16) {
        sum += derlib_pair(p, p + 4, words + 2) + derlib_pair(p + 8, p + 12, words + 4)
            + derlib_pair(p + n - 16, p + n - 12, words + 6) + derlib_pair(p + n - 8, p + n - 4, words + 8);
    } else if (n > 8) {
        sum += derlib_pair(p, p + 4, words + 2) + derlib_pair(p + n - 8, p + n - 4, words + 4);
    } else if (n >= 4) {
        return derlib_word_hash(derlib_load4(p) | (uint64_t)derlib_load4(p + n - 4) << 8 * (n - 4), n, words);
    } else if (n > 0) {
        uint32_t middle = (uint32_t)p[n / 2] << 8 * (n / 2);
        return derlib_word_hash(p[0] | middle | (uint32_t)p[n - 1] << 8 * (n - 1), n, words);
    } else {
        return derlib_word_hash(0, 0, words);
    }
    return derlib_scatter(sum);
}

/* Pointers that one thread publishes and others read without a lock, and words that threads read and write whole. */

#ifdef Py_GIL_DISABLED
#define DERLIB_FREE_THREADED 1
#else
#define DERLIB_FREE_THREADED 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define derlib_store_release(place, value) __atomic_store_n((place), (value), __ATOMIC_RELEASE)
#define derlib_load_acquire(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
static inline int derlib_set_if_null(void **place, void *value) {
    void *empty = NULL;
    return __atomic_compare_exchange_n(place, &empty, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
static inline void *derlib_exchange_null(void **place) { return __atomic_exchange_n(place, NULL, __ATOMIC_ACQ_REL); }
#elif PY_VERSION_HEX >= 0x030D0000
/* For other compilers, CPython has its own. */
#define derlib_store_release(place, value) _Py_atomic_store_ptr_release((void *)(place), (void *)(value))
#define derlib_load_acquire(place) _Py_atomic_load_ptr_acquire((const void *)(place))
static inline int derlib_set_if_null(void **place, void *value) {
    void *empty = NULL;
    return _Py_atomic_compare_exchange_ptr(place, &empty, value);
}
static inline void *derlib_exchange_null(void **place) { return _Py_atomic_exchange_ptr(place, NULL); }
#else
/* With the GIL, on machines on which loads and stores of a pointer are atomic. */
#define derlib_store_release(place, value) (*(place) = (value))
#define derlib_load_acquire(place) (*(place))
static inline int derlib_set_if_null(void **place, void *value) {
    if (*place != NULL) return 0;
    *place = value;
    return 1;
}
static inline void *derlib_exchange_null(void **place) {
    void *taken = *place;
    *place = NULL;
    return taken;
}
#endif

/* Words and flags that each thread may store at any time, and whose readers accept an old value. */
#if DERLIB_FREE_THREADED && (defined(__GNUC__) || defined(__clang__))
#define derlib_load_word(place) __atomic_load_n((place), __ATOMIC_RELAXED)
#define derlib_store_word(place, word) __atomic_store_n((place), (word), __ATOMIC_RELAXED)
#else
#define derlib_load_word(place) (*(place))
#define derlib_store_word(place, word) (*(place) = (word))
#endif
/* Counters and flags that order other memory: who sees the new value also sees what was stored before it. */
#if defined(__GNUC__) || defined(__clang__)
#define derlib_load_count(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
#define derlib_add_one(place) ((void)__atomic_fetch_add((place), 1, __ATOMIC_ACQ_REL))
#define derlib_load_flag(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
#define derlib_set_flag(place) __atomic_store_n((place), 1, __ATOMIC_RELEASE)
#elif PY_VERSION_HEX >= 0x030D0000
#define derlib_load_count(place) _Py_atomic_load_uint64_acquire(place)
#define derlib_add_one(place) ((void)_Py_atomic_add_uint64((place), 1))
#define derlib_load_flag(place) _Py_atomic_load_int_acquire(place)
#define derlib_set_flag(place) _Py_atomic_store_int_release((place), 1)
#else
#define derlib_load_count(place) (*(place))
#define derlib_add_one(place) (++*(place))
#define derlib_load_flag(place) (*(place))
#define derlib_set_flag(place) (*(place) = 1)
#endif

/* The stack of this thread, for recursion whose depth a caller chooses (core/encode/stack.pxi). */

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
/* Room for what Python itself may need at the deepest call, such as a comparison or an exception. */
#define DERLIB_STACK_MARGIN 24576
/* The lowest address of the stack, and the address below which it counts as full. The two are equal if the stack is not
   known, and both NULL before the first call. */
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
/* Return whether little of the stack is left. A program can run Python on a stack of its own: then the address is
   outside the stack of the thread, and the answer is no. */
static int derlib_stack_is_full(void) {
    const char here = 0;
    if (derlib_stack_full == NULL) derlib_find_stack();
    return &here < derlib_stack_full && &here >= derlib_stack_lowest;
}
#else
static int derlib_stack_is_full(void) { return 0; }
#endif

#endif
