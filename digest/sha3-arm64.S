/*
 * Keccak-f[1600] (FIPS 202, section 3) in the general registers of arm64.
 *
 *     void sha3_arm64_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size);
 *
 * All 25 lanes stay in registers from the first block to the last. That leaves five registers, T0 to T4; pointers and
 * counts are on the stack. Rounds go by twos between two placements of the lanes, A_xy and Z_xy for A[x, y], so that
 * chi writes to registers that are free and nothing is ever moved.
 *
 * Nor is a lane ever rotated by itself, since eor and bic rotate their second operand at no cost. A register may hold
 * its lane rotated right by so many bits, its lag: lane = rol(register, lag). A result has the lag of the first
 * operand, and the second is rotated by the difference. Rho adds its offsets to the lags and is no code at all. The
 * lags of D are chosen such that the lags at the end of a round are those at its beginning.
 *
 * All 31 registers but x18 are in use, x29 too. There is no frame record meanwhile, which AAPCS64 leaves to each system
 * and Apple's asks for: a profiler that follows x29 and does not read .cfi loses its way for as long as this runs.
 */
#include "asm.h"
#include "sha3-round-constants.h"

    .arch armv8-a

#define PLAIN(constant) constant
CONSTANTS .Lround_constants
    .quad SHA3_ROUND_CONSTANTS(PLAIN)
END_CONSTANTS .Lround_constants

/* On the stack, above x19 to x30. */
#define STATE         96
#define DATA          104
#define BLOCK_SIZE    112
#define BLOCKS        120
#define NEXT_CONSTANT 128
#define END_CONSTANT  136
#define FRAME_SIZE    144

.macro PLACE name, y, lane0, lane1, lane2, lane3, lane4
\name\()_0\y .req \lane0
\name\()_1\y .req \lane1
\name\()_2\y .req \lane2
\name\()_3\y .req \lane3
\name\()_4\y .req \lane4
.endm

.macro SPARE name, t0, t1, t2, t3, t4
\name\()_T0 .req \t0
\name\()_T1 .req \t1
\name\()_T2 .req \t2
\name\()_T3 .req \t3
\name\()_T4 .req \t4
.endm

/* Before an even round and after an odd one. */
    PLACE A, 0, x0,  x1,  x2,  x3,  x4
    PLACE A, 1, x5,  x6,  x7,  x8,  x9
    PLACE A, 2, x10, x11, x12, x13, x14
    PLACE A, 3, x15, x16, x17, x19, x20
    PLACE A, 4, x21, x22, x23, x24, x25
    SPARE A,    x26, x27, x28, x29, x30

/* After an even round and before an odd one: where A[2x + y, 2x + 3y] was, but for one lane of each row. */
    PLACE Z, 0, x0,  x12, x25, x26, x19
    PLACE Z, 1, x16, x27, x10, x23, x9
    PLACE Z, 2, x7,  x20, x1,  x28, x21
    PLACE Z, 3, x24, x5,  x29, x4,  x11
    PLACE Z, 4, x14, x30, x8,  x15, x2
    SPARE Z,    x3,  x6,  x13, x17, x22

/* Found by search; MUST_AGREE below is what they have to fulfil. */
    .set D_LAG_0, 0
    .set D_LAG_1, 56
    .set D_LAG_2, 58
    .set D_LAG_3, 1
    .set D_LAG_4, 57

/* B_LAG_xy is that of A[x, y] after rho, when it is about to be B[y, 2x + 3y]. Offsets: FIPS 202, table 2. */
.macro RHO y, offset0, offset1, offset2, offset3, offset4
    .set B_LAG_0\y, D_LAG_0 + \offset0
    .set B_LAG_1\y, D_LAG_1 + \offset1
    .set B_LAG_2\y, D_LAG_2 + \offset2
    .set B_LAG_3\y, D_LAG_3 + \offset3
    .set B_LAG_4\y, D_LAG_4 + \offset4
.endm

    RHO 0,  0,  1, 62, 28, 27
    RHO 1, 36, 44,  6, 55, 20
    RHO 2,  3, 10, 43, 25, 39
    RHO 3, 41, 45, 15, 21,  8
    RHO 4, 18,  2, 61, 56, 14

