// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Modes of a steady state: which ones to begin with, when they end, and which ones follow.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/follow/steady_branch.h"
#include "law/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- when modes end

static bool is_stop(const ss_steady* s, int i)
{
    return ss_law_has(s->model->contacts[i].law, SS_TRAIT_STOPS);
}

static ss_law_facts facts_of(const ss_contact* contact, double v)
{
    return ss_law_ask(contact->law_entry, ss_law_of(contact), v);
}

static double bristle_force(const ss_steady* s, int i)
{
    const ss_contact* contact = &s->model->contacts[i];
    int at = s->field->bristle_at[i];
    if (at < 0) return 0.0;
    if (ss_contact_is(contact, SS_TRAIT_MANY)) return s->field->z[at]; // the sum of forces itself
    double stiffness = facts_of(contact, NAN).stiffness;
    return isnan(stiffness) ? -ss_steady_field_force_at_rest(s->field, i) : stiffness * s->field->z[at];
}

// How much is left before the mode of contact i ends, in the unit of what ends it, and how large that is.
static double slack(const ss_steady* s, int i, double* size, bool* low_side)
{
    const ss_steady_field* f = s->field;
    *low_side = false;
    if (is_stop(s, i)) {
        double gap = ss_steady_field_gap(f, i), low, high;
        *size = fabs(ss_steady_field_place(f, i)) + fabs(gap);
        if (s->modes[i] == SS_STEADY_OPEN) return gap;
        if (ss_law_has(s->model->contacts[i].law, SS_TRAIT_GIVES_WAY)) return -gap;
        ss_steady_field_bounds(f, i, &low, &high);
        *size = fabs(f->lambda[i]);
        return isinf(low) ? -f->lambda[i] : f->lambda[i];
    }
    bool bristle = ss_has_bristles(&s->model->contacts[i]);
    if (s->modes[i] == SS_STEADY_SLIP) {
        *size = s->scale[f->n]; // the scales of all speeds are alike
        // A speed of 0 is no slip: bristles would keep any deflection there.
        return s->signs[i] * ss_steady_field_speed(f, i) - SS_FAINT * *size;
    }
    if (bristle) {
        const ss_contact* contact = &s->model->contacts[i];
        double force = bristle_force(s, i);
        *size = facts_of(contact, 0.0).limit;
        *low_side = force > 0.0; // the force on A is minus that
        return *size - fabs(force);
    }
    double low, high;
    ss_steady_field_bounds(f, i, &low, &high);
    *size = fmin(-low, high);
    if (s->modes[i] == SS_STEADY_EDGE) { // it goes on being pushed
        double moved = s->signs[i] * (ss_steady_field_place(f, i) - s->places[i]);
        *size = s->scale[0];
        return moved;
    }
    *low_side = f->lambda[i] - low < high - f->lambda[i];
    return fmin(f->lambda[i] - low, high - f->lambda[i]);
}

void ss_steady_judge(ss_steady* s, const double u[])
{
    (void)u;
    s->broken = -1;
    double worst = 0.0;
    for (int i = 0; i < s->contacts; i++) {
        double size;
        bool low;
        double left = slack(s, i, &size, &low);
        if (!(left < -SS_RELATIVE_ZERO * size) || (size > 0.0 ? left / size : left) >= worst) continue;
        worst = size > 0.0 ? left / size : left;
        s->broken = i;
        s->broken_low = low;
    }
}

ss_status ss_steady_accept(void* self, ss_branch_point* branch_point, ss_error* err)
{
    ss_steady* s = self;
    (void)err;
    for (int c = 0; c < s->size; c++) // extents grow; the speeds share one, and so do the forces
        if (c < s->field->n || c >= 2 * s->field->n)
            ss_branch_point_rescale(branch_point, s->size, s->scale, c);
    ss_branch_point_normalise(branch_point, s->size);
    for (int i = 0; i < s->contacts; i++)
        if (s->modes[i] == SS_STEADY_EDGE)
            s->places[i] = ss_row_dot(&s->model->contacts[i].bodies, branch_point->record.x);
    return SS_OK;
}

