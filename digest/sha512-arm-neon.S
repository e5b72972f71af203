/*
 * SHA-512 (FIPS 180-4) with the NEON of ARMv7
 *
 *     void sha512_arm_neon_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * NEON has no 64-bit rotation, and the six of a round would cost two shifts each. Here each is one instruction: beside
 * x stands x with its halves swapped, in the other half of a quadword, and a narrowing shift right of both by n takes
 * the low half of x ror n from one lane and the high half from the other. Of
 *
 *     (e, e swapped)  such a shift gives e rotated by n, from 1 to 32, and of
 *     (a swapped, a)  it gives a rotated by 32 + n:
 *
 *     Sigma1(e) = e ror 14        ^ e ror 18        ^ (e ror 9) swapped
 *     Sigma0(a) = a ror (32 + 2)  ^ a ror (32 + 7)  ^ (a ror (32 + 28)) swapped
 *
 * are the same operations, so that both are formed at once, in the low and the high half of a quadword.
 *
 * The working variables do not move from register to register. They lie in four slots, each of one a and one e with a
 * register beside each. Slot 0 holds the first round's a and e, slot 1 its b and f, slot 2 its c and g, slot 3 its d
 * and h; one round later the new a and e are in slot 3, b and f in slot 0, and so on. h itself is nowhere: the round
 * before, where it was g, puts h + K + W beside that g, whose own register becomes Ch.
 *
 * Registers
 *     r0         state
 *     r1         data
 *     r2         blocks left
 *     r3         table: the next constants to load
 *     r4-r6      ago16, ago15, ago7: where the words lie from which the schedule makes the next two, W[t] and W[t + 1]
 *     r7         words         where these two go; all 80 words of a block are on the stack
 *     ip         rounds left of those that make words
 *     q0-q3      (beside_a, a) of the four slots
 *     q4-q7      (e, beside_e) of the four slots
 *     q8-q10     the three terms of Sigma1(e) and Sigma0(a), then these sums
 *     q11, q12   u, v: temporaries of the schedule
 *     q13, q14   W[t - 2] and W[t - 1] in one, W[t] and W[t + 1] in the other, in turns
 *     q15        the next two words, their constants added
 */
#include "asm.h"
#include "sha2-round-constants.h"

    .arch armv7-a
    .fpu neon

#define BLOCK_WORDS (80 * 8) /* bytes of the words of a block, and of the constants */

table   .req r3
ago16   .req r4
ago15   .req r5
ago7    .req r6
words   .req r7

pair_a0 .req q0
pair_a1 .req q1
pair_a2 .req q2
pair_a3 .req q3
beside_a0 .req d0
beside_a1 .req d2
beside_a2 .req d4
beside_a3 .req d6
var_a0  .req d1
var_a1  .req d3
var_a2  .req d5
var_a3  .req d7

pair_e0 .req q4
pair_e1 .req q5
pair_e2 .req q6
pair_e3 .req q7
var_e0  .req d8
var_e1  .req d10
var_e2  .req d12
var_e3  .req d14
beside_e0 .req d9
beside_e1 .req d11
beside_e2 .req d13
beside_e3 .req d15

sums    .req q8
sum1    .req d16
sum0    .req d17
second  .req q9
second1 .req d18
second0 .req d19
third   .req q10
third1  .req d20
third0  .req d21

u       .req q11
v       .req q12
kw      .req q15
kw_even .req d30
kw_odd  .req d31

/*
 * One round; the arguments are the slots of a and e, b and f, c and g, d and h, and K + W of the next round. i1 to i12
 * are instructions of the schedule, which fill the waiting times.
 *
 *     T1 = h + K + W + Ch(e, f, g) + Sigma1(e)    Ch = e ? f : g
 *     T2 = Sigma0(a) + Maj(a, b, c)               Maj = a ^ b ? c : b
 *     d + T1 is the next e, and T1 + T2 the next a.
 */
.macro round ae, bf, cg, dh, next_kw, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12
    \i1
    vadd.i64 beside_e\cg, var_e\cg, \next_kw    /* h + K + W of the next round */
    vrev64.32 beside_e\ae, var_e\ae
    vbit var_e\cg, var_e\bf, var_e\ae           /* Ch */
    \i2
    vrev64.32 beside_a\ae, var_a\ae
    vshrn.i64 third1, pair_e\ae, #9
    vshrn.i64 third0, pair_a\ae, #28
    \i3
    vshrn.i64 sum1, pair_e\ae, #14
    vrev64.32 third, third
    vshrn.i64 sum0, pair_a\ae, #2
    \i4
    vshrn.i64 second1, pair_e\ae, #18
    vshrn.i64 second0, pair_a\ae, #7
    \i5
    vadd.i64 var_e\dh, beside_e\dh, var_e\cg    /* h + K + W + Ch */
    veor beside_e\dh, var_a\ae, var_a\bf
    veor sums, sums, third
    \i6
    vbsl beside_e\dh, var_a\cg, var_a\bf        /* Maj */
    \i7
    veor sums, sums, second
    \i8
    \i9
    vadd.i64 sums, sums, pair_e\dh              /* T1, T2 */
    \i10
    \i11
    vadd.i64 var_e\dh, var_a\dh, sum1
    vadd.i64 var_a\dh, sum1, sum0
    \i12
.endm

/* A round of even number; the next two words come from the data. */
.macro round_load ae, bf, cg, dh
    round \ae, \bf, \cg, \dh, kw_odd, \
        i1 = "vld1.8 {q14}, [r1]!", \
        i3 = "vld1.64 {kw}, [table:128]!", \
        i5 = "vrev64.8 q14, q14", \
        i8 = "vadd.i64 kw, kw, q14", \
        i10 = "vst1.64 {q14}, [words:64]!"
