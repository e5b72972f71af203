/* The SHA-3 instructions of ARMv8.2. */
    .arch armv8.2-a+sha3
    eor3 v0.16b, v1.16b, v2.16b, v3.16b
    xar v0.2d, v1.2d, v2.2d, #21
