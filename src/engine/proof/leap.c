// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Leaps: the rest of a motion whose last mode is reached, at any time, however far away.
//
// In one mode of a steady linear model the rates u = (q', q'') of the coordinates that are not held obey u' =
// A u, without any constant. From cell to cell, a fixed time apart, they go by one matrix, P; what q moves in
// a cell is S u, and what dampers take is u^T G u. For twice as many cells
//
//     P' = P^2,    S' = S + S P,    G' = G + P^T G P,
//
// so that 1e99 s take some hundred squarings. Every state is found from the one in which the leap began,
// wherever it was asked for before: a run may be cut anywhere. The matrices of up to 2^19 cells are kept, so
// that each of many moments costs a few products with a vector.
//
// In a mode that does not decay squaring multiplies the rounding of a cell by the number of cells. Such
// motions leap only where no contact could ever end the mode, after so many steps that stepping on would not
// be better, and over so many cells as leave digits.
#include "engine/proof/leap.h"
#include "engine/flow/contact.h"
#include "engine/flow/series.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/quadrature.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LARGEST = 16,      // coordinates of a model that leaps
    LEVELS = 20,       // 2^0 .. 2^19 cells, whose matrices are kept
    FIRST_TRY = 512,   // steps without an event before it is asked whether another can come
    FREE_TRY = 1 << 17 // the same of a motion without contacts, whether it decays or not
};
static const double cell_reach = 0.5;  // rate times the length of a cell
static const double most_cells = 4e11; // of a motion that does not decay: times epsilon it is 1e-4

// What 2^k cells do: P, S and G, each 2 count wide.
typedef struct level {
    double *next, *way, *loss;
} level;

struct ss_leap {
    bool begun, decays;
    long tries;                     // step of the mode at which it is tried next
    long since;                     // steps since the last event
    int order, count, *coordinates; // of the series; coordinates that are not held
    double cell;
    level* kept; // LEVELS: the first `filled` hold the matrices of the present mode
    int filled;
    level* last; // of 2^last_power cells, beyond those kept
    int last_power;
    double* work;      // scratch: 2 count wide
    double* speeds;    // by point of the quadrature and unit state: n
    double *u, *moved; // 2 count each, twice; count
    // where it began
    double t, *start, *gap; // s; q and q'; contacts
    ss_energy energy;
};

void ss_leap_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->proof.leap = NULL;
    bool suits = !model->open && !model->nature.one_way && model->nature.steady && model->n > 0 &&
                 model->n <= LARGEST && model->bounds.rate > 0.0;
    if (!suits || model->drive_count > 0 || sim->laws.elastic_count > 0 || sim->laws.bristle_count > 0 ||
        isfinite(sim->def.escape))
        return;
    struct ss_leap* leap = ss_pool_new(&sim->pool, 1, sizeof *leap);
    if (!leap) return;
    size_t n = (size_t)model->n, most = 2 * n, d = sizeof(double);
    leap->work = ss_pool_spare(&sim->pool, most * most, d);
    leap->kept = ss_pool_spare(&sim->pool, LEVELS + 1, sizeof(level));
    if (!leap->kept) return;
    leap->last = leap->kept + LEVELS;
    for (int k = 0; k <= LEVELS; k++) {
        level* own = &leap->kept[k];
        own->next = ss_pool_spare(&sim->pool, most * most, d);
        own->way = ss_pool_spare(&sim->pool, n * most, d);
        own->loss = ss_pool_spare(&sim->pool, sim->def.ledger ? most * most : 0, d);
    }
    leap->speeds = ss_pool_spare(&sim->pool, SS_GAUSS_POINTS * most * n, d);
    leap->u = ss_pool_spare(&sim->pool, 2 * most, d);
    leap->moved = ss_pool_spare(&sim->pool, n, d);
    leap->start = ss_pool_new(&sim->pool, 2 * n, d);
    leap->gap = ss_pool_new(&sim->pool, (size_t)model->contact_count, d);
    leap->coordinates = ss_pool_new(&sim->pool, n, sizeof(int));
    leap->order = 4;
    while (leap->order < SS_MAX_ORDER - 4 && model->bounds.reach[leap->order] < cell_reach) leap->order++;
    leap->cell = cell_reach / model->bounds.rate;
    sim->proof.leap = leap;
}

