/*
 * What the kernels of Speck64-XTS and Speck128-XTS with NEON on arm64 have in common (ePrint 2013/404, IEEE 1619). The
 * file that includes this has defined
 *
 *     WORD_BITS          32 or 64
 *     W(register)        a vector as words
 *     HALVES(register)   as halves of words
 *     ONE(register)      one of its words
 *     POLYNOMIAL         what x^(2 * WORD_BITS) is in the field of the tweaks, less than 256
 *
 * and will define NEXT_TWEAKS and, as `constants`, the numbers from 0 as words, 32 bytes of them, then the permutations
 * of the bytes of a vector that rotate its words by eight bits to the right and to the left.
 *
 * A vector holds the same word of as many consecutive blocks as it has lanes, four or two. A step is four groups of so
 * many blocks, A to D, together 128 bytes; their instructions take turns, so that none waits for the one before it.
 *
 *     x0 round_keys    x4 blocks left         x8 from some round keys to the next
 *     w1 rounds        x5 tweak               x9 from one round key to the next
 *     x2 output        x6 next round key      x10 the round keys of the first rounds
 *     x3 input         w7 rounds left         x11 blocks in whole steps
 */
#define WORD_SIZE (WORD_BITS / 8)
#define LANES (16 / WORD_SIZE)
#define STEP (4 * LANES)

/* The blocks. */
#define YA v0
#define XA v1
#define YB v2
#define XB v3
#define YC v4
#define XC v5
#define YD v6
#define XD v7

/* Their tweaks, low words and high words. */
#define LA v16
#define HA v17
#define LB v18
#define HB v19
#define LC v20
#define HC v21
#define LD v22
#define HD v23

/* For the moment. */
#define TA v24
#define TB v25
#define TC v26
#define TD v27

/* Round keys, each in every lane. */
#define K0 v28
#define K1 v29
#define K2 v30
#define KEY_COUNT 3

/* A permutation for tbl: the rotation by eight bits that the direction needs. */
#define ROTATE v31

/* x = (ror(x, 8) + y) ^ key, y = rol(y, 3) ^ x */
.macro ENCRYPT_ROUND key
    tbl XA.16b, {XA.16b}, ROTATE.16b
    tbl XB.16b, {XB.16b}, ROTATE.16b
    tbl XC.16b, {XC.16b}, ROTATE.16b
    tbl XD.16b, {XD.16b}, ROTATE.16b
    shl W(TA), W(YA), #3
    shl W(TB), W(YB), #3
    shl W(TC), W(YC), #3
    shl W(TD), W(YD), #3
    add W(XA), W(XA), W(YA)
    add W(XB), W(XB), W(YB)
    add W(XC), W(XC), W(YC)
    add W(XD), W(XD), W(YD)
    sri W(TA), W(YA), #(WORD_BITS - 3)
    sri W(TB), W(YB), #(WORD_BITS - 3)
    sri W(TC), W(YC), #(WORD_BITS - 3)
    sri W(TD), W(YD), #(WORD_BITS - 3)
    eor XA.16b, XA.16b, \key\().16b
    eor XB.16b, XB.16b, \key\().16b
    eor XC.16b, XC.16b, \key\().16b
    eor XD.16b, XD.16b, \key\().16b
    eor YA.16b, TA.16b, XA.16b
    eor YB.16b, TB.16b, XB.16b
    eor YC.16b, TC.16b, XC.16b
    eor YD.16b, TD.16b, XD.16b
.endm

/* y = ror(y ^ x, 3), x = rol((x ^ key) - y, 8) */
.macro DECRYPT_ROUND key
    eor TA.16b, YA.16b, XA.16b
    eor TB.16b, YB.16b, XB.16b
    eor TC.16b, YC.16b, XC.16b
    eor TD.16b, YD.16b, XD.16b
    eor XA.16b, XA.16b, \key\().16b
    eor XB.16b, XB.16b, \key\().16b
    eor XC.16b, XC.16b, \key\().16b
    eor XD.16b, XD.16b, \key\().16b
    ushr W(YA), W(TA), #3
    ushr W(YB), W(TB), #3
    ushr W(YC), W(TC), #3
    ushr W(YD), W(TD), #3
    sli W(YA), W(TA), #(WORD_BITS - 3)
    sli W(YB), W(TB), #(WORD_BITS - 3)
    sli W(YC), W(TC), #(WORD_BITS - 3)
    sli W(YD), W(TD), #(WORD_BITS - 3)
    sub W(XA), W(XA), W(YA)
    sub W(XB), W(XB), W(YB)
    sub W(XC), W(XC), W(YC)
    sub W(XD), W(XD), W(YD)
    tbl XA.16b, {XA.16b}, ROTATE.16b
    tbl XB.16b, {XB.16b}, ROTATE.16b
    tbl XC.16b, {XC.16b}, ROTATE.16b
    tbl XD.16b, {XD.16b}, ROTATE.16b
.endm

