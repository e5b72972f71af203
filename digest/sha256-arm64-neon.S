/*
 * SHA-256 for arm64 CPUs that lack the SHA-2 instructions (FIPS 180-4, section 6.2.2): the rounds in general registers
 * and, between their instructions, the message schedule in NEON registers, four words at a time.
 *
 *     void sha256_arm64_neon_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * x0, x1, x2   state; the next block; the end of the data
 * w3 to w10    the working variables a to h
 * w11, w12     temporaries
 * w13, w14     b ^ c, which is a ^ b of the round before; and a temporary that becomes a ^ b
 * w15, w16     K[t] + W[t] of an even round and of the odd one after it
 * x17          where the next constants are
 * v0 to v3     sixteen words of the message schedule
 * v4 to v6     temporaries
 * v7           the last two words of the message schedule, each twice
 * v16 to v19   sixteen constants
 * v20 to v23   temporaries
 * [sp]         K[t] + W[t] of sixteen rounds
 *
 * No value moves from register to register: the names of the variables and words go round instead.
 */
#include "asm.h"
#include "sha2-round-constants.h"

    .arch armv8-a

/* So aligned that the low bits of the pointer tell when all of them are used. */
    READ_ONLY_SECTION
    .balign 256
CONSTANTS K256
    .long SHA256_ROUND_CONSTANTS
END_CONSTANTS K256

.macro STEP number, instruction:vararg
.if step == \number
    \instruction
.endif
.endm

/*
 * The next step of making the words t + 16 to t + 19 in the place of the words t to t + 3, in w0, and their sums with
 * the constants in k. sigma1 of the last two words takes the first two, and is therefore done in halves.
 *
 * In a lane of 64 bits that holds a word twice, a shift rotates the word, as far as the lower half goes. What is left
 * in the upper half does not count.
 */
