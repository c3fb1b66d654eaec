# The templates of runs (list_runs.pxi): an element is recorded and stored as a template; `write_run` writes a run.

cdef enum:
    RUN_SIZE = 64                   # the bytes of a Ranges, before and after the conversion
    RUN_COPY = 32                   # the bytes that one copy writes; the next one overwrites those that are too many
    RUN_LITERAL = 16                # the bytes that are inserted in one step
    RUN_MARGIN = RUN_SIZE + RUN_COPY
    RUN_SLOTS = 8                   # templates that are compared
    RUN_TEMPLATES = 64              # templates of one list
    RUN_PIECES = 8
    RUN_AFTER = 8
    RUN_LENGTH = 4096               # a position in a run is found by a search over its elements

cdef struct RunPiece:               # bytes that are inserted, and bytes of the input that follow them in the output
    uint8_t literal[RUN_LITERAL]
    int literal_to                  # offsets from the start of the element
    int to
    int source
    int literal_length
    int length

cdef struct RunTemplate:
    Ranges ranges                   # one value for each byte that is compared; several for the others
    int length                      # in the input
    int out_length
    uint8_t number                  # in its list
    int piece_count
    RunPiece pieces[RUN_PIECES]
    Py_ssize_t cost                 # for the limit on elements
    Py_ssize_t start                # the element in the input from which it was made
    Py_ssize_t first                # the number of its first edit
    Py_ssize_t count                # of its edits
    Py_ssize_t changes              # the number of its edits that are changes
    int32_t place                   # its step, -1 if it has no changes

cdef struct ListRuns:               # the runs of one list
    Py_ssize_t base                 # the number of its first template in `Conversion.run_templates`
    int stored                      # templates so far
    int hint                        # the offset of a byte that often distinguishes templates
    Py_ssize_t since                # runs are used from this element on
    Py_ssize_t misses               # elements from there on that matched no template


cdef inline RunTemplate *run_template(const Conversion *c, Py_ssize_t number) noexcept nogil:
    return <RunTemplate *>c.run_templates.items + number


cdef void begin_recording_run(Conversion *c, const uint8_t *start) noexcept nogil:
    """Begin to record the element at `start`."""
    c.recorder.start = start
    c.recorder.edits = c.edits.count
    c.recorder.elements = c.check.elements
    c.recorder.growth = c.growth
    c.recorder.count = 0


cdef void record_variable(Conversion *c, int kind, const BerElement *e) noexcept nogil:
    """Record the contents of a primitive element if the walk does not look at them."""
    cdef RunRecorder *recorder = &c.recorder
    cdef Py_ssize_t length = e.h.end - e.h.content
    if kind == KIND_UTC_TIME or kind == KIND_GENERALIZED_TIME:
        # Digits and Z: nothing is converted, whatever the digits are.
        length = 12 if kind == KIND_UTC_TIME else 14
        if e.h.end - e.h.content != length + 1 or octet_at(e.h.content + length) != 0x5A \
                or digits_end(e.h.content, 0, length) != length:
            return
    elif not is_integer(kind) and not (TYPES[kind].flags & TYPE_IS_STRING and not has_several_forms(kind)):
        return
    if recorder.count == RUN_VARIABLES:
        close_run(c)
        return
    recorder.kinds[recorder.count] = kind
    recorder.offsets[recorder.count] = e.h.content - recorder.start
    recorder.lengths[recorder.count] = length
    recorder.count += 1


cdef inline bint fits_run(const RunTemplate *template, const uint8_t *p) noexcept nogil:
    """Return whether the element at `p` equals a template, except for variable contents."""
    return in_ranges(p, &template.ranges, 0) and (template.length <= 32 or in_ranges(p, &template.ranges, 32))


cdef void store_run_template(Conversion *c, ListRuns *runs, const uint8_t *after) noexcept nogil:
    """Store the element that was just recorded as a template; RUN_SIZE bytes are readable from its start."""
    cdef const RunRecorder *recorder = &c.recorder
    cdef RunTemplate *template
    cdef uint8_t image[RUN_SIZE]        # the output
    cdef Py_ssize_t length = after - recorder.start
    cdef Py_ssize_t out_length = length + c.growth - recorder.growth
    cdef Py_ssize_t i
    if length > RUN_SIZE or out_length > RUN_SIZE:
        return
    if runs.base + runs.stored != c.run_templates.count:
        # A list inside an element has stored templates.
        runs.base = c.run_templates.count
        runs.stored = 0
    template = <RunTemplate *>add_items(&c.run_templates, 1, sizeof(RunTemplate))
    if template == NULL:
        c.out_of_memory = True
        return
    memset(template, 0, sizeof(RunTemplate))
    template.length = <int>length
    template.out_length = <int>out_length
    template.cost = recorder.elements - c.check.elements
    template.start = recorder.start - c.base
    template.first = recorder.edits
    template.count = c.edits.count - recorder.edits
    template.place = c.trail[c.level - 1].place
    for i in range(template.first, c.edits.count):
        template.changes += edits_of(c)[i].fault != FAULT_NONE
    template.number = <uint8_t>runs.stored
    set_run_ranges(template, recorder)
    if write_edits(c, recorder.edits, c.edits.count, recorder.start, after, image, out_length) == NULL \
            or not set_run_pieces(c, template, image):
        c.run_templates.count -= 1
        return
    if runs.stored == 0:
        # The length octet of the first variable contents, such as a serial number.
        runs.hint = <int>(recorder.offsets[0] - 1) if recorder.count else 0
    runs.stored += 1


