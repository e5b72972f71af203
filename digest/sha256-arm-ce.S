/*
 * SHA-256 (FIPS 180-4) with the SHA-2 instructions of ARMv8, in its 32-bit state
 *
 *     void sha256_arm_ce_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * SHA256H and SHA256H2 do four rounds, the one for abcd and the other for efgh, and both want abcd as it was: it is
 * copied before. SHA256SU0 and SHA256SU1 make the next four words of the schedule in place of the oldest four.
 *
 * The constants come in five loads of two to four quadwords, each issued as soon as its registers are free, which is
 * eight rounds or more before the first of them is wanted.
 *
 * Registers
 *     r0         state
 *     r1         data
 *     r2         blocks left
 *     r3         table: the next constants to load
 *     q0-q3      w0 to w3: the last 16 words of the schedule
 *     q4, q5     abcd, efgh: the working variables
 *     q6         copy: abcd before the four rounds
 *     q7, q8     old_abcd, old_efgh: the state before the block
 *     q9-q15     k0 to k6: constants, then their sums with words of the schedule
 */
#include "asm.h"
#include "sha2-round-constants.h"

    .arch armv8-a
    .fpu crypto-neon-fp-armv8

table   .req r3
w0      .req q0
w1      .req q1
w2      .req q2
w3      .req q3
abcd    .req q4
efgh    .req q5
copy    .req q6
old_abcd .req q7
old_efgh .req q8
k0      .req q9
k1      .req q10
k2      .req q11
k3      .req q12
k4      .req q13
k5      .req q14
k6      .req q15

/*
 * Four rounds. KW are their words, constants added; the same is done on the way for the next four rounds, in NEXT_KW.
 * COPY is where abcd is copied to.
 */
.macro rounds copy, kw, next_kw, next_w
    vmov \copy, abcd
    sha256h.32 abcd, efgh, \kw
    sha256h2.32 efgh, \copy, \kw
    .ifnb \next_kw
    vadd.i32 \next_kw, \next_kw, \next_w
    .endif
.endm

/* Likewise, and W0, the oldest words of the schedule, become the next. */
.macro rounds_expand copy, kw, next_kw, w0, w1, w2, w3
    vmov \copy, abcd
    sha256h.32 abcd, efgh, \kw
    sha256su0.32 \w0, \w1
    sha256h2.32 efgh, \copy, \kw
    vadd.i32 \next_kw, \next_kw, \w1
    sha256su1.32 \w0, \w2, \w3
.endm

CONSTANTS .Lsha256_arm_ce_constants
    .long SHA256_ROUND_CONSTANTS
END_CONSTANTS .Lsha256_arm_ce_constants

FUNCTION sha256_arm_ce_blocks
    PUSH_VECTORS

    LOAD_ADDRESS table, .Lsha256_arm_ce_constants
    vld1.32 {abcd, efgh}, [r0]
    vldmia table!, {k0-k1}
    vldmia table!, {k4-k6}

.Lblock:
    vld1.8 {w0-w1}, [r1]!
    vld1.8 {w2-w3}, [r1]!
    vmov old_efgh, efgh
    vrev32.8 w0, w0
    vrev32.8 w1, w1
    vadd.i32 k0, k0, w0
    vrev32.8 w2, w2
    vrev32.8 w3, w3
    subs r2, r2, #1

    rounds_expand old_abcd, k0, k1, w0, w1, w2, w3
    rounds_expand copy, k1, k4, w1, w2, w3, w0
    vldmia table!, {k0-k3}
    rounds_expand copy, k4, k5, w2, w3, w0, w1
    rounds_expand copy, k5, k6, w3, w0, w1, w2
    rounds_expand copy, k6, k0, w0, w1, w2, w3
    vldmia table!, {k4-k6}
    rounds_expand copy, k0, k1, w1, w2, w3, w0
    rounds_expand copy, k1, k2, w2, w3, w0, w1
    rounds_expand copy, k2, k3, w3, w0, w1, w2
    rounds_expand copy, k3, k4, w0, w1, w2, w3
    vldmia table!, {k0-k3}
    rounds_expand copy, k4, k5, w1, w2, w3, w0
    rounds_expand copy, k5, k6, w2, w3, w0, w1
    rounds_expand copy, k6, k0, w3, w0, w1, w2
    sub table, table, #256 /* back to the first */
    rounds copy, k0, k1, w1
    rounds copy, k1, k2, w2
    vldmia table!, {k0-k1}
    vldmia table!, {k4-k6}
    rounds copy, k2, k3, w3
    rounds copy, k3

    vadd.i32 abcd, abcd, old_abcd
    vadd.i32 efgh, efgh, old_efgh
    bne .Lblock

    vst1.32 {abcd, efgh}, [r0]

    /* Nothing of the message or of the state remains in registers. */
    .irp n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i32 q\n, #0
    .endr
    POP_VECTORS
    bx lr
END_FUNCTION sha256_arm_ce_blocks
