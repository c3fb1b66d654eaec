/* The C code of the core that works on Python objects. Declared in cpython.pxi.

   Most of it only uses the public C API. Code that depends on the layout of objects, or on private functions and fields
   of CPython, is under a switch. Each switch has a public alternative: DERLIB_PORTABLE (DERLIB_PORTABLE=1 for setup.py)
   turns all of them off, and the same test suite passes. To measure one of them, turn it off alone:

       CFLAGS=-DDERLIB_USE_FREE_LIST=0 make build && .venv/bin/python -m bench instructions

   Gains are in instructions, with CPython 3.11 and gcc 12 on x86-64: of rows of `bench instructions`, or, by callgrind,
   of the operation that is named. A switch that gains less than 10 % on the row that it is for is deleted. */

#ifndef DERLIB_CPYTHON_H
#define DERLIB_CPYTHON_H

#include <frameobject.h>

#include "machine.h"

/* Tracebacks. Cython adds a frame for each function of the core that an exception leaves. An error about data, whose
   message has the path of the value, gets only one frame for all of them, so that the line of the program is easy to see.
   Any other exception keeps its frames: it can be a fault of the core. Code of Cython relies on one frame at least. */
static PyObject *derlib_data_error = NULL;
static PyObject *derlib_core_globals = NULL;
static PyCodeObject *derlib_core_code = NULL;
static int derlib_traceback_here(PyFrameObject *frame) {
    PyObject *type, *value, *traceback;
    int result;
    if (derlib_data_error == NULL || !PyErr_ExceptionMatches(derlib_data_error)) return PyTraceBack_Here(frame);
    PyErr_Fetch(&type, &value, &traceback);
    result = traceback != NULL;
    PyErr_Restore(type, value, traceback);
    if (result) return 0;
    frame = PyFrame_New(PyThreadState_Get(), derlib_core_code, derlib_core_globals, NULL);
    if (frame == NULL) return -1;
    result = PyTraceBack_Here(frame);
    Py_DECREF(frame);
    return result;
}
#define PyTraceBack_Here derlib_traceback_here
static int derlib_set_data_error(PyObject *cls, PyObject *globals) {
    derlib_core_code = PyCode_NewEmpty("<derlib>", "derlib._core", 1);
    if (derlib_core_code == NULL) return -1;
    derlib_core_globals = Py_NewRef(globals);
    derlib_data_error = Py_NewRef(cls);
    return 0;
}

#ifdef DERLIB_PORTABLE
#define DERLIB_DEFAULT 0
#else
#define DERLIB_DEFAULT 1
#endif

/* Read the value of a small int from its digit. Gain: 41 % of encoding a list of small ints, 7 % of
   crl: encode every entry, 35 % of syntax: render tiny. */
#ifndef DERLIB_USE_COMPACT_INT
#define DERLIB_USE_COMPACT_INT DERLIB_DEFAULT
#endif
/* Before CPython 3.13: read and write large ints with private functions. Gain: 65 % of reading ints of
   100 bits, 86 % of encoding them. */
#ifndef DERLIB_USE_LONG_OCTETS
#define DERLIB_USE_LONG_OCTETS DERLIB_DEFAULT
#endif
/* Read __plan__ from the dict of a class, without a search in its metaclass and bases. Gain: 25 % of syntax: render
   profile. */
#ifndef DERLIB_USE_TYPE_DICT
#define DERLIB_USE_TYPE_DICT DERLIB_DEFAULT
#endif
/* Find the plan of a class by the version of the class. Gain: 10 % of decoding a SEQUENCE of three fields. */
#ifndef DERLIB_USE_CLASS_PLANS
#define DERLIB_USE_CLASS_PLANS DERLIB_DEFAULT
#endif
/* Views without garbage collection. Gain: 61 % of iterating over a list of SEQUENCEs, 16 % of crl: read every entry. */
#ifndef DERLIB_USE_NO_GC
#define DERLIB_USE_NO_GC DERLIB_DEFAULT
#endif
/* Make a view as a copy of a blank one, without tp_new. Gain: 35 % of iterating over a list of SEQUENCEs, 6 % of
   crl: read every entry. */
