// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Left eigenvectors l of the motion without friction, y' = A y + c + sum_k b_k f_k, b_k = (0, M^-1 W_k), are
// ways to look at a motion that see one mode alone:
//     z = l y + shift,   z' = rate z + sum_k (l b_k) h_k u_k,   |u_k| <= 1,
// f_k between -static_forward and static_backward, with the middle of that range in the shift and half its
// width h_k. So z(t) e^(-rate t) = z(0) + w(t), and w stays within
//     H = max over phases theta of  sum_k h_k |l b_k| I(theta - arg l b_k),
//     I(phi) = integral_0^infinity e^(-sigma s) |cos(omega s - phi)| ds,        rate = sigma + i omega.
// If |z(0)| > H, then |z(t)| >= (|z(0)| - H) e^(sigma t) for ever.
#include "engine/proof/divergence.h"

#include "core/algebra/eigen.h"
#include "core/tolerance.h"
#include "model/actions.h"
#include "share/model_parts.h"

#include <math.h>

enum { LARGEST = 32, PHASES = 512 };
static const double pi = 3.14159265358979323846;
static const double caution = SS_CLEAR;      // relative, far above the rounding of what goes into the limit
static const double rounding = SS_SUM_NOISE; // of l y, per size of its terms

// y = (q, q', s): states of an open model are among the variables.
static int size_of(const ss_model* model) { return 2 * model->n + ss_model_state_count(model); }

static bool applies(const ss_model* model)
{
    if (model->nature.one_way || model->tie_count > 0) return false;
    if (model->open && model->open->block_count > 0) return false; // what a controller will do is not in A
    if (!model->nature.linear || !model->nature.steady || model->drive_count > 0 || model->n == 0 ||
        size_of(model) > 2 * LARGEST)
        return false;
    for (int i = 0; i < model->contact_count; i++)
        if (!ss_contact_is(&model->contacts[i], SS_TRAIT_LEVELS) || model->contacts[i].varies) return false;
    return true;
}

// Adds a block of A, transposed.
static void add_block(const ss_sparse* block, int size, int row, int column, double a[])
{
    for (int i = 0; i < block->rows; i++)
        for (int l = block->start[i]; l < block->start[i + 1]; l++)
            a[(column + block->index[l]) * size + row + i] += block->value[l];
}

// A transposed: its right eigenvectors are the left ones of A = [0 1; -M^-1 K -M^-1 C], with the blocks of
// the states where there are any.
static void fill_transposed(const ss_model* model, double a[])
{
    int n = model->n, size = size_of(model);
    const ss_operator* op = &model->matrices.flow;
    for (int i = 0; i < size * size; i++) a[i] = 0.0;
    for (int i = 0; i < n; i++) {
        a[(n + i) * size + i] = 1.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++) {
            a[op->index[l] * size + n + i] = -op->stiffness[l];
            a[(n + op->index[l]) * size + n + i] = -op->damping[l];
        }
    }
    if (size == 2 * n) return;
    const ss_state_flow* flow = &model->actions->flow;
    add_block(&flow->pull, size, n, 2 * n, a);
    add_block(&flow->places, size, 2 * n, 0, a);
    add_block(&flow->speeds, size, 2 * n, n, a);
    add_block(&flow->own, size, 2 * n, 2 * n, a);
}

// l b_k.
static double complex push(const ss_unstable_mode* mode, const ss_model* model, int k)
{
    const ss_row* row = &model->contacts[k].mobility;
    double complex sum = 0.0;
    for (int j = 0; j < row->count; j++) sum += mode->left[model->n + row->index[j]] * row->value[j];
    return sum;
}

// I(phi) in closed form: between the zeros of the cosine the integrand has an antiderivative, and from zero
// to zero the parts shrink by the same factor.
static double swing_integral(double sigma, double omega, double phi)
{
    phi -= pi * floor(phi / pi + 0.5); // into [-pi/2, pi/2)
    double shrink = exp(-sigma * pi / omega), to_zero = exp(-sigma * (phi + 0.5 * pi) / omega);
    return (omega * sin(phi) + sigma * cos(phi) + 2.0 * omega * to_zero / (1.0 - shrink)) /
           (sigma * sigma + omega * omega);
}

// H, an upper bound: the largest of many phases, and what can lie between two of them by |I''| <= bend.
static double find_limit(const ss_unstable_mode* mode, const ss_model* model)
{
    double sigma = creal(mode->rate), omega = cimag(mode->rate), total = 0.0, most = 0.0;
    for (int k = 0; k < model->contact_count; k++) {
        const ss_coulomb* law = &model->contacts[k].coulomb;
        total += 0.5 * (law->static_forward + law->static_backward) * cabs(push(mode, model, k));
    }
    if (omega == 0.0) return total / sigma;
    for (int j = 0; j < PHASES; j++) {
        double sum = 0.0;
        for (int k = 0; k < model->contact_count; k++) {
            const ss_coulomb* law = &model->contacts[k].coulomb;
            double complex b = push(mode, model, k);
            sum += 0.5 * (law->static_forward + law->static_backward) * cabs(b) *
                   swing_integral(sigma, omega, pi * j / PHASES - carg(b));
        }
        most = fmax(most, sum);
    }
    double gap = pi / PHASES, bend = 1.0 / sigma + 2.0 / (omega * (1.0 - exp(-sigma * pi / omega)));
    return most + 0.125 * gap * gap * bend * total;
}

