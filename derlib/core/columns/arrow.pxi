# The Arrow C data interface: schemas and arrays as C structs, and the PyCapsules that carry them.
#
# https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html and
# CDataInterface/PyCapsuleInterface.html. A struct that is handed over owns its memory: its `release` frees it, from any
# thread and without the GIL. A consumer can move a child out of its parent, so each array owns its own buffers.

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdio cimport snprintf
from libc.string cimport strcmp, strlen

cdef enum:
    ARROW_FLAG_NULLABLE = 2

cdef struct ArrowSchema:
    const char *format
    const char *name
    const char *metadata
    int64_t flags
    int64_t n_children
    ArrowSchema **children
    ArrowSchema *dictionary
    void (*release)(ArrowSchema *) noexcept nogil
    void *private_data

cdef struct ArrowArray:
    int64_t length
    int64_t null_count
    int64_t offset
    int64_t n_buffers
    int64_t n_children
    const void **buffers
    ArrowArray **children
    ArrowArray *dictionary
    void (*release)(ArrowArray *) noexcept nogil
    void *private_data

cdef struct ArrowArrayStream:
    int (*get_schema)(ArrowArrayStream *, ArrowSchema *) noexcept nogil
    int (*get_next)(ArrowArrayStream *, ArrowArray *) noexcept nogil
    const char *(*get_last_error)(ArrowArrayStream *) noexcept nogil
    void (*release)(ArrowArrayStream *) noexcept nogil
    void *private_data

cdef struct ArrayMemory:            # the private data of an array
    void *owned[3]
    const void *buffers[3]

# For buffers without octets: consumers expect an address. Also the first offset of an empty array.
cdef uint64_t[8] NO_OCTETS
memset(NO_OCTETS, 0, sizeof(NO_OCTETS))


cdef void release_schema(ArrowSchema *schema) noexcept nogil:
    cdef int64_t i
    for i in range(schema.n_children):
        if schema.children[i] != NULL:
            if schema.children[i].release != NULL:
                schema.children[i].release(schema.children[i])
            free(schema.children[i])
    free(schema.children)
    if schema.dictionary != NULL:
        if schema.dictionary.release != NULL:
            schema.dictionary.release(schema.dictionary)
        free(schema.dictionary)
    free(schema.private_data)
    schema.release = NULL


cdef void release_array(ArrowArray *array) noexcept nogil:
    cdef ArrayMemory *memory = <ArrayMemory *>array.private_data
    cdef int64_t i
    for i in range(array.n_children):
        if array.children[i] != NULL:
            if array.children[i].release != NULL:
                array.children[i].release(array.children[i])
            free(array.children[i])
    free(array.children)
    if array.dictionary != NULL:
        if array.dictionary.release != NULL:
            array.dictionary.release(array.dictionary)
        free(array.dictionary)
    for i in range(3):
        free_memory(<uint8_t *>memory.owned[i])
    free(memory)
    array.release = NULL


cdef bint begin_schema(ArrowSchema *schema, const char *format, const char *name, int64_t children) noexcept nogil:
    """Set a schema without its children; return False if there is no memory, with nothing to release."""
    cdef size_t format_size = strlen(format) + 1
    cdef size_t name_size = strlen(name) + 1
    cdef char *text = <char *>malloc(format_size + name_size)
    memset(schema, 0, sizeof(ArrowSchema))
    schema.children = <ArrowSchema **>calloc(max(children, <int64_t>1), sizeof(void *))
    if text == NULL or schema.children == NULL:
        free(text)
        free(schema.children)
        return False
    memcpy(text, format, format_size)
    memcpy(text + format_size, name, name_size)
    schema.format = text
    schema.name = text + format_size
    schema.flags = ARROW_FLAG_NULLABLE
    schema.n_children = children
    schema.private_data = text
    schema.release = release_schema
    return True


cdef ArrowSchema *add_schema(ArrowSchema *parent, int64_t index, const char *format, const char *name,
                             int64_t children) noexcept nogil:
    """Return a new child of a schema, NULL if there is no memory."""
    cdef ArrowSchema *child = <ArrowSchema *>calloc(1, sizeof(ArrowSchema))
    if child == NULL:
        return NULL
    if not begin_schema(child, format, name, children):
        free(child)
        return NULL
    parent.children[index] = child
    return child