cdef void set_run_ranges(RunTemplate *template, const RunRecorder *recorder) noexcept nogil:
    """Set which bytes of an element are compared."""
    cdef Ranges *ranges = &template.ranges
    cdef bint digits
    cdef int i
    memcpy(ranges.low, recorder.start, RUN_SIZE)
    allow_any(ranges, template.length, RUN_SIZE - template.length)
    for i in range(recorder.count):
        digits = recorder.kinds[i] == KIND_UTC_TIME or recorder.kinds[i] == KIND_GENERALIZED_TIME
        memset(ranges.low + recorder.offsets[i], 0x30 if digits else 0, recorder.lengths[i])
        memset(ranges.span + recorder.offsets[i], 9 if digits else 0xFF, recorder.lengths[i])


cdef bint set_run_pieces(Conversion *c, RunTemplate *template, const uint8_t *image) noexcept nogil:
    """Set where the bytes of the output come from; return False if there are too many pieces."""
    cdef const Edit *edit
    cdef Py_ssize_t at = 0          # in the input
    cdef Py_ssize_t out = 0
    cdef Py_ssize_t literal = 0     # where inserted bytes begin that have no piece yet
    cdef Py_ssize_t i
    for i in range(template.first, template.first + template.count):
        edit = edits_of(c) + i
        if edit.at - template.start > at:
            if not add_pieces(template, image, literal, out, at, edit.at - template.start - at):
                return False
            literal = out + edit.at - template.start - at
            out = literal
        out += edit.insert
        at = edit.at - template.start + edit.drop
    return add_pieces(template, image, literal, out, at, template.length - at)


cdef bint add_pieces(
    RunTemplate *template, const uint8_t *image, Py_ssize_t literal, Py_ssize_t out, Py_ssize_t source,
    Py_ssize_t length
) noexcept nogil:
    """Add pieces for the bytes inserted from `literal` to `out`, and those copied from `source` after them."""
    cdef RunPiece *piece
    while literal < out or length > 0:
        if template.piece_count == RUN_PIECES:
            return False
        piece = &template.pieces[template.piece_count]
        template.piece_count += 1
        piece.literal_to = <int>literal
        piece.literal_length = <int>min(out - literal, <Py_ssize_t>RUN_LITERAL)
        memcpy(piece.literal, image + literal, piece.literal_length)
        literal += piece.literal_length
        piece.to = <int>literal
        piece.source = <int>source
        if literal == out:
            piece.length = <int>min(length, <Py_ssize_t>RUN_COPY)
            source += piece.length
            length -= piece.length
            literal += piece.length
            out += piece.length
    return True


cdef bint write_run(Conversion *c, const Edit *edit, const uint8_t *p, uint8_t *out) noexcept nogil:
    """Write the elements of a run, which begins at `p` in the input; return False if they would not fit.

    Copies of a constant length need no call. RUN_MARGIN bytes are readable from the start of each element. Each copy
    overwrites the bytes before it that are too many; so the last elements are copied exactly.
    """
    cdef const uint8_t *numbers = <const uint8_t *>c.run_numbers.items + edit.value
    cdef RunTemplate *templates = run_template(c, edit.step)
    cdef RunTemplate *template
    cdef RunPiece *piece
    cdef RunPiece *last
    cdef const uint8_t *end = p + edit.drop
    cdef uint8_t *out_end = out + edit.insert
    cdef Py_ssize_t count = c.run_templates.count - edit.step
    cdef Py_ssize_t i
    for i in range(edit.start):
        # The walk made the run of the same templates, so all this is certain. It is cheap to check as well.
        if unlikely(numbers[i] >= count):
            return False
        template = templates + numbers[i]
        if unlikely(template.length > end - p or template.out_length > out_end - out):
            return False
        piece = &template.pieces[0]
        last = piece + template.piece_count
        if out_end - out >= RUN_MARGIN:
            while piece < last:
                memcpy(out + piece.literal_to, piece.literal, RUN_LITERAL)
                memcpy(out + piece.to, p + piece.source, RUN_COPY)
                piece += 1
        else:
            while piece < last:
                memcpy(out + piece.literal_to, piece.literal, piece.literal_length)
                memcpy(out + piece.to, p + piece.source, piece.length)
                piece += 1
        p += template.length
        out += template.out_length
    return p == end and out == out_end
