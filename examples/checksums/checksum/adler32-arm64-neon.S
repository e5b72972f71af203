/*
 * void adler32_arm64_neon_blocks(uint32_t sums[2], const uint8_t *data, size_t nblocks);
 *
 * Adler-32 (RFC 1950) of blocks of 32 bytes. A block adds to b 32 times the a before it, and its bytes times
 * 32, 31, ... 1; to a it adds its bytes. All sums are kept in four lanes, to be added up at the end.
 *
 * x0 sums, x1 data, x2 nblocks; v0, v1 the block; v16, v17 the weights;
 * v4 a; v5 the sum of a before each block; v6 b without 32 times that.
 */
#include "asm.h"
    .arch armv8-a

CONSTANTS weights
    .byte 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17
    .byte 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
END_CONSTANTS weights

FUNCTION adler32_arm64_neon_blocks
    LOAD_ADDRESS x3, weights
    ld1 {v16.16b, v17.16b}, [x3]
    ldp s4, s6, [x0]
    movi v5.4s, #0

.Lblock:
    ld1 {v0.16b, v1.16b}, [x1], #32
    add v5.4s, v5.4s, v4.4s
    uaddlp v2.8h, v0.16b
    uadalp v2.8h, v1.16b
    uadalp v4.4s, v2.8h
    umull v3.8h, v0.8b, v16.8b
    umlal2 v3.8h, v0.16b, v16.16b
    umlal v3.8h, v1.8b, v17.8b
    umlal2 v3.8h, v1.16b, v17.16b
    uadalp v6.4s, v3.8h
    subs x2, x2, #1
    b.ne .Lblock

    shl v5.4s, v5.4s, #5
    add v6.4s, v6.4s, v5.4s
    addv s4, v4.4s
    addv s6, v6.4s
    stp s4, s6, [x0]
    ret
END_FUNCTION adler32_arm64_neon_blocks