#ifndef DERLIB_USE_TEMPLATE
#define DERLIB_USE_TEMPLATE DERLIB_DEFAULT
#endif
/* Free a view in one step. Gain: 40 % of iterating over a list of SEQUENCEs, 8 % of crl: read every entry. */
#ifndef DERLIB_USE_DEALLOC
#define DERLIB_USE_DEALLOC DERLIB_USE_NO_GC
#endif
/* Use freed views again. Gain: 18 % of iterating over a list of SEQUENCEs, 3 % of crl: read every entry. */
#ifndef DERLIB_USE_FREE_LIST
#define DERLIB_USE_FREE_LIST DERLIB_USE_DEALLOC
#endif
/* Use freed field caches again. Gain: 10 % of reading a nested SEQUENCE in each element of a list. */
#ifndef DERLIB_USE_CACHE_LIST
#define DERLIB_USE_CACHE_LIST DERLIB_DEFAULT
#endif
/* Read fields without a search for their descriptors. Gain: 37 % of reading an INTEGER field, 13 % of crl: read every
   entry. */
#ifndef DERLIB_USE_GETATTRO
#define DERLIB_USE_GETATTRO DERLIB_DEFAULT
#endif
/* Call a class without a tuple and a dict of the arguments. Gain: 63 % of building a SEQUENCE of two ints. */
#ifndef DERLIB_USE_VECTORCALL
#define DERLIB_USE_VECTORCALL DERLIB_DEFAULT
#endif

/* Integers. */

/* int.from_bytes(p[:n], "big", signed=True), without the attribute look-up and the copy. */
#if PY_VERSION_HEX >= 0x030D0000
#define derlib_long_from_octets(p, n) PyLong_FromNativeBytes((p), (size_t)(n), Py_ASNATIVEBYTES_BIG_ENDIAN)
#elif DERLIB_USE_LONG_OCTETS
#define derlib_long_from_octets(p, n) _PyLong_FromByteArray((const unsigned char *)(p), (size_t)(n), 0, 1)
#else
static PyObject *derlib_long_from_octets(const uint8_t *p, Py_ssize_t n) {
    const char *digits = "0123456789abcdef";
    char *text = PyMem_Malloc(2 * (size_t)n + 1);
    PyObject *value, *complement;
    Py_ssize_t i;
    int negative = p[0] >= 0x80;
    if (text == NULL) return PyErr_NoMemory();
    /* The digits of the value, or of its complement if it is negative. */
    for (i = 0; i < n; i++) {
        uint8_t octet = negative ? (uint8_t)~p[i] : p[i];
        text[2 * i] = digits[octet >> 4];
        text[2 * i + 1] = digits[octet & 0x0F];
    }
    text[2 * n] = 0;
    value = PyLong_FromString(text, NULL, 16);
    PyMem_Free(text);
    if (value == NULL || !negative) return value;
    complement = value;
    value = PyNumber_Invert(complement);
    Py_DECREF(complement);
    return value;
}
#endif

/* derlib_long_length returns the number of bytes of an int in two's complement, or one more; derlib_long_write writes
   the int as that number of bytes, big-endian. */
#if PY_VERSION_HEX >= 0x030D0000
static inline Py_ssize_t derlib_long_length(PyObject *value) {
    return PyLong_AsNativeBytes(value, NULL, 0, Py_ASNATIVEBYTES_BIG_ENDIAN);
}
static inline int derlib_long_write(PyObject *value, uint8_t *to, Py_ssize_t n) {
    return PyLong_AsNativeBytes(value, to, n, Py_ASNATIVEBYTES_BIG_ENDIAN) < 0 ? -1 : 0;
}
#elif DERLIB_USE_LONG_OCTETS
static inline Py_ssize_t derlib_long_length(PyObject *value) {
    size_t bits = _PyLong_NumBits(value);
    return bits == (size_t)-1 && PyErr_Occurred() ? -1 : (Py_ssize_t)(bits / 8 + 1);
}
static inline int derlib_long_write(PyObject *value, uint8_t *to, Py_ssize_t n) {
    return _PyLong_AsByteArray((PyLongObject *)value, to, (size_t)n, 0, 1);
}
#else
static Py_ssize_t derlib_long_length(PyObject *value) {
    PyObject *length = PyObject_CallMethod(value, "bit_length", NULL);
    Py_ssize_t bits = length == NULL ? -1 : PyLong_AsSsize_t(length);
    Py_XDECREF(length);
    return bits < 0 ? -1 : bits / 8 + 1;
}
static int derlib_long_write(PyObject *value, uint8_t *to, Py_ssize_t n) {
    PyObject *zero = PyLong_FromLong(0), *complement, *text;
    int negative = zero == NULL ? -1 : PyObject_RichCompareBool(value, zero, Py_LT);
    Py_ssize_t length, i;
    const char *digits;
    Py_XDECREF(zero);
    if (negative < 0) return -1;
    complement = negative ? PyNumber_Invert(value) : Py_NewRef(value);
    text = complement == NULL ? NULL : PyNumber_ToBase(complement, 16);
    Py_XDECREF(complement);
    digits = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, &length);
    if (digits == NULL) {
        Py_XDECREF(text);
        return -1;
    }
    memset(to, 0, (size_t)n);
    /* From the last digit back to the prefix 0x. */
    for (i = 0; length - 1 - i >= 2 && i < 2 * n; i++) {
        char digit = digits[length - 1 - i];
        int four = digit <= '9' ? digit - '0' : digit - 'a' + 10;
        to[n - 1 - i / 2] |= (uint8_t)(i % 2 ? four << 4 : four);
    }
    for (i = 0; negative && i < n; i++) to[i] = (uint8_t)~to[i];
    Py_DECREF(text);
    return 0;
}
#endif