/* LAG_xy is that of A[x, y] between rounds. Row y after pi is these lanes; chi gives A[x, y] the lag of B[x + 2, y]. */
.macro PI y, b0, b1, b2, b3, b4
    .set LAG_0\y, B_LAG_\b2
    .set LAG_1\y, B_LAG_\b3
    .set LAG_2\y, B_LAG_\b4
    .set LAG_3\y, B_LAG_\b0
    .set LAG_4\y, B_LAG_\b1
.endm

    PI 0, 00, 11, 22, 33, 44
    PI 1, 30, 41, 02, 13, 24
    PI 2, 10, 21, 32, 43, 04
    PI 3, 40, 01, 12, 23, 34
    PI 4, 20, 31, 42, 03, 14

/* C[0] is made of D[0]; the others begin with these lanes. */
    .set C_LAG_0, D_LAG_0
    .set C_LAG_1, LAG_12
    .set C_LAG_2, LAG_21
    .set C_LAG_3, LAG_32
    .set C_LAG_4, LAG_42

.macro MUST_AGREE lag, other
    .if (\lag - (\other)) & 63
    .error "the lags of D do not come out as they went in"
    .endif
.endm

    MUST_AGREE D_LAG_0, C_LAG_4
    MUST_AGREE D_LAG_1, C_LAG_2 + 1
    MUST_AGREE D_LAG_2, C_LAG_3 + 1
    MUST_AGREE D_LAG_3, C_LAG_4 + 1
    MUST_AGREE D_LAG_4, C_LAG_3

/* result = operation(first, ror(second, rotation)) */
.macro ROTATED operation, result, first, second, rotation
    .if (\rotation) & 63
    \operation \result, \first, \second, ror #((\rotation) & 63)
    .else
    \operation \result, \first, \second
    .endif
.endm

/* theta: begins C[x] with two lanes, the first of which gives it its lag */
.macro PARITY_OF from, x, y0, y1
    ROTATED eor, \from\()_T\x, \from\()_\x\y0, \from\()_\x\y1, C_LAG_\x - LAG_\x\y1
.endm

/* theta: adds another lane to C[x] */
.macro PARITY_WITH from, x, y
    ROTATED eor, \from\()_T\x, \from\()_T\x, \from\()_\x\y, C_LAG_\x - LAG_\x\y
.endm

/* theta: adds D[x] to its column */
.macro COLUMN from, x, d
    .irp y, 0, 1, 2, 3, 4
    ROTATED eor, \from\()_\x\y, \d, \from\()_\x\y, D_LAG_\x - LAG_\x\y
    .endr
.endm

/*
 * Five registers are one too few to have all of C and a D at once: D[0] is added to its column before C[0] is known,
 * which becomes D[0] ^ the parity of the new column. The other D take the places of those C that nobody needs any more.
 */
.macro THETA from
    PARITY_OF \from, 4, 2, 0
    PARITY_OF \from, 1, 2, 0
    PARITY_WITH \from, 4, 1
    PARITY_WITH \from, 1, 1
    PARITY_WITH \from, 4, 3
    PARITY_WITH \from, 1, 3
    PARITY_WITH \from, 4, 4
    PARITY_WITH \from, 1, 4
    ROTATED eor, \from\()_T0, \from\()_T4, \from\()_T1, C_LAG_4 - (C_LAG_1 + 1)
    COLUMN \from, 0, \from\()_T0

    PARITY_OF \from, 2, 1, 0
    PARITY_OF \from, 3, 2, 0
    eor \from\()_T0, \from\()_T0, \from\()_00
    PARITY_WITH \from, 2, 2
    PARITY_WITH \from, 3, 1
    eor \from\()_T0, \from\()_T0, \from\()_01
    PARITY_WITH \from, 2, 3
    PARITY_WITH \from, 3, 3
    eor \from\()_T0, \from\()_T0, \from\()_02
    PARITY_WITH \from, 2, 4
    PARITY_WITH \from, 3, 4
    eor \from\()_T0, \from\()_T0, \from\()_03
    ROTATED eor, \from\()_T1, \from\()_T3, \from\()_T1, C_LAG_3 + 1 - C_LAG_1 /* D[2] */
    eor \from\()_T0, \from\()_T0, \from\()_04
    COLUMN \from, 2, \from\()_T1
    ROTATED eor, \from\()_T3, \from\()_T3, \from\()_T0, C_LAG_3 - (C_LAG_0 + 1) /* D[4] */
    ROTATED eor, \from\()_T0, \from\()_T2, \from\()_T0, C_LAG_2 + 1 - C_LAG_0 /* D[1] */
    ROTATED eor, \from\()_T2, \from\()_T4, \from\()_T2, C_LAG_4 + 1 - C_LAG_2 /* D[3] */
    COLUMN \from, 4, \from\()_T3
    COLUMN \from, 1, \from\()_T0
    COLUMN \from, 3, \from\()_T2
