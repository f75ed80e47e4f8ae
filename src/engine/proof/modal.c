// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Modal coordinates of a mode. modal.h says what they are for.
//
// V need not be exact: Kh is what K is in it, whatever it is. But K V must have the digits of slow modes, in
// which stiff springs hardly stretch: elongations w.V are summed with twice the digits of a double.
#include "engine/proof/modal.h"
#include "engine/flow/contact.h"
#include "engine/proof/settle.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 30, WIDTH = 2 * SS_HARMONICS };

// ---- room

static double* take(double** store, size_t count)
{
    double* taken = *store;
    *store += count;
    return taken;
}

size_t ss_modal_size(const ss_sim* sim)
{
    size_t n = (size_t)sim->model->n, m = (size_t)sim->model->contact_count;
    return 12 * n * n + 3 * m * n + n + WIDTH * (n + m);
}

void ss_modal_lay_out(const ss_sim* sim, ss_modal* modal, double* store)
{
    size_t n = (size_t)sim->model->n, m = (size_t)sim->model->contact_count;
    double** squares[] = {&modal->basis, &modal->rest,  &modal->stiffness, &modal->damping, &modal->form,
                          &modal->loss,  &modal->error, &modal->pull,      &modal->drag,    &modal->momentum};
    for (size_t k = 0; k < sizeof squares / sizeof *squares; k++) *squares[k] = take(&store, n * n);
    modal->work = take(&store, 2 * n * n);
    modal->rows = take(&store, m * n);
    modal->reaction = take(&store, 2 * m * n);
    modal->offset = take(&store, n);
    modal->wave = take(&store, WIDTH * n);
    modal->direct = take(&store, WIDTH * m);
}

// ---- sums with twice the digits

typedef struct twofold {
    double high, low;
} twofold;

// Adds x: what rounding takes from the sum is kept (Knuth).
static void add(twofold* sum, double x)
{
    double total = sum->high + x, part = total - sum->high;
    sum->low += (sum->high - (total - part)) + (x - part);
    sum->high = total;
}

// Adds a b: the product is split into halves of the digits of its factors (Dekker).
static void add_product(twofold* sum, double a, double b)
{
    const double split = 0x1p27 + 1.0;
    double a1 = split * a, b1 = split * b, product = a * b;
    a1 -= a1 - a;
    b1 -= b1 - b;
    double a2 = a - a1, b2 = b - b1;
    sum->low += ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    add(sum, product);
}

// Column j of a sparse row times V.
static double times_basis(const ss_modal* modal, int count, const int index[], const double value[], int j)
{
    twofold sum = {0};
    int r = modal->count;
    for (int k = 0; k < count; k++) {
        add_product(&sum, value[k], modal->basis[index[k] * r + j]);
        sum.low += value[k] * modal->rest[index[k] * r + j];
    }
    return sum.high + sum.low;
}

static double dot(const double a[], const double b[], int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// ---- the basis

static void find_free(const ss_model* model, const ss_modes* modes, ss_modal* modal)
{
    modal->count = 0;
    for (int i = 0; i < model->n; i++) {
        bool held = false;
        for (int j = 0; j < modes->active_count; j++)
            for (int r = 0; r < modes->holds[modes->active[j]].rank; r++)
                held = held || modes->holds[modes->active[j]].dependent[r] == i;
        if (!held) modal->free[modal->count++] = i;
    }
}

// What all coordinates do where a free one moves alone: n x r, into pull.
static void find_units(const ss_sim* sim, ss_modal* modal)
{
    int n = sim->model->n, r = modal->count;
    double* unit = sim->work.scratch_q;
    for (int j = 0; j < r; j++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[modal->free[j]] = 1.0;
        ss_constrain(sim->model, &sim->modes, 0.0, NULL, unit);
        for (int i = 0; i < n; i++) modal->pull[i * r + j] = unit[i];
    }
}

// out = U^T a U, r x r, U in pull.
static void reduce(const ss_model* model, const ss_modal* modal, const ss_sparse* a, double out[])
{
    int n = model->n, r = modal->count;
    double* product = modal->drag; // a U
    for (int i = 0; i < n; i++)
        for (int j = 0; j < r; j++) {
            double sum = 0.0;
            for (int k = a->start[i]; k < a->start[i + 1]; k++)
                sum += a->value[k] * modal->pull[a->index[k] * r + j];
            product[i * r + j] = sum;
        }
    memset(out, 0, (size_t)(r * r) * sizeof *out);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < r; i++)
            for (int j = 0; j < r; j++) out[i * r + j] += modal->pull[k * r + i] * product[k * r + j];
}

