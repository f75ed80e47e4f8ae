// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where a model would stand without friction: Newton's method for q'' = 0, s' = 0 at q' = 0, with the exact
// derivatives of the field, from several guesses; and the eigenvalues of the motion about each place. Not all
// of them are found, and none is claimed that is not: what is left of the accelerations is rounding.
#include "core/algebra/eigen.h"
#include "core/algebra/lu.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "motion/steady_field.h"
#include "share/model_parts.h"
#include "slipstick/answer.h"
#include "slipstick/follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 48, ROUNDS = 60, MOST = 8 };

struct ss_equilibria {
    ss_pool pool;
    ss_equilibrium list[MOST];
    int count;
};

typedef struct search {
    ss_steady_field* field;
    int n, w, unknowns;
    double *y, *rates, *jacobian, *system, *step;
    int* pivots;
} search;

// Column of y that unknown k is: places, then states.
static int place_of(const search* f, int k) { return k < f->n ? k : f->n + k; }

static bool look(search* f)
{
    ss_steady_field_at(f->field, f->y);
    ss_steady_field_rates(f->field, f->rates, f->jacobian);
    for (int k = 0; k < f->w; k++)
        if (!isfinite(f->rates[k])) return false;
    return !f->field->bad;
}

// One step; its size, relative to the place, or NaN.
static double correct(search* f)
{
    int m = f->unknowns;
    for (int r = 0; r < m; r++) {
        f->step[r] = -f->rates[f->n + r];
        for (int c = 0; c < m; c++) f->system[r * m + c] = f->jacobian[(f->n + r) * f->w + place_of(f, c)];
    }
    if (!ss_lu_factor(f->system, m, f->pivots)) return NAN;
    ss_lu_solve(f->system, m, f->pivots, f->step);
    double size = 0.0, change = 0.0;
    for (int k = 0; k < m; k++) {
        size = fmax(size, fabs(f->y[place_of(f, k)]));
        change = fmax(change, fabs(f->step[k]));
    }
    // A long step may leave what is near; a shorter one goes the same way.
    double share = change > 1.0 + size ? (1.0 + size) / change : 1.0;
    for (int k = 0; k < m; k++) f->y[place_of(f, k)] += share * f->step[k];
    return change / (1e-3 + size);
}

static bool solve(search* f)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (!look(f)) return false;
        double change = correct(f);
        if (!isfinite(change)) return false;
        if (change <= SS_SUM_NOISE) return look(f);
    }
    return false;
}

// Whether the place lies before all stops, and is new.
static bool is_new(const search* f, const ss_equilibria* found)
{
    const ss_model* model = f->field->model;
    for (int i = 0; i < model->contact_count; i++)
        if (ss_law_has(model->contacts[i].law, SS_TRAIT_STOPS) && ss_steady_field_gap(f->field, i) < 0.0)
            return false;
    for (int e = 0; e < found->count; e++) {
        double away = 0.0, size = 0.0;
        for (int b = 0; b < f->field->bodies; b++) {
            away = fmax(away, fabs(found->list[e].x[b] - f->field->x[b]));
            size = fmax(size, fabs(f->field->x[b]));
        }
        for (int j = 0; j < f->field->states; j++) {
            away = fmax(away, fabs(found->list[e].states[j] - f->field->s[j]));
            size = fmax(size, fabs(f->field->s[j]));
        }
        if (away <= SS_ROOT_BIT * (SS_ROOT_BIT + size)) return false;
    }
    return true;
}

static bool keep(search* f, ss_equilibria* found)
{
    size_t w = (size_t)f->w, d = sizeof(double);
    double* x = ss_pool_new(&found->pool, (size_t)f->field->bodies, d);
    double* s = ss_pool_new(&found->pool, (size_t)f->field->states, d);
    double* values = ss_pool_new(&found->pool, 2 * w, d);
    double* a = ss_new(w * w + w, d);
    double complex* room = ss_new(4 * w * w + w, sizeof *room);
    bool good = a && room && !found->pool.failed;
    if (good) {
        ss_spectrum spectrum = {.values = room, .vectors = room + w, .inverse = room + w + w * w};
        memcpy(x, f->field->x, (size_t)f->field->bodies * d);
        if (f->field->states > 0) memcpy(s, f->field->s, (size_t)f->field->states * d);
        memcpy(a, f->jacobian, w * w * d);
        ss_equilibrium* to = &found->list[found->count++];
        *to = (ss_equilibrium){.x = x, .states = s, .eigenvalues = values};
        if (ss_eigen_solve(a, f->w, &spectrum, room + w + 2 * w * w, a + w * w)) to->eigenvalue_count = f->w;
        for (int k = 0; k < to->eigenvalue_count; k++) {
            double re = creal(spectrum.values[k]), im = cimag(spectrum.values[k]);
            values[2 * k] = fabs(re) <= SS_SUM_NOISE * spectrum.norm ? 0.0 : re;
            values[2 * k + 1] = fabs(im) <= SS_SUM_NOISE * spectrum.norm ? 0.0 : im;
        }
    }
    free(a);
    free(room);
    return good;
}