/* An int whose value CPython has in one digit, 30 bits or 15. */
#if !DERLIB_USE_COMPACT_INT
static inline int derlib_is_small(PyObject *value) {
    int overflow = 1;
    if (PyLong_CheckExact(value)) PyLong_AsLongLongAndOverflow(value, &overflow);
    return !overflow;
}
static inline int64_t derlib_small(PyObject *value) {
    int overflow;
    return PyLong_AsLongLongAndOverflow(value, &overflow);
}
#elif PY_VERSION_HEX >= 0x030C0000
#define derlib_is_small(value) (PyLong_CheckExact(value) && PyUnstable_Long_IsCompact((PyLongObject *)(value)))
#define derlib_small(value) ((int64_t)PyUnstable_Long_CompactValue((PyLongObject *)(value)))
#else
#define derlib_is_small(value) (PyLong_CheckExact(value) && Py_SIZE(value) + 1 >= 0 && Py_SIZE(value) <= 1)
#define derlib_small(value) ((int64_t)Py_SIZE(value) * (int64_t)((PyLongObject *)(value))->ob_digit[0])
#endif

/* Text. */

/* Make a str of bytes that are all ASCII; NULL without an exception if they are not. The copy is checked, because a
   shared buffer can change. CPython caches strings of less than two bytes, so n is at least 2. */
static PyObject *derlib_ascii_text(const unsigned char *p, Py_ssize_t n) {
    PyObject *text = PyUnicode_New(n, 127);
    if (text == NULL) return NULL;
    memcpy(PyUnicode_1BYTE_DATA(text), p, (size_t)n);
    if (derlib_is_ascii(PyUnicode_1BYTE_DATA(text), n)) return text;
    Py_DECREF(text);
    return NULL;
}
/* Python's decoders read a byte more than once, so they are given a copy that cannot change. */
static PyObject *derlib_other_text(const unsigned char *p, Py_ssize_t n, int utf8) {
    PyObject *text = NULL, *octets = PyBytes_FromStringAndSize((const char *)p, n);
    if (octets == NULL) return NULL;
    if (utf8) {
        text = PyUnicode_DecodeUTF8(PyBytes_AS_STRING(octets), n, NULL);
        utf8 = text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError);
        if (utf8) PyErr_Clear();
        else goto done;
    }
    text = PyUnicode_DecodeLatin1(PyBytes_AS_STRING(octets), n, NULL);
done:
    Py_DECREF(octets);
    return text;
}
/* Make a str of UTF-8 that was validated, or of Latin-1. UTF-8 in a shared buffer that has changed reads as Latin-1. */
static PyObject *derlib_text(const unsigned char *p, Py_ssize_t n, int utf8) {
    if (n == 1) {
        const char only = *(const volatile char *)p;
        if (!(only & 0x80)) return PyUnicode_DecodeUTF8(&only, 1, NULL);
    }
    else if (n > 1) {
        PyObject *text = derlib_ascii_text(p, n);
        if (text != NULL || PyErr_Occurred()) return text;
    }
    return derlib_other_text(p, n, utf8);
}
#define derlib_utf8_text(p, n) derlib_text((p), (n), 1)
#define derlib_latin1_text(p, n) derlib_text((p), (n), 0)