// Cholesky's factor L of a, in its lower half. False where a is not positive.
static bool factor(double a[], int n)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0.0)) return false;
        double root = sqrt(a[j * n + j]);
        for (int i = j; i < n; i++) a[i * n + j] /= root;
    }
    return true;
}

// a <- L^-1 a L^-T, a symmetric.
static void divide(const double l[], double a[], int n)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < i; k++) a[i * n + j] -= l[i * n + k] * a[k * n + j];
                a[i * n + j] /= l[i * n + i];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                double kept = a[i * n + j];
                a[i * n + j] = a[j * n + i];
                a[j * n + i] = kept;
            }
    }
}

// Turns columns p and q of v, n rows.
static void turn_columns(double v[], int n, int p, int q, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double x = v[i * n + p], y = v[i * n + q];
        v[i * n + p] = c * x - s * y;
        v[i * n + q] = s * x + c * y;
    }
}

static void turn_rows(double a[], int n, int p, int q, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double x = a[p * n + i], y = a[q * n + i];
        a[p * n + i] = c * x - s * y;
        a[q * n + i] = s * x + c * y;
    }
}

// Eigenvectors of a symmetric a, which is destroyed, by Jacobi's rotations: columns of v.
static bool diagonalise(double a[], int n, double v[])
{
    for (int i = 0; i < n * n; i++) v[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        bool turned = false;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double off = a[p * n + q], gap = a[q * n + q] - a[p * n + p];
                double size = fmax(fabs(a[p * n + p]), fabs(a[q * n + q]));
                if (!(fabs(off) > fmax(0.25 * DBL_EPSILON * size, DBL_MIN))) continue;
                double theta = 0.5 * gap / off, t = 1.0 / (fabs(theta) + hypot(theta, 1.0));
                if (theta < 0.0) t = -t;
                double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
                turn_columns(a, n, p, q, c, s);
                turn_rows(a, n, p, q, c, s);
                a[p * n + q] = a[q * n + p] = 0.0;
                turn_columns(v, n, p, q, c, s);
                turned = true;
            }
        if (!turned) return true;
    }
    return false;
}

// V = U L^-T (eigenvectors of L^-1 K L^-T). The rows of free coordinates are numbers as they are; those that
// follow are sums, of which the rest is kept.
static bool find_basis(const ss_model* model, ss_modal* modal)
{
    int n = model->n, r = modal->count;
    double *l = modal->error, *x = modal->work;
    reduce(model, modal, &model->matrices.mass, l);
    if (!factor(l, r)) return false;
    reduce(model, modal, &model->matrices.stiffness, modal->form);
    divide(l, modal->form, r);
    if (!diagonalise(modal->form, r, x)) return false;
    for (int j = 0; j < r; j++)
        for (int i = r - 1; i >= 0; i--) {
            for (int k = i + 1; k < r; k++) x[i * r + j] -= l[k * r + i] * x[k * r + j];
            x[i * r + j] /= l[i * r + i];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < r; j++) {
            twofold sum = {0};
            for (int k = 0; k < r; k++)
                if (modal->pull[i * r + k] != 0.0) add_product(&sum, modal->pull[i * r + k], x[k * r + j]);
            modal->basis[i * r + j] = sum.high;
            modal->rest[i * r + j] = sum.low;
        }
    return true;
}

// ---- matrices in it

// out = a V
static void apply(const ss_modal* modal, const ss_sparse* a, int n, double out[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < modal->count; j++)
            out[i * modal->count + j] = times_basis(modal, a->start[i + 1] - a->start[i],
                                                    a->index + a->start[i], a->value + a->start[i], j);
}

// Adds K V, C V and the offset, spring by spring.
static void add_springs(const ss_model* model, const ss_places* bodies, ss_modal* modal)
{
    int r = modal->count;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* k = &model->connections[c];
        double beside = ss_row_dot(&k->bodies, bodies->offset) - k->length;
        for (int j = 0; j < r; j++) {
            double stretch = times_basis(modal, k->q.count, k->q.index, k->q.value, j);
            for (int i = 0; i < k->q.count; i++) {
                modal->pull[k->q.index[i] * r + j] += k->stiffness * k->q.value[i] * stretch;
                modal->drag[k->q.index[i] * r + j] += k->damping * k->q.value[i] * stretch;
            }
            modal->offset[j] += k->stiffness * beside * stretch;
        }
    }
}

