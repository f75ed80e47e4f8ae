// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the force of a stop that gives way changes. All of them push by one formula (law/stop.h), and so, with
// n the exponent, k the stiffness, w the weight, a the grip and d the drag,
//
//     push  = k p^n (w + a p') + d p',     force on A = -side push,     dp = side dx
//     dpush = k n p^(n-1) (w + a p') dp + (k a p^n + d) dp' + the same by k, n, w, a and d
//
// at a point as well as along a step, on which p, p' and p^n are series: in the time, or in the parameter of
// the stop's own clock (clock.c), where sqrt(p) is one as well.
//
//   promise  false where p^(n-1), or ln p, is no power series of use
//   cost     two products of series per stop and one per sensitivity
#include "core/algebra/product.h"
#include "engine/flow/elastic.h"
#include "engine/sensitivity/nonlinear_series.h"
#include "law/fall.h"

#include <math.h>
#include <string.h>

// ---- by numbers of the law

// How the formulas of all branches change: sums over the models of a direction.
void ss_change_make_forms(ss_derivative* der, ss_model_change* change, int i)
{
    enum { NUMBERS = sizeof(ss_stop_form) / sizeof(double) };
    const ss_contact* own = &der->model->contacts[i];
    change->form[i] = NULL;
    if (!ss_contact_is(own, SS_TRAIT_GIVES_WAY) || !change->law[i]) return;
    ss_stop_form* out = change->form[i] = ss_pool_new(&der->pool, SS_STOP_BRANCHES, sizeof *out);
    for (int branch = 0; out && branch < SS_STOP_BRANCHES; branch++) {
        double value[NUMBERS][SS_DIRECTION_MODELS], sum[NUMBERS], form[NUMBERS];
        for (int k = 0; k < change->from->model_count; k++) {
            const void* law = ss_law_of(&change->from->models[k]->contacts[i]);
            ss_stop other = ss_law_ask(own->law_entry, law, NAN).stop;
            memcpy(form, &other.form[branch], sizeof form);
            for (int j = 0; j < NUMBERS; j++) value[j][k] = form[j];
        }
        for (int j = 0; j < NUMBERS; j++) sum[j] = ss_direction_sum(change->from, value[j]);
        memcpy(&out[branch], sum, sizeof sum);
    }
}

double ss_change_stop(const ss_derivative* der, const ss_model_change* change, int i,
                      const ss_law_point* point)
{
    const ss_contact* own = &der->model->contacts[i];
    ss_stop_form f = der->sim->step.laws.elastic[der->sim->step.laws.elastic_at[i]].law.form[point->branch],
                 by = change->form[i][point->branch];
    double side = own->stop.side, p = point->y, rate = side * point->v;
    if (p < 0.0 && !ss_power_is_whole(f.exponent)) p = 0.0;
    double power = f.exponent == 1.5 ? p * sqrt(p) : pow(p, f.exponent), factor = f.weight + f.grip * rate;
    double push = by.stiffness * power * factor + f.stiffness * power * (by.weight + by.grip * rate);
    // Beyond the touch, where a whole power goes on, one beside it has no value.
    if (by.exponent != 0.0 && p > 0.0) push += by.exponent * f.stiffness * power * log(p) * factor;
    return -side * (push + by.drag * rate);
}

// ---- along a step

// p^(n-1)
static bool lower_power(const ss_step* step, const ss_elastic* stop, int last, double out[])
{
    double n = stop->form.exponent;
    size_t size = (size_t)(last + 1) * sizeof(double);
    if (stop == step->clock.stop) {
        memcpy(out, n == 1.5 ? step->clock.pace : stop->square, size);
        return true;
    }
    memset(out, 0, size);
    if (n == 1.0) out[0] = 1.0;
    if (n == 2.0) memcpy(out, stop->p, size);
    if (n == 3.0) memcpy(out, stop->square, size);
    if (n == 4.0) ss_multiply_series(stop->square, stop->p, 1.0, last, out);
    if (ss_power_is_whole(n)) return true;
    if (!(stop->p[0] > 0.0)) return false;
    memcpy(out, stop->power, size);
    ss_divide_series(stop->p, last, out);
    return true;
}

bool ss_sensitivity_stop_slopes(const ss_step* step, int i, int last, ss_along_slopes* out, double by_place[])
{
    const ss_elastic* stop = &step->laws.elastic[step->laws.elastic_at[i]];
    const ss_stop_form* f = &stop->form;
    double lower[SS_ALONG], factor[SS_ALONG];
    out->bends = f->grip != 0.0;
    out->by_v = -f->drag;
    // On a quiet step the motion does not feel p^n, but a sensitivity feels p^(n-1).
    if (stop->quiet || !lower_power(step, stop, last, lower)) return false;
    double size = -f->stiffness * f->exponent;
    if (f->grip == 0.0) {
        for (int k = 0; k <= last; k++) by_place[k] = size * f->weight * lower[k];
        return true;
    }
    for (int k = 0; k <= last; k++) factor[k] = f->grip * stop->rate[k];
    factor[0] += f->weight;
    ss_multiply_series(lower, factor, size, last, by_place);
    for (int k = 0; k <= last; k++) out->force_v[k] = -f->stiffness * f->grip * stop->power[k];
    return true;
}

bool ss_sensitivity_stop_numbers(const ss_model* model, const ss_step* step, const ss_model_change* change,
                                 int i, int last, double force[])
{
    const ss_elastic* stop = &step->laws.elastic[step->laws.elastic_at[i]];
    const ss_stop_form *f = &stop->form, *by = &change->form[i][stop->branch];
    double side = model->contacts[i].stop.side;
    double power = by->stiffness * f->weight + f->stiffness * by->weight;
    double grip = by->stiffness * f->grip + f->stiffness * by->grip;
    memset(force, 0, (size_t)(last + 1) * sizeof(double));
    if (by->exponent != 0.0) return false;
    if (grip != 0.0) ss_multiply_series(stop->power, stop->rate, -side * grip, last, force);
    for (int k = 0; k <= last && power != 0.0; k++) force[k] -= side * power * stop->power[k];
    for (int k = 0; k <= last && by->drag != 0.0; k++) force[k] -= side * by->drag * stop->rate[k];
    return true;
}
