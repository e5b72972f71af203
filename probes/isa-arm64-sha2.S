/* The SHA-2 instructions of the Cryptography Extensions. */
    .arch armv8-a+crypto
    sha256h q0, q1, v2.4s
    sha256su0 v0.4s, v1.4s