// ---- scales

// Lengths, speeds, states, bristles and forces of the model as it is at u; where there is nothing to go by,
// 1.
static void set_scales(ss_steady* s, const double u[])
{
    const ss_steady_field* f = s->field;
    int n = f->n;
    double speed = 0.0, length = 0.0, force = 0.0;
    for (int b = 0; b < f->bodies; b++) {
        speed = fmax(speed, fabs(f->v[b]));
        length = fmax(length, s->model->bodies[b].drive >= 0 ? 0.0 : fabs(f->x[b]));
    }
    for (int i = 0; i < s->contacts; i++) {
        double low, high;
        if (!ss_steady_field_may_hold(f, i) || is_stop(s, i)) continue;
        ss_steady_field_bounds(f, i, &low, &high);
        if (isfinite(low)) force = fmax(force, -low);
        if (isfinite(high)) force = fmax(force, high);
    }
    for (int i = 0; i < n; i++) {
        s->scale[i] = length > 0.0 ? length : 1.0;
        s->scale[n + i] = speed > 0.0 ? speed : 1.0;
    }
    for (int j = 0; j < f->states; j++)
        s->scale[2 * n + j] = fabs(u[2 * n + j]) > 0.0 ? fabs(u[2 * n + j]) : 1.0;
    for (int i = 0; i < s->contacts; i++) {
        int at = f->bristle_at[i];
        const ss_contact* contact = &s->model->contacts[i];
        s->scale[s->width + i] = force > 0.0 ? force : 1.0;
        if (at >= 0)
            s->scale[2 * n + f->states + at] = ss_contact_is(contact, SS_TRAIT_MANY)
                                                   ? facts_of(contact, 0.0).limit
                                                   : facts_of(contact, 0.0).steady;
    }
    s->scale[s->size] = fabs(s->def->to - s->def->from);
}

// ---- the first modes

// Modes by the speeds of the present point: what moves slips, what does not holds.
static void guess_modes(ss_steady* s)
{
    const ss_steady_field* f = s->field;
    double fastest = 0.0;
    for (int b = 0; b < f->bodies; b++) fastest = fmax(fastest, fabs(f->v[b]));
    for (int i = 0; i < s->contacts; i++) {
        double v = ss_steady_field_speed(f, i);
        if (is_stop(s, i)) {
            s->modes[i] = ss_steady_field_gap(f, i) > 0.0 ? SS_STEADY_OPEN : SS_STEADY_CLOSED;
            continue;
        }
        s->modes[i] = fabs(v) > SS_CLEAR * fastest ? SS_STEADY_SLIP : SS_STEADY_STICK;
        s->signs[i] = v < 0.0 ? -1.0 : 1.0;
    }
}

// Bristles that slide begin with the deflection of steady sliding.
static void saturate(const ss_steady* s, double u[])
{
    for (int i = 0; i < s->contacts; i++) {
        const ss_contact* contact = &s->model->contacts[i];
        int at = s->field->bristle_at[i];
        if (at < 0 || s->modes[i] != SS_STEADY_SLIP) continue;
        double v = ss_steady_field_speed(s->field, i);
        ss_law_facts facts = facts_of(contact, v);
        double side = isnan(facts.start) ? s->signs[i] : 1.0;
        u[2 * s->field->n + s->field->states + at] =
            side * (ss_contact_is(contact, SS_TRAIT_MANY) ? facts.limit : facts.steady);
    }
}

static ss_status check_rest(const ss_steady* s, bool* possible)
{
    *possible = true;
    for (int i = 0; i < s->contacts; i++)
        if (ss_has_bristles(&s->model->contacts[i]) && s->modes[i] == SS_STEADY_STICK &&
            !ss_law_has(s->model->contacts[i].law, SS_TRAIT_Z))
            *possible = false; // elements at rest share the load in ways that a point does not tell
    return SS_OK;
}

// What follows where contact i cannot stay as it is: the modes in which to try it.
typedef struct option {
    ss_steady_mode mode;
    double sign;
} option;

