/* The SHA-512 instructions of ARMv8.2. */
    .arch armv8.2-a+sha3
    sha512h q0, q1, v2.2d
    sha512su0 v0.2d, v1.2d