/* An instance of exactly str. Before CPython 3.12, the characters of some strings were made at their first use. */
#if PY_VERSION_HEX >= 0x030C0000
#define derlib_is_text(value) PyUnicode_CheckExact(value)
#else
#define derlib_is_text(value) (PyUnicode_CheckExact(value) && PyUnicode_IS_READY(value))
#endif
#define derlib_characters(text) PyUnicode_GET_LENGTH(text)

/* Return the characters of an instance of exactly str that is ASCII, else NULL. */
static inline const uint8_t *derlib_ascii_of(PyObject *value, Py_ssize_t *n) {
    if (!derlib_is_text(value) || PyUnicode_MAX_CHAR_VALUE(value) > 0x7F) return NULL;
    *n = PyUnicode_GET_LENGTH(value);
    return (const uint8_t *)PyUnicode_1BYTE_DATA(value);
}
/* Return the number of bytes of a str in UTF-8, or -1 if it has a surrogate. */
static Py_ssize_t derlib_utf8_length(PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND: return derlib_utf8_of_one_length(PyUnicode_1BYTE_DATA(text), n);
    case PyUnicode_2BYTE_KIND: return derlib_utf8_of_two_length(PyUnicode_2BYTE_DATA(text), n);
    default: return derlib_utf8_of_four_length(PyUnicode_4BYTE_DATA(text), n);
    }
}
static void derlib_utf8_write(PyObject *text, unsigned char *to) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND: derlib_utf8_of_one_write(PyUnicode_1BYTE_DATA(text), n, to); break;
    case PyUnicode_2BYTE_KIND: derlib_utf8_of_two_write(PyUnicode_2BYTE_DATA(text), n, to); break;
    default: derlib_utf8_of_four_write(PyUnicode_4BYTE_DATA(text), n, to);
    }
}

/* Borrowed contents of values whose class is exactly a built-in one: the fast path of the writer. */

#define derlib_is_bytes(value) PyBytes_CheckExact(value)
#define derlib_octets_of(value) ((const uint8_t *)PyBytes_AS_STRING(value))
#define derlib_count_of(value) PyBytes_GET_SIZE(value)
#define derlib_is_dict(value) PyDict_CheckExact(value)
#define derlib_is_list(value) (PyList_CheckExact(value) || PyTuple_CheckExact(value))
#define derlib_items(value) PySequence_Fast_ITEMS(value)
#define derlib_item_count(value) PySequence_Fast_GET_SIZE(value)
#define derlib_item(tuple, i) PyTuple_GET_ITEM((tuple), (i))

/* In a free-threaded build, another thread can change a dict while it is read: lock it, and keep its values until they
   are released. All this does nothing with the GIL. */
#if DERLIB_FREE_THREADED
typedef PyCriticalSection derlib_section;
#define derlib_lock(section, object) PyCriticalSection_Begin((section), (object))
#define derlib_unlock(section) PyCriticalSection_End(section)
#define derlib_keep(value) Py_XINCREF(value)
#define derlib_release(value) Py_XDECREF(value)
#else
typedef char derlib_section;
#define derlib_lock(section, object) ((void)(section))
#define derlib_unlock(section) ((void)(section))
#define derlib_keep(value) ((void)(value))
#define derlib_release(value) ((void)(value))
#endif

/* Return whether two strings are equal of which one is not ASCII: equal strings have characters of the same size. */
static int derlib_same_text(PyObject *a, PyObject *b) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(a);
    return n == PyUnicode_GET_LENGTH(b) && PyUnicode_KIND(a) == PyUnicode_KIND(b)
        && !memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b), (size_t)n * (size_t)PyUnicode_KIND(a));
}
/* Return whether a key of a dict is a name, without running code of the key. */
static inline int derlib_is_name(PyObject *key, PyObject *name) {
    if (key == name) return 1;
    if (!derlib_is_text(key)) return 0;
    if (PyUnicode_MAX_CHAR_VALUE(key) <= 0x7F && PyUnicode_MAX_CHAR_VALUE(name) <= 0x7F)
        return PyUnicode_GET_LENGTH(key) == PyUnicode_GET_LENGTH(name)
            && !memcmp(PyUnicode_1BYTE_DATA(key), PyUnicode_1BYTE_DATA(name), PyUnicode_GET_LENGTH(name));
    return derlib_is_text(name) && derlib_same_text(key, name);
}