// out = V^T b, b of n x r.
static void project(const ss_modal* modal, int n, const double b[], double out[])
{
    int r = modal->count;
    memset(out, 0, (size_t)(r * r) * sizeof *out);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < r; i++)
            for (int j = 0; j < r; j++) out[i * r + j] += modal->basis[k * r + i] * b[k * r + j];
}

// Of two numbers that should be equal the one of the slower vector's own K V has more digits.
static void make_symmetric(double a[], int r)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < i; j++) {
            if (fabs(a[i * r + i]) < fabs(a[j * r + j]))
                a[i * r + j] = a[j * r + i];
            else
                a[j * r + i] = a[i * r + j];
        }
}

// Whether a is symmetric but for rounding.
static bool is_symmetric(const double a[], int r)
{
    double size = 0.0;
    for (int i = 0; i < r; i++) size = fmax(size, fabs(a[i * r + i]));
    for (int i = 0; i < r; i++)
        for (int j = 0; j < i; j++)
            if (!(fabs(a[i * r + j] - a[j * r + i]) <= SS_SETTLE_ROUNDING * r * size)) return false;
    return true;
}

// out = (1 - error) a: V^T M V is 1 but for rounding.
static void divide_by_mass(const ss_modal* modal, const double a[], double out[])
{
    int r = modal->count;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            double sum = 0.0;
            for (int k = 0; k < r; k++) sum += modal->error[i * r + k] * a[k * r + j];
            out[i * r + j] = a[i * r + j] - sum;
        }
}

static void find_matrices(const ss_model* model, const ss_places* bodies, ss_modal* modal)
{
    const ss_model_matrices* matrices = &model->matrices;
    const ss_block* block = &matrices->block;
    int n = model->n, r = modal->count;
    memset(modal->offset, 0, (size_t)r * sizeof(double));
    memset(modal->pull, 0, (size_t)(n * r) * sizeof(double));
    memset(modal->drag, 0, (size_t)(n * r) * sizeof(double));
    apply(modal, &matrices->mass, n, modal->momentum);
    project(modal, n, modal->momentum, modal->error);
    for (int j = 0; j < r; j++) modal->error[j * r + j] -= 1.0;
    apply(modal, &block->stiffness, block->count,
          modal->pull); // coordinate i of the block is q_i, see window.c
    apply(modal, &block->damping, block->count, modal->drag);
    add_springs(model, bodies, modal);
    project(modal, n, modal->pull, modal->form);
    make_symmetric(modal->form, r);
    project(modal, n, modal->drag, modal->loss);
    modal->symmetric = is_symmetric(modal->loss, r);
    if (modal->symmetric) make_symmetric(modal->loss, r);
    divide_by_mass(modal, modal->form, modal->stiffness);
    divide_by_mass(modal, modal->loss, modal->damping);
}

// phi of each harmonic: V^T f, the mass divided out.
static void find_waves(const ss_model* model, ss_modal* modal, const ss_harmonics* waves)
{
    int r = modal->count, width = 2 * waves->count;
    double* phi = modal->work;
    for (int k = 0; k < width; k++) {
        for (int j = 0; j < r; j++) {
            phi[j] = 0.0;
            for (int f = 0; f < model->force_count; f++) {
                const ss_row* row = &model->forces[f].q;
                double part = ss_harmonics_part(waves, f, k);
                if (part != 0.0) phi[j] += part * times_basis(modal, row->count, row->index, row->value, j);
            }
        }
        for (int j = 0; j < r; j++) {
            double sum = phi[j];
            for (int i = 0; i < r; i++) sum -= modal->error[j * r + i] * phi[i];
            modal->wave[j * width + k] = sum;
        }
    }
}

// lambda = c.(K q + C q' - f) of what holds at place a of a group, c = M^-1 W A^-1 e_a.
static void find_reaction(const ss_sim* sim, const ss_modal* modal, const ss_harmonics* waves,
                          const ss_group* group, const ss_hold* hold, int a)
{
    const ss_model* model = sim->model;
    int r = modal->count, width = 2 * waves->count, contact = group->contacts[hold->places[a]];
    double *out = modal->reaction + (size_t)contact * 2 * (size_t)r, *c = sim->work.scratch_q;
    memset(c, 0, (size_t)model->n * sizeof *c);
    for (int b = 0; b < hold->count; b++) {
        const ss_row* row = &model->contacts[group->contacts[hold->places[b]]].mobility;
        for (int k = 0; k < row->count; k++)
            c[row->index[k]] += hold->inverse[a * hold->count + b] * row->value[k];
    }
    for (int i = 0; i < model->n; i++)
        for (int j = 0; j < r; j++) {
            out[j] += c[i] * modal->pull[i * r + j];
            out[r + j] += c[i] * modal->drag[i * r + j];
        }
    for (int f = 0; f < model->force_count; f++)
        for (int k = 0; k < width; k++)
            modal->direct[contact * width + k] -=
                ss_harmonics_part(waves, f, k) * ss_row_dot(&model->forces[f].q, c);
}

