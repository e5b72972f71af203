/* By how many bits rho rotates lane A[x, y], at x + 5 * y (FIPS 202, table 2), for the kernels in C. */
#ifndef ARMLET_SHA3_OFFSETS_H
#define ARMLET_SHA3_OFFSETS_H

#include <stdint.h>

static const uint8_t rho[25] = {
    0,  1,  62, 28, 27, /* y = 0 */
    36, 44, 6,  55, 20, /* y = 1 */
    3,  10, 43, 25, 39, /* y = 2 */
    41, 45, 15, 21, 8,  /* y = 3 */
    18, 2,  61, 56, 14, /* y = 4 */
};

#endif
