/*
 * void call_with_registers(const struct registers *before, struct registers *after, backend_entry *function);
 */
#include "asm.h"
    .att_syntax

/* Once the function has returned, nothing is known but where this is. */
    .data
    .balign 8
own_stack:
    .quad 0
function:
    .quad 0
left_in_rax:
    .quad 0

/* Each register and its place in struct registers; all but rax, rsp and rdi. */
.macro GENERAL_REGISTERS move
    \move   rcx, 8
    \move   rdx, 16
    \move   rbx, 24
    \move   rbp, 40
    \move   rsi, 48
    \move   r8, 64
    \move   r9, 72
    \move   r10, 80
    \move   r11, 88
    \move   r12, 96
    \move   r13, 104
    \move   r14, 112
    \move   r15, 120
.endm

.macro LOAD register, offset
    movq    \offset(%rdi), %\register
.endm

.macro STORE register, offset
    movq    %\register, \offset(%rax)
.endm

    .text
    HIDE ASM_SYMBOL(call_with_registers)
ASM_SYMBOL(call_with_registers):
    .cfi_startproc
    .irp register, rbx, rbp, r12, r13, r14, r15, rsi
    pushq   %\register
    .endr
    movq    %rsp, own_stack(%rip)
    movq    %rdx, function(%rip)

    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movups  128 + 16 * \n(%rdi), %xmm\n
    .endr
    GENERAL_REGISTERS LOAD
    LOAD    rax, 0
    LOAD    rsp, 32
    LOAD    rdi, 56
    callq   *function(%rip)

    movq    %rax, left_in_rax(%rip)
    movq    own_stack(%rip), %rax
    movq    (%rax), %rax
    STORE   rdi, 56
    STORE   rsp, 32
    GENERAL_REGISTERS STORE
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movups  %xmm\n, 128 + 16 * \n(%rax)
    .endr
    movq    left_in_rax(%rip), %rcx
    movq    %rcx, (%rax)

    movq    own_stack(%rip), %rsp
    .irp register, rsi, r15, r14, r13, r12, rbp, rbx
    popq    %\register
    .endr
    retq
END_FUNCTION call_with_registers