// States follow the places of a guess, as far as that is possible.
static void follow_places(search* f)
{
    enum { SOME = 6 };
    int m = f->field->states;
    for (int round = 0; round < SOME && m > 0 && look(f); round++) {
        for (int r = 0; r < m; r++) {
            f->step[r] = -f->rates[2 * f->n + r];
            for (int c = 0; c < m; c++)
                f->system[r * m + c] = f->jacobian[(2 * f->n + r) * f->w + 2 * f->n + c];
        }
        if (!ss_lu_factor(f->system, m, f->pivots)) return;
        ss_lu_solve(f->system, m, f->pivots, f->step);
        for (int k = 0; k < m; k++)
            if (isfinite(f->step[k])) f->y[2 * f->n + k] += f->step[k];
    }
}

// Guesses: the start, all at 0, the start mirrored, and each coordinate moved by 1 and by 3 either way.
static bool set_guess(search* f, int guess)
{
    static const double moves[] = {1.0, -1.0, 3.0, -3.0};
    ss_steady_field_start(f->field, f->y);
    memset(f->y + f->n, 0, (size_t)f->n * sizeof(double));
    for (int i = 0; i < f->n && (guess == 1 || guess == 2); i++) f->y[i] *= guess == 1 ? 0.0 : -1.0;
    if (guess < 3) return true;
    if (guess - 3 >= 4 * f->n) return false;
    f->y[(guess - 3) / 4] += moves[(guess - 3) % 4];
    return true;
}

static bool find_all(search* f, ss_equilibria* found)
{
    for (int i = 0; i < f->field->model->contact_count; i++) {
        bool stop = ss_law_has(f->field->model->contacts[i].law, SS_TRAIT_STOPS);
        f->field->modes[i] = stop ? SS_STEADY_OPEN : SS_STEADY_STICK; // and no force: friction is left out
        f->field->lambda[i] = 0.0;
    }
    for (int guess = 0; found->count < MOST && set_guess(f, guess); guess++)
        for (int follows = 0; follows < 2 && found->count < MOST; follows++) {
            set_guess(f, guess);
            if (follows) follow_places(f);
            if (solve(f) && is_new(f, found) && !keep(f, found)) return false;
        }
    return true;
}

static bool is_suitable(const ss_steady_field* field)
{
    for (int b = 0; b < field->bodies; b++)
        if (field->drive_speed[b] != 0.0) return false;
    return field->n > 0 && field->bristles == 0 && field->width <= LARGEST;
}

ss_status ss_equilibria_find(const ss_model* model, ss_equilibria** out, ss_error* err)
{
    ss_equilibria* found = *out = ss_new(1, sizeof *found);
    if (!found) return ss_fail_no_memory(err);
    search f = {0};
    ss_status status = ss_steady_field_create(model, &f.field, err);
    if (status == SS_BAD_INPUT) return SS_OK; // something varies in time, or is sampled: there are none
    bool good = status == SS_OK;
    if (good && is_suitable(f.field)) {
        f.n = f.field->n;
        f.w = f.field->width;
        f.unknowns = f.w - f.n;
        size_t w = (size_t)f.w;
        double* room = ss_new(3 * w + 2 * w * w, sizeof *room);
        f.pivots = ss_new(w, sizeof *f.pivots);
        good = room && f.pivots;
        if (good) {
            f.y = room;
            f.rates = f.y + w;
            f.step = f.rates + w;
            f.jacobian = f.step + w;
            f.system = f.jacobian + w * w;
            good = find_all(&f, found);
        }
        free(room);
        free(f.pivots);
    }
    ss_steady_field_destroy(f.field);
    if (good) return SS_OK;
    ss_equilibria_destroy(found);
    *out = NULL;
    return ss_fail_no_memory(err);
}

int ss_equilibria_count(const ss_equilibria* found) { return found->count; }
const ss_equilibrium* ss_equilibria_list(const ss_equilibria* found) { return found->list; }

void ss_equilibria_destroy(ss_equilibria* found)
{
    if (!found) return;
    ss_pool_free(&found->pool);
    free(found);
}

ss_status ss_answer_check_model(const ss_model* model, const ss_document* document, ss_answer** out,
                                ss_error* err)
{
    ss_check* check = NULL;
    ss_equilibria* found = NULL;
    ss_status status = ss_check_model(model, document, &check, err);
    if (status == SS_OK && ss_model_is_open(model)) status = ss_equilibria_find(model, &found, err);
    if (status == SS_OK && found) {
        check->equilibrium_count = found->count;
        check->equilibria = found->list;
    }
    if (status == SS_OK) status = ss_answer_check(check, out, err);
    ss_check_destroy(check);
    ss_equilibria_destroy(found);
    return status;
}
