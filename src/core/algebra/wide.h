// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// SS_WIDE before a function: where the processor has wider vectors, they do the same sums with the same
// roundings.
//
// ss_four: four neighbouring numbers, wherever they lie, as the compiler's vector extension has them: for
// loops that compilers do not see how to do so.
#ifndef SLIPSTICK_CORE_WIDE_H
#define SLIPSTICK_CORE_WIDE_H

typedef double ss_four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
/// Two of them: every processor of the family takes two at a time.
typedef double ss_two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__) &&                                                                        \
    !defined(__SANITIZE_THREAD__) // clones are chosen before these are ready
#define SS_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SS_WIDE
#endif

#endif
