// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion that begins with contacts that hold: neighbours whose contacts slip a little stop slipping at
// once, and those off a closed stop are back on it. To first order what they forbid is forgotten at the
// start:
//
//     D -= M^-1 W A^+ W^T D,     A = W^T M^-1 W,
//
// for the speeds over all contacts W that hold, for the positions over the stops among them.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/saltation.h"

#include <lapacke.h>
#include <stdlib.h>

typedef struct held {
    int count;
    int* contacts;
    double *a, *b, *singular; // count^2; count x width; count
} held;

static double dot(const ss_row* x, const ss_row* y)
{
    double sum = 0.0;
    for (int k = 0; k < x->count; k++)
        for (int l = 0; l < y->count; l++)
            if (x->index[k] == y->index[l]) sum += x->value[k] * y->value[l];
    return sum;
}

// A and W^T D of the rows of D from `shift` on.
static void fill(const ss_orbit* orbit, held* h, int shift)
{
    const ss_contact* contacts = orbit->model->contacts;
    int w = orbit->width;
    for (int i = 0; i < h->count; i++) {
        const ss_row* row = &contacts[h->contacts[i]].q;
        for (int j = 0; j < h->count; j++)
            h->a[i * h->count + j] = dot(row, &contacts[h->contacts[j]].mobility);
        for (int c = 0; c < w; c++) {
            double sum = 0.0;
            for (int k = 0; k < row->count; k++)
                sum += row->value[k] * orbit->monodromy[(shift + row->index[k]) * w + c];
            h->b[i * w + c] = sum;
        }
    }
}

static bool forbid(ss_orbit* orbit, held* h, bool stops_only, int shift)
{
    int w = orbit->width, rank;
    h->count = 0;
    for (int i = 0; i < orbit->model->contact_count; i++)
        if (ss_holds(orbit->sim, i) && (!stops_only || ss_is_stop(orbit->sim, i)))
            h->contacts[h->count++] = i;
    if (h->count == 0) return true;
    fill(orbit, h, shift);
    if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, h->count, h->count, w, h->a, h->count, h->b, w, h->singular,
                       SS_RELATIVE_ZERO, &rank) != 0)
        return false;
    for (int i = 0; i < h->count; i++) {
        const ss_row* mobility = &orbit->model->contacts[h->contacts[i]].mobility;
        for (int k = 0; k < mobility->count; k++)
            for (int c = 0; c < w; c++)
                orbit->monodromy[(shift + mobility->index[k]) * w + c] -=
                    mobility->value[k] * h->b[i * w + c];
    }
    return true;
}

ss_status ss_saltation_begin(ss_orbit* orbit, ss_error* err)
{
    size_t m = (size_t)orbit->model->contact_count, w = (size_t)orbit->width;
    held h = {.contacts = ss_new(m, sizeof(int)),
              .a = ss_new(m * m, sizeof(double)),
              .b = ss_new(m * w, sizeof(double)),
              .singular = ss_new(m, sizeof(double))};
    ss_status status = SS_OK;
    if (!h.contacts || !h.a || !h.b || !h.singular ||
        !(forbid(orbit, &h, false, orbit->n) && forbid(orbit, &h, true, 0)))
        status = ss_fail_no_memory(err);
    free(h.contacts);
    free(h.a);
    free(h.b);
    free(h.singular);
    return status;
}