void ss_leap_mark(ss_sim* sim)
{
    static const size_t pointers[] = {offsetof(struct ss_leap, coordinates), offsetof(struct ss_leap, kept),
                                      offsetof(struct ss_leap, last),        offsetof(struct ss_leap, work),
                                      offsetof(struct ss_leap, speeds),      offsetof(struct ss_leap, u),
                                      offsetof(struct ss_leap, moved),       offsetof(struct ss_leap, start),
                                      offsetof(struct ss_leap, gap)};
    struct ss_leap* leap = sim->proof.leap;
    if (leap)
        ss_image_mark_pointers(&sim->image, leap, 1, sizeof *leap, pointers,
                               sizeof pointers / sizeof *pointers);
}

void ss_leap_loaded(ss_sim* sim)
{
    if (sim->proof.leap) sim->proof.leap->filled = sim->proof.leap->last_power = 0;
}

void ss_leap_restart(ss_sim* sim)
{
    if (!sim->proof.leap) return;
    sim->proof.leap->begun = false;
    sim->proof.leap->since = 0;
    sim->proof.leap->tries = FIRST_TRY;
}

void ss_leap_count(ss_sim* sim)
{
    if (!sim->proof.leap) return;
    sim->proof.leap->since++;
    if (ss_ends_in_event(sim)) ss_leap_restart(sim);
}

bool ss_leap_is_due(const ss_sim* sim)
{
    return sim->proof.leap && !sim->proof.leap->begun && sim->proof.leap->since == sim->proof.leap->tries &&
           sim->step.ready;
}

bool ss_leap_is_begun(const ss_sim* sim) { return sim->proof.leap && sim->proof.leap->begun; }

// ---- one cell

static void find_free(const ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    leap->count = 0;
    for (int i = 0; i < sim->model->n; i++) {
        bool held = false;
        for (int j = 0; j < sim->modes.active_count; j++)
            for (int r = 0; r < sim->modes.holds[sim->modes.active[j]].rank; r++)
                held = held || sim->modes.holds[sim->modes.active[j]].dependent[r] == i;
        if (!held) leap->coordinates[leap->count++] = i;
    }
}

// Series of the motion from unit state c, without constant forces.
static void run_series(ss_sim* sim, int c)
{
    struct ss_leap* leap = sim->proof.leap;
    int n = sim->model->n, r = leap->count;
    memset(sim->step.q, 0, 2 * (size_t)n * sizeof(double));
    memset(sim->step.lambda, 0,
           (size_t)(leap->order - 1) * (size_t)sim->model->contact_count * sizeof(double));
    sim->step.q[(c < r ? 0 : n) + leap->coordinates[c % r]] = 1.0;
    for (int k = 0; k < 2; k++) ss_follow(sim, 0.0, NULL, sim->step.q + k * n);
    for (int k = 0; k <= leap->order - 2; k++) ss_respond(sim, k, 0);
}

// Column c of P and S, and the speeds at all points of the quadrature. The rates obey the equation of the
// motion: what the series calls a position is a speed here.
static void fill_column(ss_sim* sim, int c)
{
    struct ss_leap* leap = sim->proof.leap;
    int n = sim->model->n, r = leap->count, size = 2 * r;
    double h = leap->cell;
    run_series(sim, c);
    for (int j = 0; j < r; j++) {
        double speed = 0.0, slope = 0.0, way = 0.0;
        for (int k = leap->order; k >= 0; k--) {
            double q = sim->step.q[k * n + leap->coordinates[j]];
            speed = speed * h + q;
            if (k >= 1) slope = slope * h + k * q;
            way = way * h + q / (k + 1);
        }
        leap->kept[0].next[j * size + c] = speed;
        leap->kept[0].next[(r + j) * size + c] = slope;
        leap->kept[0].way[j * size + c] = way * h;
    }
    for (int p = 0; p < SS_GAUSS_POINTS; p++) {
        double weight, s = ss_gauss_point(p, h, &weight);
        for (int i = 0; i < n; i++) {
            leap->speeds[(p * size + c) * n + i] = ss_poly_value(sim->step.q + i, n, leap->order, s);
        }
    }
}

