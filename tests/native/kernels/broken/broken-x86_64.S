/*
 * Kernels that do one wrong thing each; see broken.c.
 */
#include "asm.h"
    .att_syntax

/* Clears all that a function may change, and the stack below. */
clear:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    pxor    %xmm\n, %xmm\n
    .endr
    leaq    -2048(%rsp), %rax
1:
    movq    $0, (%rax)
    addq    $8, %rax
    cmpq    %rsp, %rax
    jne     1b
    .irp register, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11
    movq    $0, %\register
    .endr
    retq

/* Right, and all is cleared; then, with rdi the state, comes the fault. */
.macro KERNEL name, fault:vararg
    HIDE ASM_SYMBOL(sha256_\name\()_blocks)
ASM_SYMBOL(sha256_\name\()_blocks):
    .cfi_startproc
    pushq   %rdi
    callq   ASM_SYMBOL(sha256_generic_blocks)
    callq   clear
    popq    %rdi
    \fault
    retq
END_FUNCTION sha256_\name\()_blocks
.endm

.macro MOVE_SP
    popq    %rcx
    addq    $8, %rsp
    jmpq    *%rcx
.endm

.macro LEAVE_ON_STACK
    movq    (%rdi), %rax
    movq    %rax, -128(%rsp)
    movq    $0, %rax
.endm

    .text
    KERNEL ok
    KERNEL executes_what_this_CPU_does_not_know, ud2
    .irp register, rbx, rbp, r12, r13, r14, r15
    KERNEL changes_\register, movq $0, %\register
    .endr
    KERNEL moves_sp, MOVE_SP
    KERNEL writes_above_sp, movq $0, 8(%rsp)
    KERNEL leaves_rax, movq (%rdi), %rax
    KERNEL leaves_r11, movl 4(%rdi), %r11d
    KERNEL leaves_xmm0, movd (%rdi), %xmm0
    KERNEL leaves_xmm15, movups (%rdi), %xmm15
    KERNEL leaves_stack, LEAVE_ON_STACK