.macro NEXT_STEP w0, w1, w2, w3, k, place
    STEP 0, ext v6.16b, \w2\().16b, \w3\().16b, #4
    STEP 1, ext v4.16b, \w0\().16b, \w1\().16b, #4
    STEP 2, ushr v22.2d, v7.2d, #19
    STEP 3, ushr v21.2d, v7.2d, #17
    STEP 4, ushr v5.4s, v4.4s, #7
    STEP 5, add \w0\().4s, \w0\().4s, v6.4s             /* + W[t + 9] */
    STEP 6, ushr v6.4s, v4.4s, #18
    STEP 7, eor v21.16b, v21.16b, v22.16b
    STEP 8, sli v6.4s, v4.4s, #14
    STEP 9, sli v5.4s, v4.4s, #25
    STEP 10, ushr v4.4s, v4.4s, #3
    STEP 11, eor v5.16b, v5.16b, v6.16b
    STEP 12, ushr v7.4s, v7.4s, #10
    STEP 13, eor v5.16b, v5.16b, v4.16b
    STEP 14, add \w0\().4s, \w0\().4s, v5.4s            /* + sigma0(W[t + 1]) */
    STEP 15, eor v7.16b, v21.16b, v7.16b
    STEP 16, ushll v20.2d, \w0\().2s, #0
    STEP 17, add v20.4s, v20.4s, v7.4s                  /* + sigma1(W[t + 14]), in the first two words */
    STEP 18, trn1 v20.4s, v20.4s, v20.4s
    STEP 19, ushr v22.2d, v20.2d, #19
    STEP 20, ushll2 v23.2d, \w0\().4s, #0
    STEP 21, ushr v21.2d, v20.2d, #17
    STEP 22, ushr v7.4s, v20.4s, #10
    STEP 23, eor v21.16b, v21.16b, v22.16b
    STEP 24, eor v7.16b, v7.16b, v21.16b
    STEP 25, xtn \w0\().2s, v20.2d
    STEP 26, add v7.4s, v7.4s, v23.4s                   /* and in the last two */
    STEP 27, trn1 v7.4s, v7.4s, v7.4s
    STEP 28, xtn2 \w0\().4s, v7.2d
    STEP 29, add v6.4s, \w0\().4s, \k\().4s
    STEP 30, str q6, [sp, #\place]
    .set step, step + 1
.endm

/* Leaves the steps out where there are no more words to make. */
.macro NEON words:vararg
.ifnb \words
    NEXT_STEP \words
.endif
.endm

/*
 * Round t. Ch(e, f, g) is the sum of e & f and g & ~e, which have no bit in common; Maj(a, b, c) is
 * ((a ^ b) & (b ^ c)) ^ b.
 */
.macro ROUND a, b, c, d, e, f, g, h, kw, ab, bc, words:vararg
    bic     \ab, \g, \e
    ror     w11, \e, #6
    NEON    \words
    NEON    \words
    add     \h, \h, \kw
    and     w12, \f, \e
    NEON    \words
    add     \h, \h, w12
    add     \h, \h, \ab                     /* Ch(e, f, g) */
    eor     w11, w11, \e, ror #11
    eor     w11, w11, \e, ror #25
    eor     \ab, \a, \b
    NEON    \words
    add     \h, \h, w11                     /* Sigma1(e), and with it h is T1 */
    ror     w11, \a, #2
    and     \bc, \bc, \ab
    eor     \bc, \bc, \b
    add     \d, \d, \h                      /* the next e */
    NEON    \words
    NEON    \words
    eor     w11, w11, \a, ror #13
    eor     w11, w11, \a, ror #22
    add     \h, \h, \bc                     /* Maj(a, b, c) */
    NEON    \words
    NEON    \words
    add     \h, \h, w11                     /* Sigma0(a), and with it h is the next a */
.endm

/* Rounds t to t + 3 of sixteen. The sums for a round are loaded before it, by the last of sixteen for the next ones. */
.macro FOUR_ROUNDS t, a, b, c, d, e, f, g, h, words:vararg
    .set step, 0
    ROUND   \a, \b, \c, \d, \e, \f, \g, \h, w15, w14, w13, \words
    ROUND   \h, \a, \b, \c, \d, \e, \f, \g, w16, w13, w14, \words
    ldp     w15, w16, [sp, #(4 * \t + 8)]
    ROUND   \g, \h, \a, \b, \c, \d, \e, \f, w15, w14, w13, \words
    ROUND   \f, \g, \h, \a, \b, \c, \d, \e, w16, w13, w14, \words
    ldp     w15, w16, [sp, #((4 * \t + 16) % 64)]
.endm

/* Two words of the chaining value and the variables that start from them. */
.macro ADD_TO_STATE v0, v1, offset
    ldp     w11, w12, [x0, #\offset]
    add     \v0, \v0, w11
    add     \v1, \v1, w12
    stp     \v0, \v1, [x0, #\offset]
.endm

FUNCTION sha256_arm64_neon_blocks
    sub     sp, sp, #64
    .cfi_def_cfa_offset 64
    add     x2, x1, x2, lsl #6
    LOAD_ADDRESS x17, K256
    ldp     w3, w4, [x0]
    ldp     w5, w6, [x0, #8]
    ldp     w7, w8, [x0, #16]
    ldp     w9, w10, [x0, #24]

1:  /* a block */
    ld1     {v0.16b-v3.16b}, [x1], #64
    ld1     {v16.4s-v19.4s}, [x17], #64
    rev32   v0.16b, v0.16b
    rev32   v1.16b, v1.16b
    rev32   v2.16b, v2.16b
    rev32   v3.16b, v3.16b
    add     v4.4s, v0.4s, v16.4s
    add     v5.4s, v1.4s, v17.4s
    stp     q4, q5, [sp]
    add     v4.4s, v2.4s, v18.4s
    add     v5.4s, v3.4s, v19.4s
    stp     q4, q5, [sp, #32]
    zip2    v7.4s, v3.4s, v3.4s
    ldp     w15, w16, [sp]
    eor     w13, w4, w5
2:
    ld1     {v16.4s-v19.4s}, [x17], #64
    FOUR_ROUNDS 0, w3, w4, w5, w6, w7, w8, w9, w10, v0, v1, v2, v3, v16, 0
    FOUR_ROUNDS 4, w7, w8, w9, w10, w3, w4, w5, w6, v1, v2, v3, v0, v17, 16
    FOUR_ROUNDS 8, w3, w4, w5, w6, w7, w8, w9, w10, v2, v3, v0, v1, v18, 32
    FOUR_ROUNDS 12, w7, w8, w9, w10, w3, w4, w5, w6, v3, v0, v1, v2, v19, 48
    tst     x17, #255
    b.ne    2b
    sub     x17, x17, #256
    FOUR_ROUNDS 0, w3, w4, w5, w6, w7, w8, w9, w10
    FOUR_ROUNDS 4, w7, w8, w9, w10, w3, w4, w5, w6
    FOUR_ROUNDS 8, w3, w4, w5, w6, w7, w8, w9, w10
    FOUR_ROUNDS 12, w7, w8, w9, w10, w3, w4, w5, w6

    ADD_TO_STATE w3, w4, 0
    ADD_TO_STATE w5, w6, 8
    ADD_TO_STATE w7, w8, 16
    ADD_TO_STATE w9, w10, 24
    cmp     x1, x2
    b.ne    1b

    stp     xzr, xzr, [sp]
    stp     xzr, xzr, [sp, #16]
    stp     xzr, xzr, [sp, #32]
    stp     xzr, xzr, [sp, #48]
    .irp r, 0, 1, 2, 3, 4, 5, 6, 7, 20, 21, 22, 23
    movi    v\r\().16b, #0
    .endr
    .irp r, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    mov     w\r, wzr
    .endr
    add     sp, sp, #64
    .cfi_def_cfa_offset 0
    ret
END_FUNCTION sha256_arm64_neon_blocks
