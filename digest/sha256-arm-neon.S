/*
 * SHA-256 (FIPS 180-4) for ARMv7: the rounds in the general registers, the message schedule in NEON between them
 *
 *     void sha256_arm_neon_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * ARM rotates the second operand of an instruction at no cost, so the sums of a round are taken as
 *
 *     Sigma1(e) = (e ^ (e ror 5)  ^ (e ror 19)) ror 6
 *     Sigma0(a) = (a ^ (a ror 11) ^ (a ror 20)) ror 2
 *
 * with the last rotation in the addition. Maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), where b ^ c is a ^ b of the round
 * before. It is added to the new a one round late, for a is needed later than e.
 *
 * While 16 rounds run, NEON makes the words of the 16 after them, adds their constants, and stores them on the stack
 * over those already used. It has no rotation: sigma0 shifts twice for one. sigma1, for which the next two words wait,
 * puts each word twice into 64 bits, from which a narrowing shift right takes 32 bits: the word rotated.
 *
 * Registers
 *     r0, lr     Maj of the round before, to be added to a, and b ^ c, in turns
 *     r1         what data, constants and sums are loaded and stored by
 *     r2, r3     the words of two rounds, their constants added, then Ch
 *     r4-r11     the working variables a to h
 *     ip         t: Sigma1, then Sigma0
 *     q0-q3      w0 to w3: the last 16 words of the schedule
 *     q8-q11     k0 to k3: 16 constants, then their sums with w0 to w3
 *     q12-q14    x, y, z: temporaries of the schedule
 *     q15        twice: two words, each twice
 */
#include "asm.h"
#include "sha2-round-constants.h"

    .arch armv7-a
    .fpu neon

/* The stack from sp: KW of 16 rounds, then what is at */
#define TABLE 64  /* the next constants to load */
#define STATE 72  /* the arguments, as pushed; DATA is the block whose words are in the schedule */
#define DATA 76
#define BLOCKS 80
#define FRAME 72  /* bytes below them */

kw_even .req r2
kw_odd  .req r3
t       .req ip

w0      .req q0
w0_low  .req d0
w0_high .req d1
w1      .req q1
w1_low  .req d2
w1_high .req d3
w2      .req q2
w2_low  .req d4
w2_high .req d5
w3      .req q3
w3_low  .req d6
w3_high .req d7
k0      .req q8
k1      .req q9
k2      .req q10
k3      .req q11
x       .req q12
y       .req q13
y_low   .req d26
z       .req q14
twice   .req q15
twice_low  .req d30
twice_high .req d31

/*
 * One round. MAJ is that of the round before, and becomes a ^ b; BC is b ^ c, and becomes Maj. KW becomes Ch, which is
 * ((f ^ g) & e) ^ g. i1 to i7 are instructions of the schedule, LOAD that of the next two KW, when Ch is used.
 */
.macro round a, b, c, d, e, f, g, h, kw, maj, bc, load, i1, i2, i3, i4, i5, i6, i7
    add \h, \h, \kw
    eor t, \e, \e, ror #5
    \i1
    eor \kw, \f, \g
    add \a, \a, \maj
    \i2
    eor t, t, \e, ror #19
    and \kw, \kw, \e
    \i3
    eor \maj, \a, \b
    eor \kw, \kw, \g
    \i4
    and \bc, \bc, \maj
    add \h, \h, \kw
    \i5
    \load
    add \h, \h, t, ror #6
    eor t, \a, \a, ror #11
    \i6
    add \d, \d, \h
    eor t, t, \a, ror #20
    \i7
    eor \bc, \bc, \b
    add \h, \h, t, ror #2
.endm

/*
 * Four rounds, and the quadword wI of the schedule, the oldest, becomes the next four words; J, K and L follow it.
 *     W[t] = W[t - 16] + sigma0(W[t - 15]) + W[t - 7] + sigma1(W[t - 2])
 * Two words at a time have their sigma1. FROM_SP and THEN_FROM_SP tell where the KW of the rounds that follow are.
 */
