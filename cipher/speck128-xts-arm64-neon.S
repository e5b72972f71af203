/*
 * Speck128-XTS with NEON on arm64:
 *
 *     size_t speck128_xts_arm64_neon_encrypt(const uint64_t *round_keys, unsigned rounds, uint8_t *output,
 *                                          const uint8_t *input, size_t nblocks, uint64_t *tweak);
 *     size_t speck128_xts_arm64_neon_decrypt(... the same ...);
 *
 * do the blocks of whole steps of 128 bytes, and return their number. The registers are in the file included below.
 */
#include "asm.h"

    .arch armv8-a

#define WORD_BITS 64
#define W(register) register\().2d
#define HALVES(register) register\().4s
#define ONE(register) register\().d
#define POLYNOMIAL 0x87 /* x^128 = x^7 + x^2 + x + 1 */
#include "speck-xts-arm64-neon.inc"

CONSTANTS constants
    .quad 0, 1, 2, 3
    .byte 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
    .byte 7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14
END_CONSTANTS constants

/* Each vector of tweaks is multiplied by x^8. */
.macro NEXT_TWEAKS
    MULTIPLY 8, LA, HA, LB, HB, LA, HA, LB, HB
    MULTIPLY 8, LC, HC, LD, HD, LC, HC, LD, HD
.endm

FUNCTION speck128_xts_arm64_neon_encrypt
    CRYPT ENCRYPT_ROUND, 1, K0, K1, K2
END_FUNCTION speck128_xts_arm64_neon_encrypt

FUNCTION speck128_xts_arm64_neon_decrypt
    CRYPT DECRYPT_ROUND, -1, K2, K1, K0
END_FUNCTION speck128_xts_arm64_neon_decrypt
