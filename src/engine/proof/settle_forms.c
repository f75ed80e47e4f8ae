// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The two forms that bound a motion in bristles, seen alike: one in the coordinates of the modes of the
// linear system about the balance (settle_gain.c), which knows creep by its size alone, and that of
// settle_ring.c, which knows its sign.
//
//     x' = A x + G y',   x = (q - q_balance(y), v),   A = (0 I; B a_v),   B = a_q + a_z W^T,
//     G = (B^-1 a_z; -M^-1 W sigma1),   xi = V^-1 x
#include "core/algebra/lu.h"
#include "engine/flow/bristle_run.h"
#include "engine/proof/settle_bristles_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double worst_condition = 1e10;
static const double rounding = 64.0 * DBL_EPSILON;
static const double slack = 1e-6; // of bounds: rounding on the way to them

// ---- the form of the modes

// The modes of A. Where vectors are missing, as at critical damping, A is changed by a few roundings.
static bool find_modes(const ss_model* model, const ss_law_series* laws, struct ss_settle_bristles* c)
{
    int n = model->n, size = 2 * n, width = size + laws->bristle_count;
    c->spectrum.condition = INFINITY;
    for (int attempt = 0; attempt < 3 && !(c->spectrum.condition <= worst_condition); attempt++) {
        memset(c->a, 0, (size_t)(size * size) * sizeof(double));
        for (int i = 0; i < n; i++) {
            c->a[i * size + n + i] = 1.0;
            for (int k = 0; k < n; k++) {
                double off = 1.0 + attempt * (1 + (5 * i + 3 * k) % 7) * DBL_EPSILON;
                c->a[(n + i) * size + k] = c->at.matrix[i * n + k] * off;
                c->a[(n + i) * size + n + k] = c->at.jacobian[i * width + n + k];
            }
        }
        if (!ss_eigen_solve(c->a, size, &c->spectrum, c->work, c->scale)) return false;
    }
    double uncertain = size * rounding * c->spectrum.condition * c->spectrum.norm, slowest = -INFINITY;
    for (int k = 0; k < size; k++) slowest = fmax(slowest, creal(c->spectrum.values[k]));
    c->decay = -slowest - uncertain;
    c->gain.uncertain = uncertain;
    return c->spectrum.condition <= worst_condition && c->decay > 0.0;
}

// xi = V^-1 x, x = (position, speed).
static void to_modes(const struct ss_settle_bristles* c, int n, const double position[], const double speed[],
                     double complex xi[])
{
    for (int k = 0; k < 2 * n; k++) {
        const double complex* row = c->spectrum.inverse + k * 2 * n;
        xi[k] = 0.0;
        for (int i = 0; i < n; i++) xi[k] += row[i] * position[i] + row[n + i] * speed[i];
    }
}

// W^T V: what is along a row, by xi; of positions, or (from n on) of speeds.
static void row_to_modes(const struct ss_settle_bristles* c, int n, const ss_row* row, int from,
                         double complex out[])
{
    for (int k = 0; k < 2 * n; k++) {
        out[k] = 0.0;
        for (int l = 0; l < row->count; l++)
            out[k] += row->value[l] * c->spectrum.vectors[(from + row->index[l]) * 2 * n + k];
    }
}

static bool prepare_gain(const ss_model* model, const ss_law_series* laws, struct ss_settle_bristles* c)
{
    int n = model->n;
    double kick[SS_SETTLE_LARGEST];
    if (!find_modes(model, laws, c)) return false;
    for (int j = 0; j < laws->bristle_count; j++) {
        const ss_contact* contact = &model->contacts[laws->bristles[j].contact];
        memset(kick, 0, sizeof kick);
        for (int l = 0; l < contact->mobility.count; l++)
            kick[contact->mobility.index[l]] = -c->ring.bristles[j].sigma1 * contact->mobility.value[l];
        to_modes(c, n, c->at.way + j * n, kick, c->gain.push + j * 2 * n);
        row_to_modes(c, n, &contact->q, n, c->gain.row + j * 2 * n);
    }
    c->gain.size = 2 * n;
    c->gain.count = laws->bristle_count;
    c->gain.values = c->spectrum.values;
    c->gain.kappa = c->kappa;
    return true;
}

// The balance is known as well as the forces are.
static double gain_size(const ss_model* model, struct ss_settle_bristles* c)
{
    int n = model->n;
    double none[SS_SETTLE_LARGEST] = {0.0}, off[SS_SETTLE_LARGEST];
    to_modes(c, n, c->at.shift, c->at.speed, c->xi);
    double size = ss_gain_size(&c->gain, c->xi);
    for (int i = 0; i < n; i++) {
        memset(off, 0, sizeof off);
        off[i] = c->at.noise[i];
        ss_lu_solve(c->at.factor, n, c->at.pivots, off);
        to_modes(c, n, off, none, c->xi);
        size += ss_gain_size(&c->gain, c->xi);
    }
    return size;
}