.macro rounds_expand a, b, c, d, e, f, g, h, from_sp, then_from_sp, i, j, k, l
    round \a, \b, \c, \d, \e, \f, \g, \h, kw_even, r0, lr, "", \
        "vext.8 x, w\i, w\j, #4", \
        "vdup.32 twice_low, w\l\()_high[0]", \
        "vext.8 y, w\k, w\l, #4", \
        "vdup.32 twice_high, w\l\()_high[1]", \
        "vshr.u32 z, x, #7", \
        "vadd.i32 w\i, w\i, y", \
        "vsli.32 z, x, #32 - 7"
    round \h, \a, \b, \c, \d, \e, \f, \g, kw_odd, lr, r0, "ldrd kw_even, kw_odd, [sp, #\from_sp]", \
        "vshrn.i64 y_low, twice, #19", \
        "vshrn.i64 twice_low, twice, #17", \
        "vshr.u32 twice_high, w\l\()_high, #10", \
        "veor twice_low, twice_low, twice_high", \
        "veor twice_low, twice_low, y_low", \
        "vshr.u32 y, x, #18", \
        "vsli.32 y, x, #32 - 18"
    round \g, \h, \a, \b, \c, \d, \e, \f, kw_even, r0, lr, "", \
        "vshr.u32 x, x, #3", \
        "veor z, z, y", \
        "veor x, x, z", \
        "vadd.i32 w\i, w\i, x", \
        "vadd.i32 w\i\()_low, w\i\()_low, twice_low", \
        "vdup.32 twice_low, w\i\()_low[0]", \
        "vdup.32 twice_high, w\i\()_low[1]"
    round \f, \g, \h, \a, \b, \c, \d, \e, kw_odd, lr, r0, "ldrd kw_even, kw_odd, [sp, #\then_from_sp]", \
        "vshrn.i64 y_low, twice, #19", \
        "vshrn.i64 twice_low, twice, #17", \
        "vshr.u32 twice_high, w\i\()_low, #10", \
        "veor twice_low, twice_low, twice_high", \
        "veor twice_low, twice_low, y_low", \
        "vadd.i32 w\i\()_high, w\i\()_high, twice_low", \
        "vadd.i32 k\i, k\i, w\i"
.endm

/* Likewise, but the words are those of the next block, as loaded. */
.macro rounds_load a, b, c, d, e, f, g, h, from_sp, then_from_sp, i
    round \a, \b, \c, \d, \e, \f, \g, \h, kw_even, r0, lr, "", \
        "vrev32.8 w\i, w\i"
    round \h, \a, \b, \c, \d, \e, \f, \g, kw_odd, lr, r0, "ldrd kw_even, kw_odd, [sp, #\from_sp]", \
        "vadd.i32 k\i, k\i, w\i"
    round \g, \h, \a, \b, \c, \d, \e, \f, kw_even, r0, lr
    round \f, \g, \h, \a, \b, \c, \d, \e, kw_odd, lr, r0, "ldrd kw_even, kw_odd, [sp, #\then_from_sp]"
.endm

    READ_ONLY_SECTION
    .balign 256 /* so that the address of their end is known by its last byte, 0 */
CONSTANTS .Lsha256_arm_neon_constants
    .long SHA256_ROUND_CONSTANTS
END_CONSTANTS .Lsha256_arm_neon_constants

