/*
 * The registers of each architecture: what there is, how call-*.S lays them out, and which of them a function must
 * leave as they were.
 */
#ifndef ARMLET_TESTS_REGISTERS_H
#define ARMLET_TESTS_REGISTERS_H

#include <stdint.h>

#include "backend.h"

#if defined(__aarch64__)

enum { GENERAL_COUNT = 32, VECTOR_COUNT = 32, VECTOR_WORDS = 2, STACK_POINTER = 31, RESULT = 0 };
#define PRESERVED_GENERAL 0x3ff80000u
#define SYSTEM_GENERAL    0x00040000u /* x18: some systems need it, and where none does, compilers use it */
#define PRESERVED_VECTORS 0x0000ff00u /* the first word alone: d8 to d15 */
#define GENERAL_NAMES                                                                                                  \
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",       \
        "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp"
#define VECTOR_NAME    "v%u"
#define ARGUMENTS      0, 1, 2, 3, 4, 5 /* the registers they are passed in */
#define STACK_RESERVED 0                /* bytes above the stack pointer that are the function's own */

#elif defined(__arm__)

enum { GENERAL_COUNT = 15, VECTOR_COUNT = 32, VECTOR_WORDS = 1, STACK_POINTER = 13, RESULT = 0 };
#define PRESERVED_GENERAL 0x0ff0u
#define SYSTEM_GENERAL    0u
#define PRESERVED_VECTORS 0xff00u
#define GENERAL_NAMES     "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr"
#define VECTOR_NAME       "d%u"
#define ARGUMENTS         0, 1, 2, 3
#define STACK_RESERVED    16 /* two arguments, and two words of call-arm.S */

#elif defined(__x86_64__)

enum { GENERAL_COUNT = 16, VECTOR_COUNT = 16, VECTOR_WORDS = 2, STACK_POINTER = 4, RESULT = 0 };
#define PRESERVED_GENERAL 0xf028u
#define SYSTEM_GENERAL    0u
#define PRESERVED_VECTORS 0u
#define GENERAL_NAMES                                                                                                  \
    "rax", "rcx", "rdx", "rbx", "sp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
#define VECTOR_NAME    "xmm%u"
#define ARGUMENTS      7, 6, 2, 1, 8, 9
#define STACK_RESERVED 0

#endif

struct registers {
    uintptr_t general[GENERAL_COUNT];
    uint64_t vector[VECTOR_COUNT][VECTOR_WORDS];
};

/*
 * Loads all registers from BEFORE, the stack pointer too, calls the function, and stores all that it left to AFTER. The
 * register that holds the return address is the caller's. Not reentrant.
 */
void call_with_registers(const struct registers *before, struct registers *after, backend_entry *function);

#endif