static void find_contacts(const ss_sim* sim, ss_modal* modal, const ss_harmonics* waves)
{
    const ss_model* model = sim->model;
    int r = modal->count;
    memset(modal->direct, 0, (size_t)(WIDTH * model->contact_count) * sizeof(double));
    memset(modal->reaction, 0, (size_t)(model->contact_count * 2 * r) * sizeof(double));
    for (int i = 0; i < model->contact_count; i++) {
        const ss_row* row = &model->contacts[i].q;
        for (int j = 0; j < r; j++)
            modal->rows[i * r + j] = times_basis(modal, row->count, row->index, row->value, j);
    }
    for (int g = 0; g < sim->modes.active_count; g++) {
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[g]];
        for (int a = 0; a < hold->count; a++)
            find_reaction(sim, modal, waves, &model->groups[sim->modes.active[g]], hold, a);
    }
}

bool ss_modal_make(ss_sim* sim, ss_modal* modal, const ss_harmonics* waves)
{
    find_free(sim->model, &sim->modes, modal);
    find_units(sim, modal);
    if (!find_basis(sim->model, modal)) return false;
    find_matrices(sim->model, &sim->bodies, modal);
    find_waves(sim->model, modal, waves);
    find_contacts(sim, modal, waves);
    return true;
}

// ---- the state

// V^T of the forces beside springs and dampers: applied ones, those of matrices, and of contacts that slip or
// are pinned.
static void other_forces(ss_sim* sim, const ss_modal* modal, const double force[], double phi[])
{
    const ss_model* model = sim->model;
    int r = modal->count;
    for (int j = 0; j < r; j++) {
        double sum = -modal->offset[j];
        for (int f = 0; f < model->force_count; f++) {
            const ss_row* row = &model->forces[f].q;
            sum += force[f] * times_basis(modal, row->count, row->index, row->value, j);
        }
        for (int i = 0; i < model->n && model->matrices.constant; i++)
            sum += model->matrices.constant[i] * modal->basis[i * r + j];
        for (int i = 0; i < model->contact_count; i++)
            if (ss_slips(&sim->modes, i) && !ss_is_stop(sim->model, i))
                sum += ss_slip_force(sim, i, 0) * modal->rows[i * r + j];
            else if (sim->modes.contacts[i].pinned)
                sum += sim->step.lambda[i] * modal->rows[i * r + j];
        phi[j] = sum;
    }
}

void ss_modal_rates(ss_sim* sim, const ss_modal* modal, const double force[], double u[])
{
    int n = sim->model->n, r = modal->count;
    const double *q = sim->step.q, *v = q + n;
    double *speed = modal->work, *phi = speed + r;
    double* damped = sim->work.scratch_q;
    other_forces(sim, modal, force, phi);
    for (int i = 0; i < n; i++) damped[i] = ss_sparse_dot(&sim->model->matrices.damping, i, v);
    for (int j = 0; j < r; j++) {
        speed[j] = 0.0;
        for (int i = 0; i < n; i++) {
            speed[j] += modal->momentum[i * r + j] * v[i];
            phi[j] -= modal->pull[i * r + j] * q[i];
            phi[j] -= modal->symmetric ? modal->drag[i * r + j] * v[i] : modal->basis[i * r + j] * damped[i];
        }
    }
    for (int j = 0; j < r; j++) {
        u[j] = speed[j];
        u[r + j] = phi[j];
        for (int k = 0; k < r; k++) {
            u[j] -= modal->error[j * r + k] * speed[k];
            u[r + j] -= modal->error[j * r + k] * phi[k];
        }
    }
}

void ss_modal_move(ss_sim* sim, const ss_modal* modal, const double u[], const double moved[])
{
    int n = sim->model->n, r = modal->count;
    double* y = sim->work.scratch_q;
    memcpy(y, sim->step.q, 2 * (size_t)n * sizeof *y);
    for (int k = 0; k < r; k++) {
        int i = modal->free[k];
        y[i] += dot(modal->basis + i * r, moved, r);
        y[n + i] = dot(modal->basis + i * r, u, r);
    }
    ss_put_state(sim->model, &sim->step, &sim->open, y, sim->step.s);
    ss_constrain_state(sim->model, &sim->step, &sim->modes);
}