/* Buffers. */

/* Return whether an object that exports a buffer cannot refer to a view: see `octets_of` in core/values/source.pxi. */
static int derlib_refers_to_nothing(PyObject *exporter) {
    PyTypeObject *type = Py_TYPE(exporter);
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) return !PyType_HasFeature(type, Py_TPFLAGS_HAVE_GC);
    return PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE)
        && (!strcmp(type->tp_name, "mmap.mmap") || !strcmp(type->tp_name, "array.array"));
}

/* Classes of views. */

/* A class that a class statement or a call made, not one of the extension types themselves. */
#define derlib_is_made_class(value) \
    (PyType_Check(value) && PyType_HasFeature((PyTypeObject *)(value), Py_TPFLAGS_HEAPTYPE))

/* Return the object under a name in the class itself, or None. */
static inline PyObject *derlib_own_attribute(PyObject *cls, PyObject *name) {
    PyObject *found = NULL;
#if DERLIB_USE_TYPE_DICT && PY_VERSION_HEX >= 0x030D0000
    if (PyDict_GetItemRef(((PyTypeObject *)cls)->tp_dict, name, &found) < 0) return NULL;
#elif DERLIB_USE_TYPE_DICT
    found = PyDict_GetItemWithError(((PyTypeObject *)cls)->tp_dict, name);
    if (found == NULL && PyErr_Occurred()) return NULL;
    Py_XINCREF(found);
#else
    (void)cls;
    (void)name;
#endif
    return found != NULL ? found : Py_NewRef(Py_None);
}

/* Give up counting references to an object that is new, in a free-threaded build. Every view refers to its class and its
   plan, and threads that each read their own values would count in the same words: two threads that iterate over a list
   of SEQUENCEs each used 4.6 times as much processor time as one thread that does both, and now use 1.1 times as much.
   The object is never freed. */
static void derlib_never_free(PyObject *object) {
#if DERLIB_FREE_THREADED
    PyObject_GC_UnTrack(object);
    object->ob_tid = _Py_UNOWNED_TID;
    object->ob_ref_local = _Py_IMMORTAL_REFCNT_LOCAL;
    object->ob_ref_shared = 0;
#else
    (void)object;
#endif
}
#if DERLIB_FREE_THREADED
#define derlib_is_never_freed(object) (derlib_load_word(&(object)->ob_ref_local) == _Py_IMMORTAL_REFCNT_LOCAL)
#endif

/* CLASS_PLANS. The plans of classes that were used before, each at the version of its class. As long as a class has this
   version, its dict has this plan, so the reference can be borrowed; no other class ever gets the version. Before 3.11 a
   version could be used twice. A slot is part of its plan. */
struct derlib_plan_slot {
    unsigned int version;
    PyObject *plan;
};
#define DERLIB_CLASS_PLANS 64
#if !DERLIB_USE_CLASS_PLANS || PY_VERSION_HEX < 0x030B0000
#define derlib_known_plan(cls) ((PyObject *)NULL)
#define derlib_note_plan(version, found, slot) ((void)(version), (void)(found), (void)(slot))
#define derlib_type_version(cls) 0u
#elif DERLIB_FREE_THREADED
/* Another thread can write an entry at any time, so an entry is one pointer, to the slot of a plan that is never freed.
   A slot only ever has versions at which its plan was that of the class, and its `plan` never changes. */
