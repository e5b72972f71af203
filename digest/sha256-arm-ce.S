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
    .long 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
    .long 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
    .long 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
    .long 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
    .long 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
    .long 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
    .long 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
    .long 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
END_CONSTANTS .Lsha256_arm_ce_constants

FUNCTION sha256_arm_ce_blocks
    vpush {d8-d15}
    .cfi_adjust_cfa_offset 64
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    .cfi_rel_offset d\n, (\n - 8) * 8
    .endr

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
    vpop {d8-d15}
    .cfi_adjust_cfa_offset -64
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    .cfi_restore d\n
    .endr
    bx lr
END_FUNCTION sha256_arm_ce_blocks
