# The column program: the paths of all columns as one tree of steps, which one walk over a value follows.
#
# `derlib._columns` finds the steps of a path. The program checks each of them against the nodes of a sealed plan, which
# never change: so a step leads to a field that there is, and no wrong step can make the walk read outside of the input.

cpdef enum ColumnStep:
    STEP_FIELD = 1                  # (number): a component of a SEQUENCE or SET
    STEP_ALTERNATIVE                # (number): an alternative of a CHOICE
    STEP_ROWS                       # (): each element of a list, which is a row
    STEP_EACH                       # (): each element of a list, which is an item of a list column
    STEP_INDEX                      # (number): one element of a list
    STEP_KEY                        # (number, key): the first element of a list whose component `number` is the key
    STEP_SELECTED                   # (number, key): a SEQUENCE whose component, or what selects its type, is the key
    STEP_TYPE                       # (): the value in an open type, of the type that the key before it selects

cdef enum Leads:                    # what is below a step
    LEADS_TO_ROWS = 1
    LEADS_TO_CONSTANTS = 2
    LEADS_TO_CELLS = 4              # in a row

cdef enum:
    COLUMN_STEPS_LIMIT = 10000
    PATH_STEPS_LIMIT = 60
    WIDTH_LIMIT = 1024              # of LEAF_FIXED, because a null takes as much memory as a value
    # The walk marks the children of a step in a word.
    CHILDREN_LIMIT = 64

cdef struct PathStep:
    int op
    Py_ssize_t number
    const uint8_t *key
    Py_ssize_t key_length
    const Node *node                # of the value that the step leads to
    OpenEntries **entries           # of STEP_TYPE: the table that the type is from; NULL for a contained type
    int leads
    int first_child                 # number of a step, -1 for none
    int sibling
    bint has_selected               # a child is STEP_SELECTED
    # Of STEP_EACH: those of a list column that visit the same elements are next to each other.
    bint can_be_absent              # it is the last one of its path, and a value after it can be absent
    bint begins_item                # the first one of those
    bint ends_item                  # the last one: an absent value is a null (`visit_list`)
    int column                      # the column of the value, or of STEP_EACH, -1 for none
    int leaf                        # how the value becomes a cell of the column
    int list_column


cdef const Node *key_or_open_type(const Node *component) noexcept nogil:
    """Return the type of a component in explicit tags and lists: an attribute has a SET OF open types."""
    cdef int lists
    component = without_tags(component)
    # A list can be a list of itself.
    for lists in range(PATH_STEPS_LIMIT):
        if not is_list(component.kind):
            break
        component = without_tags(component.element)
    return component


cdef bint selects_by_oid(const Node *node, const Node *opened) noexcept nogil:
    """Return whether an OBJECT IDENTIFIER in a SEQUENCE selects the type of its open type."""
    cdef Py_ssize_t i
    for i in range(opened.selector_length):
        if node.kind != KIND_SEQUENCE or not 0 <= opened.selector[i] < node.component_count:
            return False
        node = without_tags(node.components[opened.selector[i]].node)
    return opened.selector_length > 0 and node.kind == KIND_OBJECT_IDENTIFIER


