/*
 * Keccak-f[1600] (FIPS 202, section 3) with the SHA-3 instructions of arm64.
 *
 *     void sha3_arm64_ce_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size);
 *
 * x0 state, x1 data, x2 blocks left, x3 block size, x4 round constants, x5 the next of them, w6 rounds left
 *
 * Each lane has the lower half of a vector register to itself, from the first block to the last: A_xy is A[x, y] at the
 * beginning of each round and at its end. v25 to v31 are temporary: C and D of theta, T of pi, lanes of data.
 */
#include "asm.h"
#include "sha3-round-constants.h"

    .arch armv8.2-a+sha3

#define PLAIN(constant) constant
CONSTANTS .Lround_constants
    .quad SHA3_ROUND_CONSTANTS(PLAIN)
END_CONSTANTS .Lround_constants

.macro ROW y, lane0, lane1, lane2, lane3, lane4
A_0\y .req \lane0
A_1\y .req \lane1
A_2\y .req \lane2
A_3\y .req \lane3
A_4\y .req \lane4
.endm

    ROW 0, v0,  v1,  v2,  v3,  v4
    ROW 1, v5,  v6,  v7,  v8,  v9
    ROW 2, v10, v11, v12, v13, v14
    ROW 3, v15, v16, v17, v18, v19
    ROW 4, v20, v21, v22, v23, v24

/* D_1 to D_4 take the places of those C that nobody needs any more. */
C_0 .req v25
C_1 .req v26
C_2 .req v27
C_3 .req v28
C_4 .req v29
D_0 .req v30
D_1 .req v25
D_2 .req v26
D_3 .req v27
D_4 .req v28
T_0 .req v29
T_1 .req v31

/* theta: the parity of a column */
.macro PARITY c, a0, a1, a2, a3, a4
    eor3 \c\().16b, \a0\().16b, \a1\().16b, \a2\().16b
    eor3 \c\().16b, \c\().16b, \a3\().16b, \a4\().16b
.endm

/* theta: d = west ^ rol(east, 1) */
.macro NEIGHBOURS d, west, east
    rax1 \d\().2d, \west\().2d, \east\().2d
.endm

/* the rest of theta, and rho: b = rol(a ^ d, offset) */
.macro LANE b, a, d, offset
    xar \b\().2d, \a\().2d, \d\().2d, #64 - \offset
.endm

/* chi of a row, whose first two lanes are elsewhere */
.macro CHI a0, a1, a2, a3, a4, b0, b1
    bcax \a0\().16b, \b0\().16b, \a2\().16b, \b1\().16b
    bcax \a1\().16b, \b1\().16b, \a3\().16b, \a2\().16b
    bcax \a2\().16b, \a2\().16b, \a4\().16b, \a3\().16b
    bcax \a3\().16b, \a3\().16b, \b0\().16b, \a4\().16b
    bcax \a4\().16b, \a4\().16b, \b1\().16b, \b0\().16b
.endm

.macro ROUND
    PARITY C_4, A_40, A_41, A_42, A_43, A_44
    PARITY C_1, A_10, A_11, A_12, A_13, A_14
    PARITY C_3, A_30, A_31, A_32, A_33, A_34
    PARITY C_0, A_00, A_01, A_02, A_03, A_04
    PARITY C_2, A_20, A_21, A_22, A_23, A_24
    NEIGHBOURS D_0, C_4, C_1
    NEIGHBOURS D_2, C_1, C_3
    NEIGHBOURS D_4, C_3, C_0
    NEIGHBOURS D_1, C_0, C_2
    NEIGHBOURS D_3, C_2, C_4

    /*
     * pi: the lane that becomes B[x, y], see the end of the line, goes to the place of A[x, y]; but where x is 0 or 1,
     * to that of A[x, y + 1], or to T_x below the last row, so that chi finds two places free in each row. The order is
     * that in which places become free.
     */
    LANE T_0, A_20, D_2, 62    /* B_04 */
    LANE T_1, A_31, D_3, 55    /* B_14 */
    LANE A_11, A_11, D_1, 44   /* B_10 */
    LANE A_31, A_13, D_1, 45   /* B_31 */
    LANE A_20, A_22, D_2, 43   /* B_20 */
    LANE A_13, A_21, D_2, 6    /* B_12 */
    LANE A_22, A_32, D_3, 25   /* B_22 */
    LANE A_21, A_02, D_0, 3    /* B_21 */
    LANE A_32, A_43, D_4, 8    /* B_32 */
    LANE A_02, A_30, D_3, 28   /* B_01 */
    LANE A_43, A_34, D_3, 56   /* B_43 */
    LANE A_30, A_33, D_3, 21   /* B_30 */
    LANE A_34, A_03, D_0, 41   /* B_34 */
    LANE A_33, A_23, D_2, 15   /* B_33 */
    LANE A_03, A_10, D_1, 1    /* B_02 */
    LANE A_23, A_12, D_1, 10   /* B_23 */
    LANE A_12, A_41, D_4, 20   /* B_11 */
    LANE A_41, A_24, D_2, 61   /* B_41 */
    LANE A_24, A_42, D_4, 39   /* B_24 */
    LANE A_42, A_04, D_0, 18   /* B_42 */
    LANE A_04, A_40, D_4, 27   /* B_03 */
    LANE A_40, A_44, D_4, 14   /* B_40 */
    LANE A_44, A_14, D_1, 2    /* B_44 */
    LANE A_14, A_01, D_0, 36   /* B_13 */
    eor A_01.16b, A_00.16b, D_0.16b /* B_00 */

    ldr d30, [x5], #8 /* the round constant, for iota */
    CHI A_00, A_10, A_20, A_30, A_40, A_01, A_11
    CHI A_01, A_11, A_21, A_31, A_41, A_02, A_12
    CHI A_02, A_12, A_22, A_32, A_42, A_03, A_13
    CHI A_03, A_13, A_23, A_33, A_43, A_04, A_14
    CHI A_04, A_14, A_24, A_34, A_44, T_0, T_1

    /* iota */
    eor A_00.16b, A_00.16b, v30.16b