static int options_of(const ss_steady* s, int i, option out[3])
{
    double sign = s->signs[i],
           way = s->broken_low ? 1.0 : -1.0; // a force at its lower bound gives way forward
    int count = 0;
    switch (s->modes[i]) {
    case SS_STEADY_SLIP:
        out[count++] = (option){SS_STEADY_STICK, sign};
        out[count++] = (option){SS_STEADY_SLIP, -sign};
        break;
    case SS_STEADY_STICK:
        out[count++] = (option){SS_STEADY_SLIP, way};
        if (!ss_has_bristles(&s->model->contacts[i])) out[count++] = (option){SS_STEADY_EDGE, way};
        break;
    case SS_STEADY_EDGE:
        out[count++] = (option){SS_STEADY_STICK, sign};
        out[count++] = (option){SS_STEADY_SLIP, sign};
        break;
    case SS_STEADY_OPEN: out[count++] = (option){SS_STEADY_CLOSED, sign}; break;
    case SS_STEADY_CLOSED: out[count++] = (option){SS_STEADY_OPEN, sign}; break;
    }
    return count;
}

// A steady state in the present modes with the number held, from u; *there is false where there is none, and
// verdict says whether it keeps within the modes.
static ss_status settle(ss_steady* s, const double u[], ss_branch_point* out,
                        ss_continuation_verdict* verdict, ss_error* err)
{
    double* normal = ss_new((size_t)s->size + 1, sizeof(double));
    bool possible;
    if (!normal) return ss_fail_no_memory(err);
    normal[s->size] = 1.0;
    *verdict = SS_CONTINUATION_LOST;
    ss_status status = check_rest(s, &possible);
    if (status == SS_OK && possible) status = ss_steady_anchor(s, u, err);
    if (status == SS_OK && possible) {
        status = ss_steady_solve(s, u, normal, out, verdict, err);
        if (status == SS_OK &&
            *verdict == SS_CONTINUATION_INSIDE) { // what nothing feels is known better here
            status = ss_steady_anchor(s, out->u, err);
            if (status == SS_OK) status = ss_steady_solve(s, out->u, normal, out, verdict, err);
        }
    }
    free(normal);
    return status;
}

// Changes the modes that a solution breaks until one keeps within them.
static ss_status try_modes(ss_steady* s, double u[], ss_branch_point* out, bool* found, ss_error* err)
{
    enum { CHANGES = 12 };
    ss_continuation_verdict verdict;
    *found = false;
    for (int k = 0; k < CHANGES; k++) {
        option options[3];
        ss_status status = settle(s, u, out, &verdict, err);
        if (status != SS_OK) return status;
        *found = verdict == SS_CONTINUATION_INSIDE;
        if (verdict != SS_CONTINUATION_OUTSIDE) return SS_OK;
        int i = s->broken, count = options_of(s, i, options);
        bool carried = s->modes[i] == SS_STEADY_STICK; // it cannot slip for good where it did not move
        option next = options[carried && count > 1 ? 1 : 0];
        s->modes[i] = next.mode;
        s->signs[i] = next.sign;
        memcpy(u, out->u, ((size_t)s->size + 1) * sizeof(double));
    }
    return SS_OK;
}

// Speeds that no spring feels, all contacts aside: where driven bodies pull what is tied to them.
static ss_status find_free_speeds(ss_steady* s, double u[], ss_error* err)
{
    double* normal = ss_new((size_t)s->size + 1, sizeof(double));
    ss_branch_point branch_point;
    ss_continuation_verdict verdict;
    if (!normal) return ss_fail_no_memory(err);
    normal[s->size] = 1.0;
    for (int i = 0; i < s->contacts; i++) s->modes[i] = is_stop(s, i) ? SS_STEADY_OPEN : SS_STEADY_SLIP;
    ss_status status =
        ss_branch_point_make(s->branch, s->size, &branch_point) ? SS_OK : ss_fail_no_memory(err);
    for (int round = 0; round < 4 && status == SS_OK; round++) { // which way they slip shows in the speeds
        s->free_count = 0;
        status = ss_steady_solve(s, u, normal, &branch_point, &verdict, err);
        if (status != SS_OK || !s->field) break;
        memcpy(u + s->field->n, branch_point.u + s->field->n, (size_t)s->field->n * sizeof(double));
        ss_steady_field_at(s->field, u);
        for (int i = 0; i < s->contacts; i++) {
            double v = ss_steady_field_speed(s->field, i);
            if (v != 0.0) s->signs[i] = v < 0.0 ? -1.0 : 1.0;
        }
    }
    ss_branch_point_free(&branch_point);
    free(normal);
    return status;
}

