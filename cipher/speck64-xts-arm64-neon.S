/*
 * Speck64-XTS with NEON on arm64:
 *
 *     size_t speck64_xts_arm64_neon_encrypt(const uint32_t *round_keys, unsigned rounds, uint8_t *output,
 *                                          const uint8_t *input, size_t nblocks, uint64_t *tweak);
 *     size_t speck64_xts_arm64_neon_decrypt(... the same ...);
 *
 * do the blocks of whole steps of 128 bytes, and return their number. The registers are in the file included below.
 */
#include "asm.h"

    .arch armv8-a

#define WORD_BITS 32
#define W(register) register\().4s
#define HALVES(register) register\().8h
#define ONE(register) register\().s
#define POLYNOMIAL 0x1b /* x^64 = x^4 + x^3 + x + 1 */
#include "speck-xts-arm64-neon.inc"

CONSTANTS constants
    .word 0, 1, 2, 3, 4, 5, 6, 7
    .byte 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
    .byte 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
END_CONSTANTS constants

/* Each vector of tweaks is multiplied by x^16: by x^8 it is the second next. */
.macro NEXT_TWEAKS
    MULTIPLY 8, LA, HA, LB, HB, LC, HC, LD, HD
    MULTIPLY 8, LC, HC, LD, HD, LA, HA, LB, HB
.endm

FUNCTION speck64_xts_arm64_neon_encrypt
    CRYPT ENCRYPT_ROUND, 1, K0, K1, K2
END_FUNCTION speck64_xts_arm64_neon_encrypt

FUNCTION speck64_xts_arm64_neon_decrypt
    CRYPT DECRYPT_ROUND, -1, K2, K1, K0
END_FUNCTION speck64_xts_arm64_neon_decrypt
