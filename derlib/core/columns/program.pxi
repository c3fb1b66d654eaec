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
    STEP_TYPE                       # (): the value in an open type, of the type that the key before it selects

cdef enum Leads:                    # what is below a step
    LEADS_TO_ROWS = 1
    LEADS_TO_CONSTANTS = 2
    LEADS_TO_CELLS = 4              # in a row

cdef enum:
    COLUMN_STEPS_LIMIT = 10000
    PATH_STEPS_LIMIT = 60
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
    int column                      # the column of the value, or of STEP_EACH, -1 for none
    int list_column


@cython.final
cdef class ColumnProgram:
    """The columns to read from values of a type."""
    cdef readonly Plan plan
    cdef bytearray memory           # the steps
    cdef list keys                  # keeps the keys alive
    cdef int step_count
    cdef readonly list columns      # (name, leaf, whether it is a list, whether it is constant)
    cdef list words                 # the `WordTable` of each column, or None
    cdef int rows_step              # the number of the step to a row, -1 if an input is one row
    cdef bint used                  # a stream has been made, so no column can be added

    def __cinit__(self, Plan plan not None):
        plan.prepared()
        self.plan = plan
        self.memory = bytearray()
        self.keys = []
        self.columns = []
        self.words = []
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
        if at < 0:
            self._steps()[parent].first_child = new
        else:
            self._steps()[at].sibling = new
        return new

    def add(self, str name not None, int leaf, tuple paths not None, dict words=None):
        """Add a column whose values are at these paths; a path is a tuple of (step, number, key).

        Args:
            words: the text of a value by its contents octets; for a name, the short names of attribute types.

        Raises:
            SchemaError: a path does not fit the type.
            ValueError: the rows of the columns are elements of different lists, or there are too many steps.
        """
        cdef bint listed = False
        cdef bint constant = True
        cdef int column = <int>len(self.columns)
        if self.used or not LEAF_INTEGER <= leaf <= LEAF_ERROR_RULE:
            raise _errors.SchemaError(f"column {name!r} cannot be added")
        if leaf >= LEAF_INPUT:
            paths = ()
        table = None if words is None else WordTable(words)
        for path in paths:
            for op, _, _ in path:
                listed = listed or op == STEP_EACH
                constant = constant and op != STEP_ROWS
        for path in paths:
            self._add_path(<tuple?>path, column, listed, constant)
        self.columns.append((name, leaf, listed, constant))
        self.words.append(table)

    cdef int _add_path(self, tuple path, int column, bint listed, bint constant) except -1:
        cdef const Node *node = &self.plan.node
        cdef const Node *scope = NULL       # the SEQUENCE that a key selected, until the path leaves it
        cdef const Node *around = NULL      # the SEQUENCE or SET around the value
        cdef const OpenEntry *entry
        cdef OpenEntries **entries
        cdef Py_ssize_t scope_field = -1
        cdef bytes scope_key = None
        cdef Py_ssize_t number
        cdef bytes key
        cdef int op
        cdef int at = 0
        cdef bint has_each = False
        cdef list visited = [0]
        if len(path) > PATH_STEPS_LIMIT:
            raise ValueError(f"a path has more than {PATH_STEPS_LIMIT} steps")
        for op, number, key in path:
            while node.kind == KIND_EXPLICIT:
                node = node.element
            entries = NULL
            if op == STEP_FIELD and (node.kind == KIND_SEQUENCE or node.kind == KIND_SET):
                self._require(0 <= number < node.component_count)
                around = node
                node = node.components[number].node
            elif op == STEP_ALTERNATIVE and is_choice(node.kind):
                self._require(0 <= number < node.component_count)
                node = node.components[number].node
            elif (op == STEP_ROWS or op == STEP_EACH or op == STEP_INDEX) and is_list(node.kind):
                self._require(number >= 0 and (op != STEP_ROWS or not has_each))
                has_each = has_each or op == STEP_EACH
                node = node.element
            elif op == STEP_KEY and is_list(node.kind):
                node = node.element
                while node.kind == KIND_EXPLICIT:
                    node = node.element
                self._require(node.kind == KIND_SEQUENCE and 0 <= number < node.component_count and key is not None
                              and node.components[number].node.kind == KIND_OBJECT_IDENTIFIER)
                scope = node
                scope_field = number
                scope_key = key
            elif op == STEP_TYPE and is_open(node.kind):
                entry = node.contained
                if entry == NULL:
                    self._require(around != NULL and around == scope and node.selector_length == 1
                                  and node.selector[0] == scope_field and node.entries != NULL)
                    key = scope_key
                    entries = node.entries
                    entry = find_entry(entries, <const uint8_t *><const char *>key, len(key))
                self._require(entry != NULL)
                node = entry.node
                around = NULL
            else:
                self._require(False)
            if op != STEP_KEY and op != STEP_TYPE:
                key = None
            at = self._child(at, op, number, key, node, entries)
            visited.append(at)
            if op == STEP_ROWS:
                if self.rows_step >= 0 and self.rows_step != at:
                    raise ValueError("the rows are the elements of different lists; [] makes a list column")
                self.rows_step = at
            if op == STEP_EACH and self._steps()[at].list_column < 0:
                self._steps()[at].list_column = column
        self._finish_path(visited, column, constant)
        return 0

    cdef int _finish_path(self, list visited, int column, bint constant) except -1:
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
        return 0

    cdef int _require(self, bint fits) except -1:
        if not fits:
            raise _errors.SchemaError(f"a path does not fit {self.plan.name}")
        return 0

    def schema_capsule(self):
        """Return the Arrow schema of the columns in a PyCapsule."""
        return schema_capsule(self)