ss_status ss_steady_begin(ss_steady* s, ss_branch_point* out, ss_error* err)
{
    double* u = ss_new((size_t)s->size + 1, sizeof(double));
    bool found = false;
    if (!u) return ss_fail_no_memory(err);
    ss_status status = SS_OK;
    for (int attempt = 0; attempt < 2 && status == SS_OK && !found; attempt++) {
        memset(u, 0, ((size_t)s->size + 1) * sizeof(double));
        ss_steady_field_start(s->field, u);
        u[s->size] = s->def->from;
        ss_steady_field_at(s->field, u);
        set_scales(s, u);
        for (int i = 0; i < s->contacts; i++) s->signs[i] = 1.0;
        if (attempt == 1) status = find_free_speeds(s, u, err);
        if (status != SS_OK || !s->field) break;
        ss_steady_field_at(s->field, u);
        set_scales(s, u);
        guess_modes(s);
        saturate(s, u);
        status = try_modes(s, u, out, &found, err);
    }
    free(u);
    if (status == SS_OK && !found)
        return ss_fail(err, SS_NOT_FOUND, NULL, "no steady state found near the start of the model");
    return status;
}

// ---- where a limit is met

static const char* mode_name(const ss_steady* s, int i, ss_steady_mode mode, double sign)
{
    switch (mode) {
    case SS_STEADY_SLIP: return sign > 0.0 ? "slip+" : "slip-";
    case SS_STEADY_STICK: return ss_has_bristles(&s->model->contacts[i]) ? "rest" : "stick";
    case SS_STEADY_EDGE: return "limit";
    case SS_STEADY_OPEN: return "open";
    default: return "closed";
    }
}

// Whether the new modes go on from the point, which way: the tangent is turned that way. Contact i must get
// away from the end of its new mode.
static ss_status leads_on(ss_steady* s, int i, ss_branch_point* branch_point, ss_branch_point* trial,
                          bool* out, ss_error* err)
{
    static const double tries[] = {1e-4, 1e-6}, away = 1e-6;
    *out = false;
    double* guess = ss_new((size_t)s->size + 1, sizeof(double));
    if (!guess) return ss_fail_no_memory(err);
    ss_status status = SS_OK;
    for (int k = 0; k < 4 && status == SS_OK && !*out; k++) {
        ss_continuation_verdict verdict;
        for (int c = 0; c <= s->size; c++)
            guess[c] = branch_point->u[c] +
                       (k % 2 ? -1.0 : 1.0) * tries[k / 2] * branch_point->tangent[c] * s->scale[c];
        status = ss_steady_solve(s, guess, branch_point->tangent, trial, &verdict, err);
        if (status != SS_OK || verdict != SS_CONTINUATION_INSIDE) continue;
        bool low;
        double size, left = slack(s, i, &size, &low);
        *out = left > away * tries[k / 2] * size;
        for (int c = 0; c <= s->size && *out && k % 2; c++)
            branch_point->tangent[c] = -branch_point->tangent[c];
    }
    free(guess);
    return status;
}

static double distance(const ss_steady* s, const double a[], const double b[])
{
    double most = 0.0;
    for (int c = 0; c < s->width; c++) most = fmax(most, fabs(a[c] - b[c]) / s->scale[c]);
    return most;
}

