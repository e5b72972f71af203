/*
 * What callers want to serve an algorithm instead of what the rule selects: in the whole process, or in one thread.
 *
 * `selected` is what serves every thread. It is forgotten at each change here, and while any thread has a choice of its
 * own, so that only then a call has to look.
 */
#include "select.h"

struct choice {
    long long id;
    int is_of_thread; /* or else of the process */
    unsigned long thread;
    const struct backend *backend; /* NULL: what the rule selects */
    struct choice *next;           /* an earlier one */
};

/* The last choice of this thread, or else of the process; NULL if there is none. */
static const struct choice *find_choice(const struct algorithm *algorithm) {
    const unsigned long thread = algorithm->choices ? PyThread_get_thread_ident() : 0;
    const struct choice *found = NULL;

    for (const struct choice *one = algorithm->choices; one; one = one->next) {
        if (one->is_of_thread && one->thread == thread)
            return one;
        if (!one->is_of_thread && !found)
            found = one;
    }
    return found;
}

/* What was chosen; NULL if nothing, or what has failed its self-test since. */
static const struct backend *chosen(const struct algorithm *algorithm) {
    const struct choice *choice = find_choice(algorithm);

    if (!choice || !choice->backend || algorithm->failed >> (choice->backend - algorithm->backends) & 1)
        return NULL;
    return choice->backend;
}

static int any_of_thread(const struct choice *choice) {
    while (choice && !choice->is_of_thread)
        choice = choice->next;
    return choice != NULL;
}

const struct backend *backend_select(struct algorithm *algorithm) {
    const struct backend *serving = chosen(algorithm);

    if (!serving)
        serving = algorithm->ruled ? algorithm->ruled : backend_select_by_rule(algorithm);
    if (!any_of_thread(algorithm->choices))
        algorithm->selected = serving;
    return serving;
}

int backend_is_chosen(const struct algorithm *algorithm) {
    return chosen(algorithm) != NULL;
}

/* Adds a choice: the arguments are an algorithm by name, and one of its backends or None. Returns its number. */
static PyObject *add_choice(PyObject *args, int is_of_thread) {
    static long long last_id;
    const char *name;
    PyObject *wanted;

    if (!PyArg_ParseTuple(args, "sO", &name, &wanted))
        return NULL;
    struct algorithm *algorithm = algorithm_named(name);
    if (!algorithm)
        return NULL;
    const struct backend *backend = wanted == Py_None ? NULL : backend_find(algorithm, wanted);
    if (!backend && wanted != Py_None)
        return NULL;
    struct choice *choice = PyMem_Malloc(sizeof *choice);
    if (!choice)
        return PyErr_NoMemory();
    *choice = (struct choice){++last_id, is_of_thread, PyThread_get_thread_ident(), backend, algorithm->choices};
    algorithm->choices = choice;
    algorithm->selected = NULL;
    return PyLong_FromLongLong(choice->id);
}

typedef int is_dropped(const struct choice *choice, long long id);

static int has_id(const struct choice *choice, long long id) {
    return choice->id == id;
}

static int is_replaced(const struct choice *choice, long long id) {
    return !choice->is_of_thread && choice->id < id;
}

/* Drops choices: the arguments are an algorithm by name, and a number that add_choice has returned. */
static PyObject *drop_choices(PyObject *args, is_dropped *dropped) {
    const char *name;
    long long id;

    if (!PyArg_ParseTuple(args, "sL", &name, &id))
        return NULL;
    struct algorithm *algorithm = algorithm_named(name);
    if (!algorithm)
        return NULL;
    for (struct choice **link = &algorithm->choices; *link;) {
        struct choice *choice = *link;
        if (dropped(choice, id)) {
            *link = choice->next;
            PyMem_Free(choice);
        } else {
            link = &choice->next;
        }
    }
    algorithm->selected = NULL;
    Py_RETURN_NONE;
}

PyObject *backends_use(PyObject *module, PyObject *args) {
    (void)module;
    return add_choice(args, 0);
}

PyObject *backends_use_in_thread(PyObject *module, PyObject *args) {
    (void)module;
    return add_choice(args, 1);
}

PyObject *backends_end_use(PyObject *module, PyObject *args) {
    (void)module;
    return drop_choices(args, has_id);
}

PyObject *backends_keep_use(PyObject *module, PyObject *args) {
    (void)module;
    return drop_choices(args, is_replaced);
}
