// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Old names of functions, so that the binary loads on old systems. A linker takes the newest version of a
// function that the system it works on has, and by that ties what it makes to systems as new (exp of
// glibc 2.29 differs from the one of 2.2.5 in errno alone). Calls are led here by the linker (--wrap), and
// from here to the oldest version.
#include <stddef.h>

#if defined(SLIPSTICK_OLD_GLIBC)

#define OLD(type, name, arguments, call)                                                                     \
    type slipstick_old_##name arguments;                                                                     \
    __asm__(".symver slipstick_old_" #name "," #name "@GLIBC_2.2.5");                                        \
    type __wrap_##name arguments;                                                                            \
    type __wrap_##name arguments { return slipstick_old_##name call; }

OLD(double, exp, (double x), (x))
OLD(double, log, (double x), (x))
OLD(double, exp2, (double x), (x))
OLD(double, log2, (double x), (x))
OLD(double, pow, (double x, double y), (x, y))
OLD(double, hypot, (double x, double y), (x, y))
OLD(double, fmod, (double x, double y), (x, y))
OLD(void*, memcpy, (void* to, const void* from, size_t size), (to, from, size))

#else
typedef int fmu_nothing_to_do;
#endif
