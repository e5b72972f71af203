/*
 * void adler32_x86_64_ssse3_blocks(uint32_t sums[2], const uint8_t *data, size_t nblocks);
 *
 * Adler-32 (RFC 1950) of blocks of 32 bytes. A block adds to b 32 times the a before it, and its bytes times
 * 32, 31, ... 1; to a it adds its bytes. All sums are kept in lanes, to be added up at the end.
 *
 * rax the weights, and after them 1 in each of eight lanes; xmm0, xmm1 half a block; xmm2 zero;
 * xmm3 a; xmm4 the sum of a before each block; xmm5 b without 32 times that.
 */
#include "asm.h"

#define SUMS   ARGUMENT_1
#define DATA   ARGUMENT_2
#define BLOCKS ARGUMENT_3

CONSTANTS weights
    .byte 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17
    .byte 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
    .short 1, 1, 1, 1, 1, 1, 1, 1
END_CONSTANTS weights

.macro ADD_HALF_BLOCK offset
    movdqu xmm0, [DATA + \offset]
    movdqa xmm1, xmm0
    psadbw xmm0, xmm2
    paddd xmm3, xmm0
    pmaddubsw xmm1, [rax + \offset]
    pmaddwd xmm1, [rax + 32]
    paddd xmm5, xmm1
.endm

.macro ADD_LANES vector
    pshufd xmm0, \vector, 0x4e
    paddd \vector, xmm0
    pshufd xmm0, \vector, 0xb1
    paddd \vector, xmm0
.endm

FUNCTION adler32_x86_64_ssse3_blocks
    LOAD_ADDRESS rax, weights
    movd xmm3, dword ptr [SUMS]
    movd xmm5, dword ptr [SUMS + 4]
    pxor xmm4, xmm4
    pxor xmm2, xmm2

.Lblock:
    paddd xmm4, xmm3
    ADD_HALF_BLOCK 0
    ADD_HALF_BLOCK 16
    add DATA, 32
    dec BLOCKS
    jnz .Lblock

    pslld xmm4, 5
    paddd xmm5, xmm4
    ADD_LANES xmm3
    ADD_LANES xmm5
    movd dword ptr [SUMS], xmm3
    movd dword ptr [SUMS + 4], xmm5
    ret
END_FUNCTION adler32_x86_64_ssse3_blocks
