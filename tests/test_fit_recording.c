// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The carried disk as a laser sees it: 5 kHz for 1 s, 8 um of noise, made by integrating [RD25, (8)-(11)] to
// 1e-12 with stiffness 8e4 N/m^1.5, exponent 1.5, alpha 1.2 s/m, frame at 12.3 mm, friction 0.1106 N.
#include "fit_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct unknown {
    const char* path;
    double truth, guess, largest_error;
} unknown;

static void recover(const unknown unknowns[], int count, int warnings)
{
    const char* column = "position_m";
    ss_document* document = NULL;
    ss_recording* recording = NULL;
    ss_fit* fit = NULL;
    ss_error err = {0};
    assert_int_equal(
        ss_document_read_yaml(SS_SOURCE_DIR "/models/carried-disk-recording.yaml", &document, &err), SS_OK);
    if (ss_recording_read_csv(SS_SOURCE_DIR "/tests/data/carried-disk.csv", NULL, &column, 1, &recording,
                              &err) != SS_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ss_recording_count(recording), 5000);
    ss_fit_free free[5];
    for (int k = 0; k < count; k++) {
        free[k] = ss_fit_free_default();
        free[k].path = unknowns[k].path;
        free[k].guess = unknowns[k].guess;
    }
    const ss_fit_trace trace = {"disk.x", NAN};
    const ss_recording* recordings[] = {recording};
    ss_fit_def def = ss_fit_def_default();
    def.document = document;
    def.recordings = recordings;
    def.recording_count = 1;
    def.traces = &trace;
    def.trace_count = 1;
    def.free = free;
    def.free_count = count;
#ifdef FIT_SANITIZED
    def.to = 0.15; // one impact is enough to look for faults of memory
#endif
    if (ss_fit_run(&def, &fit, &err) != SS_OK) fail_msg("%s", err.text);
    assert_int_equal(ss_fit_get_outcome(fit), SS_FIT_CONVERGED);
#ifndef FIT_SANITIZED
    for (int k = 0; k < count; k++) {
        ss_fit_parameter q = ss_fit_get_parameter(fit, k);
        if (!(fabs(q.value - unknowns[k].truth) < 3.0 * q.standard_error) ||
            !(q.standard_error < unknowns[k].largest_error))
            fail_msg("%s: %.9g +- %.3g, where %.9g is true", q.name, q.value, q.standard_error,
                     unknowns[k].truth);
    }
    assert_true(fabs(ss_fit_rms(fit) / 8e-6 - 1) < 0.05);
    assert_int_equal(ss_fit_warning_count(fit), warnings);
    assert_int_equal(ss_fit_note_count(fit), 0);
#else
    (void)warnings;
#endif
    ss_fit_destroy(fit);
    ss_recording_destroy(recording);
    ss_document_destroy(document);
}

static void the_carried_disk_gives_its_numbers_back(void** state)
{
    (void)state;
    const unknown three[] = {{"contacts.frame.stiffness", 8e4, 5e4, 100},
                             {"contacts.frame.alpha", 1.2, 1.0, 1e-3},
                             {"contacts.frame.above", 0.0123, 0.012, 1e-6}};
    recover(three, 3, 0);
}

// Friction as well, from guesses that are far off.
static void four_numbers_from_far(void** state)
{
    (void)state;
    const unknown four[] = {{"contacts.frame.stiffness", 8e4, 4e4, 1000},
                            {"contacts.frame.alpha", 1.2, 0.6, 1e-2},
                            {"contacts.frame.above", 0.0123, 0.015, 1e-6},
                            {"contacts.surface.friction", 0.1106, 0.15, 1e-3}};
    recover(four, 4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_carried_disk_gives_its_numbers_back),
                                       cmocka_unit_test(four_numbers_from_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