// G of one cell: the integral of v^T C v.
static void fill_loss(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    const ss_sparse* damping = &sim->model->matrices.damping;
    int n = sim->model->n, size = 2 * leap->count;
    double* loss = leap->kept[0].loss;
    memset(loss, 0, (size_t)(size * size) * sizeof(double));
    for (int p = 0; p < SS_GAUSS_POINTS; p++) {
        double weight;
        ss_gauss_point(p, leap->cell, &weight);
        for (int a = 0; a < size; a++)
            for (int b = 0; b < size; b++) {
                const double *va = leap->speeds + (p * size + a) * n, *vb = leap->speeds + (p * size + b) * n;
                double power = 0.0;
                for (int i = 0; i < n; i++)
                    for (int k = damping->start[i]; k < damping->start[i + 1]; k++)
                        power += va[i] * damping->value[k] * vb[damping->index[k]];
                loss[a * size + b] += weight * power;
            }
    }
}

static void fill_cell(ss_sim* sim)
{
    for (int c = 0; c < 2 * sim->proof.leap->count; c++) fill_column(sim, c);
    if (sim->def.ledger) fill_loss(sim);
}

// ---- many cells

// out = a b, rows x n times n x n.
static void multiply(int rows, int n, const double a[], const double b[], double out[])
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) out[i * n + j] = 0.0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) out[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

// From 2^k cells to 2^(k+1); `to` may be `from`.
static void twice(const struct ss_leap* leap, const level* from, level* to, bool ledger)
{
    int r = leap->count, n = 2 * r;
    const double* p = from->next;
    double* product = leap->work;
    if (ledger) {
        multiply(n, n, from->loss, p, product);
        if (to != from) memcpy(to->loss, from->loss, (size_t)(n * n) * sizeof(double));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++) to->loss[i * n + j] += p[k * n + i] * product[k * n + j];
    }
    multiply(r, n, from->way, p, product);
    for (int i = 0; i < r * n; i++) to->way[i] = from->way[i] + product[i];
    multiply(n, n, p, p, product);
    memcpy(to->next, product, (size_t)(n * n) * sizeof(double));
}

// What 2^power cells do. Powers beyond those kept are asked for in ascending order.
static const level* level_of(ss_sim* sim, int power)
{
    struct ss_leap* leap = sim->proof.leap;
    bool ledger = sim->def.ledger;
    if (leap->filled == 0) {
        fill_cell(sim);
        leap->filled = 1;
    }
    for (; leap->filled <= power && leap->filled < LEVELS; leap->filled++)
        twice(leap, &leap->kept[leap->filled - 1], &leap->kept[leap->filled], ledger);
    if (power < LEVELS) return &leap->kept[power];
    if (leap->last_power < LEVELS || leap->last_power > power) {
        twice(leap, &leap->kept[LEVELS - 1], leap->last, ledger);
        leap->last_power = LEVELS;
    }
    for (; leap->last_power < power; leap->last_power++) twice(leap, leap->last, leap->last, ledger);
    return leap->last;
}

// Crosses 2^k cells; returns what dampers take on the way.
static double cross(struct ss_leap* leap, const level* cells, bool ledger)
{
    int r = leap->count, n = 2 * r;
    double *u = leap->u, *later = u + n, lost = 0.0;
    for (int i = 0; i < n; i++) {
        double rate = 0.0, share = 0.0, way = 0.0;
        for (int j = 0; j < n; j++) {
            rate += cells->next[i * n + j] * u[j];
            if (ledger) share += cells->loss[i * n + j] * u[j];
            if (i < r) way += cells->way[i * n + j] * u[j];
        }
        later[i] = rate;
        lost += u[i] * share;
        if (i < r) leap->moved[i] += way;
    }
    memcpy(u, later, (size_t)n * sizeof(double));
    return lost;
}

// ---- the run