.macro XOR_TWEAKS
    eor YA.16b, YA.16b, LA.16b
    eor XA.16b, XA.16b, HA.16b
    eor YB.16b, YB.16b, LB.16b
    eor XB.16b, XB.16b, HB.16b
    eor YC.16b, YC.16b, LC.16b
    eor XC.16b, XC.16b, HC.16b
    eor YD.16b, YD.16b, LD.16b
    eor XD.16b, XD.16b, HD.16b
.endm

/* low:high = YA:XA * x^left; right = left - WORD_BITS, at most seven bits overflow, K2 holds the polynomial. */
.macro SPREAD low, high, left, right
    ushl W(\low), W(YA), W(\left)
    ushl W(\high), W(XA), W(\left)
    ushl W(K0), W(YA), W(\right)
    ushl W(K1), W(XA), W(\right)
    uzp1 HALVES(K1), HALVES(K1), HALVES(K1)
    orr \high\().16b, \high\().16b, K0.16b
    pmull K1.8h, K1.8b, K2.8b
    eor \low\().16b, \low\().16b, K1.16b
.endm

/*
 * Two products low:high = from_low:from_high * x^bits, bits at most eight; K2 holds the polynomial. The product of the
 * overflow and the polynomial widens: it is made in halves of words.
 */
.macro MULTIPLY bits, low0, high0, low1, high1, from_low0, from_high0, from_low1, from_high1
    uzp2 HALVES(TA), HALVES(\from_high0), HALVES(\from_high1)
    shl W(\high0), W(\from_high0), #\bits
    shl W(\high1), W(\from_high1), #\bits
    ushr HALVES(TA), HALVES(TA), #(WORD_BITS / 2 - \bits)
    sri W(\high0), W(\from_low0), #(WORD_BITS - \bits)
    sri W(\high1), W(\from_low1), #(WORD_BITS - \bits)
    pmull TB.8h, TA.8b, K2.8b
    pmull2 TC.8h, TA.16b, K2.16b
    shl W(\low0), W(\from_low0), #\bits
    shl W(\low1), W(\from_low1), #\bits
    eor \low0\().16b, \low0\().16b, TB.16b
    eor \low1\().16b, \low1\().16b, TC.16b
.endm

/* The tweaks of the first step: block i has that of the first times x^i. */
.macro FIRST_TWEAKS
    ld2r {W(YA), W(XA)}, [x5]
    ld1 {TA.16b, TB.16b}, [x6]
    movi K0.16b, #WORD_BITS
    movi K2.16b, #POLYNOMIAL
    sub TC.16b, TA.16b, K0.16b
    sub TD.16b, TB.16b, K0.16b
    SPREAD LA, HA, TA, TC
    SPREAD LB, HB, TB, TD
    MULTIPLY (2 * LANES), LC, HC, LD, HD, LA, HA, LB, HB
.endm

/* The round keys come KEY_COUNT at a time, the last ones alone. DIRECTION is 1 or, to take them backwards, -1. */
.macro ROUNDS round, direction, keys:vararg
    mov x6, x10
    sub w7, w1, #KEY_COUNT
1:
    ld3r {W(K0), W(K1), W(K2)}, [x6], x8
    .irp key, \keys
    \round \key
    .endr
    subs w7, w7, #KEY_COUNT
    b.hs 1b
    adds w7, w7, #KEY_COUNT
    b.eq 3f
.if \direction < 0
    add x6, x6, #((KEY_COUNT - 1) * WORD_SIZE)
.endif
2:
    ld1r {W(K0)}, [x6], x9
    \round K0
    subs w7, w7, #1
    b.ne 2b
3:
.endm

/* A whole function. KEYS are the registers of round keys in the order of use. */
.macro CRYPT round, direction, keys:vararg
    ands x11, x4, #-STEP
    b.eq 20f
    mov x4, x11
    mov x8, #(KEY_COUNT * WORD_SIZE * \direction)
    mov x9, #(WORD_SIZE * \direction)
    mov x10, x0
.if \direction < 0
    add x10, x10, w1, uxtw #(WORD_SIZE / 4 + 1)
    add x10, x10, x8
.endif
    LOAD_ADDRESS x6, constants
    add x7, x6, #(40 - 8 * \direction)
    ld1 {ROTATE.16b}, [x7]
    FIRST_TWEAKS
10:
    ld2 {W(YA), W(XA)}, [x3], #32
    ld2 {W(YB), W(XB)}, [x3], #32
    ld2 {W(YC), W(XC)}, [x3], #32
    ld2 {W(YD), W(XD)}, [x3], #32
    XOR_TWEAKS
    ROUNDS \round, \direction, \keys
    XOR_TWEAKS
    st2 {W(YA), W(XA)}, [x2], #32
    st2 {W(YB), W(XB)}, [x2], #32
    st2 {W(YC), W(XC)}, [x2], #32
    st2 {W(YD), W(XD)}, [x2], #32
    movi K2.16b, #POLYNOMIAL
    NEXT_TWEAKS
    subs x4, x4, #STEP
    b.ne 10b

    st2 {ONE(LA), ONE(HA)}[0], [x5]
    .irp register, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    movi d\register, #0
    .endr
20:
    mov x0, x11
    ret
.endm
