// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/steady_branch.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 30 };
static const double rank_limit = 1e-10;  // share of the largest singular value, all rows and columns scaled
static const double converged = 1e-12;   // last step, in scaled unknowns
static const double good_enough = 1e-9;  // the same, where rounding allows no better; and what rows may miss
static const double not_singular = 1e-5; // share of the largest singular value: differences are this good
static const double difference = 1e-7;   // share of the range: step of the derivative by the number

// ---- creation

static bool allocate(ss_steady* s)
{
    size_t d = sizeof(double), n = (size_t)s->size + 1, w = (size_t)s->width, m = (size_t)s->contacts;
    size_t rows = (size_t)s->most_rows;
    s->modes = ss_new(m, sizeof(ss_steady_mode));
    s->signs = ss_new(m, d);
    s->places = ss_new(m, d);
    s->free = ss_new(n * n, d);
    s->free_at = ss_new(n, d);
    s->scale = ss_new(n, d);
    s->work.g = ss_new(rows, d);
    s->work.other_g = ss_new(rows, d);
    s->work.matrix = ss_new(rows * n, d);
    s->work.system = ss_new(rows * n, d);
    s->work.step = ss_new(rows + n, d);
    s->work.singular = ss_new(rows + n, d);
    s->work.right = ss_new(n * n, d);
    s->work.rates = ss_new(w, d);
    s->work.jacobian = ss_new(w * w, d);
    s->work.drift = ss_new(w, d);
    s->work.reduced = ss_new(3 * w * w, d);
    s->work.basis = ss_new(w * w, d);
    s->work.real = ss_new(w, d);
    s->work.imaginary = ss_new(w, d);
    return s->modes && s->signs && s->places && s->free && s->free_at && s->scale && s->work.g &&
           s->work.other_g && s->work.matrix && s->work.system && s->work.step && s->work.singular &&
           s->work.right && s->work.rates && s->work.jacobian && s->work.drift && s->work.reduced &&
           s->work.basis && s->work.real && s->work.imaginary;
}

ss_status ss_steady_create(ss_varied_parameter* parameter, const ss_follow_def* def,
                           ss_solution_branch* branch, ss_steady** out, ss_error* err)
{
    *out = NULL;
    ss_steady* s = ss_new(1, sizeof *s);
    if (!s) return ss_fail_no_memory(err);
    s->parameter = parameter;
    s->def = def;
    s->branch = branch;
    s->value = s->other_value = NAN;
    ss_status status = ss_varied_parameter_model(parameter, def->from, &s->model, err);
    if (status == SS_OK) status = ss_steady_field_create(s->model, &s->field, err);
    if (status == SS_OK) {
        s->value = def->from;
        s->width = s->field->width;
        s->contacts = s->model->contact_count;
        s->size = s->width + s->contacts;
        s->most_rows = 2 * s->width + 2 * s->contacts + s->size + 2;
        if (!allocate(s)) status = ss_fail_no_memory(err);
    }
    if (status != SS_OK) {
        ss_steady_destroy(s);
        return status;
    }
    *out = s;
    return SS_OK;
}

void ss_steady_destroy(ss_steady* s)
{
    if (!s) return;
    double* arrays[] = {s->signs,         s->places,       s->free,           s->free_at,       s->scale,
                        s->work.g,        s->work.other_g, s->work.matrix,    s->work.system,   s->work.step,
                        s->work.singular, s->work.right,   s->work.rates,     s->work.jacobian, s->work.drift,
                        s->work.basis,    s->work.real,    s->work.imaginary, s->work.reduced};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
    free(s->modes);
    ss_steady_field_destroy(s->field);
    ss_model_destroy(s->model);
    ss_steady_field_destroy(s->other);
    ss_model_destroy(s->other_model);
    free(s);
}

// Makes model and field anew for another number. What the model refuses is kept for whoever wants to tell.
static ss_status renew(ss_steady* s, double value, ss_model** model, ss_steady_field** field, double* at,
                       bool* made, ss_error* err)
{
    *made = true;
    if (*at == value && *field) return SS_OK;
    ss_steady_field_destroy(*field);
    ss_model_destroy(*model);
    *field = NULL;
    *model = NULL;
    *at = NAN;
    ss_status status = ss_varied_parameter_model(s->parameter, value, model, &s->refusal);
    if (status == SS_OK) status = ss_steady_field_create(*model, field, &s->refusal);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *made = status == SS_OK && (*field)->width == s->width && (*model)->contact_count == s->contacts;
    s->refused = !*made;
    if (*made) *at = value;
    return SS_OK;
}