.endm

/* Two rounds, the first of odd number, on the way to the next two words. */
.macro rounds_load ae, bf, cg, dh
    round \ae, \bf, \cg, \dh, kw_even
    round_load \dh, \ae, \bf, \cg
.endm

/*
 * Likewise, and the two words are made, in NEXT, from LAST, the two before them:
 *     W[t] = W[t - 16] + sigma0(W[t - 15]) + W[t - 7] + sigma1(W[t - 2])
 */
.macro rounds_expand ae, bf, cg, dh, last, next
    round \ae, \bf, \cg, \dh, kw_even, \
        "vld1.64 {\next}, [ago15:64]!", \
        "vshr.u64 u, \next, #1", \
        "vshr.u64 v, \next, #8", \
        "vsli.64 u, \next, #64 - 1", \
        "vsli.64 v, \next, #64 - 8", \
        "veor u, u, v", \
        "vshr.u64 \next, \next, #7", \
        "veor \next, \next, u", \
        "vld1.64 {u}, [ago16:64]!", \
        "vld1.64 {v}, [ago7:64]!", \
        "vadd.i64 \next, \next, u", \
        "vadd.i64 \next, \next, v"
    round \dh, \ae, \bf, \cg, kw_odd, \
        "vshr.u64 u, \last, #19", \
        "vshr.u64 v, \last, #61", \
        "vsli.64 u, \last, #64 - 19", \
        "vsli.64 v, \last, #64 - 61", \
        "vshr.u64 \last, \last, #6", \
        "veor u, u, v", \
        "veor \last, \last, u", \
        "vld1.64 {kw}, [table:128]!", \
        "vadd.i64 \next, \next, \last", \
        "vadd.i64 kw, kw, \next", \
        "vst1.64 {\next}, [words:64]!"
.endm

CONSTANTS .Lsha512_arm_neon_constants
    .quad SHA512_ROUND_CONSTANTS
END_CONSTANTS .Lsha512_arm_neon_constants

FUNCTION sha512_arm_neon_blocks
    PUSH_REGISTERS r4, r5, r6, r7
    PUSH_VECTORS
    sub sp, sp, #BLOCK_WORDS
    .cfi_adjust_cfa_offset BLOCK_WORDS

    LOAD_ADDRESS table, .Lsha512_arm_neon_constants
    vldr var_a0, [r0]
    vldr var_a1, [r0, #8]
    vldr var_a2, [r0, #16]
    vldr var_a3, [r0, #24]
    vldr var_e0, [r0, #32]
    vldr var_e1, [r0, #40]
    vldr var_e2, [r0, #48]
    vldr beside_e3, [r0, #56]

.Lblock:
    vld1.8 {q14}, [r1]!
    vld1.64 {kw}, [table:128]!
    mov words, sp
    mov ago16, sp
    add ago15, sp, #(16 - 15) * 8
    add ago7, sp, #(16 - 7) * 8
    vrev64.8 q14, q14
    vadd.i64 kw, kw, q14
    vst1.64 {q14}, [words:64]!
    vadd.i64 beside_e3, beside_e3, kw_even

    /* Rounds 0 to 12 load W[2] to W[15]. */
    round_load 0, 1, 2, 3
    rounds_load 3, 0, 1, 2
    rounds_load 1, 2, 3, 0
    rounds_load 3, 0, 1, 2
    rounds_load 1, 2, 3, 0
    rounds_load 3, 0, 1, 2
    rounds_load 1, 2, 3, 0

    /* Rounds 13 to 76 make W[16] to W[79]. */
    mov ip, #64
.Lexpand:
    rounds_expand 3, 0, 1, 2, q14, q13
    rounds_expand 1, 2, 3, 0, q13, q14
    rounds_expand 3, 0, 1, 2, q14, q13
    rounds_expand 1, 2, 3, 0, q13, q14
    subs ip, ip, #8
    bne .Lexpand

    /* The last three; after round 79 comes no K + W. */
    round 3, 0, 1, 2, kw_even
    round 2, 3, 0, 1, kw_odd
    vmov.i32 kw, #0
    round 1, 2, 3, 0, kw_odd

    vld1.64 {d16-d19}, [r0:64]!
    vld1.64 {d20-d23}, [r0:64]
    sub r0, r0, #32
    sub table, table, #BLOCK_WORDS
    subs r2, r2, #1
    vadd.i64 var_a0, var_a0, d16
    vadd.i64 var_a1, var_a1, d17
    vadd.i64 var_a2, var_a2, d18
    vadd.i64 var_a3, var_a3, d19
    vadd.i64 var_e0, var_e0, d20
    vadd.i64 var_e1, var_e1, d21
    vadd.i64 var_e2, var_e2, d22
    vadd.i64 beside_e3, beside_e3, d23
    vstr var_a0, [r0]
    vstr var_a1, [r0, #8]
    vstr var_a2, [r0, #16]
    vstr var_a3, [r0, #24]
    vstr var_e0, [r0, #32]
    vstr var_e1, [r0, #40]
    vstr var_e2, [r0, #48]
    vstr beside_e3, [r0, #56]
    bne .Lblock

    /* Nothing of the message or of the state remains in registers or on the stack. */
    .irp n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i32 q\n, #0
    .endr
    .rept BLOCK_WORDS / 128
    vstmia sp!, {d16-d31}
    .cfi_adjust_cfa_offset -128
    .endr
    POP_VECTORS
    POP_REGISTERS r4, r5, r6, r7
    bx lr
END_FUNCTION sha512_arm_neon_blocks
