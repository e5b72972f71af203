#define SHA256_BACKENDS(X) X(sha256, recorder, "recorder", 0)
