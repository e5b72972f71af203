/*
 * Keccak-f[1600] (FIPS 202, section 3) with NEON, for 32-bit ARM.
 *
 *     void sha3_arm_neon_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size);
 *
 * r0 state, r1 data, r2 blocks left, r3 block size, r4 round constants, lr their end, r12 the next of them
 *
 * All 25 lanes stay in registers from the first block to the last, A_xy for A[x, y]. The halves of a q register are
 * lanes of two rows, 0 and 1 or 2 and 3, with the same x, so that one instruction serves both in chi and in the
 * parities of theta. d25 to d31 are temporary: C and D of theta, S and T of chi, lanes of data.
 */
#include "asm.h"
#include "sha3-round-constants.h"

    .arch armv7-a
    .fpu neon

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

    ROW 0, d0,  d2,  d4,  d6,  d8
    ROW 1, d1,  d3,  d5,  d7,  d9
    ROW 2, d10, d12, d14, d16, d18
    ROW 3, d11, d13, d15, d17, d19
    ROW 4, d20, d21, d22, d23, d24

    ROW _01, q0, q1, q2, q3, q4
    ROW _23, q5, q6, q7, q8, q9
A_01_4 .req q10
A_23_4 .req q11

/* theta. D[1] and D[2] are there first; D[4] and D[0] take their places, and D[3], twice, those of C[0] and C[1]. */
C_4  .req d25
C_0  .req d26
C_1  .req d27
C_2  .req d28
C_3  .req d29
D_1  .req d30
D_2  .req d31
D_4  .req d30
D_0  .req d31
D_3  .req d26
D_3b .req d27
C_01 .req q13
C_23 .req q14
D_12 .req q15
D_40 .req q15
D_33 .req q13
HALF_C .req q15
HALF_LOW .req d30
HALF_HIGH .req d31

/* chi: S_x is B[x, 4] */
S_0 .req d25
S_1 .req d26
S_2 .req d27
S_3 .req d28
S_4 .req d29
T_0 .req q13
T_1 .req q14
T_2 .req q15

CONSTANT .req d30

/* theta: adds D[x] to its column */
.macro COLUMN x, d
    veor A_\x\()0, A_\x\()0, \d
    veor A_\x\()1, A_\x\()1, \d
    veor A_\x\()2, A_\x\()2, \d
    veor A_\x\()3, A_\x\()3, \d
    veor A_\x\()4, A_\x\()4, \d
.endm

/* Rotation by 1 is vadd and vsri. An instruction that needs the one before it has to wait: others stand in between. */
.macro THETA
    veor C_01, A_0_01, A_0_23
    veor C_23, A_2_01, A_2_23
    veor HALF_C, A_4_01, A_4_23
    veor C_0, C_0, C_1
    veor C_2, C_2, C_3
    veor C_4, HALF_LOW, HALF_HIGH
    veor HALF_C, A_3_01, A_3_23
    veor C_4, C_4, A_44
    veor C_3, HALF_LOW, HALF_HIGH
    veor HALF_C, A_1_01, A_1_23
    veor C_23, C_23, A_23_4
    veor C_1, HALF_LOW, HALF_HIGH

    vadd.i64 D_12, C_23, C_23
    veor C_01, C_01, A_01_4
    vsri.64 D_12, C_23, #63
    veor D_12, D_12, C_01
    COLUMN 1, D_1
    COLUMN 2, D_2

    vadd.i64 D_40, C_01, C_01
    vsri.64 D_40, C_01, #63
    vadd.i64 D_3, C_4, C_4
    veor D_4, D_4, C_3
    veor D_0, D_0, C_4
    vsri.64 D_3, C_4, #63
    COLUMN 4, D_4
    veor D_3b, D_3, C_2
    veor D_3, D_3, C_2
    COLUMN 0, D_0
    veor A_3_01, A_3_01, D_33
    veor A_3_23, A_3_23, D_33
    veor A_34, A_34, D_3
.endm

/* rho and pi of two lanes: b = rol(a, n) */
.macro MOVE b, a, n, other_b, other_a, other_n
    vshl.i64 \b, \a, #\n
    vshl.i64 \other_b, \other_a, #\other_n
    vsri.64 \b, \a, #64 - \n
    vsri.64 \other_b, \other_a, #64 - \other_n
.endm

/*
 * B[x, y] goes to the place of A[x, y], but B[x, 4] to S_x. The order is that in which places become free. The last of
 * the lanes wait for each other, and chi of row 4 fills the time. Rotation by whole bytes is one instruction.
 */
