// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ties that have names stay among the contacts, so that their coordinates are varied apart, and a start that
// shooting makes up could break them. Neighbours of a motion are those that keep them: with t the row of a
// tie over the coordinates,
//
//     t^T dq = 0,   t^T dv = 0
//
// The orthogonal projection onto these directions, P, in variables divided by their extents, takes the rest
// from steps; and the monodromy D becomes D P, whose multipliers are those of motions that keep the ties, and
// 0.
#include "lab/cycle/tied.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Orthonormal rows of the ties over one half of the state, whose extents are given. Returns how many there
// are.
static int find_rows(const ss_model* model, const double scale[], double rows[])
{
    int n = model->n, count = 0;
    for (int i = ss_first_tie(model); i < model->contact_count; i++) {
        double *row = rows + count * n, size = 0.0;
        const ss_row* q = &model->contacts[i].q;
        memset(row, 0, (size_t)n * sizeof *row);
        for (int k = 0; k < q->count; k++) row[q->index[k]] = q->value[k] * scale[q->index[k]];
        for (int other = 0; other < count; other++) {
            double along = 0.0;
            for (int k = 0; k < n; k++) along += row[k] * rows[other * n + k];
            for (int k = 0; k < n; k++) row[k] -= along * rows[other * n + k];
        }
        for (int k = 0; k < n; k++) size = hypot(size, row[k]);
        for (int k = 0; k < n && size > 0.0; k++) row[k] /= size;
        count += size > 0.0;
    }
    return count;
}

// Takes the part along the rows from a vector.
static void project(const double rows[], int count, int n, double vector[])
{
    for (int t = 0; t < count; t++) {
        double along = 0.0;
        for (int k = 0; k < n; k++) along += rows[t * n + k] * vector[k];
        for (int k = 0; k < n; k++) vector[k] -= along * rows[t * n + k];
    }
}

bool ss_keep_ties(const ss_model* model, const double scale[], int width, double vectors[], int count)
{
    int n = model->n;
    if (model->tie_count == 0) return true;
    double* rows = ss_new((size_t)model->tie_count * (size_t)n, sizeof *rows);
    if (!rows) return false;
    for (int half = 0; half < 2; half++) { // coordinates, then speeds
        int found = find_rows(model, scale + half * n, rows);
        for (int r = 0; r < count; r++) project(rows, found, n, vectors + r * width + half * n);
    }
    free(rows);
    return true;
}

bool ss_tie_monodromy(const ss_model* model, const double scale[], int width, double monodromy[])
{
    if (model->tie_count == 0) return true;
    for (int r = 0; r < width; r++)
        for (int c = 0; c < width; c++) monodromy[r * width + c] *= scale[c];
    bool fine = ss_keep_ties(model, scale, width, monodromy, width);
    for (int r = 0; r < width; r++)
        for (int c = 0; c < width; c++) monodromy[r * width + c] /= scale[c];
    return fine;
}
