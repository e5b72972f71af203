/*
 * Speck128-XTS with NEON on 32-bit ARM:
 *
 *     size_t speck128_xts_arm_neon_encrypt(const uint64_t *round_keys, unsigned rounds, uint8_t *output,
 *                                          const uint8_t *input, size_t nblocks, uint64_t *tweak);
 *     size_t speck128_xts_arm_neon_decrypt(... the same ...);
 *
 * do the blocks of whole steps of 128 bytes, and return their number. The registers are in the file included below.
 */
#include "asm.h"

    .arch armv7-a
    .fpu neon
    .arm

#define WORD_BITS 64
#define W(mnemonic) mnemonic##64
#define HALVES(mnemonic) mnemonic##32
#define POLYNOMIAL 0x87 /* x^128 = x^7 + x^2 + x + 1 */
#define KEY_COUNT 4
#include "speck-xts-arm-neon.inc"

#define K1 q6
#define K2 q5
#define K3 q7

CONSTANTS constants
    .quad 0, 1, 2, 3
END_CONSTANTS constants

.macro LOAD_ROTATE offset
.endm

.macro ROTATE_RIGHT_8 half
    vext.8 \half, \half, \half, #1
.endm

.macro ROTATE_LEFT_8 half
    vext.8 \half, \half, \half, #7
.endm

/* Round keys, each to both lanes: two vectors of two keys are loaded twice, and exchange halves with their copies. */
.macro LOAD_KEYS
    vld1.64 {d8, d9, d10, d11}, [r6]
    vld1.64 {d12, d13, d14, d15}, [r6], r8
    vswp d9, d12
    vswp d11, d14
.endm

.macro LOAD_KEY
    vld1.64 {d8}, [r6], r9
    vmov d9, d8
.endm

/* A group of blocks. */
.macro LOAD y0, y1, x0, x1
    vld1.8 {\y0, \y1, \x0, \x1}, [r3]!
    vswp \y1, \x0
.endm

.macro STORE y0, y1, x0, x1
    vswp \y1, \x0
    vst1.8 {\y0, \y1, \x0, \x1}, [r2]!
.endm

/* The tweak, to both lanes of YA and XA. */
.macro LOAD_TWEAK
    vld1.64 {d17, d18}, [r5]
    vmov d16, d17
    vmov d19, d18
.endm

/* The tweak, from the first lane of LA and HA. */
.macro STORE_TWEAK
    vmov d1, d2
    vst1.64 {d0, d1}, [r5]
.endm

/* Each vector of tweaks is multiplied by x^8. */
.macro NEXT_TWEAKS
    MULTIPLY 8, LA, HA, LB, HB, LA, HA, LB, HB
    MULTIPLY 8, LC, HC, LD, HD, LC, HC, LD, HD
.endm

FUNCTION speck128_xts_arm_neon_encrypt
    CRYPT ENCRYPT_ROUND, 1, K0, K1, K2, K3
END_FUNCTION speck128_xts_arm_neon_encrypt

FUNCTION speck128_xts_arm_neon_decrypt
    CRYPT DECRYPT_ROUND, -1, K3, K2, K1, K0
END_FUNCTION speck128_xts_arm_neon_decrypt