FUNCTION sha256_arm_neon_blocks
    push {r0-r2, r4-r11, lr}
    .cfi_adjust_cfa_offset 48
    .irp n, 4, 5, 6, 7, 8, 9, 10, 11
    .cfi_rel_offset r\n, (\n - 1) * 4
    .endr
    .cfi_rel_offset lr, 44
    sub sp, sp, #FRAME
    .cfi_adjust_cfa_offset FRAME

    LOAD_ADDRESS ip, .Lsha256_arm_neon_constants
    vld1.8 {w0-w1}, [r1]!
    vld1.8 {w2-w3}, [r1]
    vldmia ip!, {k0-k3}
    vrev32.8 w0, w0
    vrev32.8 w1, w1
    vrev32.8 w2, w2
    vrev32.8 w3, w3
    vadd.i32 k0, k0, w0
    vadd.i32 k1, k1, w1
    vadd.i32 k2, k2, w2
    vadd.i32 k3, k3, w3
    vstmia sp, {k0-k3}
    str ip, [sp, #TABLE]
    ldm r0, {r4-r11}
    ldrd kw_even, kw_odd, [sp]

.Lblock:
    mov r0, #0
    eor lr, r5, r6

    /* Three times 16 rounds make W[16] to W[63]. */
.Lexpand:
    ldr r1, [sp, #TABLE]
    vld1.32 {k0-k1}, [r1:128]!
    vld1.32 {k2-k3}, [r1:128]!
    tst r1, #255
    str r1, [sp, #TABLE]
    mov r1, sp
    rounds_expand r4, r5, r6, r7, r8, r9, r10, r11, 8, 16, 0, 1, 2, 3
    rounds_expand r8, r9, r10, r11, r4, r5, r6, r7, 24, 32, 1, 2, 3, 0
    vst1.32 {k0-k1}, [r1:64]!
    rounds_expand r4, r5, r6, r7, r8, r9, r10, r11, 40, 48, 2, 3, 0, 1
    rounds_expand r8, r9, r10, r11, r4, r5, r6, r7, 56, 0, 3, 0, 1, 2
    vst1.32 {k2-k3}, [r1:64]
    bne .Lexpand /* no instruction of the rounds sets flags */

    /* The last 16 load the next block, or the last one again. */
    ldr r1, [sp, #DATA]
    ldr t, [sp, #BLOCKS]
    subs t, t, #1
    addne r1, r1, #64
    str t, [sp, #BLOCKS]
    str r1, [sp, #DATA]
    vld1.8 {w0-w1}, [r1]!
    vld1.8 {w2-w3}, [r1]
    ldr r1, [sp, #TABLE]
    sub r1, r1, #256
    vld1.32 {k0-k1}, [r1:128]!
    vld1.32 {k2-k3}, [r1:128]!
    str r1, [sp, #TABLE]
    mov r1, sp
    rounds_load r4, r5, r6, r7, r8, r9, r10, r11, 8, 16, 0
    rounds_load r8, r9, r10, r11, r4, r5, r6, r7, 24, 32, 1
    vst1.32 {k0-k1}, [r1:64]!
    rounds_load r4, r5, r6, r7, r8, r9, r10, r11, 40, 48, 2
    rounds_load r8, r9, r10, r11, r4, r5, r6, r7, 56, 0, 3
    vst1.32 {k2-k3}, [r1:64]

    add r4, r4, r0
    ldr t, [sp, #STATE]
    ldm t!, {r0, lr}
    add r4, r4, r0
    add r5, r5, lr
    ldm t!, {r0, lr}
    add r6, r6, r0
    add r7, r7, lr
    ldm t!, {r0, lr}
    add r8, r8, r0
    add r9, r9, lr
    ldm t!, {r0, lr}
    add r10, r10, r0
    add r11, r11, lr
    stmdb t, {r4-r11}
    bne .Lblock

    /* Nothing of the message or of the state remains in registers or on the stack. */
    .irp n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i32 q\n, #0
    .endr
    vstmia sp, {k0-k3}
    mov r0, #0
    mov r2, #0
    mov r3, #0
    add sp, sp, #FRAME + 12
    .cfi_adjust_cfa_offset -(FRAME + 12)
    POP_REGISTERS r4, r5, r6, r7, r8, r9, r10, r11, lr
    bx lr
END_FUNCTION sha256_arm_neon_blocks
