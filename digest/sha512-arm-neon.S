/*
 * SHA-512 (FIPS 180-4) for ARMv7 with NEON:
 *
 *     void sha512_arm_neon_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks);
 */
#include "asm.h"

    .arch armv7-a
    .fpu neon

swap_a_0 .req d0
a_0      .req d1
swap_a_1 .req d2
a_1      .req d3
swap_a_2 .req d4
a_2      .req d5
swap_a_3 .req d6
a_3      .req d7
pair_a_0 .req q0
pair_a_1 .req q1
pair_a_2 .req q2
pair_a_3 .req q3
e_0      .req d8
swap_e_0 .req d9
e_1      .req d10
swap_e_1 .req d11
e_2      .req d12
swap_e_2 .req d13
e_3      .req d14
swap_e_3 .req d15
pair_e_0 .req q4
pair_e_1 .req q5
pair_e_2 .req q6
pair_e_3 .req q7

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
k       .req q15
k_even  .req d30
k_odd   .req d31

.macro round s0, s1, s2, s3, k, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12
    vadd.i64 swap_e_\s2, e_\s2, \k
    vrev64.32 swap_e_\s0, e_\s0
    vbit e_\s2, e_\s1, e_\s0
    vrev64.32 swap_a_\s0, a_\s0
    \i1
    vshrn.i64 third1, pair_e_\s0, #9
    vshrn.i64 third0, pair_a_\s0, #28
    \i2
    vshrn.i64 sum1, pair_e_\s0, #14
    vshrn.i64 sum0, pair_a_\s0, #2
    \i3
    vrev64.32 third, third
    vshrn.i64 second1, pair_e_\s0, #18
    vshrn.i64 second0, pair_a_\s0, #7
    \i4
    vadd.i64 e_\s3, swap_e_\s3, e_\s2
    veor swap_e_\s3, a_\s0, a_\s1
    \i5
    veor sums, sums, second
    \i6
    vbsl swap_e_\s3, a_\s2, a_\s1
    \i7
    veor sums, sums, third
    \i8
    \i9
    vadd.i64 sums, sums, pair_e_\s3
    \i10
    \i11
    vadd.i64 e_\s3, a_\s3, sum1
    vadd.i64 a_\s3, sum1, sum0
    \i12
.endm

.macro rounds_load s0, s1, s2, s3
    round \s0, \s1, \s2, \s3, k_even
    round_load \s3, \s0, \s1, \s2
.endm

.macro round_load s0, s1, s2, s3
    round \s0, \s1, \s2, \s3, k_odd, \
        "vld1.8 {q14}, [r1]!", \
        "", \
        "vld1.64 {k}, [r3:64]!", \
        "", \
        "vrev64.8 q14, q14", \
        "", \
        "", \
        "vadd.i64 k, k, q14", \
        "", \
        "vst1.64 {q14}, [r7:64]!"
.endm

.macro rounds_expand s0, s1, s2, s3, w, s
    round \s0, \s1, \s2, \s3, k_even, \
        "vld1.64 {\s}, [r5:64]!", \
        "vshr.u64 u, \s, #1", \
        "vshr.u64 v, \s, #8", \
        "vsli.64 u, \s, #63", \
        "vsli.64 v, \s, #56", \
        "vshr.u64 \s, \s, #7", \
        "veor u, u, v", \
        "veor \s, \s, u", \
        "vld1.64 {u}, [r4:64]!", \
        "vld1.64 {v}, [r6:64]!", \
        "vadd.i64 \s, \s, u", \
        "vadd.i64 \s, \s, v"
    round \s3, \s0, \s1, \s2, k_odd, \
        "vshr.u64 u, \w, #19", \
        "vshr.u64 v, \w, #61", \
        "vsli.64 u, \w, #45", \
        "vsli.64 v, \w, #3", \
        "vshr.u64 \w, \w, #6", \
        "veor u, u, v", \
        "veor \w, \w, u", \
        "vld1.64 {k}, [r3:64]!", \
        "vadd.i64 \s, \s, \w", \
        "vadd.i64 k, k, \s", \
        "vst1.64 {\s}, [r7:64]!"
.endm