static struct derlib_plan_slot *derlib_class_plans[DERLIB_CLASS_PLANS];
#define derlib_type_version(cls) derlib_load_word(&((PyTypeObject *)(cls))->tp_version_tag)
static inline PyObject *derlib_known_plan(PyObject *cls) {
    unsigned int version = derlib_type_version(cls);
    struct derlib_plan_slot *slot = derlib_load_acquire(&derlib_class_plans[version % DERLIB_CLASS_PLANS]);
    return version != 0 && slot != NULL && derlib_load_word(&slot->version) == version ? slot->plan : NULL;
}
static inline void derlib_note_plan(unsigned int version, PyObject *plan, struct derlib_plan_slot *slot) {
    if (version == 0 || !derlib_is_never_freed(plan)) return;
    derlib_store_word(&slot->version, version);
    derlib_store_release(&derlib_class_plans[version % DERLIB_CLASS_PLANS], slot);
}
#else
static struct derlib_plan_slot derlib_class_plans[DERLIB_CLASS_PLANS];
/* Return the plan of a class if it is known, else NULL; a borrowed reference. */
static inline PyObject *derlib_known_plan(PyObject *cls) {
    unsigned int version = ((PyTypeObject *)cls)->tp_version_tag;
    return version != 0 && derlib_class_plans[version % DERLIB_CLASS_PLANS].version == version
        ? derlib_class_plans[version % DERLIB_CLASS_PLANS].plan : NULL;
}
/* Note the plan that a class had at a version. Version 0, of a class without one, is never found. */
#define derlib_note_plan(at_version, found, slot) ((void)(slot), derlib_note_plan_at((at_version), (found)))
static inline void derlib_note_plan_at(unsigned int version, PyObject *plan) {
    derlib_class_plans[version % DERLIB_CLASS_PLANS].version = version;
    derlib_class_plans[version % DERLIB_CLASS_PLANS].plan = plan;
}
#define derlib_type_version(cls) (((PyTypeObject *)(cls))->tp_version_tag)
#endif

/* NO_GC. Every class that a class statement makes has instances with garbage collection. Instances of view classes have
   no attributes of their own and cannot be part of a cycle, so it is taken off before the first instance is made: 16
   bytes less each, and no share of any collection. */
static void derlib_remove_gc(PyObject *cls) {
#if DERLIB_USE_NO_GC
    PyTypeObject *type = (PyTypeObject *)cls;
    /* A managed __dict__ or weak reference list is in front of the object and does not show in its size. */
    if (type->tp_basicsize == type->tp_base->tp_basicsize
            && type->tp_dictoffset == 0 && type->tp_weaklistoffset == 0
            && !(type->tp_base->tp_flags & Py_TPFLAGS_HAVE_GC)) {
        type->tp_flags &= ~Py_TPFLAGS_HAVE_GC;
        type->tp_free = PyObject_Free;
    }
#else
    (void)cls;
#endif
}

/* DEALLOC. CPython frees an instance of a class that a class statement made in one step for each of its base classes.
   For a class that adds nothing, one function frees the whole view. A subclass that does add something calls it last,
   after CPython's own steps. */
static void derlib_set_dealloc(PyObject *cls, void *function) {
#if DERLIB_USE_DEALLOC
    PyTypeObject *type = (PyTypeObject *)cls;
    if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC) && type->tp_free == PyObject_Free) {
        type->tp_dealloc = (destructor)function;
    }
#else
    (void)cls;
    (void)function;
#endif
}
/* Call __del__ of a view; return 0 if it stored a reference to the view, which then lives on. */
static inline int derlib_run_finalizer(PyObject *view) {
    if (derlib_unlikely(Py_TYPE(view)->tp_finalize != NULL)) return PyObject_CallFinalizerFromDealloc(view) == 0;
    return 1;
}

/* FREE_LIST. Freed views and sources, to be used again: most of them live for a moment. */
#define DERLIB_SPARE 32
struct derlib_spare {
    int count;
    PyObject *kept[DERLIB_SPARE];
};
static struct derlib_spare derlib_spare_sequences, derlib_spare_lists, derlib_spare_sources;
#if !DERLIB_USE_FREE_LIST || defined(__SANITIZE_ADDRESS__) || defined(Py_GIL_DISABLED)
#define derlib_keeps(type, base, spare) 0
#else
#define derlib_keeps(type, base, spare) \
    ((type)->tp_basicsize == (base)->tp_basicsize && (spare)->count < DERLIB_SPARE)
#endif
/* Free the memory of a view whose members were released. */
static inline void derlib_free(PyObject *view, PyTypeObject *base, struct derlib_spare *spare) {
    PyTypeObject *type = Py_TYPE(view);
    if (type->tp_free == PyObject_Free && derlib_keeps(type, base, spare)) spare->kept[spare->count++] = view;
    else type->tp_free(view);
    Py_DECREF(type);
}
/* The same for an instance of an extension type, which does not count references to its type. */
static inline void derlib_free_source(PyObject *source, PyTypeObject *base) {
    struct derlib_spare *spare = &derlib_spare_sources;
    if (derlib_keeps(base, base, spare)) spare->kept[spare->count++] = source;
    else PyObject_Free(source);
}