// By how much l A differs from rate l: the sum over all entries.
static double residual(const double at[], int size, double complex rate, const double complex left[])
{
    double off = 0.0;
    for (int i = 0; i < size; i++) {
        double complex sum = -rate * left[i];
        for (int j = 0; j < size; j++) sum += at[i * size + j] * left[j];
        off += cabs(sum);
    }
    return off;
}

static double norm_of(const double a[], int size)
{
    double sum = 0.0;
    for (int i = 0; i < size * size; i++) sum = hypot(sum, a[i]);
    return sum;
}

// off: what l A - rate l adds to z' per unit of the largest |y_c|, as if friction were that much larger.
static bool take_mode(ss_unstable_mode* mode, const ss_model* model, ss_pool* pool, double complex rate,
                      const double complex left[], double off)
{
    size_t size = (size_t)size_of(model);
    mode->left = ss_pool_new(pool, size, sizeof *mode->left);
    mode->re = ss_pool_new(pool, size, sizeof(double));
    mode->im = ss_pool_new(pool, size, sizeof(double));
    if (pool->failed) return false;
    mode->rate = rate;
    mode->spread = off / creal(rate);
    for (size_t c = 0; c < size; c++) {
        mode->left[c] = left[c];
        mode->re[c] = creal(left[c]);
        mode->im[c] = cimag(left[c]);
        mode->spread += rounding * cabs(left[c]);
    }
    mode->limit = (1.0 + caution) * find_limit(mode, model);
    return true;
}

// A real value has a real vector times a phase, which is taken out.
static void make_real(double complex left[], int size)
{
    int largest = 0;
    for (int c = 0; c < size; c++)
        if (cabs(left[c]) > cabs(left[largest])) largest = c;
    double complex phase = left[largest] / cabs(left[largest]);
    for (int c = 0; c < size; c++) left[c] = creal(left[c] / phase);
}

static void collect(ss_divergence* divergence, const ss_model* model, ss_pool* pool, ss_spectrum* found)
{
    int size = size_of(model);
    double complex left[2 * LARGEST];
    double* at = ss_pool_new(pool, (size_t)(size * size), sizeof(double));
    if (!at) return;
    fill_transposed(model, at);
    double norm = norm_of(at, size);
    for (int k = 0; k < size; k++) {
        double complex rate = found->values[k];
        if (!(creal(rate) > caution * norm) || cimag(rate) < -caution * norm) continue;
        for (int c = 0; c < size; c++) left[c] = found->vectors[c * size + k];
        if (fabs(cimag(rate)) <= caution * norm) {
            rate = creal(rate);
            make_real(left, size);
        }
        double off = residual(at, size, rate, left);
        if (!take_mode(&divergence->modes[divergence->count], model, pool, rate, left, off)) return;
        divergence->count++;
    }
}

ss_divergence* ss_divergence_create(const ss_model* model, ss_pool* pool)
{
    if (!applies(model)) return NULL;
    size_t size = (size_t)size_of(model);
    ss_divergence* divergence = ss_pool_new(pool, 1, sizeof *divergence);
    double* a = ss_pool_new(pool, size * size, sizeof(double));
    double* scale = ss_pool_new(pool, size, sizeof(double));
    ss_spectrum found = {.values = ss_pool_new(pool, size, sizeof(double complex)),
                         .vectors = ss_pool_new(pool, size * size, sizeof(double complex)),
                         .inverse = ss_pool_new(pool, size * size, sizeof(double complex))};
    double complex* work = ss_pool_new(pool, 2 * size * size, sizeof(double complex));
    ss_unstable_mode* modes = ss_pool_new(pool, size, sizeof *modes);
    if (pool->failed) return NULL;
    fill_transposed(model, a);
    if (!ss_eigen_solve(a, (int)size, &found, work, scale)) return NULL;
    divergence->n = model->n;
    divergence->states = ss_model_state_count(model);
    divergence->modes = modes;
    collect(divergence, model, pool, &found);
    return divergence->count > 0 ? divergence : NULL;
}

void ss_divergence_set_constant(ss_divergence* divergence, const ss_model* model, const double constant[],
                                const double rates[])
{
    for (int j = 0; j < divergence->count; j++) {
        ss_unstable_mode* mode = &divergence->modes[j];
        double complex sum = 0.0;
        for (int i = 0; i < model->n; i++) sum += mode->left[model->n + i] * constant[i];
        for (int i = 0; i < divergence->states; i++) sum += mode->left[2 * model->n + i] * rates[i];
        for (int k = 0; k < model->contact_count; k++) {
            const ss_coulomb* law = &model->contacts[k].coulomb;
            sum += 0.5 * (law->static_backward - law->static_forward) * push(mode, model, k);
        }
        sum /= mode->rate;
        mode->shift_re = creal(sum);
        mode->shift_im = cimag(sum);
    }
}

bool ss_divergence_is_proved(const ss_divergence* divergence, const double y[], const double states[])
{
    int bodies = 2 * divergence->n, size = bodies + divergence->states;
    for (int j = 0; j < divergence->count; j++) {
        const ss_unstable_mode* mode = &divergence->modes[j];
        double re = mode->shift_re, im = mode->shift_im, largest = 0.0;
        for (int c = 0; c < size; c++) {
            double value = c < bodies ? y[c] : states[c - bodies];
            re += mode->re[c] * value;
            im += mode->im[c] * value;
            largest = fmax(largest, fabs(value));
        }
        double limit = mode->limit + mode->spread * largest;
        if (re * re + im * im > limit * limit) return true;
    }
    return false;
}
