/* A stand-in: the algorithms of broken.c. */
#define KCONF_FAMILIES(X)   X(digest) X(cipher)
#define KCONF_ALGORITHMS(X) X(digest, nobody_knows) X(digest, sha256) X(cipher, speck64_xts)
