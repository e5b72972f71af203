/*
 * Clears memory that held a secret and is about to go out of use, which a plain memset before the end of its life
 * does not: the compiler may drop it as without effect.
 */
#ifndef KCONF_WIPE_H
#define KCONF_WIPE_H

#include <stddef.h>
#include <string.h>

static inline void wipe(void *data, size_t size) {
    memset(data, 0, size);
    /* For all the compiler knows, this reads what DATA points to. */
    __asm__ volatile("" : : "r"(data) : "memory");
}

/* A function whose variables, and whatever else the compiler puts on the stack, lie where wipe_stack clears it. */
#define NOT_INLINED static __attribute__((noinline))

enum { MAX_WIPED_STACK = 1024 };

/*
 * Clears what functions have left on the stack that the caller has called before: SIZE bytes, at most MAX_WIPED_STACK
 * and more than any compiler has them take.
 */
__attribute__((unused)) NOT_INLINED void wipe_stack(size_t size) {
    unsigned char stack[MAX_WIPED_STACK]; /* which ends where theirs did */

    /* For all the compiler knows, this changes the size: so it calls memset, which is faster than what it would put in
     * its place, on x86-64 a `rep stos`. */
    __asm__("" : "+r"(size));
    wipe(stack + sizeof stack - size, size);
}

#endif
