/*
 * Backends, and the algorithms they serve.
 *
 * Kconfig is the only list of backends. From it config/<algorithm>.h is generated, for example
 *
 *     #define ADLER32_BACKENDS(X)                              \
 *         X(adler32, arm_neon, "arm-neon", CPU_ISA_ARM_NEON)   \
 *         X(adler32, generic, "generic", 0)
 *     #define ADLER32_SELECTION SELECT_BY_ORDER
 *
 * in order of preference, and the algorithm's .c expands it to a table:
 *
 *     ADLER32_BACKENDS(DECLARE)
 *     static const struct backend backends[] = {ADLER32_BACKENDS(ENTRY)};
 *     struct algorithm adler32_algorithm = ALGORITHM("adler32", backends, self_test, ADLER32_SELECTION);
 *     BACKENDS_NOTE(ADLER32_BACKENDS);
 */
#ifndef KCONF_BACKEND_H
#define KCONF_BACKEND_H

#include <stddef.h>

#include "cpu.h"
#include "note.h"

/* An entry point, whatever its prototype: the algorithm's .c casts it back before the call. */
typedef void backend_entry(void);

enum {
    BACKEND_ENTRIES = 2, /* of one backend */
    MAX_BACKENDS = 8,    /* of one algorithm; one more does not compile */
};

struct backend {
    const char *name;   /* "arm-neon" */
    cpu_features needs; /* what the CPU must have */
    backend_entry *entry[BACKEND_ENTRIES];
};

/* Which of the backends that this CPU can run serves: the first of them, or the fastest in a measurement. */
enum selection { SELECT_BY_ORDER, SELECT_BY_MEASUREMENT };

/* Whether a backend gives a known answer. It works a few microseconds, always the same, which is what is measured. */
typedef int backend_self_test(const struct backend *backend);

struct algorithm {
    const char *name; /* its C spelling, "adler32" */
    const struct backend *backends;
    size_t count;
    backend_self_test *self_test;
    enum selection selection;
    /* Found out when the algorithm is used for the first time. By position: */
    uint32_t tested, failed;
    uint32_t nanoseconds[MAX_BACKENDS]; /* of a self-test, the best of several; 0 if not measured */
    const struct backend *ruled;        /* what the rule selects; NULL until then */
    struct choice *choices;             /* of callers, what shall serve instead */
    const struct backend *selected;     /* what serves every thread; NULL where that has to be found out */
};

#define ALGORITHM(name, backends, self_test, selection)                                                                \
    {                                                                                                                  \
        name, backends, sizeof(backends) / sizeof((backends)[0]), self_test, selection, 0, 0,                          \
            {sizeof(char[sizeof(backends) / sizeof((backends)[0]) <= MAX_BACKENDS ? 1 : -1]) - 1}, NULL, NULL, NULL    \
    }

/* A row of the same table in a note, which tells of it to who does not run the module. */
#define BACKEND_ROW(algorithm, backend, name, needs) #algorithm " " name "\n"
#define BACKENDS_NOTE(BACKENDS)                      NOTE(table_note, NOTE_TABLE, sizeof(BACKENDS(BACKEND_ROW)) - 1, BACKENDS(BACKEND_ROW))

#if defined(Py_PYTHON_H) /* what the module does, which includes Python.h first */

/*
 * When the module is imported: finds out what this CPU has, less what the environment variable VARIABLE hides
 * ("sha2,neon"; CONFIG_HONOUR_CPU_MASK), with CONFIG_SELF_TEST_AT_IMPORT tests all backends, and gives the module the
 * functions that its report needs. Returns 0, or -1 with an exception: ImportError if CPU_BASELINE promises a feature
 * that this CPU lacks or the variable hides, and if a test leaves an algorithm without a backend. A word in the
 * variable that no feature of any architecture has as its name is a RuntimeWarning, and otherwise ignored.
 */
HIDDEN int backends_init(PyObject *module, const char *variable);

/*
 * What serves an algorithm: what this thread or the process wants, or else what the rule selects. The first time that
 * takes tests, unless CONFIG_SELF_TEST_NEVER, and maybe a measurement. NULL with an exception.
 */
HIDDEN const struct backend *backend_select(struct algorithm *algorithm);

/* The backend that serves unless another one is named. A failed one never does; if none is left: RuntimeError. */
static inline const struct backend *backend_selected(struct algorithm *algorithm) {
    return algorithm->selected ? algorithm->selected : backend_select(algorithm);
}

/*
 * The backend of ALGORITHM that a caller wants: NAME is a str, or NULL or None for the selected one. Returns NULL with
 * a ValueError if this build has no such backend, this CPU cannot run it or it has failed its self-test, with a
 * TypeError if NAME is something else.
 */
HIDDEN const struct backend *backend_find(struct algorithm *algorithm, PyObject *name);

#endif

#endif