// Whether a contact that is pushed along by its limit would stay slow: not where its level falls at once, nor
// where it falls so fast with the speed that slow slip is unstable.
static ss_status may_be_pushed(ss_steady* s, int i, double sign, const ss_branch_point* edge,
                               ss_branch_point* trial, bool* out, ss_error* err)
{
    *out = false;
    if (s->model->contacts[i].falling) return SS_OK;
    s->modes[i] = SS_STEADY_SLIP;
    s->signs[i] = sign;
    memcpy(s->field->modes, s->modes, (size_t)s->contacts * sizeof(ss_steady_mode));
    memcpy(s->field->signs, s->signs, (size_t)s->contacts * sizeof(double));
    ss_status status = ss_steady_spectrum(s, edge->u, trial, err);
    *out = trial->counts[SS_TEST_PAIR] == 0;
    return status;
}

static ss_status try_option(ss_steady* s, int i, option next, const ss_branch_point* edge,
                            ss_branch_point* out, bool* found, ss_error* err)
{
    ss_continuation_verdict verdict;
    ss_branch_point trial;
    *found = false;
    if (!ss_branch_point_make(s->branch, s->size, &trial)) {
        ss_branch_point_free(&trial);
        return ss_fail_no_memory(err);
    }
    bool allowed = true;
    ss_status status = SS_OK;
    if (next.mode == SS_STEADY_EDGE) status = may_be_pushed(s, i, next.sign, edge, &trial, &allowed, err);
    s->modes[i] = next.mode;
    s->signs[i] = next.sign;
    verdict = SS_CONTINUATION_LOST;
    if (status == SS_OK && allowed) status = settle(s, edge->u, out, &verdict, err);
    // Where the new modes hold on both sides of the border, the continuation goes on the way it came.
    if (status == SS_OK && verdict != SS_CONTINUATION_LOST &&
        out->tangent[s->size] * edge->tangent[s->size] < 0.0)
        for (int c = 0; c <= s->size; c++) out->tangent[c] = -out->tangent[c];
    if (status == SS_OK && verdict != SS_CONTINUATION_LOST && distance(s, out->u, edge->u) <= 1e-6)
        status = leads_on(s, i, out, &trial, found, err);
    ss_branch_point_free(&trial);
    return status;
}

ss_status ss_steady_cross(void* self, const ss_branch_point* edge, const ss_branch_point* beyond,
                          ss_branch_point* out, ss_border* border, ss_error* err)
{
    ss_steady* s = self;
    bool made, found = false;
    option options[3];
    snprintf(border->why, sizeof border->why, "%.199s",
             s->refused ? s->refusal.text : "no steady state near the last point");
    border->plain = true;
    if (!beyond) return SS_OK;
    ss_status status = ss_steady_at(s, beyond->u[s->size], &made, err);
    if (status != SS_OK || !made) return status;
    memcpy(s->field->lambda, beyond->u + s->width, (size_t)s->contacts * sizeof(double));
    ss_steady_field_at(s->field, beyond->u);
    ss_steady_judge(s, beyond->u);
    int i = s->broken;
    if (i < 0) return SS_OK;
    ss_steady_mode mode = s->modes[i];
    double sign = s->signs[i];
    int count = options_of(s, i, options);
    for (int k = 0; k < count && status == SS_OK && !found; k++)
        status = try_option(s, i, options[k], edge, out, &found, err);
    border->plain = false;
    border->goes_on = found;
    snprintf(border->contact, sizeof border->contact, "%.127s", s->model->contacts[i].name);
    snprintf(border->what, sizeof border->what, "%s > %s", mode_name(s, i, mode, sign),
             found                                ? mode_name(s, i, s->modes[i], s->signs[i])
             : options[0].mode == SS_STEADY_STICK ? "stick"
                                                  : "slip");
    if (!found && mode == SS_STEADY_STICK)
        snprintf(border->why, sizeof border->why, "%.100s breaks loose: no steady state nearby",
                 border->contact);
    else if (!found)
        snprintf(border->why, sizeof border->why, "%.100s meets its limit: no steady state beyond",
                 border->contact);
    return status;
}
