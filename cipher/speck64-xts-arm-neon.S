/*
 * Speck64-XTS with NEON on 32-bit ARM:
 *
 *     size_t speck64_xts_arm_neon_encrypt(const uint32_t *round_keys, unsigned rounds, uint8_t *output,
 *                                          const uint8_t *input, size_t nblocks, uint64_t *tweak);
 *     size_t speck64_xts_arm_neon_decrypt(... the same ...);
 *
 * do the blocks of whole steps of 128 bytes, and return their number. The registers are in the file included below.
 */
#include "asm.h"

    .arch armv7-a
    .fpu neon
    .arm

#define WORD_BITS 32
#define W(mnemonic) mnemonic##32
#define HALVES(mnemonic) mnemonic##16
#define POLYNOMIAL 0x1b /* x^64 = x^4 + x^3 + x + 1 */
#define KEY_COUNT 3
#include "speck-xts-arm-neon.inc"

#define K1 q5
#define K2 q6
#define ROTATE d14 /* a permutation for vtbl: the rotation by eight bits that the direction needs */

CONSTANTS constants
    .word 0, 1, 2, 3, 4, 5, 6, 7
    .byte 1, 2, 3, 0, 5, 6, 7, 4
    .byte 3, 0, 1, 2, 7, 4, 5, 6
END_CONSTANTS constants

.macro LOAD_ROTATE offset
    vldr ROTATE, [r11, #\offset]
.endm

.macro ROTATE_RIGHT_8 half
    vtbl.8 \half, {\half}, ROTATE
.endm

.macro ROTATE_LEFT_8 half
    vtbl.8 \half, {\half}, ROTATE
.endm

/* Round keys, each to every lane. */
.macro LOAD_KEYS
    vld3.32 {d8[], d10[], d12[]}, [r6]
    vld3.32 {d9[], d11[], d13[]}, [r6], r8
.endm

.macro LOAD_KEY
    vld1.32 {d8[], d9[]}, [r6], r9
.endm

/* A group of blocks. */
.macro LOAD y0, y1, x0, x1
    vld2.32 {\y0, \y1, \x0, \x1}, [r3]!
.endm

.macro STORE y0, y1, x0, x1
    vst2.32 {\y0, \y1, \x0, \x1}, [r2]!
.endm

/* The tweak, to every lane of YA and XA. */
.macro LOAD_TWEAK
    vld2.32 {d16[], d18[]}, [r5]
    vld2.32 {d17[], d19[]}, [r5]
.endm

/* The tweak, from the first lane of LA and HA. */
.macro STORE_TWEAK
    vst2.32 {d0[0], d2[0]}, [r5]
.endm

/* Each vector of tweaks is multiplied by x^16: by x^8 it is the second next. */
.macro NEXT_TWEAKS
    MULTIPLY 8, LA, HA, LB, HB, LC, HC, LD, HD
    MULTIPLY 8, LC, HC, LD, HD, LA, HA, LB, HB
.endm

FUNCTION speck64_xts_arm_neon_encrypt
    CRYPT ENCRYPT_ROUND, 1, K0, K1, K2
END_FUNCTION speck64_xts_arm_neon_encrypt

FUNCTION speck64_xts_arm_neon_decrypt
    CRYPT DECRYPT_ROUND, -1, K2, K1, K0
END_FUNCTION speck64_xts_arm_neon_decrypt