/* TEMPLATE. A view is a copy of a blank one: no search for __new__, no tuple, no dict. A subclass that adds something
   has instances of another size, or with garbage collection, which tp_new makes. `members` is the number of object
   members of the blank view, which are all None. */
static inline PyObject *derlib_instance(
        PyTypeObject *base, PyObject *cls, const void *blank, size_t size, int members, struct derlib_spare *spare) {
    PyTypeObject *type = (PyTypeObject *)cls;
    PyObject *made;
    if (derlib_unlikely(!DERLIB_USE_TEMPLATE || (size_t)type->tp_basicsize != size
            || (type->tp_flags & Py_TPFLAGS_HAVE_GC))) {
        PyObject *no_arguments = PyTuple_New(0);
        if (no_arguments == NULL) return NULL;
        made = base->tp_new(type, no_arguments, NULL);
        Py_DECREF(no_arguments);
        return made;
    }
    if (spare != NULL && spare->count > 0) made = spare->kept[--spare->count];
    else made = PyObject_Malloc(size);
    if (made == NULL) return PyErr_NoMemory();
    made = PyObject_Init(made, type);
    memcpy((char *)made + sizeof(PyObject), (const char *)blank + sizeof(PyObject), size - sizeof(PyObject));
    for (; members > 0; members--) Py_INCREF(Py_None);
    return made;
}
/* The blank view has the C type of its class, so that the size is a constant. */
#define derlib_sequence(base, cls, blank) \
    derlib_instance(base, cls, blank, sizeof(*(blank)), 2, &derlib_spare_sequences)
#define derlib_list(base, cls, blank) derlib_instance(base, cls, blank, sizeof(*(blank)), 3, &derlib_spare_lists)
#define derlib_choice(base, cls, blank) derlib_instance(base, cls, blank, sizeof(*(blank)), 3, NULL)
#define derlib_source(base, blank) derlib_instance(base, (PyObject *)(base), blank, sizeof(*(blank)), 3, &derlib_spare_sources)
#define derlib_free_sequence(view, base) derlib_free(view, base, &derlib_spare_sequences)
#define derlib_free_list(view, base) derlib_free(view, base, &derlib_spare_lists)

/* CACHE_LIST. The field caches of views with few fields; freed ones are used again. */
#define DERLIB_FIELD_CACHE_SIZE 8
static struct {
    int count;
    PyObject **kept[DERLIB_SPARE];
} derlib_spare_field_caches;
static inline PyObject **derlib_field_cache_new(Py_ssize_t count) {
    PyObject **cache;
    if (count > DERLIB_FIELD_CACHE_SIZE) return PyMem_Calloc((size_t)count, sizeof(PyObject *));
    if (derlib_spare_field_caches.count > 0) cache = derlib_spare_field_caches.kept[--derlib_spare_field_caches.count];
    else cache = PyMem_Malloc(DERLIB_FIELD_CACHE_SIZE * sizeof(PyObject *));
    if (cache != NULL)
        for (Py_ssize_t i = 0; i < DERLIB_FIELD_CACHE_SIZE; i++) cache[i] = NULL;
    return cache;
}
/* Free a field cache and the values in it. */
static inline void derlib_field_cache_free(PyObject **cache, Py_ssize_t count) {
    for (Py_ssize_t i = 0; i < count; i++) Py_XDECREF(cache[i]);
#if DERLIB_USE_CACHE_LIST && !defined(__SANITIZE_ADDRESS__) && !defined(Py_GIL_DISABLED)
    if (count <= DERLIB_FIELD_CACHE_SIZE && derlib_spare_field_caches.count < DERLIB_SPARE) {
        derlib_spare_field_caches.kept[derlib_spare_field_caches.count++] = cache;
        return;
    }
#endif
    PyMem_Free(cache);
}

/* GETATTRO. Attributes of a class are read by a function of ours, unless it has __getattr__ or __getattribute__. The
   function stores the version of a class that it has examined: CPython changes the version with each change of the
   class or of its bases. Before 3.11 a version could be used twice. See core/values/attributes.pxi. */
