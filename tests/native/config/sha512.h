#define SHA512_BACKENDS(X) X(sha512, recorder, "recorder", 0)
#define SHA512_SELECTION   SELECT_BY_ORDER