static void set_modes(const ss_steady* s, ss_steady_field* field, const double u[])
{
    memcpy(field->modes, s->modes, (size_t)s->contacts * sizeof(ss_steady_mode));
    memcpy(field->signs, s->signs, (size_t)s->contacts * sizeof(double));
    memcpy(field->lambda, u + s->width, (size_t)s->contacts * sizeof(double));
}

ss_status ss_steady_at(ss_steady* s, double value, bool* made, ss_error* err)
{
    return renew(s, value, &s->model, &s->field, &s->value, made, err);
}

// ---- the equations

// One more equation: its value and its row of derivatives, zeroed.
typedef struct equations {
    ss_steady* s;
    ss_steady_field* field;
    double *g, *matrix; // matrix may be NULL
    int count;
} equations;

static double* add(equations* e, double value)
{
    e->g[e->count] = value;
    double* row = e->matrix ? e->matrix + (size_t)e->count * (size_t)(e->s->size + 1) : NULL;
    if (row) memset(row, 0, (size_t)(e->s->size + 1) * sizeof(double));
    e->count++;
    return row;
}

// d/dt of row r of y' where everything moves evenly: its derivative by y is that by q times dq' and by s
// times ds'. The slopes themselves do not change along the drift, or it would not be steady.
static void add_drift(equations* e, int r, double value)
{
    const ss_steady* s = e->s;
    int n = e->field->n, w = s->width;
    double* row = add(e, value);
    if (!row) return;
    const double* jac = s->work.jacobian + (size_t)r * (size_t)w;
    for (int i = 0; i < n; i++) row[n + i] += jac[i];
    for (int j = 0; j < e->field->states; j++)
        for (int c = 0; c < w; c++) row[c] += jac[2 * n + j] * s->work.jacobian[(2 * n + j) * w + c];
}

static void add_rate(equations* e, int r)
{
    const ss_steady* s = e->s;
    double* row = add(e, s->work.rates[r]);
    if (!row) return;
    memcpy(row, s->work.jacobian + (size_t)r * (size_t)s->width, (size_t)s->width * sizeof(double));
    for (int i = 0; i < s->contacts; i++) {
        const ss_row* mobility = &e->field->model->contacts[i].mobility;
        for (int k = 0; k < mobility->count; k++)
            if (e->field->n + mobility->index[k] == r) row[s->width + i] += mobility->value[k];
    }
}

// factor times the row of contact i over coordinates, from `shift` on.
static void put_contact(const equations* e, double row[], int i, int shift, double factor)
{
    const ss_row* q = &e->field->model->contacts[i].q;
    for (int k = 0; row && k < q->count; k++) row[shift + q->index[k]] += factor * q->value[k];
}

static void add_contact(equations* e, int i)
{
    ss_steady* s = e->s;
    ss_steady_field* f = e->field;
    int at = f->bristle_at[i];
    bool bristle = ss_has_bristles(&f->model->contacts[i]), rests = bristle && s->modes[i] == SS_STEADY_STICK;
    bool holds = !bristle && ss_steady_field_may_hold(f, i) && s->modes[i] != SS_STEADY_SLIP &&
                 s->modes[i] != SS_STEADY_OPEN;
    double* row;
    if (rests || holds) {
        row = add(e, ss_steady_field_speed(f, i));
        put_contact(e, row, i, f->n, 1.0);
    }
    if (rests && at >= 0) {
        row = add(e, f->z[at] - ss_steady_field_place(f, i) - s->places[i]);
        put_contact(e, row, i, 0, -1.0);
        if (row) row[2 * f->n + f->states + at] = 1.0;
    }
    if (bristle && !rests && at >= 0) add_rate(e, 2 * f->n + f->states + at);
    if (holds && s->modes[i] == SS_STEADY_STICK) {
        row = add(e, ss_steady_field_place(f, i) - s->places[i]);
        put_contact(e, row, i, 0, 1.0);
    } else if (holds && s->modes[i] == SS_STEADY_CLOSED) {
        row = add(e, ss_steady_field_gap(f, i));
        put_contact(e, row, i, 0, -(double)f->model->contacts[i].rigid_stop.side);
    } else if (holds) {
        double low, high;
        ss_steady_field_bounds(f, i, &low, &high);
        row = add(e, f->lambda[i] - (s->signs[i] > 0.0 ? low : high));
        if (row) row[s->width + i] = 1.0;
    } else if ((row = add(e, f->lambda[i])))
        row[s->width + i] = 1.0;
}