cdef const char *leaf_format(int leaf) noexcept nogil:
    """Return the Arrow format of cells."""
    if leaf == LEAF_BOOLEAN:
        return "b"
    if leaf == LEAF_TIME:
        return "tss:UTC"
    if leaf == LEAF_TEXT or leaf == LEAF_ERROR or leaf == LEAF_ERROR_RULE or leaf == LEAF_HEXADECIMAL \
            or leaf == LEAF_DISPLAY:
        return "u"
    if leaf == LEAF_CONTENTS or leaf == LEAF_ENCODING:
        return "z"
    if leaf == LEAF_DICTIONARY:
        return "i"
    if leaf == LEAF_DECIMAL:
        return "d:38,0"
    if leaf == LEAF_DECIMAL256:
        return "d:76,0,256"
    if leaf == LEAF_FIXED:
        # And the number of octets.
        return "w:"
    if leaf == LEAF_ATTRIBUTES:
        return "+l"
    if leaf == LEAF_ALTERNATIVE:
        return "+s"
    return "l"


cdef bint add_leaf_schema(ArrowSchema *parent, int64_t index, int leaf, int width, const char *name) noexcept nogil:
    """Add the schema of cells to another; return False if memory is exhausted."""
    cdef char[16] fixed
    cdef ArrowSchema *child
    if leaf == LEAF_FIXED:
        snprintf(fixed, sizeof(fixed), "w:%d", width)
        return add_schema(parent, index, fixed, name, 0) != NULL
    if leaf == LEAF_ATTRIBUTES:
        child = add_schema(parent, index, "+l", name, 1)
        return child != NULL and add_struct_schema(child, 0, leaf, "item")
    if leaf == LEAF_ALTERNATIVE:
        return add_struct_schema(parent, index, leaf, name)
    child = add_schema(parent, index, leaf_format(leaf), name, 0)
    if child == NULL or leaf != LEAF_DICTIONARY:
        return child != NULL
    child.dictionary = <ArrowSchema *>calloc(1, sizeof(ArrowSchema))
    return child.dictionary != NULL and begin_schema(child.dictionary, leaf_format(LEAF_TEXT), "", 0)


cdef bint add_struct_schema(ArrowSchema *parent, int64_t index, int leaf, const char *name) noexcept nogil:
    """Add the schema of the structs of a leaf to another; return False if memory is exhausted."""
    cdef int count = fields_of(leaf)
    cdef ArrowSchema *child = add_schema(parent, index, "+s", name, count)
    cdef int i
    if child == NULL:
        return False
    for i in range(count):
        if not add_leaf_schema(child, i, field_leaf(leaf, i), 0, field_name(leaf, i)):
            return False
    return True


cdef bint fill_schema(ColumnProgram program, ArrowSchema *schema) except -1:
    """Set a schema: a struct whose fields are the columns."""
    cdef ArrowSchema *child
    cdef Py_ssize_t i
    cdef bytes octets
    cdef bint listed
    cdef int leaf
    cdef int width
    if not begin_schema(schema, "+s", "", len(program.columns)):
        raise MemoryError
    schema.flags = 0
    try:
        for i in range(len(program.columns)):
            name, leaf, listed, _, width = program.columns[i]
            octets = name.encode()
            if listed:
                child = add_schema(schema, i, "+l", octets, 1)
                if child == NULL or not add_leaf_schema(child, 0, leaf, width, "item"):
                    raise MemoryError
            elif not add_leaf_schema(schema, i, leaf, width, octets):
                raise MemoryError
    except BaseException:
        schema.release(schema)
        raise
    return True


cdef bint begin_array(
    ArrowArray *array, int64_t length, int64_t nulls, int64_t buffers, int64_t children
) noexcept nogil:
    """Set an array without buffers and children; return False if there is no memory, with nothing to release."""
    cdef ArrayMemory *memory = <ArrayMemory *>calloc(1, sizeof(ArrayMemory))
    memset(array, 0, sizeof(ArrowArray))
    array.children = <ArrowArray **>calloc(max(children, <int64_t>1), sizeof(void *))
    if memory == NULL or array.children == NULL:
        free(memory)
        free(array.children)
        return False
    array.length = length
    array.null_count = nulls
    array.n_buffers = buffers
    array.n_children = children
    array.buffers = memory.buffers
    array.private_data = memory
    array.release = release_array
    return True


cdef ArrowArray *add_array(ArrowArray *parent, int64_t index, int64_t length, int64_t nulls, int64_t buffers,
                           int64_t children) noexcept nogil:
    """Return a new child of an array, NULL if there is no memory."""
    cdef ArrowArray *child = <ArrowArray *>calloc(1, sizeof(ArrowArray))
    if child == NULL:
        return NULL
    if not begin_array(child, length, nulls, buffers, children):
        free(child)
        return NULL
    parent.children[index] = child
    return child


