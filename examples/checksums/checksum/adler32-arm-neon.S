/*
 * void adler32_arm_neon_blocks(uint32_t sums[2], const uint8_t *data, size_t nblocks);
 *
 * Adler-32 (RFC 1950) of blocks of 32 bytes. A block adds to b 32 times the a before it, and its bytes times
 * 32, 31, ... 1; to a it adds its bytes. All sums are kept in four lanes, to be added up at the end.
 *
 * r0 sums, r1 data, r2 nblocks; q0, q1 the block; q8, q9 the weights;
 * q10 a; q11 the sum of a before each block; q12 b without 32 times that.
 */
#include "asm.h"
    .arch armv7-a
    .fpu neon

CONSTANTS weights
    .byte 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17
    .byte 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
END_CONSTANTS weights

FUNCTION adler32_arm_neon_blocks
    LOAD_ADDRESS r3, weights
    vld1.8 {q8, q9}, [r3]
    vmov.i32 q10, #0
    vmov.i32 q11, #0
    vmov.i32 q12, #0
    vld1.32 {d20[0]}, [r0]!
    vld1.32 {d24[0]}, [r0]

.Lblock:
    vld1.8 {q0, q1}, [r1]!
    vadd.i32 q11, q11, q10
    vpaddl.u8 q2, q0
    vpadal.u8 q2, q1
    vpadal.u16 q10, q2
    vmull.u8 q3, d0, d16
    vmlal.u8 q3, d1, d17
    vmlal.u8 q3, d2, d18
    vmlal.u8 q3, d3, d19
    vpadal.u16 q12, q3
    subs r2, r2, #1
    bne .Lblock

    vshl.i32 q11, q11, #5
    vadd.i32 q12, q12, q11
    vadd.i32 d20, d20, d21
    vadd.i32 d24, d24, d25
    vpadd.i32 d0, d20, d24
    sub r0, r0, #4
    vst1.32 {d0}, [r0]
    bx lr
END_FUNCTION adler32_arm_neon_blocks
