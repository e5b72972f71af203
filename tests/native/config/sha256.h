#define SHA256_BACKENDS(X) X(sha256, recorder, "recorder", 0)
#define SHA256_SELECTION   SELECT_BY_ORDER