cdef void give_buffer(ArrowArray *array, int number, Buffer *buffer) noexcept nogil:
    """Move a buffer into an array."""
    cdef ArrayMemory *memory = <ArrayMemory *>array.private_data
    memory.owned[number] = buffer.data
    memory.buffers[number] = buffer.data if buffer.data != NULL else <void *>NO_OCTETS
    memset(buffer, 0, sizeof(Buffer))


cdef bint give_column(ArrowArray *parent, int64_t index, Column *c) noexcept nogil:
    """Move the cells of a column into a child of an array; return False if there is no memory."""
    cdef ArrowArray *array
    if c.listed:
        array = add_array(parent, index, c.list_count, c.list_nulls, 2, 1)
        if array == NULL:
            return False
        if c.list_nulls:
            give_buffer(array, 0, &c.list_validity)
        give_buffer(array, 1, &c.list_offsets)
        parent = array
        index = 0
    return give_cells(parent, index, c)


cdef bint give_cells(ArrowArray *parent, int64_t index, Column *c) noexcept nogil:
    """Move the cells of a column, or the items of its lists, into a child of an array."""
    cdef ArrowArray *array
    if c.nulls == c.count and c.count > 0 and not store_nulls(c):
        return False
    if c.leaf == LEAF_ALTERNATIVE:
        return give_structs(parent, index, c, c.count)
    array = add_array(parent, index, c.count, c.nulls, 3 if is_variable(c.leaf) else 2, 1 if c.fields != NULL else 0)
    if array == NULL:
        return False
    if c.nulls:
        give_buffer(array, 0, &c.validity)
    if c.fields != NULL:
        give_buffer(array, 1, &c.offsets)
        return give_structs(array, 0, c, c.fields[0].count)
    if is_variable(c.leaf):
        give_buffer(array, 1, &c.offsets)
        give_buffer(array, 2, &c.values)
    else:
        give_buffer(array, 1, &c.values)
    return c.dictionary == NULL or give_dictionary(array, c.dictionary)


cdef bint give_structs(ArrowArray *parent, int64_t index, Column *c, int64_t count) noexcept nogil:
    """Move the fields of a column into a child of an array. Structs in lists are never null."""
    cdef ArrowArray *array = add_array(
        parent, index, count, c.nulls if c.leaf == LEAF_ALTERNATIVE else 0, 1, c.field_count)
    cdef int i
    if array == NULL:
        return False
    if array.null_count:
        give_buffer(array, 0, &c.validity)
    for i in range(c.field_count):
        if not give_cells(array, i, c.fields + i):
            return False
    return True


cdef bint give_dictionary(ArrowArray *array, Dictionary *dictionary) noexcept nogil:
    """Move the texts of a column into its array; return False if memory is exhausted."""
    array.dictionary = <ArrowArray *>calloc(1, sizeof(ArrowArray))
    if array.dictionary == NULL or not begin_array(array.dictionary, dictionary.texts.count, 0, 3, 0):
        return False
    give_buffer(array.dictionary, 1, &dictionary.texts.offsets)
    give_buffer(array.dictionary, 2, &dictionary.texts.values)
    return True


cdef bint give_batch(Extraction *x, int64_t rows, ArrowArray *array) noexcept nogil:
    """Move the cells of all columns into an array of structs; return False if there is no memory."""
    cdef Py_ssize_t i
    if not begin_array(array, rows, 0, 1, x.column_count):
        return False
    for i in range(x.column_count):
        if not give_column(array, i, x.columns + i):
            array.release(array)
            return False
    for i in range(x.column_count):
        free_column(x.columns + i)
    return True


cdef void free_schema_capsule(object capsule) noexcept:
    cdef ArrowSchema *schema = <ArrowSchema *>PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef object schema_capsule(ColumnProgram program):
    """Return the schema of a program in a PyCapsule."""
    cdef ArrowSchema *schema = <ArrowSchema *>calloc(1, sizeof(ArrowSchema))
    if schema == NULL:
        raise MemoryError
    try:
        fill_schema(program, schema)
        capsule = PyCapsule_New(schema, "arrow_schema", free_schema_capsule)
    except BaseException:
        if schema.release != NULL:
            schema.release(schema)
        free(schema)
        raise
    return capsule
