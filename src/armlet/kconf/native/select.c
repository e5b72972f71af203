/*
 * Which backend serves an algorithm: tested before it is used, and chosen by order or by a measurement.
 *
 * All of this runs with the GIL held, once for the process.
 */
#include "select.h"

#include "config/options.h"

#include <time.h>
#if defined(_WIN32)
#include <windows.h>
#endif

enum { TRIES = 5 }; /* of a measurement: the best of them is the one that nothing interrupted */

int backend_test(struct algorithm *algorithm, size_t index) {
    const struct backend *backend = &algorithm->backends[index];
    const uint32_t bit = 1u << index;

    algorithm->tested |= bit;
    if (algorithm->self_test(backend))
        return 1;
    const int is_known = (algorithm->failed & bit) != 0;
    algorithm->failed |= bit;
    if (algorithm->ruled == backend)
        algorithm->ruled = NULL;
    algorithm->selected = NULL;
    if (!is_known && PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                                      "backend '%s' of %s gives a wrong answer on this machine and is not used",
                                      backend->name, algorithm->name) < 0)
        return -1;
    return 0;
}

int backend_usable(struct algorithm *algorithm, size_t index) {
    const uint32_t bit = 1u << index;

    if (!is_allowed(algorithm->backends[index].needs))
        return 0;
    if (!CONFIG_SELF_TEST_NEVER && !(algorithm->tested & bit) && backend_test(algorithm, index) < 0)
        return -1;
    return !(algorithm->failed & bit);
}

/* Nanoseconds of a clock that never goes back, from any start. */
static uint64_t monotonic_clock(void) {
#if defined(_WIN32)
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    return (uint64_t)((double)ticks.QuadPart * 1e9 / (double)per_second.QuadPart);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
#endif
}

/* Reads CLOCK, or where that is NULL the machine's. */
static int read_clock(PyObject *clock, uint64_t *nanoseconds) {
    if (!clock) {
        *nanoseconds = monotonic_clock();
        return 0;
    }
    PyObject *reading = PyObject_CallNoArgs(clock);
    *nanoseconds = reading ? PyLong_AsUnsignedLongLong(reading) : 0;
    Py_XDECREF(reading);
    return PyErr_Occurred() ? -1 : 0;
}

/* Times one self-test, and keeps the best of its times. */
static int measure_once(struct algorithm *algorithm, size_t index, PyObject *clock) {
    uint32_t *best = &algorithm->nanoseconds[index];
    uint64_t before, after;

    if (read_clock(clock, &before) < 0)
        return -1;
    algorithm->self_test(&algorithm->backends[index]);
    if (read_clock(clock, &after) < 0)
        return -1;
    const uint64_t taken = after - before;
    const uint32_t time = taken > UINT32_MAX ? UINT32_MAX : taken ? (uint32_t)taken : 1;
    if (!*best || time < *best)
        *best = time;
    return 0;
}

/* Measures those that USABLE names by position, in turn so that a disturbance meets all alike. */
static int measure(struct algorithm *algorithm, uint32_t usable, PyObject *clock) {
    for (int try = 0; try < TRIES; try++)
        for (size_t i = 0; i < algorithm->count; i++)
            if (usable & 1u << i && measure_once(algorithm, i, clock) < 0)
                return -1;
    return 0;
}

static const struct backend *first(const struct algorithm *algorithm, uint32_t usable) {
    for (size_t i = 0; i < algorithm->count; i++)
        if (usable & 1u << i)
            return &algorithm->backends[i];
    return NULL;
}

/* Of equally fast ones the first. */
static const struct backend *fastest(const struct algorithm *algorithm, uint32_t usable) {
    const struct backend *found = NULL;
    uint32_t best = 0;

    for (size_t i = 0; i < algorithm->count; i++) {
        if (usable & 1u << i && (!found || algorithm->nanoseconds[i] < best)) {
            found = &algorithm->backends[i];
            best = algorithm->nanoseconds[i];
        }
    }
    return found;
}

static const struct backend *select_with(struct algorithm *algorithm, enum selection selection, PyObject *clock) {
    uint32_t usable = 0;

    for (size_t i = 0; i < algorithm->count; i++) {
        const int status = selection == SELECT_BY_ORDER && usable ? 0 : backend_usable(algorithm, i);
        if (status < 0)
            return NULL;
        usable |= (uint32_t)status << i;
    }
    if (!usable) {
        PyErr_Format(PyExc_RuntimeError, "no backend of %s gives the right answer on this machine", algorithm->name);
        return NULL;
    }
    if (selection == SELECT_BY_ORDER || !(usable & (usable - 1))) /* or only one is left */
        return algorithm->ruled = first(algorithm, usable);
    if (measure(algorithm, usable, clock) < 0)
        return NULL;
    return algorithm->ruled = fastest(algorithm, usable);
}

const struct backend *backend_select_by_rule(struct algorithm *algorithm) {
    return select_with(algorithm, algorithm->selection, NULL);
}

int backend_reselect(struct algorithm *algorithm, PyObject *clock) {
    for (size_t i = 0; i < MAX_BACKENDS; i++)
        algorithm->nanoseconds[i] = 0;
    algorithm->selected = NULL;
    return select_with(algorithm, SELECT_BY_MEASUREMENT, clock) ? 0 : -1;
}

static const struct backend *refuse_unknown(const struct algorithm *algorithm, PyObject *name) {
    PyObject *known = PyList_New(0);

    for (size_t i = 0; known && i < algorithm->count; i++) {
        PyObject *text = PyUnicode_FromString(algorithm->backends[i].name);
        if (!text || PyList_Append(known, text) < 0)
            Py_CLEAR(known);
        Py_XDECREF(text);
    }
    known = join_texts(known);
    if (known)
        PyErr_Format(PyExc_ValueError, "%s has no backend %R in this build; it has %U", algorithm->name, name, known);
    Py_XDECREF(known);
    return NULL;
}

static const struct backend *refuse_unusable(const struct algorithm *algorithm, const struct backend *backend) {
    if (is_allowed(backend->needs)) {
        PyErr_Format(PyExc_ValueError, "backend '%s' of %s gives a wrong answer on this machine and cannot be used",
                     backend->name, algorithm->name);
        return NULL;
    }
    const cpu_features lacking = backend->needs & ~(allowed_features | masked_features);
    PyObject *names = join_texts(features_list(lacking ? lacking : backend->needs & masked_features));

    if (names)
        PyErr_Format(PyExc_ValueError, "backend '%s' of %s needs %U, which %s %s", backend->name, algorithm->name,
                     names, lacking ? "this CPU" : mask_variable, lacking ? "lacks" : "hides");
    Py_XDECREF(names);
    return NULL;
}

const struct backend *backend_find(struct algorithm *algorithm, PyObject *name) {
    if (!name || name == Py_None)
        return backend_selected(algorithm);
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "backend must be a str or None, not %R", (PyObject *)Py_TYPE(name));
        return NULL;
    }
    for (size_t i = 0; i < algorithm->count; i++) {
        const struct backend *backend = &algorithm->backends[i];
        if (PyUnicode_CompareWithASCIIString(name, backend->name) != 0)
            continue;
        const int status = backend_usable(algorithm, i);
        return status > 0 ? backend : status < 0 ? NULL : refuse_unusable(algorithm, backend);
    }
    return refuse_unknown(algorithm, name);
}
