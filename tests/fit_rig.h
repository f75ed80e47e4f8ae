// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fits of tests: recordings that models make of themselves, with the noise of a sensor, and what is expected
// of the answer. Anything that cannot be done fails the test at once.
#ifndef TESTS_FIT_RIG_H
#define TESTS_FIT_RIG_H

#include "lab/fit/fit_impl.h"
#include "slipstick/lab.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIT_SANITIZED 1 ///< every instruction costs several: fewer recordings will do
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FIT_SANITIZED 1
#endif

enum { FIT_BENCH_MOST = 8 };

/// A fit in the making.
typedef struct fit_bench {
    ss_document* document;
    ss_recording* recordings[FIT_BENCH_MOST];
    ss_fit_free free[FIT_BENCH_MOST];
    ss_fit_trace traces[FIT_BENCH_MOST];
    ss_fit_known known[FIT_BENCH_MOST];
    ss_fit_def def;
    ss_fit* fit;
} fit_bench;

extern const char fit_swing[]; ///< a block on a spring and a rough floor, let go at 0.2 m
extern const char fit_ball[];  ///< a ball on a rigid floor, let go at 0.5 m
extern uint64_t fit_random_state;

void fit_bench_setup(fit_bench* b, const char* yaml);
void fit_bench_teardown(fit_bench* b);
ss_fit_free* fit_bench_free(fit_bench* b, const char* path, double guess);
void fit_bench_trace(fit_bench* b, const char* shows, double sigma);
/// Records the model of the document, with `set` changed in it, as a sensor with delay and noise would.
void fit_bench_record(fit_bench* b, const char* set, const char* value, int count, double step, double delay,
                      const double sigma[]);
/// FIT_SHOW in the environment: prints what was found.
void fit_bench_run(fit_bench* b);
void fit_expect_found(const fit_bench* b, int k, double want, double tolerance);
/// Within 4 standard errors, and these are of a sensible size.
void fit_expect_near_truth(const fit_bench* b, int k, double want, double largest_error);
/// Whether a warning has both words.
bool fit_warns(const fit_bench* b, const char* a, const char* second);
/// The next number of fit_random_state's normal noise.
double fit_noise(double sigma);

/// Number k of a normal noise of variance 1.
double fit_normal(uint64_t seed, uint64_t k);
/// The motion of a document at equal times: its first coordinate, or the force of contact 0.
void fit_play(const ss_document* document, bool force, double step, int count, double t[], double out[]);

#endif
