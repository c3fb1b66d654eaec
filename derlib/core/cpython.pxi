# Declarations of cpython.h: C code that works on Python objects. Its head lists what depends on CPython's internals.

from cpython.object cimport PyObject

cdef extern from "core/cpython.h":
    # Integers. A small int has one digit as CPython has it: 30 bits, or 15.
    object long_from_octets "derlib_long_from_octets"(const uint8_t *p, Py_ssize_t n)
    bint is_exact_int "PyLong_CheckExact"(PyObject *value) noexcept
    Py_ssize_t long_length "derlib_long_length"(PyObject *value) except -1
    int long_write "derlib_long_write"(PyObject *value, uint8_t *to, Py_ssize_t n) except -1
    bint is_small "derlib_is_small"(PyObject *value) noexcept
    int64_t small_value "derlib_small"(PyObject *value) noexcept

    # Text
    object utf8_decode "derlib_utf8_text"(const uint8_t *p, Py_ssize_t n)
    object latin1_decode "derlib_latin1_text"(const uint8_t *p, Py_ssize_t n)
    bint is_text "derlib_is_text"(PyObject *value) noexcept
    Py_ssize_t characters "derlib_characters"(PyObject *text) noexcept
    const uint8_t *ascii_of "derlib_ascii_of"(PyObject *value, Py_ssize_t *n) noexcept
    Py_ssize_t utf8_length_of "derlib_utf8_length"(PyObject *text) noexcept
    void utf8_write "derlib_utf8_write"(PyObject *text, uint8_t *to) noexcept

    # Borrowed contents of values whose class is exactly a built-in one
    PyObject *true_value "Py_True"
    PyObject *false_value "Py_False"
    bint is_bytes "derlib_is_bytes"(PyObject *value) noexcept
    const uint8_t *octets_in "derlib_octets_of"(PyObject *value) noexcept
    Py_ssize_t count_in "derlib_count_of"(PyObject *value) noexcept
    bint is_dict "derlib_is_dict"(PyObject *value) noexcept
    bint is_plain_list "derlib_is_list"(PyObject *value) noexcept
    PyObject **items_of "derlib_items"(PyObject *value) noexcept
    Py_ssize_t item_count "derlib_item_count"(PyObject *value) noexcept
    PyObject *tuple_item "derlib_item"(PyObject *values, Py_ssize_t i) noexcept nogil
    bint is_name "derlib_is_name"(PyObject *key, PyObject *name) noexcept
    ctypedef struct CriticalSection "derlib_section":
        pass
    void lock_object "derlib_lock"(CriticalSection *section, PyObject *value) noexcept
    void unlock_object "derlib_unlock"(CriticalSection *section) noexcept
    void keep_shared "derlib_keep"(PyObject *value) noexcept
    void release_shared "derlib_release"(PyObject *value) noexcept

    # Buffers
    bint refers_to_nothing "derlib_refers_to_nothing"(object exporter) noexcept

    # Tracebacks
    int set_data_error "derlib_set_data_error"(object cls, object globals) except -1

    # Classes of views
    int publish "derlib_publish"(object cls, const char *name) except -1
    bint is_made_class "derlib_is_made_class"(object value) noexcept
    object own_attribute "derlib_own_attribute"(object cls, object name)
    PyObject *known_plan "derlib_known_plan"(object cls) noexcept
    unsigned int type_version "derlib_type_version"(object cls) noexcept
    ctypedef struct PlanSlot "struct derlib_plan_slot":
        PyObject *plan
    void note_plan "derlib_note_plan"(unsigned int version, object plan, PlanSlot *slot) noexcept
    void remove_gc "derlib_remove_gc"(object cls)
    void never_free "derlib_never_free"(object new)

    # Making and freeing views; the files of the three classes of views declare how to make them.
    void set_dealloc "derlib_set_dealloc"(object cls, void *function)
    bint run_finalizer "derlib_run_finalizer"(PyObject *view) noexcept
    void drop "Py_DECREF"(PyObject *value) noexcept
    void free_sequence_memory "derlib_free_sequence"(PyObject *view, type base) noexcept
    void free_source_memory "derlib_free_source"(PyObject *source, type base) noexcept
    void free_list_memory "derlib_free_list"(PyObject *view, type base) noexcept
    PyObject **field_cache_new "derlib_field_cache_new"(Py_ssize_t count) noexcept
    void field_cache_free "derlib_field_cache_free"(PyObject **cache, Py_ssize_t count) noexcept

    # Reading attributes
    void set_getattro "derlib_set_getattro"(object cls, void *function)
    unsigned int class_version "derlib_class_version"(object view) noexcept
    object class_attribute "derlib_class_attribute"(object view, object name)
    object generic_attribute "PyObject_GenericGetAttr"(object view, object name)

    # Calling classes
    void set_vectorcall "derlib_set_vectorcall"(object cls, void *function)
    object call_type "derlib_call_type"(object cls, PyObject **args, size_t nargsf, PyObject *names)
    bint has_default_constructor "derlib_has_default_constructor"(object cls, type base) noexcept
    Py_ssize_t positional "derlib_positional"(size_t nargsf) noexcept
