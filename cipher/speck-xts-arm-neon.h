/*
 * What the kernels of Speck64-XTS and Speck128-XTS with NEON on 32-bit ARM have in common (ePrint 2013/404, IEEE 1619).
 * The file that includes this has defined
 *
 *     WORD_BITS                       32 or 64
 *     W(mnemonic), HALVES(mnemonic)   an instruction that works on words, on halves of words: W(vadd.i)
 *     POLYNOMIAL                      what x^(2 * WORD_BITS) is in the field of the tweaks, less than 256
 *     KEY_COUNT                       how many round keys LOAD_KEYS loads
 *
 * and will define NEXT_TWEAKS, the macros for all that depends on the layout of words in registers, and `constants`:
 * the numbers from 0 as words, 32 bytes of them, then what else LOAD_ROTATE wants.
 *
 * A vector holds the same word of as many consecutive blocks as it has lanes, four or two. A step is four groups of so
 * many blocks, A to D, together 128 bytes; their instructions take turns, so that none waits for the one before it. The
 * tweaks of a step fill the lower eight vectors; while the rounds need those, the tweaks are on the stack.
 *
 *     r0 round_keys    r4 blocks left         r8 from some round keys to the next
 *     r1 rounds        r5 tweak               r9 from one round key to the next
 *     r2 output        r6 next round key      r10 the round keys of the first rounds
 *     r3 input         r7 rounds left         r11 constants       r12 blocks in whole steps
 */
#define WORD_SIZE (WORD_BITS / 8)
#define LANES (16 / WORD_SIZE)
#define STEP (4 * LANES)

/* The blocks. The registers of XA are d18 and d19, of XB d22 and d23, of XC d26 and d27, of XD d30 and d31. */
#define YA q8
#define XA q9
#define YB q10
#define XB q11
#define YC q12
#define XC q13
#define YD q14
#define XD q15

/* Their tweaks, low words and high words. */
#define LA q0
#define HA q1
#define LB q2
#define HB q3
#define LC q4
#define HC q5
#define LD q6
#define HD q7

/* During the rounds; round keys are in q4 to q7. */
#define TA q0
#define TB q1
#define TC q2
#define TD q3
#define K0 q4

/* Between the rounds. */
#define POLY d28

/* x = (ror(x, 8) + y) ^ key, y = rol(y, 3) ^ x. Cores that issue in order can pair a permutation with a shift. */
.macro ENCRYPT_ROUND key
    ROTATE_RIGHT_8 d18
    W(vshl.i) TA, YA, #3
    ROTATE_RIGHT_8 d19
    W(vshl.i) TB, YB, #3
    ROTATE_RIGHT_8 d22
    W(vshl.i) TC, YC, #3
    ROTATE_RIGHT_8 d23
    W(vshl.i) TD, YD, #3
    ROTATE_RIGHT_8 d26
    W(vsri.) TA, YA, #(WORD_BITS - 3)
    ROTATE_RIGHT_8 d27
    W(vsri.) TB, YB, #(WORD_BITS - 3)
    ROTATE_RIGHT_8 d30
    W(vsri.) TC, YC, #(WORD_BITS - 3)
    ROTATE_RIGHT_8 d31
    W(vsri.) TD, YD, #(WORD_BITS - 3)
    W(vadd.i) XA, XA, YA
    W(vadd.i) XB, XB, YB
    W(vadd.i) XC, XC, YC
    W(vadd.i) XD, XD, YD
    veor XA, XA, \key
    veor XB, XB, \key
    veor XC, XC, \key
    veor XD, XD, \key
    veor YA, TA, XA
    veor YB, TB, XB
    veor YC, TC, XC
    veor YD, TD, XD
.endm

/* y = ror(y ^ x, 3), x = rol((x ^ key) - y, 8) */
.macro DECRYPT_ROUND key
    veor TA, YA, XA
    veor TB, YB, XB
    veor TC, YC, XC
    veor TD, YD, XD
    veor XA, XA, \key
    veor XB, XB, \key
    veor XC, XC, \key
    veor XD, XD, \key
    W(vshr.u) YA, TA, #3
    W(vshr.u) YB, TB, #3
    W(vshr.u) YC, TC, #3
    W(vshr.u) YD, TD, #3
    W(vsli.) YA, TA, #(WORD_BITS - 3)
    W(vsli.) YB, TB, #(WORD_BITS - 3)
    W(vsli.) YC, TC, #(WORD_BITS - 3)
    W(vsli.) YD, TD, #(WORD_BITS - 3)
    W(vsub.i) XA, XA, YA
    W(vsub.i) XB, XB, YB
    W(vsub.i) XC, XC, YC
    ROTATE_LEFT_8 d18
    W(vsub.i) XD, XD, YD
    ROTATE_LEFT_8 d19
    ROTATE_LEFT_8 d22
    ROTATE_LEFT_8 d23
    ROTATE_LEFT_8 d26
    ROTATE_LEFT_8 d27
    ROTATE_LEFT_8 d30
    ROTATE_LEFT_8 d31
.endm

.macro XOR_TWEAKS
    veor YA, YA, LA
    veor XA, XA, HA
    veor YB, YB, LB
    veor XB, XB, HB
    veor YC, YC, LC
    veor XC, XC, HC
    veor YD, YD, LD
    veor XD, XD, HD
.endm

