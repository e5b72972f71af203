/*
 * SHA-512 in the general registers of arm64 (FIPS 180-4, section 6.4.2).
 *
 *     void sha512_arm64_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * x0 to x15    sixteen words of the message schedule
 * x19 to x26   the working variables a to h
 * x16, x17     temporaries
 * x27, x28     b ^ c, which is a ^ b of the round before; and the constant of the next round, then a ^ b
 * x30          where the next constant is
 * x29          the frame: saved registers and, meanwhile, the arguments
 *
 * No value moves from register to register: the names of the variables and words go round instead.
 */
#include "asm.h"
#include "sha2-round-constants.h"

    .arch armv8-a

#define FRAME_SIZE 128
#define STATE x29, #96
#define DATA_AND_END x29, #104

/* So aligned that the low bits of the pointer tell when 64 of them, of the rounds that make new words, are done. */
    READ_ONLY_SECTION
    .balign 512
CONSTANTS K512
    .quad SHA512_ROUND_CONSTANTS
END_CONSTANTS K512

.macro IF condition, instruction:vararg
.if \condition
    \instruction
.endif
.endm

/*
 * Round t, and as many more. K[t] + W[t] has been added to h before; here the next ones are added to g, the next h.
 * Ch(e, f, g) is the sum of e & f and g & ~e, which have no bit in common; Maj(a, b, c) is ((a ^ b) & (b ^ c)) ^ b.
 *
 * If expand is 1, W[t + 16] takes the place of W[t] in w0, its instructions standing between those of the round for the
 * sake of CPUs that execute in order. If it is 0, these are the last sixteen rounds.
 */
.macro ROUNDS expand, more, a, b, c, d, e, f, g, h, ab, bc, \
              w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf
    ror     x16, \e, #14
    and     x17, \f, \e
    IF \expand, add \w0, \w0, \w9
    add     \h, \h, x17
    bic     x17, \g, \e
    add     \h, \h, x17                     /* Ch(e, f, g) */
    eor     x16, x16, \e, ror #18
    eor     x16, x16, \e, ror #41
    IF \expand, ror x17, \w1, #1
    add     \h, \h, x16                     /* Sigma1(e), and with it h is T1 */
    IF \expand || \more, add \g, \g, \ab
    eor     \ab, \a, \b
    ror     x16, \a, #28
    IF \expand, eor x17, x17, \w1, ror #8
    IF \expand || \more, add \g, \g, \w1
    IF \expand, eor x17, x17, \w1, lsr #7
    and     \bc, \bc, \ab
    eor     \bc, \bc, \b
    add     \d, \d, \h                      /* the next e */
    IF \expand, add \w0, \w0, x17           /* sigma0(W[t + 1]) */
    IF \expand, ror x17, \we, #19
    add     \h, \h, \bc                     /* Maj(a, b, c) */
    eor     x16, x16, \a, ror #34
    IF \expand || \more > 1, ldr \bc, [x30], #8
    IF \expand, eor x17, x17, \we, ror #61
    eor     x16, x16, \a, ror #39
    IF \expand, eor x17, x17, \we, lsr #6
    add     \h, \h, x16                     /* Sigma0(a), and with it h is the next a */
    IF \expand, add \w0, \w0, x17           /* sigma1(W[t + 14]) */
.if \more
    ROUNDS \expand, (\more - 1), \h, \a, \b, \c, \d, \e, \f, \g, \bc, \ab, \
           \w1, \w2, \w3, \w4, \w5, \w6, \w7, \w8, \w9, \wa, \wb, \wc, \wd, \we, \wf, \w0
.endif
.endm

.macro SIXTEEN_ROUNDS expand
    ROUNDS  \expand, 15, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, \
            x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15
.endm

/* Two words of the message, which has them big-endian. */
.macro LOAD_WORDS w0, w1
    ldp     \w0, \w1, [x16], #16
    rev     \w0, \w0
    rev     \w1, \w1
.endm

/* Two words of the chaining value and the variables that start from them. */
.macro ADD_TO_STATE v0, v1, offset
    ldp     x0, x1, [x17, #\offset]
    add     \v0, \v0, x0
    add     \v1, \v1, x1
    stp     \v0, \v1, [x17, #\offset]
.endm

FUNCTION sha512_arm64_blocks
    SIGN_RETURN_ADDRESS
    sub     sp, sp, #FRAME_SIZE
    .cfi_def_cfa_offset FRAME_SIZE
    SAVE    x29, x30, 0
    SAVE    x19, x20, 16
    SAVE    x21, x22, 32
    SAVE    x23, x24, 48
    SAVE    x25, x26, 64
    SAVE    x27, x28, 80
    mov     x29, sp

    add     x17, x1, x2, lsl #7
    mov     x16, x1
    str     x0, [STATE]
    ldp     x19, x20, [x0]
    ldp     x21, x22, [x0, #16]
    ldp     x23, x24, [x0, #32]
    ldp     x25, x26, [x0, #48]
    LOAD_ADDRESS x30, K512

1:  /* a block */
    LOAD_WORDS x0, x1
    LOAD_WORDS x2, x3
    LOAD_WORDS x4, x5
    LOAD_WORDS x6, x7
    LOAD_WORDS x8, x9
    LOAD_WORDS x10, x11
    LOAD_WORDS x12, x13
    LOAD_WORDS x14, x15
    stp     x16, x17, [DATA_AND_END]
    ldp     x28, x27, [x30], #16
    add     x26, x26, x0
    add     x26, x26, x28
    eor     x28, x20, x21
2:
    SIXTEEN_ROUNDS 1
    tst     x30, #0x1e0
    b.ne    2b
    SIXTEEN_ROUNDS 0
    sub     x30, x30, #640

    ldr     x17, [STATE]
    ADD_TO_STATE x19, x20, 0
    ADD_TO_STATE x21, x22, 16
    ADD_TO_STATE x23, x24, 32
    ADD_TO_STATE x25, x26, 48
    ldp     x16, x17, [DATA_AND_END]
    cmp     x16, x17
    b.ne    1b

    .irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    mov     x\r, xzr
    .endr
    RESTORE x27, x28, 80
    RESTORE x25, x26, 64
    RESTORE x23, x24, 48
    RESTORE x21, x22, 32
    RESTORE x19, x20, 16
    RESTORE x29, x30, 0
    add     sp, sp, #FRAME_SIZE
    .cfi_def_cfa_offset 0
    AUTHENTICATE_RETURN_ADDRESS
    ret
END_FUNCTION sha512_arm64_blocks
