/*
 * Calls a kernel with everything around it under watch: the registers that it must preserve, the stack of its caller,
 * the memory beside what it is given, and what it leaves behind of what was secret.
 */
#ifndef ARMLET_TESTS_CALL_H
#define ARMLET_TESTS_CALL_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "backend.h"
#include "registers.h"

/* Call this before all else: faults of the CPU, too, become failures. */
void call_init(void);

/* Where failures jump to, and what failed. */
extern sigjmp_buf on_failure;
extern char failure[];
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Some bytes to give to a kernel, with PATTERN beside them, on pages between two that nobody can touch. */
struct memory {
    const char *name;
    uint8_t *begin, *end; /* of the pages */
    uint8_t *bytes;
    size_t size;
};

enum {
    PATTERN = 0xa5,
    PLACES = 32, /* 16 alignments near the beginning of the pages, and as many near the end */
};

/* Call this once for each. SIZE is the most that it will have to hold. */
void memory_create(struct memory *memory, const char *name, size_t size);
/* Fills SIZE bytes at PLACE with CONTENT, NULL for PATTERN. */
void memory_fill(struct memory *memory, unsigned place, const void *content, size_t size);
/* Fails unless the first KNOWN bytes are the EXPECTED ones, and beside all SIZE bytes is nothing but PATTERN. */
void memory_check(const struct memory *memory, const void *expected, size_t known);

enum {
    MAX_ARGUMENTS = 6,
    STACK_SIZE = 4096, /* bytes that a kernel may use */
};

/* What a function leaves behind: registers, and the stack that it used. */
struct remains {
    struct registers registers;
    uint8_t stack[STACK_SIZE];
};

/* Returns what the function does. */
uintptr_t call(backend_entry *function, const uintptr_t arguments[MAX_ARGUMENTS]);
/* Likewise; fails if it does not preserve what it must, and tells what it leaves. */
uintptr_t call_checked(backend_entry *function, const uintptr_t arguments[MAX_ARGUMENTS], struct remains *remains);

/* Where remains depend on secrets. */
struct leaks {
    uint8_t general[GENERAL_COUNT];
    uint8_t vector[VECTOR_COUNT];
    uint8_t stack;
};

/*
 * Adds what differs between the remains of two calls that differed in nothing but secrets; and registers of the system,
 * if they were touched.
 */
void leaks_add(struct leaks *leaks, const struct remains *one, const struct remains *other);
/* Prints nothing, or ", but leaves x9 v16 stack". */
void leaks_print(const struct leaks *leaks);

#endif
