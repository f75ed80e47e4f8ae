// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The ranges of numbers stand in the reader and in the rows of the laws, and a parameter may reach them
// through expressions: `mu: 2*wear`. So the model itself is asked: where it refuses a number just outside of
// a bound because a key does not admit it, and not just inside, the bound is known. Bounds that depend on
// other numbers (static friction is at least the kinetic one) are none here: both may be set together. The
// ranges of keys end at 0 and at 1, so these are tried; a bound that is reached through an offset (`share:
// 0.2 + p`) is not found. A number that must be positive has the bound 0, though 0 itself is refused: the
// standards have no open ends.
#include "fmu/bounds.h"

#include <math.h>
#include <stdio.h>

static const double beside = 0x1p-20; // how far from a bound it is tried

// Whether the model refuses this value because some key does not admit what comes of it. *failed: not known,
// for memory ran out.
static bool is_refused(const ss_document* original, const char* path, double value, bool* failed)
{
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_slider* slider = NULL;
    ss_error err;
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    ss_status status = ss_document_clone(original, &document, &err);
    if (status == SS_OK) status = ss_document_set(document, path, text, path, &err);
    if (status == SS_OK)
        status = ss_document_is_slider(document) ? ss_slider_create_from_document(document, &slider, &err)
                                                 : ss_model_create_from_document(document, &model, &err);
    ss_slider_destroy(slider);
    ss_model_destroy(model);
    ss_document_destroy(document);
    *failed = *failed || status == SS_NO_MEMORY;
    return status == SS_BAD_INPUT && err.out_of_range;
}

// outward: -1 for a least value, 1 for a largest.
static bool is_bound(const ss_document* document, const char* path, double bound, int outward, double value,
                     bool* failed)
{
    double step = outward * beside * (bound != 0.0 ? 1.0 : value != 0.0 ? fabs(value) : 1.0);
    return outward * (bound - value) >= 0.0 && is_refused(document, path, bound + step, failed) &&
           !is_refused(document, path, bound - step, failed);
}

cli_bounds cli_find_bounds(const ss_document* document, const char* path, double value, bool plain)
{
    cli_bounds found = {-INFINITY, INFINITY, false};
    for (int k = 0; k <= (plain ? 1 : 0); k++) {
        if (is_bound(document, path, k, -1, value, &found.failed)) found.least = k;
        if (isinf(found.most) && is_bound(document, path, k, 1, value, &found.failed)) found.most = k;
    }
    return found;
}
