// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The family of tolerances: how small a number is too small to mean something, as a share of the terms it was
// made of, never on its own. eps = DBL_EPSILON = 2.2e-16 is the unit; the members are powers of ten near
// multiples of it, so that pages and answers can name them.
//
//     member             value   eps        what rounds so
//     SS_PROVED          1e-18   1/220      nothing: a hundredth of the rounding of a double
//     SS_UNNOTICED       1e-17   1/22       nothing: added to a sum of size 1 it changes no bit
//     SS_LAST_BIT        1e-16   1/2        the last bit of a number below 1
//     SS_UNIT_NOISE      1e-15   4.5        a component of a unit vector, a handful of operations
//     SS_NOISE           1e-14   45         a number made by tens of operations
//     SS_SUM_NOISE       1e-13   450        sums over bodies, contacts, elements or terms of a series
//     SS_RELATIVE_ZERO   1e-12   4500       the same, ten times over: a smaller result is 0
//     SS_SOLVED          1e-11   45000      what came out of a system of equations of ordinary condition
//     SS_FAINT           1e-10   450000     what came out of several of them, or of a computed motion
//     SS_CLEAR, SS_SAME  1e-9    4.5e6      a decision by more is clear of all of the above; given numbers
//                                           that differ by less are meant to be the same
//     SS_ROOT_BIT        1e-8    sqrt/1.5   the root of the last bit: Newton's method squares it
//     SS_ROOT_NOISE      1e-7    sqrt*6.7   the root of SS_NOISE: places of double zeros, angles from cosines
//
// A decision takes the smallest member that rounding cannot reach; a margin towards safety takes a larger one
// and says so. Numbers that are not about rounding (step sizes, shares of a picture, defaults of a search)
// are named where they are used. See docs/decisions/tolerances.md; tests/test_tolerance.c rounds on purpose.
#ifndef SLIPSTICK_CORE_TOLERANCE_H
#define SLIPSTICK_CORE_TOLERANCE_H

#define SS_PROVED        1e-18
#define SS_UNNOTICED     1e-17
#define SS_LAST_BIT      1e-16
#define SS_UNIT_NOISE    1e-15
#define SS_NOISE         1e-14
#define SS_SUM_NOISE     1e-13
#define SS_RELATIVE_ZERO 1e-12
#define SS_SOLVED        1e-11
#define SS_FAINT         1e-10
#define SS_CLEAR         1e-9
#define SS_SAME          1e-9
#define SS_ROOT_BIT      1e-8
#define SS_ROOT_NOISE    1e-7

// Two members are absolute, because numbers end there: below the first, terms made of a number lose their
// digits one by one; the second stands in for a divisor that may be 0.
#define SS_NO_DIGITS 1e-290
#define SS_NOT_ZERO  1e-300

// What motions are computed to unless the caller says otherwise, relative to their size.
#define SS_DEFAULT_TOLERANCE 1e-10

#endif