.macro RHO_PI_AND_CHI_OF_ROW_4
    MOVE S_0,  A_20, 62, S_1,  A_31, 55
    MOVE A_20, A_22, 43, A_31, A_13, 45
    MOVE A_22, A_32, 25, A_13, A_01, 36
    MOVE S_2,  A_42, 39, A_01, A_30, 28
    MOVE A_42, A_04, 18, A_30, A_33, 21
    MOVE S_3,  A_03, 41, A_33, A_23, 15
    MOVE A_03, A_40, 27, A_23, A_12, 10
    MOVE A_40, A_44, 14, A_12, A_21, 6
    MOVE S_4,  A_14, 2,  A_21, A_02, 3
    vshl.i64 A_02, A_10, #1
    vext.8 A_32, A_43, A_43, #8 - 1 /* 8 bits */
    vsri.64 A_02, A_10, #64 - 1
    vshl.i64 A_10, A_11, #44
    vext.8 A_43, A_34, A_34, #8 - 7 /* 56 bits */
    vsri.64 A_10, A_11, #64 - 44
    vshl.i64 A_11, A_41, #20
    vbic A_04, S_2, S_1
    vbic A_14, S_3, S_2
    vsri.64 A_11, A_41, #64 - 20
    vshl.i64 A_41, A_24, #61
    vbic A_34, S_0, S_4
    vbic A_44, S_1, S_0
    vsri.64 A_41, A_24, #64 - 61
    vbic A_24, S_4, S_3
    veor A_04, A_04, S_0
    veor A_14, A_14, S_1
    veor A_34, A_34, S_3
    veor A_44, A_44, S_4
    veor A_24, A_24, S_2
.endm

/* chi of two rows at once, in place */
.macro CHI_OF_2_ROWS b0, b1, b2, b3, b4
    vbic T_0, \b0, \b4
    vbic T_1, \b1, \b0
    vbic T_2, \b4, \b3
    veor \b4, \b4, T_1
    vbic T_1, \b3, \b2
    veor \b3, \b3, T_0
    vbic T_0, \b2, \b1
    veor \b2, \b2, T_2
    veor \b1, \b1, T_1
    veor \b0, \b0, T_0
.endm

.macro IOTA
    vld1.64 {CONSTANT}, [r12]!
    veor A_00, A_00, CONSTANT
.endm

.macro LOAD_4
    vld1.8 {d28-d31}, [r1]!
.endm

.macro ABSORB_4 a0, a1, a2, a3
    veor \a0, \a0, d28
    veor \a1, \a1, d29
    veor \a2, \a2, d30
    veor \a3, \a3, d31
.endm

.macro ABSORB_1 a
    vld1.8 {d28}, [r1]!
    veor \a, \a, d28
.endm

#define FOR_ALL_LANES                                                                                                  \
    .irp xy, 00, 10, 20, 30, 40, 01, 11, 21, 31, 41, 02, 12, 22, 32, 42, 03, 13, 23, 33, 43, 04, 14, 24, 34, 44

FUNCTION sha3_arm_neon_blocks
    PUSH_REGISTERS r4, lr
    PUSH_VECTORS
    LOAD_ADDRESS r4, .Lround_constants
    add lr, r4, #8 * 24

    mov r12, r0
    FOR_ALL_LANES
    vld1.64 {A_\xy}, [r12]!
    .endr

1:
    LOAD_4
    ABSORB_4 A_00, A_10, A_20, A_30
    LOAD_4
    ABSORB_4 A_40, A_01, A_11, A_21
    ABSORB_1 A_31
    cmp r3, #104
    blo 2f                      /* 72 */
    LOAD_4
    ABSORB_4 A_41, A_02, A_12, A_22
    beq 2f                      /* 104 */
    LOAD_4
    ABSORB_4 A_32, A_42, A_03, A_13
    cmp r3, #144
    blo 2f                      /* 136 */
    ABSORB_1 A_23
    beq 2f                      /* 144 */
    ABSORB_1 A_33
    ABSORB_1 A_43
    ABSORB_1 A_04               /* 168 */
2:
    mov r12, r4
3:
    THETA
    RHO_PI_AND_CHI_OF_ROW_4
    CHI_OF_2_ROWS A_0_01, A_1_01, A_2_01, A_3_01, A_4_01
    CHI_OF_2_ROWS A_0_23, A_1_23, A_2_23, A_3_23, A_4_23
    IOTA
    cmp r12, lr
    bne 3b
    subs r2, r2, #1
    bne 1b

    FOR_ALL_LANES
    vst1.64 {A_\xy}, [r0]!
    .endr

    POP_VECTORS
    .irp n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i32 q\n, #0
    .endr
    pop {r4, pc}
END_FUNCTION sha3_arm_neon_blocks