.endm

.macro LOAD_4
    ld1 {v25.8b-v28.8b}, [x1], #32
.endm

.macro ABSORB_4 a0, a1, a2, a3
    eor \a0\().16b, \a0\().16b, v25.16b
    eor \a1\().16b, \a1\().16b, v26.16b
    eor \a2\().16b, \a2\().16b, v27.16b
    eor \a3\().16b, \a3\().16b, v28.16b
.endm

.macro ABSORB_1 a
    ld1 {v25.8b}, [x1], #8
    eor \a\().16b, \a\().16b, v25.16b
.endm

FUNCTION sha3_arm64_ce_blocks
    PUSH_FRAME d8, d9, 64
    SAVE d10, d11, 16
    SAVE d12, d13, 32
    SAVE d14, d15, 48
    LOAD_ADDRESS x4, .Lround_constants

    mov x5, x0
    ld1 {v0.1d-v3.1d}, [x5], #32
    ld1 {v4.1d-v7.1d}, [x5], #32
    ld1 {v8.1d-v11.1d}, [x5], #32
    ld1 {v12.1d-v15.1d}, [x5], #32
    ld1 {v16.1d-v19.1d}, [x5], #32
    ld1 {v20.1d-v23.1d}, [x5], #32
    ld1 {v24.1d}, [x5]

1:
    LOAD_4
    ABSORB_4 A_00, A_10, A_20, A_30
    LOAD_4
    ABSORB_4 A_40, A_01, A_11, A_21
    ABSORB_1 A_31
    cmp x3, #104
    b.lo 2f                     /* 72 */
    LOAD_4
    ABSORB_4 A_41, A_02, A_12, A_22
    b.eq 2f                     /* 104 */
    LOAD_4
    ABSORB_4 A_32, A_42, A_03, A_13
    cmp x3, #144
    b.lo 2f                     /* 136 */
    ABSORB_1 A_23
    b.eq 2f                     /* 144 */
    ABSORB_1 A_33
    ABSORB_1 A_43
    ABSORB_1 A_04                /* 168 */
2:
    mov x5, x4
    mov w6, #24
3:
    .rept 4
    ROUND
    .endr
    subs w6, w6, #4
    b.ne 3b
    subs x2, x2, #1
    b.ne 1b

    st1 {v0.1d-v3.1d}, [x0], #32
    st1 {v4.1d-v7.1d}, [x0], #32
    st1 {v8.1d-v11.1d}, [x0], #32
    st1 {v12.1d-v15.1d}, [x0], #32
    st1 {v16.1d-v19.1d}, [x0], #32
    st1 {v20.1d-v23.1d}, [x0], #32
    st1 {v24.1d}, [x0]

    RESTORE d10, d11, 16
    RESTORE d12, d13, 32
    RESTORE d14, d15, 48
    POP_FRAME d8, d9, 64
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    movi v\n\().2d, #0
    .endr
    ret
END_FUNCTION sha3_arm64_ce_blocks