// All equations at u, the last unknown aside; returns their number.
static int equate(ss_steady* s, ss_steady_field* field, const double u[], double g[], double matrix[])
{
    equations e = {.s = s, .field = field, .g = g, .matrix = matrix};
    int n = field->n;
    set_modes(s, field, u);
    ss_steady_field_at(field, u);
    ss_steady_field_rates(field, s->work.rates, s->work.jacobian);
    ss_steady_field_drift(field, s->work.drift);
    for (int i = 0; i < n; i++) add_rate(&e, n + i);
    for (int i = 0; i < n; i++) add_drift(&e, n + i, s->work.drift[i]);
    for (int j = 0; j < field->states; j++) add_drift(&e, 2 * n + j, s->work.drift[n + j]);
    for (int i = 0; i < s->contacts; i++) add_contact(&e, i);
    for (int k = 0; k < s->free_count; k++) {
        const double* free = s->free + (size_t)k * (size_t)s->size;
        double sum = -s->free_at[k];
        for (int c = 0; c < s->size; c++) sum += free[c] * u[c] / s->scale[c];
        double* row = add(&e, sum);
        for (int c = 0; row && c < s->size; c++) row[c] = free[c] / s->scale[c];
    }
    return e.count;
}

// Derivative by the number, into the last column, by the difference to a number a little further inside the
// range.
static ss_status add_number(ss_steady* s, const double u[], int count, bool* made, ss_error* err)
{
    double range = s->def->to - s->def->from, middle = 0.5 * (s->def->to + s->def->from);
    double h = copysign(difference * range, middle - u[s->size]);
    ss_status status = renew(s, u[s->size] + h, &s->other_model, &s->other, &s->other_value, made, err);
    if (status != SS_OK || !*made) return status;
    equate(s, s->other, u, s->work.other_g, NULL);
    for (int r = 0; r < count; r++)
        s->work.matrix[r * (s->size + 1) + s->size] = (s->work.other_g[r] - s->work.g[r]) / h;
    return SS_OK;
}

// Divides columns by the unknowns' scales and rows by their largest entry; the values of g with them.
static void balance(ss_steady* s, int count)
{
    int n = s->size + 1;
    for (int r = 0; r < count; r++) {
        double* row = s->work.matrix + (size_t)r * (size_t)n;
        double most = 0.0;
        for (int c = 0; c < n; c++) {
            row[c] *= s->scale[c];
            if (c < s->size) most = fmax(most, fabs(row[c]));
        }
        if (most == 0.0) continue;
        for (int c = 0; c < n; c++) row[c] /= most;
        s->work.g[r] /= most;
    }
}

// The equations at u with all derivatives, balanced. number: also by the number.
static ss_status prepare(ss_steady* s, const double u[], bool number, int* count, bool* made, ss_error* err)
{
    ss_status status = ss_steady_at(s, u[s->size], made, err);
    if (status != SS_OK || !*made) return status;
    *count = equate(s, s->field, u, s->work.g, s->work.matrix);
    for (int r = 0; r < *count; r++) s->work.matrix[r * (s->size + 1) + s->size] = 0.0;
    if (number) status = add_number(s, u, *count, made, err);
    if (status != SS_OK || !*made) return status;
    balance(s, *count);
    *made = !s->field->bad;
    for (int k = 0; k < *count * (s->size + 1); k++) *made = *made && isfinite(s->work.matrix[k]);
    for (int r = 0; r < *count; r++) *made = *made && isfinite(s->work.g[r]);
    return SS_OK;
}

// ---- what stays

static double row_norm(const double row[], int n)
{
    double sum = 0.0;
    for (int c = 0; c < n; c++) sum += row[c] * row[c];
    return sqrt(sum);
}

ss_status ss_steady_anchor(ss_steady* s, const double u[], ss_error* err)
{
    int count;
    bool made;
    ss_status status = ss_steady_at(s, u[s->size], &made, err);
    if (status != SS_OK || !made) return status;
    set_modes(s, s->field, u);
    ss_steady_field_at(s->field, u);
    s->resting = 0;
    for (int i = 0; i < s->contacts; i++) {
        int at = s->field->bristle_at[i];
        s->places[i] = ss_steady_field_place(s->field, i);
        if (at >= 0) s->places[i] = s->field->z[at] - s->places[i];
        s->resting += at >= 0 && s->modes[i] == SS_STEADY_STICK;
    }
    s->free_count = 0;
    status = prepare(s, u, false, &count, &made, err);
    if (status != SS_OK || !made) return status;
    int n = s->size;
    for (int r = 0; r < count; r++)
        for (int c = 0; c < n; c++) s->work.system[r * n + c] = s->work.matrix[r * (n + 1) + c];
    int found = ss_algebra_null_space(s->work.system, count, n,
                                      rank_limit * row_norm(s->work.system, count * n), s->work.right);
    if (found < 0) return ss_fail_no_memory(err);
    s->free_count = found;
    memcpy(s->free, s->work.right, (size_t)found * (size_t)n * sizeof(double));
    for (int k = 0; k < found; k++) {
        s->free_at[k] = 0.0;
        for (int c = 0; c < n; c++) s->free_at[k] += s->free[k * n + c] * u[c] / s->scale[c];
    }
    return SS_OK;
}