@cython.final
cdef class ColumnProgram:
    """The columns to read from values of a type."""
    cdef readonly Plan plan
    cdef bytearray memory           # the steps
    cdef list keys                  # keeps the keys alive
    cdef int step_count
    cdef readonly list columns      # (name, leaf, whether it is a list, whether it is constant, width)
    cdef list words                 # the `WordTable` of each column, or None
    cdef list alternatives          # the `AlternativeTable` of each column, or None
    cdef int rows_step              # the number of the step to a row, -1 if an input is one row
    cdef bint used                  # a stream has been made, so no column can be added
    cdef bint broken                # a column was rejected after some of its steps were added
    cdef int position               # of the step of a path that is being added

    def __cinit__(self, Plan plan not None):
        plan.prepared()
        self.plan = plan
        self.memory = bytearray()
        self.keys = []
        self.columns = []
        self.words = []
        self.alternatives = []
        self.rows_step = -1
        self._new_step(0, 0, None, &plan.node, NULL)

    cdef PathStep *_steps(self) noexcept:
        return <PathStep *><char *>self.memory

    cdef int _new_step(self, int op, Py_ssize_t number, bytes key, const Node *node, OpenEntries **entries) except -1:
        cdef PathStep *step
        if self.step_count >= COLUMN_STEPS_LIMIT:
            raise ValueError(f"the columns have more than {COLUMN_STEPS_LIMIT} steps")
        self.memory.extend(bytes(sizeof(PathStep)))
        step = self._steps() + self.step_count
        step.op = op
        step.number = number
        if key is not None:
            self.keys.append(key)
            step.key = <const uint8_t *><const char *>key
            step.key_length = len(key)
        step.node = node
        step.entries = entries
        step.first_child = step.sibling = step.column = step.list_column = -1
        self.step_count += 1
        return self.step_count - 1

    cdef int _child(self, int parent, int op, Py_ssize_t number, bytes key, const Node *node,
                    OpenEntries **entries) except -1:
        """Return the number of a step below another, which columns share."""
        cdef int *place = &self._steps()[parent].first_child
        cdef int at = place[0]
        cdef int count = 0
        cdef int new
        cdef PathStep *step
        while at >= 0:
            step = self._steps() + at
            # Each list column has its own steps.
            if step.op == op and op != STEP_EACH and step.number == number and step.node == node and (
                    key is None or (step.key_length == len(key) and (<const char *>step.key)[:step.key_length] == key)):
                return at
            count += 1
            if step.sibling < 0:
                break
            at = step.sibling
        if count >= CHILDREN_LIMIT:
            raise ValueError(f"more than {CHILDREN_LIMIT} columns lead to parts of the same value")
        new = self._new_step(op, number, key, node, entries)
        if op == STEP_SELECTED:
            self._steps()[parent].has_selected = True
        if at < 0:
            self._steps()[parent].first_child = new
        else:
            self._steps()[at].sibling = new
        return new

    def add(self, str name not None, int leaf, tuple paths not None, dict words=None, tuple leaves=None, int width=0,
            tuple alternatives=None, bint spaced=False, shown=None):
        """Add a column whose values are at these paths; a path is a tuple of (step, number, key).

        Args:
            words: the text or the number of a value by its contents octets; for a name, the short names of attribute
                types.
            leaves: the leaf of each path; None if it is that of the column.
            width: the octets of a cell of LEAF_FIXED, from 1 to 1,024.
            alternatives: for LEAF_ALTERNATIVE and LEAF_DISPLAY, the name of each alternative, the `ValueText` of its
                value, the words of its value or None, and `spaced` of these words.
            spaced: whether the attributes of a name are separated by ", " and " + ", for reading.
            shown: for LEAF_DISPLAY, a function that returns the text of a cell for the encoding of the CHOICE. It is
                called for values that have no simpler text.

        Raises:
            SchemaError: a path does not fit the type.
            ValueError: the rows of the columns are elements of different lists, or there are too many steps.
        """
        cdef bint listed = False
        cdef bint constant = True
        cdef bint in_rows
        cdef int column = <int>len(self.columns)
        if self.used or self.broken or not LEAF_INTEGER <= leaf <= LEAF_ERROR_RULE \
                or (leaf == LEAF_FIXED and not 1 <= width <= WIDTH_LIMIT):
            raise _errors.SchemaError(f"column {name!r} cannot be added")
        if leaf >= LEAF_INPUT:
            paths = ()
        leaves = (leaf,) * len(paths) if leaves is None else leaves
        for one in leaves:
            # A column has one type, whose cells can be made in several ways.
            if not LEAF_INTEGER <= one < LEAF_INPUT or strcmp(leaf_format(one), leaf_format(leaf)) != 0:
                raise _errors.SchemaError(f"column {name!r} has values of several types")
        table = None if words is None else WordTable(words, spaced)
        alternative_table = None if alternatives is None else AlternativeTable(alternatives, shown)
        for path in paths:
            in_rows = False
            for op, _, _ in path:
                listed = listed or op == STEP_EACH
                in_rows = in_rows or op == STEP_ROWS
            if path is not paths[0] and constant == in_rows:
                raise ValueError("some of the values are in the rows, and others are not")
            constant = not in_rows
        if not constant and len(set(leaves)) > 1:
            # A row template has one leaf for each column.
            raise ValueError("a column of rows reads all its values in the same way")
        self.broken = True
        for path, one in zip(paths, leaves, strict=True):
            self._add_path(<tuple?>path, column, one, listed, constant)
        self.broken = False
        self.columns.append((name, leaf, listed, constant, width))
        self.words.append(table)
        self.alternatives.append(alternative_table)

    cdef int _add_path(self, tuple path, int column, int leaf, bint listed, bint constant) except -1:
        cdef const Node *node = &self.plan.node
        cdef const Node *scope = NULL       # the SEQUENCE that a key selected, until the path leaves it
        cdef const Node *around = NULL      # the SEQUENCE or SET around the value
        cdef const Node *opened = NULL      # the open type whose type a key selected
        cdef const OpenEntry *entry
        cdef OpenEntries **entries
        cdef bint entered = False           # a component of it
        cdef Py_ssize_t scope_field = -1
        cdef bytes scope_key = None
        cdef Py_ssize_t number
        cdef bytes key
        cdef int op
        cdef int at = 0
        cdef bint has_each = False
        cdef int each = -1              # the last STEP_EACH
        cdef bint can_be_absent = False
        cdef list visited = [0]
        if len(path) > PATH_STEPS_LIMIT:
            raise ValueError(f"a path has more than {PATH_STEPS_LIMIT} steps")
        self.position = 0
        for op, number, key in path:
            self.position += 1
            node = without_tags(node)
            entries = NULL
            if op == STEP_FIELD and (node.kind == KIND_SEQUENCE or node.kind == KIND_SET):
                self._require(0 <= number < node.component_count)
                # The key is of a component of the selected SEQUENCE itself, not of those deeper in it.
                if node != scope or entered:
                    scope = NULL
                entered = True
                around = node
                can_be_absent = can_be_absent or (
                    node.components[number].optional and node.components[number].default == NULL)
                node = node.components[number].node
            elif op == STEP_ALTERNATIVE and is_choice(node.kind):
                self._require(0 <= number < node.component_count)
                node = node.components[number].node
            elif (op == STEP_ROWS or op == STEP_EACH or op == STEP_INDEX) and is_list(node.kind):
                self._require(number >= 0 and (op != STEP_ROWS or not has_each))
                has_each = has_each or op == STEP_EACH
                node = node.element
            elif op == STEP_KEY and is_list(node.kind):
                node = without_tags(node.element)
                self._require(node.kind == KIND_SEQUENCE and 0 <= number < node.component_count and key is not None
                              and without_tags(node.components[number].node).kind == KIND_OBJECT_IDENTIFIER)
                scope = node
                opened = NULL
                entered = False
                scope_field = number
                scope_key = key
            elif op == STEP_SELECTED and node.kind == KIND_SEQUENCE:
                self._require(0 <= number < node.component_count and key is not None)
                opened = key_or_open_type(node.components[number].node)
                self._require(opened.kind == KIND_OBJECT_IDENTIFIER
                              or (is_open(opened.kind) and selects_by_oid(node, opened)))
                scope = node
                entered = False
                scope_field = -1
                scope_key = key
            elif op == STEP_TYPE and is_open(node.kind):
                entry = node.contained
                if entry == NULL:
                    self._require(around != NULL and around == scope and node.entries != NULL and (
                        node == opened or (node.selector_length == 1 and node.selector[0] == scope_field)))
                    key = scope_key
                    entries = node.entries
                    entry = find_entry(entries, <const uint8_t *><const char *>key, len(key))
                self._require(entry != NULL)
                node = entry.node
                around = NULL
            else:
                self._require(False)
            if op != STEP_KEY and op != STEP_SELECTED and op != STEP_TYPE:
                key = None
            at = self._child(at, op, number, key, node, entries)
            visited.append(at)
            if op == STEP_ROWS:
                if self.rows_step >= 0 and self.rows_step != at:
                    raise ValueError("the rows are the elements of different lists; [] makes a list column")
                self.rows_step = at
            if op == STEP_EACH:
                self._steps()[at].list_column = column
                each = at
                can_be_absent = False
            elif op == STEP_INDEX or op == STEP_KEY or op == STEP_TYPE:
                can_be_absent = True
        if each >= 0:
            self._steps()[each].can_be_absent = can_be_absent
        self._finish_path(visited, column, leaf, constant)
        return 0

    def close(self):
        """Find where the items of list columns begin and end; no column can be added after that."""
        cdef PathStep *steps = self._steps()
        cdef PathStep *step
        cdef PathStep *first        # of the STEP_EACH of the same list column
        cdef PathStep *before
        cdef int parent
        cdef int child
        if self.broken:
            raise ValueError("a column of the program was rejected")
        if self.used:
            # Another stream may be reading the steps without the GIL.
            return
        self.used = True
        for parent in range(self.step_count):
            first = before = NULL
            child = steps[parent].first_child
            while child >= 0:
                step = steps + child
                child = step.sibling
                if step.op != STEP_EACH:
                    continue
                if before == NULL or before.list_column != step.list_column:
                    first = step
                else:
                    before.ends_item = False
                step.ends_item = first.begins_item = step.can_be_absent or (step != first and first.begins_item)
                before = step

    cdef int _finish_path(self, list visited, int column, int leaf, bint constant) except -1:
        cdef int leads = LEADS_TO_CONSTANTS if constant else LEADS_TO_ROWS
        cdef int at
        if self._steps()[<int>visited[len(visited) - 1]].column >= 0:
            # A second column of the same value: below a step of its own.
            at = self._new_step(0, column, None, self._steps()[<int>visited[len(visited) - 1]].node, NULL)
            self._steps()[at].sibling = self._steps()[<int>visited[len(visited) - 1]].first_child
            self._steps()[<int>visited[len(visited) - 1]].first_child = at
            visited.append(at)
        for at in visited:
            self._steps()[at].leads |= leads
            if at == self.rows_step:
                leads = LEADS_TO_CELLS
                self._steps()[at].leads |= leads
        self._steps()[<int>visited[len(visited) - 1]].column = column
        self._steps()[<int>visited[len(visited) - 1]].leaf = leaf
        return 0

    cdef int _require(self, bint fits) except -1:
        if not fits:
            raise _errors.SchemaError(f"step {self.position} of a path does not fit {self.plan.name}")
        return 0

    def schema_capsule(self):
        """Return the Arrow schema of the columns in a PyCapsule."""
        return schema_capsule(self)