// ---- the form of the speeds

static void fill(const ss_sparse* from, int n, double to[])
{
    memset(to, 0, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int l = from->start[i]; l < from->start[i + 1]; l++)
            to[i * n + from->index[l]] += from->value[l];
}

static bool prepare_ring(const ss_model* model, const ss_law_series* laws,
                         struct ss_settle_bristles* bristles)
{
    ss_ring* ring = &bristles->ring;
    const ss_model_matrices* matrices = &model->matrices;
    if (model->open) return false; // what is affine in its forces need not be a potential
    ring->n = model->n;
    ring->count = laws->bristle_count;
    fill(&matrices->mass, ring->n, ring->mass);
    fill(&matrices->damping, ring->n, ring->damping);
    fill(&matrices->stiffness, ring->n, ring->stiffness);
    return true;
}

// ---- either

// The springs and dampers of bristles, at rest.
static void describe_bristles(const ss_model* model, const ss_law_series* laws,
                              struct ss_settle_bristles* bristles)
{
    for (int j = 0; j < laws->bristle_count; j++) {
        const ss_bristle* b = &laws->bristles[j];
        const ss_contact* contact = &model->contacts[b->contact];
        ss_ring_bristle* to = &bristles->ring.bristles[j];
        const ss_law* law = contact->law_entry;
        ss_response p;
        law->point.at(ss_law_of(contact), &(ss_law_point){.sign = b->along.sign, .along = &b->along}, &p);
        bool many = contact->elements > 0;
        ss_law_facts facts = ss_law_ask(law, ss_law_of(contact), NAN);
        const ss_group* group = &model->groups[contact->group];
        *to = (ss_ring_bristle){.row = &contact->q,
                                .mobility = group->coupling[contact->place * (group->count + 1)]};
        to->sigma0 = many ? -p.force_y : facts.stiffness;
        to->sigma1 = many ? 0.0 : facts.damping;
        to->sigma2 = -p.force_v - to->sigma1;
        to->near_rest = (ss_law_near_rest){.share = {1.0, 1.0}}; // of elements that stick
    }
}

bool ss_settle_prepare_form(const ss_model* model, const ss_step* step, const ss_proof* proof)
{
    describe_bristles(model, &step->laws, proof->settle_bristles);
    return proof->settle_bristles->by_ring ? prepare_ring(model, &step->laws, proof->settle_bristles)
                                           : prepare_gain(model, &step->laws, proof->settle_bristles);
}

double ss_settle_speed(const ss_model* model, struct ss_settle_bristles* c, const ss_row* row)
{
    int n = model->n;
    if (c->by_ring) return ss_ring_speed(&c->ring, row) * (1.0 + slack);
    row_to_modes(c, n, row, n, c->xi);
    return ss_gain_row(&c->gain, c->xi, c->xi + 2 * n) * (1.0 + slack);
}

double ss_settle_place(const ss_model* model, struct ss_settle_bristles* c, const ss_row* row)
{
    int n = model->n;
    if (c->by_ring) return ss_ring_place(&c->ring, row) * (1.0 + slack);
    row_to_modes(c, n, row, 0, c->xi);
    return ss_gain_row(&c->gain, c->xi, c->xi + 2 * n) * (1.0 + slack);
}

bool ss_settle_find_form(const ss_model* model, const ss_step* step, const ss_proof* proof)
{
    struct ss_settle_bristles* c = proof->settle_bristles;
    for (int j = 0; j < step->laws.bristle_count; j++) {
        const ss_contact* contact = &model->contacts[step->laws.bristles[j].contact];
        ss_law_near_rest* near_rest = &c->ring.bristles[j].near_rest;
        if (contact->elements == 0)
            contact->law_entry->point.near_rest(ss_law_of(contact), c->at.state[model->n + j], c->margin[j],
                                                c->fastest[j], near_rest);
        c->kappa[j] = fmax(fabs(1.0 - near_rest->share[0]), fabs(1.0 - near_rest->share[1])) + near_rest->off;
        if (!isfinite(c->kappa[j])) return false;
    }
    if (!(c->by_ring ? ss_ring_find(&c->ring, &c->rate) : ss_gain_find(&c->gain, c->decay, &c->rate)))
        return false;
    c->size = c->by_ring ? ss_ring_size(&c->ring, c->at.speed, c->at.rate, c->at.noise)
                         : gain_size(model, proof->settle_bristles);
    c->size *= 1.0 + slack;
    c->reach = c->size / c->rate;
    for (int j = 0; j < step->laws.bristle_count; j++)
        c->slip[j] = ss_settle_speed(model, proof->settle_bristles, c->ring.bristles[j].row);
    return true;
}