static void derlib_set_getattro(PyObject *cls, void *function) {
#if DERLIB_USE_GETATTRO && PY_VERSION_HEX >= 0x030B0000
    PyTypeObject *type = (PyTypeObject *)cls;
    if (type->tp_getattro == PyObject_GenericGetAttr) type->tp_getattro = (getattrofunc)function;
#else
    (void)cls;
    (void)function;
#endif
}
#if DERLIB_USE_GETATTRO
#define derlib_class_version(view) derlib_load_word(&Py_TYPE(view)->tp_version_tag)
#else
#define derlib_class_version(view) 0
#endif
/* Return the object under a name in the class of a view or in one of its bases, or None. */
static inline PyObject *derlib_class_attribute(PyObject *view, PyObject *name) {
    PyObject *found = NULL;
#if DERLIB_USE_GETATTRO && PY_VERSION_HEX >= 0x030D0000
    found = _PyType_LookupRef(Py_TYPE(view), name);
#elif DERLIB_USE_GETATTRO
    found = _PyType_Lookup(Py_TYPE(view), name);
    Py_XINCREF(found);
#else
    (void)view;
    (void)name;
#endif
    return found != NULL ? found : Py_NewRef(Py_None);
}
/* Return an attribute that is not a field. If the class has none with this name, return the result of `missing`, which
   raises the error; an AttributeError of a property is raised as it is. */
static inline PyObject *derlib_other_attribute(
    PyObject *view, PyObject *name, PyObject *(*missing)(PyObject *, PyObject *))
{
    PyObject *found = PyObject_GenericGetAttr(view, name);
    PyObject *type, *value, *traceback, *in_class;
    if (found != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    PyErr_Fetch(&type, &value, &traceback);
    in_class = derlib_class_attribute(view, name);
    Py_DECREF(in_class);
    if (in_class != Py_None) {
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return missing((PyObject *)Py_TYPE(view), name);
}

/* Give a class of the core the name "derlib.CLASS", by which users know it, and remove what Cython stored in it for
   Cython modules that derive from it. `help` would show both. */
static int derlib_publish(PyObject *cls, const char *name) {
    PyTypeObject *type = (PyTypeObject *)cls;
    type->tp_name = name;
    if (PyDict_DelItemString(type->tp_dict, "__pyx_vtable__") < 0) {
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) return -1;
        PyErr_Clear();
    }
    PyType_Modified(type);
    return 0;
}

/* VECTORCALL. Calls of a class go to our function, without a tuple and a dict of the arguments. The metaclass gets
   the flag that CPython 3.12 sets itself: a metaclass without __call__ inherits how a type is called. */
static void derlib_set_vectorcall(PyObject *cls, void *function) {
#if DERLIB_USE_VECTORCALL
    PyTypeObject *meta = Py_TYPE(cls);
    if (meta->tp_call == PyType_Type.tp_call && meta->tp_vectorcall_offset == PyType_Type.tp_vectorcall_offset) {
        meta->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
        ((PyTypeObject *)cls)->tp_vectorcall = (vectorcallfunc)function;
    }
#else
    (void)cls;
    (void)function;
#endif
}
#define derlib_positional(nargsf) PyVectorcall_NARGS(nargsf)
/* Call a class through its metaclass, as CPython does without a vectorcall. */
static PyObject *derlib_call_type(PyObject *cls, PyObject *const *args, size_t nargsf, PyObject *names) {
    Py_ssize_t count = PyVectorcall_NARGS(nargsf), i;
    PyObject *value = NULL, *values = NULL, *tuple = PyTuple_New(count);
    if (tuple == NULL) return NULL;
    for (i = 0; i < count; i++) {
        Py_INCREF(args[i]);
        PyTuple_SET_ITEM(tuple, i, args[i]);
    }
    if (names != NULL) {
        values = PyDict_New();
        if (values == NULL) goto done;
        for (i = 0; i < PyTuple_GET_SIZE(names); i++)
            if (PyDict_SetItem(values, PyTuple_GET_ITEM(names, i), args[count + i])) goto done;
    }
    value = Py_TYPE(cls)->tp_call(cls, tuple, values);
done:
    Py_DECREF(tuple);
    Py_XDECREF(values);
    return value;
}
/* Return whether a class is called as its native base is: it has no __new__ and no __init__ of its own, and its
   metaclass was not given a __call__ later. */
static inline int derlib_has_default_constructor(PyObject *cls, PyTypeObject *base) {
    PyTypeObject *type = (PyTypeObject *)cls;
    return type->tp_new == base->tp_new && type->tp_init == base->tp_init
        && Py_TYPE(cls)->tp_call == PyType_Type.tp_call;
}

#endif
