/*
 * Kernels that do one wrong thing each; see broken.c.
 */
#include "asm.h"

    .arch armv7-a
    .fpu neon

/* Clears all that a function may change, and the stack below. */
FUNCTION clear
    .irp n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i32 q\n, #0
    .endr
    mov     r1, #0
    sub     r0, sp, #2048
1:
    str     r1, [r0], #4
    cmp     r0, sp
    bne     1b
    .irp n, 0, 2, 3, 12
    mov     r\n, #0
    .endr
    bx      lr
END_FUNCTION clear

/* Right, and all is cleared; then, with r0 the state, comes the fault. */
.macro KERNEL name, fault:vararg
FUNCTION sha256_\name\()_blocks
    push    {r0, lr}
    bl      ASM_SYMBOL(sha256_generic_blocks)
    bl      ASM_SYMBOL(clear)
    pop     {r0, lr}
    \fault
    bx      lr
END_FUNCTION sha256_\name\()_blocks
.endm

.macro LEAVE_ON_STACK
    ldr     r1, [r0]
    str     r1, [sp, #-128]
    mov     r1, #0
.endm

.macro LEAVE_IN_LR
    mov     r1, lr
    ldr     lr, [r0]
    bx      r1
.endm

    KERNEL ok
    KERNEL executes_what_this_CPU_does_not_know, .inst 0xe7f000f0
    .irp n, 4, 5, 6, 7, 8, 9, 10, 11
    KERNEL changes_r\n, mov r\n, #0
    .endr
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    KERNEL changes_d\n, vmov.i32 d\n, #0
    .endr
    KERNEL moves_sp, add sp, sp, #8
    KERNEL writes_above_sp, str r0, [sp, #16]
    KERNEL leaves_r0, ldr r0, [r0]
    KERNEL leaves_r12, ldr r12, [r0]
    KERNEL leaves_lr, LEAVE_IN_LR
    KERNEL leaves_d0, vldr s0, [r0]
    KERNEL leaves_d31, vldr d31, [r0]
    KERNEL leaves_stack, LEAVE_ON_STACK

FUNCTION sha256_expects_another_alignment_of_data_blocks
    vld1.64 {d0}, [r1:64]
    b       ASM_SYMBOL(sha256_generic_blocks)
END_FUNCTION sha256_expects_another_alignment_of_data_blocks