.endm

/* chi: A[x, y] = a ^ (~b & c) of B[x, y], B[x + 1, y], B[x + 2, y], named as before pi. Here t = c & ~b, */
.macro AND_NOT from, t, c, b
    ROTATED bic, \t, \from\()_\c, \from\()_\b, B_LAG_\c - B_LAG_\b
.endm

/* and here new = t ^ a. */
.macro LANE from, to, new, t, c, a
    ROTATED eor, \to\()_\new, \t, \from\()_\a, B_LAG_\c - B_LAG_\a
.endm

/*
 * Each row y takes the free register Ty and leaves another one, which is Ty to the next round (T0 and T1 are
 * exchanged). The order is that in which registers become free. Row 0 is the last, and its round constant is loaded
 * meanwhile.
 */
.macro CHI from, to, round
    /* row 1: 30 41 02 13 24 */
    AND_NOT \from, \from\()_T1, 13, 02
    AND_NOT \from, \from\()_T0, 02, 41
    AND_NOT \from, \from\()_T2, 41, 30
    AND_NOT \from, \from\()_T3, 30, 24
    AND_NOT \from, \from\()_T4, 24, 13
    LANE \from, \to, 11, \from\()_T1, 13, 41
    LANE \from, \to, 41, \from\()_T2, 41, 24
    LANE \from, \to, 31, \from\()_T3, 30, 13
    LANE \from, \to, 01, \from\()_T0, 02, 30
    LANE \from, \to, 21, \from\()_T4, 24, 02
    ldr \to\()_T0, [sp, #NEXT_CONSTANT]

    /* row 2: 10 21 32 43 04 */
    AND_NOT \from, \from\()_T2, 10, 04
    AND_NOT \from, \from\()_T0, 04, 43
    AND_NOT \from, \from\()_T3, 43, 32
    AND_NOT \from, \from\()_T4, 32, 21
    LANE \from, \to, 32, \from\()_T2, 10, 43
    LANE \from, \to, 12, \from\()_T3, 43, 21
    AND_NOT \from, \from\()_T3, 21, 10
    LANE \from, \to, 02, \from\()_T4, 32, 10
    LANE \from, \to, 22, \from\()_T0, 04, 32
    LANE \from, \to, 42, \from\()_T3, 21, 04
    ldr \to\()_T0, [\to\()_T0, #8 * \round]

    /* row 3: 40 01 12 23 34 */
    AND_NOT \from, \from\()_T3, 34, 23
    AND_NOT \from, \from\()_T0, 23, 12
    AND_NOT \from, \to\()_T2, 12, 01
    AND_NOT \from, \from\()_T4, 01, 40
    LANE \from, \to, 23, \from\()_T3, 34, 12
    LANE \from, \to, 43, \from\()_T4, 01, 34
    AND_NOT \from, \from\()_T4, 40, 34
    LANE \from, \to, 03, \to\()_T2, 12, 40
    LANE \from, \to, 13, \from\()_T0, 23, 01
    LANE \from, \to, 33, \from\()_T4, 40, 23

    /* row 4: 20 31 42 03 14 */
    AND_NOT \from, \from\()_T4, 03, 42
    AND_NOT \from, \from\()_T0, 42, 31
    AND_NOT \from, \to\()_T2, 31, 20
    AND_NOT \from, \to\()_T3, 14, 03
    LANE \from, \to, 14, \from\()_T4, 03, 31
    LANE \from, \to, 24, \to\()_T3, 14, 42
    AND_NOT \from, \to\()_T3, 20, 14
    LANE \from, \to, 04, \from\()_T0, 42, 20
    LANE \from, \to, 44, \to\()_T2, 31, 14
    LANE \from, \to, 34, \to\()_T3, 20, 03

    /* row 0: 00 11 22 33 44 */
    AND_NOT \from, \from\()_T0, 00, 44
    AND_NOT \from, \to\()_T2, 44, 33
    AND_NOT \from, \to\()_T3, 33, 22
    AND_NOT \from, \to\()_T4, 11, 00
    LANE \from, \to, 30, \from\()_T0, 00, 33
    LANE \from, \to, 40, \to\()_T4, 11, 44
    AND_NOT \from, \to\()_T4, 22, 11
    LANE \from, \to, 20, \to\()_T2, 44, 22
    LANE \from, \to, 10, \to\()_T3, 33, 11
    LANE \from, \to, 00, \to\()_T4, 22, 00
.endm

.macro ROUND from, to, round
    THETA \from
    CHI \from, \to, \round
    ROTATED eor, \to\()_00, \to\()_00, \to\()_T0, LAG_00 /* iota */
.endm

.macro ABSORB_2 xy, next_xy
    ldp A_T2, A_T3, [A_T0], #16
    ROTATED eor, A_\xy, A_\xy, A_T2, LAG_\xy
    ROTATED eor, A_\next_xy, A_\next_xy, A_T3, LAG_\next_xy
.endm

.macro ABSORB_1 xy
    ldr A_T2, [A_T0], #8
    ROTATED eor, A_\xy, A_\xy, A_T2, LAG_\xy
.endm

#define FOR_ALL_LANES                                                                                                  \
    .irp xy, 00, 10, 20, 30, 40, 01, 11, 21, 31, 41, 02, 12, 22, 32, 42, 03, 13, 23, 33, 43, 04, 14, 24, 34, 44

FUNCTION sha3_arm64_blocks
    SIGN_RETURN_ADDRESS
    PUSH_FRAME x19, x20, FRAME_SIZE
    SAVE x21, x22, 16
    SAVE x23, x24, 32
    SAVE x25, x26, 48
    SAVE x27, x28, 64
    SAVE x29, x30, 80

    stp x0, x1, [sp, #STATE]
    stp x3, x2, [sp, #BLOCK_SIZE]
    LOAD_ADDRESS x4, .Lround_constants
    add x4, x4, #8 * 24
    str x4, [sp, #END_CONSTANT]

    mov A_T0, x0
    FOR_ALL_LANES
    ldr A_\xy, [A_T0], #8
    ror A_\xy, A_\xy, #(LAG_\xy & 63)
    .endr

1:
    ldp A_T0, A_T1, [sp, #DATA]
    ABSORB_2 00, 10
    ABSORB_2 20, 30
    ABSORB_2 40, 01
    ABSORB_2 11, 21
    ABSORB_1 31
    cmp A_T1, #104
    b.lo 2f                     /* 72 */
    ABSORB_2 41, 02
    ABSORB_2 12, 22
    b.eq 2f                     /* 104 */
    ABSORB_2 32, 42
    ABSORB_2 03, 13
    cmp A_T1, #144
    b.lo 2f                     /* 136 */
    ABSORB_1 23
    b.eq 2f                     /* 144 */
    ABSORB_1 33
    ABSORB_2 43, 04             /* 168 */
2:
    ldr A_T1, [sp, #END_CONSTANT]
    str A_T0, [sp, #DATA]
    sub A_T1, A_T1, #8 * 24
    str A_T1, [sp, #NEXT_CONSTANT]
3:
    ROUND A, Z, 0
    ROUND Z, A, 1
    ROUND A, Z, 2
    ROUND Z, A, 3
    ldp A_T0, A_T1, [sp, #NEXT_CONSTANT]
    add A_T0, A_T0, #8 * 4
    cmp A_T0, A_T1
    str A_T0, [sp, #NEXT_CONSTANT]
    b.ne 3b
    ldr A_T0, [sp, #BLOCKS]
    subs A_T0, A_T0, #1
    str A_T0, [sp, #BLOCKS]
    b.ne 1b

    ldr A_T0, [sp, #STATE]
    FOR_ALL_LANES
    ror A_\xy, A_\xy, #(-LAG_\xy & 63)
    str A_\xy, [A_T0], #8
    .endr

    RESTORE x21, x22, 16
    RESTORE x23, x24, 32
    RESTORE x25, x26, 48
    RESTORE x27, x28, 64
    RESTORE x29, x30, 80
    POP_FRAME x19, x20, FRAME_SIZE
    AUTHENTICATE_RETURN_ADDRESS
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    mov x\n, #0
    .endr
    ret
END_FUNCTION sha3_arm64_blocks