// ---- Newton

static ss_status newton_step(ss_steady* s, int rows, double* size, bool* solved, ss_error* err)
{
    int n = s->size + 1, rank;
    memcpy(s->work.system, s->work.matrix, (size_t)rows * (size_t)n * sizeof(double));
    for (int r = 0; r < rows; r++) s->work.step[r] = -s->work.g[r];
    for (int r = rows; r < n; r++) s->work.step[r] = 0.0;
    int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, n, 1, s->work.system, n, s->work.step, 1,
                              s->work.singular, rank_limit, &rank);
    if (ss_algebra_ran_out(info)) return ss_fail_no_memory(err);
    *solved = info == 0;
    *size = 0.0;
    for (int c = 0; c < n; c++) *size = fmax(*size, fabs(s->work.step[c]));
    if (!isfinite(*size)) *solved = false;
    return SS_OK;
}

// Solves in the plane across normal through guess, from u = guess on.
static ss_status solve(ss_steady* s, const double guess[], const double normal[], double u[], bool* solved,
                       ss_error* err)
{
    int n = s->size, count;
    bool moves = fabs(normal[n]) < 1.0; // otherwise the number stays as it is
    double last = INFINITY;
    *solved = false;
    memcpy(u, guess, ((size_t)n + 1) * sizeof(double));
    for (int round = 0; round < ROUNDS; round++) {
        bool made;
        double size = INFINITY;
        ss_status status = prepare(s, u, moves, &count, &made, err);
        if (status != SS_OK || !made) return status;
        double* row = s->work.matrix + (size_t)count * (size_t)(n + 1);
        s->work.g[count] = 0.0;
        for (int c = 0; c <= n; c++) {
            row[c] = normal[c];
            s->work.g[count] += normal[c] * (u[c] - guess[c]) / s->scale[c];
        }
        status = newton_step(s, count + 1, &size, &made, err);
        if (status != SS_OK || !made) return status;
        for (int c = 0; c <= n; c++)
            if (moves || c < n) u[c] += s->work.step[c] * s->scale[c];
        bool stalled = round > 3 && size > 0.5 * last && size <= good_enough;
        if (size <= converged || stalled) {
            *solved = true;
            break;
        }
        if (size > 1e3) return SS_OK;
        last = size;
    }
    if (!*solved) return SS_OK;
    bool made;
    ss_status status = prepare(s, u, true, &count, &made, err); // contradictions show here
    *solved = made;
    for (int r = 0; r < count && made; r++) *solved = *solved && fabs(s->work.g[r]) <= good_enough;
    return status;
}

// The direction in which all equations stay true: the right singular vector of the smallest singular value of
// the matrix that the last solution left. *there is false at a steady state that stands alone.
static ss_status find_tangent(ss_steady* s, int count, double tangent[], bool* there, ss_error* err)
{
    int n = s->size + 1;
    if (!ss_algebra_svd(s->work.matrix, count, n, s->work.singular, NULL, s->work.right))
        return ss_fail_no_memory(err);
    memcpy(tangent, s->work.right + (size_t)(n - 1) * (size_t)n, (size_t)n * sizeof(double));
    *there = count < n || s->work.singular[n - 1] <= not_singular * s->work.singular[0];
    return SS_OK;
}

ss_status ss_steady_solve(void* self, const double guess[], const double normal[], ss_branch_point* out,
                          ss_continuation_verdict* verdict, ss_error* err)
{
    ss_steady* s = self;
    bool solved, made;
    int count;
    *verdict = SS_CONTINUATION_LOST;
    ss_status status = solve(s, guess, normal, out->u, &solved, err);
    if (status != SS_OK || !solved) return status;
    status = prepare(s, out->u, true, &count, &made, err);
    if (status == SS_OK && made) status = find_tangent(s, count, out->tangent, &made, err);
    if (status == SS_OK && made) status = ss_steady_spectrum(s, out->u, out, err);
    if (status != SS_OK || !made) return status;
    ss_steady_judge(s, out->u);
    *verdict = s->broken >= 0 ? SS_CONTINUATION_OUTSIDE : SS_CONTINUATION_INSIDE;
    return SS_OK;
}
