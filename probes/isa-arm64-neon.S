/* Advanced SIMD. */
    .arch armv8-a
    add v0.2d, v1.2d, v2.2d
    tbl v0.16b, {v1.16b}, v2.16b
