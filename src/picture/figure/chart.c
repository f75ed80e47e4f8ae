// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/figure/chart.h"

#include "core/error.h"
#include "lab/fit/fit_impl.h"
#include "picture/figure/contour.h"
#include "share/model_parts.h"
#include "slipstick/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- what is assured

typedef enum assurance { NOTHING, FROM_THE_START, FROM_EVERYWHERE } assurance;

typedef struct chart {
    const ss_basin* basin;
    ss_plot* plot;
    double *q, *v, *M;                  // room for a state
    bool is_named[FROM_EVERYWHERE + 1]; // which boundaries are in the legend
} chart;

// Elastic and kinetic energy of the start of these values.
static double start_energy(const chart* c, const ss_model* model, const ss_certificate* certificate,
                           const double values[])
{
    int n = ss_model_coordinate_count(model);
    for (int k = 0; k < n; k++) {
        int body = ss_model_coordinate_body(model, k);
        c->q[k] = ss_model_start_x(model, body);
        c->v[k] = ss_model_start_v(model, body);
        for (int a = 0; a < c->basin->axis_count; a++)
            if (c->basin->targets[a].body == body) (c->basin->targets[a].speed ? c->v : c->q)[k] = values[a];
    }
    ss_membership membership;
    ss_error err;
    if (ss_certificate_locate(certificate, c->q, &membership, &err) != SS_OK) return INFINITY;
    double energy = membership.energy;
    ss_model_get_matrix(model, SS_MATRIX_MASS, c->M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) energy += 0.5 * c->v[i] * c->M[i * n + j] * c->v[j];
    return energy;
}

static assurance judge(const chart* c, const double values[])
{
    ss_model* model = NULL;
    ss_certificate* certificate = NULL;
    ss_certify_def def = ss_certify_def_default();
    ss_error err;
    assurance found = NOTHING;
    if (ss_basin_build(c->basin, values, &model, &err) == SS_OK &&
        ss_certify(model, &def, &certificate, &err) == SS_OK) {
        if (certificate->verdict == SS_GLOBAL)
            found = FROM_EVERYWHERE;
        else if (certificate->verdict != SS_NOT_ASSURED &&
                 start_energy(c, model, certificate, values) < certificate->rho_star)
            found = FROM_THE_START;
    }
    ss_certificate_destroy(certificate);
    ss_model_destroy(model);
    return found;
}

static int assured_at(void* user, ss_point at)
{
    const chart* c = user;
    double values[2] = {at.x, at.y};
    for (int a = 0; a < 2; a++) { // pixels at the rim reach half a step too far
        const ss_basin_axis* axis = &c->basin->axes[a];
        values[a] = fmin(fmax(values[a], fmin(axis->from, axis->to)), fmax(axis->from, axis->to));
    }
    return (int)judge(c, values);
}

// ---- lines

static void draw_boundary(void* user, int level, const ss_point points[], int count)
{
    chart* c = user;
    const ss_theme* theme = ss_plot_theme(c->plot);
    bool everywhere = level == FROM_EVERYWHERE;
    const char* name = everywhere ? "certified from everywhere" : "certified from the start";
    const ss_pen halo = {.color = theme->halo, .width = 3.6},
                 pen = {.color = everywhere ? theme->set : theme->region,
                        .width = 1.8,
                        .dash = everywhere ? 0 : 6,
                        .pause = 2.5};
    ss_plot_line(c->plot, points, count, false, &halo, NULL);
    ss_plot_line(c->plot, points, count, false, &pen, c->is_named[level] ? NULL : name);
    c->is_named[level] = true;
}

ss_status ss_chart_draw(ss_plot* plot, const ss_basin* basin, const ss_box* box, ss_error* err)
{
    size_t n = (size_t)ss_model_coordinate_count(basin->model);
    double* room = ss_new(2 * n + n * n, sizeof *room);
    if (!room) return ss_fail_no_memory(err);
    chart c = {.basin = basin, .plot = plot, .q = room, .v = room + n, .M = room + 2 * n};
    bool done = ss_contour(assured_at, FROM_EVERYWHERE, box, draw_boundary, &c);
    free(room);
    return done ? SS_OK : ss_fail_no_memory(err);
}
