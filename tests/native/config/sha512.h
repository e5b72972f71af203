#define SHA512_BACKENDS(X) X(sha512, recorder, "recorder", 0)
