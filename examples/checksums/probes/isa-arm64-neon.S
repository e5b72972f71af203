/* Advanced SIMD. */
    .arch armv8-a
    umlal2 v3.8h, v1.16b, v2.16b