bool ss_leap_begin(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    bool last = sim->model->contact_count == 0 && sim->model->nature.linear && leap->tries >= FREE_TRY;
    leap->tries *= 2;
    leap->decays = ss_sim_settles(sim, NULL); // the mode is the last one, and what moves decays
    if (!leap->decays && !last) return false;
    leap->begun = true;
    leap->filled = leap->last_power = 0;
    leap->t = sim->step.t;
    leap->energy = sim->ledger.energy;
    memcpy(leap->start, sim->step.q, 2 * (size_t)sim->model->n * sizeof(double));
    for (int i = 0; i < sim->model->contact_count; i++) leap->gap[i] = sim->modes.contacts[i].gap;
    return true;
}

// Constant forces do work by displacement.
static void account(ss_sim* sim, double lost)
{
    const ss_model* model = sim->model;
    const struct ss_leap* leap = sim->proof.leap;
    double* moved = sim->work.scratch_q;
    ss_energy entries = sim->ledger.energy;
    for (int i = 0; i < model->n; i++) moved[i] = sim->step.q[i] - leap->start[i];
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        double way = ss_row_dot(&contact->q, moved);
        if (ss_is_stop(sim, i))
            sim->modes.contacts[i].gap = fmax(leap->gap[i] - contact->rigid_stop.side * way, 0.0);
        if (!ss_is_stop(sim, i) && ss_slips(sim, i)) entries.friction -= ss_slip_force(sim, i, 0) * way;
    }
    if (!sim->def.ledger) return;
    for (int f = 0; f < model->force_count; f++)
        entries.input += sim->inputs.force_constant[f] * ss_row_dot(&model->forces[f].q, moved);
    for (int i = 0; i < model->n && model->matrices.constant; i++)
        entries.input += model->matrices.constant[i] * moved[i];
    entries.damping += lost;
    ss_book(sim, &entries);
}

// Puts the run back to where the leap began.
static void go_back(ss_sim* sim)
{
    const struct ss_leap* leap = sim->proof.leap;
    ss_pass_to(sim, leap->t);
    ss_book(sim, &leap->energy);
    memcpy(sim->step.q, leap->start, 2 * (size_t)sim->model->n * sizeof(double));
    for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].gap = leap->gap[i];
    ss_leave_step(sim);
    ss_end_step(sim, SS_STEP_REACH);
}

// The rates now, of the coordinates that are not held.
static void take_rates(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    int n = sim->model->n, r = leap->count;
    ss_balance(sim, 0);
    for (int j = 0; j < r; j++) {
        leap->u[j] = sim->step.q[n + leap->coordinates[j]];
        leap->u[r + j] = sim->pulls.accel[leap->coordinates[j]];
        leap->moved[j] = 0.0;
    }
}

void ss_leap_to(ss_sim* sim, double until)
{
    struct ss_leap* leap = sim->proof.leap;
    go_back(sim);
    double cells = floor((until - leap->t) / leap->cell), lost = 0.0;
    if (!(cells >= 1.0)) return;
    if (!leap->decays && cells > most_cells) { // nothing but steps, as long as somebody waits for them
        leap->begun = false;
        return;
    }
    find_free(sim);
    take_rates(sim);
    double left = cells;
    for (int power = 0; left > 0.0; power++) {
        const level* own = level_of(sim, power);
        if (fmod(left, 2.0) != 0.0) lost += cross(leap, own, sim->def.ledger);
        left = floor(0.5 * left);
    }
    int n = sim->model->n, r = leap->count;
    double size = fabs(lost);
    for (int j = 0; j < r; j++) size += fabs(leap->moved[j]) + fabs(leap->u[j]);
    go_back(sim);
    // A motion that overflows on the way goes step by step, so that the log tells where.
    leap->begun = isfinite(size);
    if (!leap->begun) return;
    for (int j = 0; j < r; j++) {
        sim->step.q[leap->coordinates[j]] += leap->moved[j];
        sim->step.q[n + leap->coordinates[j]] = leap->u[j];
    }
    ss_follow_state(sim);
    double t = leap->t + cells * leap->cell;
    ss_pass_to(sim, until - t <= 4.0 * DBL_EPSILON * until ? until : t); // the time left may be rounding
    account(sim, lost);
}