/* low:high = YA:XA * x^left; right = left - WORD_BITS, at most seven bits overflow, POLY holds the polynomial. */
.macro SPREAD low, high, left, right
    W(vshl.u) \low, YA, \left
    W(vshl.u) \high, XA, \left
    W(vshl.u) XD, YA, \right
    vorr \high, \high, XD
    W(vshl.u) XD, XA, \right
    W(vmovn.i) d30, XD
    vmull.p8 XD, d30, POLY
    veor \low, \low, XD
.endm

/*
 * Two products low:high = from_low:from_high * x^bits, bits at most eight; POLY holds the polynomial. The product of
 * the overflow and the polynomial widens: it is made in halves of words.
 */
.macro MULTIPLY bits, low0, high0, low1, high1, from_low0, from_high0, from_low1, from_high1
    W(vshrn.i) d30, \from_high0, #(WORD_BITS / 2)
    W(vshrn.i) d31, \from_high1, #(WORD_BITS / 2)
    W(vshl.i) \high0, \from_high0, #\bits
    W(vshl.i) \high1, \from_high1, #\bits
    HALVES(vshr.u) XD, XD, #(WORD_BITS / 2 - \bits)
    W(vsri.) \high0, \from_low0, #(WORD_BITS - \bits)
    W(vsri.) \high1, \from_low1, #(WORD_BITS - \bits)
    vmull.p8 YC, d30, POLY
    vmull.p8 XC, d31, POLY
    W(vshl.i) \low0, \from_low0, #\bits
    W(vshl.i) \low1, \from_low1, #\bits
    veor \low0, \low0, YC
    veor \low1, \low1, XC
.endm

/* The tweaks of the first step: block i has that of the first times x^i. */
.macro FIRST_TWEAKS
    LOAD_TWEAK
    vld1.64 {d20, d21, d22, d23}, [r11]
    vmov.i8 YC, #WORD_BITS
    vmov.i8 POLY, #POLYNOMIAL
    vsub.i8 XC, XB, YC
    vsub.i8 YC, YB, YC
    SPREAD LA, HA, YB, YC
    SPREAD LB, HB, XB, XC
    MULTIPLY (2 * LANES), LC, HC, LD, HD, LA, HA, LB, HB
.endm

/* The round keys come KEY_COUNT at a time, the last ones alone. DIRECTION is 1 or, to take them backwards, -1. */
.macro ROUNDS round, direction, keys:vararg
    mov r6, r10
    sub r7, r1, #KEY_COUNT
1:
    LOAD_KEYS
    .irp key, \keys
    \round \key
    .endr
    subs r7, r7, #KEY_COUNT
    bhs 1b
    adds r7, r7, #KEY_COUNT
    beq 3f
.if \direction < 0
    add r6, r6, #((KEY_COUNT - 1) * WORD_SIZE)
.endif
2:
    LOAD_KEY
    \round K0
    subs r7, r7, #1
    bne 2b
3:
.endm

/* A whole function. KEYS are the registers of round keys in the order of use. */
.macro CRYPT round, direction, keys:vararg
    ldr r12, [sp]
    bics r12, r12, #(STEP - 1)
    beq 20f
    push {r4-r11}
    .cfi_def_cfa_offset 32
    .cfi_offset r4, -32
    .cfi_offset r5, -28
    .cfi_offset r6, -24
    .cfi_offset r7, -20
    .cfi_offset r8, -16
    .cfi_offset r9, -12
    .cfi_offset r10, -8
    .cfi_offset r11, -4
    ldr r5, [sp, #36]
    vpush {d8-d15}
    .cfi_def_cfa_offset 96
    .cfi_offset d8, -96
    .cfi_offset d9, -88
    .cfi_offset d10, -80
    .cfi_offset d11, -72
    .cfi_offset d12, -64
    .cfi_offset d13, -56
    .cfi_offset d14, -48
    .cfi_offset d15, -40
    sub sp, sp, #128
    .cfi_def_cfa_offset 224

    mov r4, r12
    mov r8, #(KEY_COUNT * WORD_SIZE * \direction)
    mov r9, #(WORD_SIZE * \direction)
    mov r10, r0
.if \direction < 0
    add r10, r10, r1, lsl #(WORD_SIZE / 4 + 1)
    add r10, r10, r8
.endif
    LOAD_ADDRESS r11, constants
    FIRST_TWEAKS
10:
    vstmia sp, {d0-d15}
    LOAD d16, d17, d18, d19
    LOAD d20, d21, d22, d23
    LOAD d24, d25, d26, d27
    LOAD d28, d29, d30, d31
    XOR_TWEAKS
    LOAD_ROTATE (36 - 4 * \direction)
    ROUNDS \round, \direction, \keys
    vldmia sp, {d0-d15}
    XOR_TWEAKS
    STORE d16, d17, d18, d19
    STORE d20, d21, d22, d23
    STORE d24, d25, d26, d27
    STORE d28, d29, d30, d31
    vmov.i8 POLY, #POLYNOMIAL
    NEXT_TWEAKS
    subs r4, r4, #STEP
    bne 10b

    STORE_TWEAK
    .irp register, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmov.i8 q\register, #0
    .endr
    vstmia sp, {d0-d15}
    add sp, sp, #128
    .cfi_def_cfa_offset 96
    vpop {d8-d15}
    .cfi_def_cfa_offset 32
    pop {r4-r11}
    .cfi_def_cfa_offset 0
    .irp register, r4, r5, r6, r7, r8, r9, r10, r11, d8, d9, d10, d11, d12, d13, d14, d15
    .cfi_restore \register
    .endr
20:
    mov r0, r12
    bx lr
.endm
