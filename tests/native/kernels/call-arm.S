/*
 * void call_with_registers(const struct registers *before, struct registers *after, backend_entry *function);
 *
 * The function returns to Thumb, as it will from most compilers' code: the lowest bit of the return address says so.
 */
#include "asm.h"

    .arch armv7-a
    .fpu neon

/* Offsets in struct registers. */
#define SP      52
#define VECTORS 64

/* Two words above the arguments on the stack: no register is free to hold them. */
#define FUNCTION_POINTER 8
#define LEFT_IN_LR       12

/* Once the function has returned, nothing is known but where this is. */
    .data
    .balign 4
own_stack:
    .long 0

FUNCTION call_with_registers
    push    {r4-r11, lr}
    vpush   {d8-d15}
    push    {r1}
    LOAD_ADDRESS r12, own_stack
    str     sp, [r12]

    ldr     sp, [r0, #SP]
    str     r2, [sp, #FUNCTION_POINTER]
    add     r12, r0, #VECTORS
    vldmia  r12!, {d0-d15}
    vldmia  r12, {d16-d31}
    adr     lr, .Lreturn
    add     lr, lr, #1
    ldm     r0, {r0-r12}
    ldr     pc, [sp, #FUNCTION_POINTER]

    .balign 4
    .thumb
.Lreturn:
    bx      pc
    nop
    .arm
    str     lr, [sp, #LEFT_IN_LR]
    LOAD_ADDRESS lr, own_stack
    ldr     lr, [lr]
    ldr     lr, [lr]
    stmia   lr!, {r0-r12}
    ldr     r0, [sp, #LEFT_IN_LR]
    str     sp, [lr]
    str     r0, [lr, #4]
    add     lr, lr, #(VECTORS - SP)
    vstmia  lr!, {d0-d15}
    vstmia  lr, {d16-d31}

    LOAD_ADDRESS r0, own_stack
    ldr     sp, [r0]
    pop     {r1}
    vpop    {d8-d15}
    pop     {r4-r11, pc}
END_FUNCTION call_with_registers