CONSTANTS .Lsha512_k
    .quad 0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc
    .quad 0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118
    .quad 0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2
    .quad 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694
    .quad 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65
    .quad 0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5
    .quad 0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4
    .quad 0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70
    .quad 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df
    .quad 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b
    .quad 0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30
    .quad 0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8
    .quad 0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8
    .quad 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3
    .quad 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec
    .quad 0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b
    .quad 0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178
    .quad 0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b
    .quad 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c
    .quad 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817
END_CONSTANTS .Lsha512_k

FUNCTION sha512_arm_neon_blocks
    push {r4-r7}
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset r4, 0
    .cfi_rel_offset r5, 4
    .cfi_rel_offset r6, 8
    .cfi_rel_offset r7, 12
    vpush {d8-d15}
    .cfi_adjust_cfa_offset 64
    .cfi_rel_offset d8, 0
    .cfi_rel_offset d9, 8
    .cfi_rel_offset d10, 16
    .cfi_rel_offset d11, 24
    .cfi_rel_offset d12, 32
    .cfi_rel_offset d13, 40
    .cfi_rel_offset d14, 48
    .cfi_rel_offset d15, 56
    sub sp, sp, #640
    .cfi_adjust_cfa_offset 640
    LOAD_ADDRESS r3, .Lsha512_k
    vldr a_0, [r0]
    vldr a_1, [r0, #8]
    vldr a_2, [r0, #16]
    vldr a_3, [r0, #24]
    vldr e_0, [r0, #32]
    vldr e_1, [r0, #40]
    vldr e_2, [r0, #48]
    vldr swap_e_3, [r0, #56]
.Lblock:
    mov r7, sp
    mov r4, sp
    add r5, sp, #8
    add r6, sp, #72
    vld1.8 {q14}, [r1]!
    vrev64.8 q14, q14
    vld1.64 {k}, [r3:64]!
    vst1.64 {q14}, [r7:64]!
    vadd.i64 k, k, q14
    vadd.i64 swap_e_3, swap_e_3, k_even
    round_load 0, 1, 2, 3
    rounds_load 3, 0, 1, 2
    rounds_load 1, 2, 3, 0
    rounds_load 3, 0, 1, 2
    rounds_load 1, 2, 3, 0
    rounds_load 3, 0, 1, 2
    rounds_load 1, 2, 3, 0
    mov ip, #64
.Lexpand:
    rounds_expand 3, 0, 1, 2, q14, q13
    rounds_expand 1, 2, 3, 0, q13, q14
    rounds_expand 3, 0, 1, 2, q14, q13
    subs ip, ip, #8
    rounds_expand 1, 2, 3, 0, q13, q14
    bne .Lexpand
    round 3, 0, 1, 2, k_even
    round 2, 3, 0, 1, k_odd
    vmov.i32 k, #0
    round 1, 2, 3, 0, k_odd
    vld1.64 {d16-d19}, [r0:64]!
    vld1.64 {d20-d23}, [r0:64]
    sub r0, r0, #32
    sub r3, r3, #640
    subs r2, r2, #1
    vadd.i64 a_0, a_0, d16
    vadd.i64 a_1, a_1, d17
    vadd.i64 a_2, a_2, d18
    vadd.i64 a_3, a_3, d19
    vadd.i64 e_0, e_0, d20
    vadd.i64 e_1, e_1, d21
    vadd.i64 e_2, e_2, d22
    vadd.i64 swap_e_3, swap_e_3, d23
    vstr a_0, [r0]
    vstr a_1, [r0, #8]
    vstr a_2, [r0, #16]
    vstr a_3, [r0, #24]
    vstr e_0, [r0, #32]
    vstr e_1, [r0, #40]
    vstr e_2, [r0, #48]
    vstr swap_e_3, [r0, #56]
    bne .Lblock
    .irp q, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i32 q\q, #0
    .endr
    .rept 5
    vstmia sp!, {d16-d31}
    .endr
    .cfi_adjust_cfa_offset -640
    vpop {d8-d15}
    .cfi_adjust_cfa_offset -64
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    .cfi_restore d\n
    .endr
    pop {r4-r7}
    .cfi_adjust_cfa_offset -16
    .irp n, 4, 5, 6, 7
    .cfi_restore r\n
    .endr
    bx lr
END_FUNCTION sha512_arm_neon_blocks
