// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Vectors of numbers, one per lane, as wide as the processor the file is compiled for has them. Sums,
// products and quotients are the operators of the compiler's vector extension; what they lack stands here.
// Every operation rounds each lane as it would round one number, so all widths give the same bits.
#ifndef SLIPSTICK_FLOW_LANES_VECTOR_H
#define SLIPSTICK_FLOW_LANES_VECTOR_H

#include <math.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define SS_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)

enum { WIDTH = 8 };
typedef double vec __attribute__((vector_size(64)));
typedef __mmask8 mask;
SS_INLINE mask less(vec a, vec b) { return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ); }
SS_INLINE vec choose(mask m, vec yes, vec no)
{
    return (vec)_mm512_mask_blend_pd(m, (__m512d)no, (__m512d)yes);
}
SS_INLINE vec larger(vec a, vec b) { return (vec)_mm512_max_pd((__m512d)a, (__m512d)b); }
SS_INLINE vec smaller(vec a, vec b) { return (vec)_mm512_min_pd((__m512d)a, (__m512d)b); }
SS_INLINE vec size_of(vec a) { return (vec)_mm512_abs_pd((__m512d)a); }
SS_INLINE mask both(mask a, mask b) { return (mask)(a & b); }
SS_INLINE mask either(mask a, mask b) { return (mask)(a | b); }
SS_INLINE mask except(mask a, mask b) { return (mask)(a & ~b); }
SS_INLINE mask nowhere(void) { return 0; }
SS_INLINE mask everywhere(void) { return 0xff; }
SS_INLINE int any(mask m) { return m != 0; }

#elif defined(__AVX2__)

enum { WIDTH = 4 };
typedef double vec __attribute__((vector_size(32)));
typedef __m256d mask;
SS_INLINE mask less(vec a, vec b) { return _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LT_OQ); }
SS_INLINE vec choose(mask m, vec yes, vec no) { return (vec)_mm256_blendv_pd((__m256d)no, (__m256d)yes, m); }
SS_INLINE vec larger(vec a, vec b) { return (vec)_mm256_max_pd((__m256d)a, (__m256d)b); }
SS_INLINE vec smaller(vec a, vec b) { return (vec)_mm256_min_pd((__m256d)a, (__m256d)b); }
SS_INLINE vec size_of(vec a) { return (vec)_mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)a); }
SS_INLINE mask both(mask a, mask b) { return _mm256_and_pd(a, b); }
SS_INLINE mask either(mask a, mask b) { return _mm256_or_pd(a, b); }
SS_INLINE mask except(mask a, mask b) { return _mm256_andnot_pd(b, a); }
SS_INLINE mask nowhere(void) { return _mm256_setzero_pd(); }
SS_INLINE mask everywhere(void) { return _mm256_castsi256_pd(_mm256_set1_epi64x(-1)); }
SS_INLINE int any(mask m) { return _mm256_movemask_pd(m) != 0; }

#elif defined(__SSE2__)

enum { WIDTH = 2 };
typedef double vec __attribute__((vector_size(16)));
typedef __m128d mask;
SS_INLINE mask less(vec a, vec b) { return _mm_cmplt_pd((__m128d)a, (__m128d)b); }
SS_INLINE vec choose(mask m, vec yes, vec no)
{
    return (vec)_mm_or_pd(_mm_and_pd(m, (__m128d)yes), _mm_andnot_pd(m, (__m128d)no));
}
SS_INLINE vec larger(vec a, vec b) { return (vec)_mm_max_pd((__m128d)a, (__m128d)b); }
SS_INLINE vec smaller(vec a, vec b) { return (vec)_mm_min_pd((__m128d)a, (__m128d)b); }
SS_INLINE vec size_of(vec a) { return (vec)_mm_andnot_pd(_mm_set1_pd(-0.0), (__m128d)a); }
SS_INLINE mask both(mask a, mask b) { return _mm_and_pd(a, b); }
SS_INLINE mask either(mask a, mask b) { return _mm_or_pd(a, b); }
SS_INLINE mask except(mask a, mask b) { return _mm_andnot_pd(b, a); }
SS_INLINE mask nowhere(void) { return _mm_setzero_pd(); }
SS_INLINE mask everywhere(void) { return _mm_castsi128_pd(_mm_set1_epi32(-1)); }
SS_INLINE int any(mask m) { return _mm_movemask_pd(m) != 0; }

#else // any other processor: the compiler's vectors alone

enum { WIDTH = 2 };
typedef double vec __attribute__((vector_size(16)));
typedef long long mask __attribute__((vector_size(16)));
SS_INLINE mask less(vec a, vec b) { return (mask)(a < b); }
SS_INLINE vec choose(mask m, vec yes, vec no) { return (vec)((m & (mask)yes) | (~m & (mask)no)); }
SS_INLINE vec larger(vec a, vec b) { return choose((mask)(a > b), a, b); }
SS_INLINE vec smaller(vec a, vec b) { return choose((mask)(a < b), a, b); }
SS_INLINE vec size_of(vec a) { return (vec)((mask)a & (mask){0x7fffffffffffffff, 0x7fffffffffffffff}); }
SS_INLINE mask both(mask a, mask b) { return a & b; }
SS_INLINE mask either(mask a, mask b) { return a | b; }
SS_INLINE mask except(mask a, mask b) { return a & ~b; }
SS_INLINE mask nowhere(void) { return (mask){0, 0}; }
SS_INLINE mask everywhere(void) { return (mask){-1, -1}; }
SS_INLINE int any(mask m) { return (m[0] | m[1]) != 0; }

#endif

SS_INLINE vec all(double x) { return x - (vec){0}; }
SS_INLINE vec load(const double* from)
{
    vec v;
    memcpy(&v, from, sizeof v);
    return v;
}
SS_INLINE void store(double* to, vec v) { memcpy(to, &v, sizeof v); }

#endif
