/*
 * void call_with_registers(const struct registers *before, struct registers *after, backend_entry *function);
 */
#include "asm.h"

/* Offsets in struct registers. */
#define X30     240
#define SP      248
#define VECTORS 256

/* Once the function has returned, nothing is known but where this is. */
    .data
    .balign 8
own_stack:
    .quad 0

/* All but x0, x1 and x30. */
.macro GENERAL_REGISTERS instruction, base
    \instruction x2, x3, [\base, #16]
    \instruction x4, x5, [\base, #32]
    \instruction x6, x7, [\base, #48]
    \instruction x8, x9, [\base, #64]
    \instruction x10, x11, [\base, #80]
    \instruction x12, x13, [\base, #96]
    \instruction x14, x15, [\base, #112]
    \instruction x16, x17, [\base, #128]
    \instruction x18, x19, [\base, #144]
    \instruction x20, x21, [\base, #160]
    \instruction x22, x23, [\base, #176]
    \instruction x24, x25, [\base, #192]
    \instruction x26, x27, [\base, #208]
    \instruction x28, x29, [\base, #224]
.endm

.macro VECTOR_REGISTERS instruction, base
    \instruction {v0.2d-v3.2d}, [\base], #64
    \instruction {v4.2d-v7.2d}, [\base], #64
    \instruction {v8.2d-v11.2d}, [\base], #64
    \instruction {v12.2d-v15.2d}, [\base], #64
    \instruction {v16.2d-v19.2d}, [\base], #64
    \instruction {v20.2d-v23.2d}, [\base], #64
    \instruction {v24.2d-v27.2d}, [\base], #64
    \instruction {v28.2d-v31.2d}, [\base], #64
.endm

FUNCTION call_with_registers
    SIGN_RETURN_ADDRESS
    stp     x29, x30, [sp, #-176]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    stp     x18, x1, [sp, #160]
    LOAD_ADDRESS x9, own_stack
    mov     x10, sp
    str     x10, [x9]

    mov     x30, x2
    ldr     x9, [x0, #SP]
    mov     sp, x9
    add     x9, x0, #VECTORS
    VECTOR_REGISTERS ld1, x9
    GENERAL_REGISTERS ldp, x0
    ldp     x0, x1, [x0]
    blr     x30

    LOAD_ADDRESS x30, own_stack
    ldr     x30, [x30]
    ldr     x30, [x30, #168]
    stp     x0, x1, [x30]
    GENERAL_REGISTERS stp, x30
    str     xzr, [x30, #X30]
    mov     x0, sp
    str     x0, [x30, #SP]
    add     x0, x30, #VECTORS
    VECTOR_REGISTERS st1, x0

    LOAD_ADDRESS x0, own_stack
    ldr     x0, [x0]
    mov     sp, x0
    ldr     x18, [sp, #160]
    ldp     d14, d15, [sp, #144]
    ldp     d12, d13, [sp, #128]
    ldp     d10, d11, [sp, #112]
    ldp     d8, d9, [sp, #96]
    ldp     x27, x28, [sp, #80]
    ldp     x25, x26, [sp, #64]
    ldp     x23, x24, [sp, #48]
    ldp     x21, x22, [sp, #32]
    ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #176
    AUTHENTICATE_RETURN_ADDRESS
    ret
END_FUNCTION call_with_registers
