/* Speck128-XTS: blocks of 128 bits, keys of twice 128, 192 or 256. */
#define WORD_BITS 64
#include "config/speck128_xts.h"
#include "speck-xts.h"

SPECK128_XTS_BACKENDS(DECLARE)
static const struct backend backends[] = {SPECK128_XTS_BACKENDS(ENTRY)};
static backend_self_test self_test;
HIDDEN struct algorithm speck128_xts_algorithm = ALGORITHM("speck128_xts", backends, self_test, SPECK128_XTS_SELECTION);
BACKENDS_NOTE(SPECK128_XTS_BACKENDS);

static const struct cipher speck128_xts = {
    .name = "Speck128XTS",
    .algorithm = &speck128_xts_algorithm,
    .block_size = BLOCK_SIZE,
    .key_sizes = {32, 48, 64},
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
};

static int self_test(const struct backend *backend) {
    static const uint8_t known_answer[BLOCK_SIZE] = {
        0xb8, 0xe4, 0x93, 0xe9, 0xf3, 0x68, 0x31, 0x16, 0xc4, 0x63, 0x68, 0xd2, 0x16, 0x0e, 0x68, 0x37,
    };
    return gives_known_answer(&speck128_xts, backend, known_answer);
}

extern HIDDEN const struct cipher *const speck128_xts_ciphers[];
const struct cipher *const speck128_xts_ciphers[] = {&speck128_xts, NULL};
