/* Speck64-XTS: blocks of 64 bits, keys of twice 96 or 128. */
#define WORD_BITS 32
#include "config/speck64_xts.h"
#include "speck-xts.h"

SPECK64_XTS_BACKENDS(DECLARE)
static const struct backend backends[] = {SPECK64_XTS_BACKENDS(ENTRY)};
static backend_self_test self_test;
HIDDEN struct algorithm speck64_xts_algorithm = ALGORITHM("speck64_xts", backends, self_test, SPECK64_XTS_SELECTION);
BACKENDS_NOTE(SPECK64_XTS_BACKENDS);

static const struct cipher speck64_xts = {
    .name = "Speck64XTS",
    .algorithm = &speck64_xts_algorithm,
    .block_size = BLOCK_SIZE,
    .key_sizes = {24, 32},
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
};

static int self_test(const struct backend *backend) {
    static const uint8_t known_answer[BLOCK_SIZE] = {
        0x7e, 0x93, 0xaa, 0x01, 0x9c, 0xe5, 0xe8, 0x48,
    };
    return gives_known_answer(&speck64_xts, backend, known_answer);
}

extern HIDDEN const struct cipher *const speck64_xts_ciphers[];
const struct cipher *const speck64_xts_ciphers[] = {&speck64_xts, NULL};
