/*
 * Kernels that do one wrong thing each; see broken.c.
 */
#include "asm.h"

/* Clears all that a function may change, and the stack below. */
FUNCTION clear
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    mov     x\n, #0
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    movi    v\n\().2d, #0
    .endr
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    mov     v\n\().d[1], xzr
    .endr
    sub     x0, sp, #2048
1:
    str     xzr, [x0], #8
    cmp     sp, x0
    b.ne    1b
    mov     x0, #0
    ret
END_FUNCTION clear

/* Right, and all is cleared; then, with x0 the state, comes the fault. */
.macro KERNEL name, fault:vararg
FUNCTION sha256_\name\()_blocks
    SIGN_RETURN_ADDRESS
    stp     x0, x30, [sp, #-32]!
    str     x18, [sp, #16]
    bl      ASM_SYMBOL(sha256_generic_blocks)
    bl      ASM_SYMBOL(clear)
    ldr     x18, [sp, #16]
    ldp     x0, x30, [sp], #32
    AUTHENTICATE_RETURN_ADDRESS
    \fault
    ret
END_FUNCTION sha256_\name\()_blocks
.endm

.macro LEAVE_ON_STACK
    ldr     x1, [x0]
    str     x1, [sp, #-128]
    mov     x1, #0
.endm

    KERNEL ok
    KERNEL executes_what_this_CPU_does_not_know, .inst 0
    .irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    KERNEL changes_x\n, mov x\n, #0
    .endr
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    KERNEL changes_d\n, fmov d\n, xzr
    .endr
    KERNEL moves_sp, add sp, sp, #16
    KERNEL writes_above_sp, str xzr, [sp]
    KERNEL leaves_x0, ldr x0, [x0]
    KERNEL leaves_x17, ldr x17, [x0]
    KERNEL leaves_x18, mov x18, #0
    KERNEL leaves_v0, ldr s0, [x0]
    KERNEL leaves_v8, ld1 {v8.s}[3], [x0]
    KERNEL leaves_v31, ldr q31, [x0]
    KERNEL leaves_stack, LEAVE_ON_STACK
