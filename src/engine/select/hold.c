// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the contacts of a group hold together: the map from what pulls at them to their forces, and the
// coordinates they fix. A fixed coordinate is expressed by the free ones and the drives,
//     q_dep = sum r_j q_j + sum r_d d + offset,
// and copied from there ever after, so that nothing creeps: a block held by the ground keeps every bit.
#include "core/algebra/dense.h"
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/select/select.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double singular = SS_RELATIVE_ZERO; // share of A's largest eigenvalue: smaller ones are zero
static const double dependent = SS_SOLVED; // share of a row left by elimination: smaller, it is in the span
static const double free_force = SS_CLEAR; // share in the null space above which a force is not determined

// Copies A of the listed places into out.
static void gather(const ss_group* group, const int places[], int count, double out[])
{
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++)
            out[r * count + c] = group->coupling[places[r] * group->count + places[c]];
}

void ss_note_undetermined(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    int count = 0;
    for (int p = 0; p < group->count; p++)
        if (!sim->modes.contacts[group->contacts[p]].determined)
            sim->work.note_contacts[count++] = group->contacts[p];
    if (count == 0 || sim->modes.noted_singular) return;
    sim->modes.noted_singular = true;
    ss_note_now(sim, "undetermined forces: several distributions hold; the one of least norm is given",
                sim->work.note_contacts, count);
}

// Rank and pseudo-inverse of A on the contacts listed in hold->places.
static int invert(const ss_model* model, ss_modes* modes, ss_work* work, int g, double share[])
{
    ss_hold* hold = &modes->holds[g];
    double *a = work->numbers, *scratch = a + hold->count * hold->count;
    gather(&model->groups[g], hold->places, hold->count, a);
    return ss_pseudo_inverse(a, hold->count, singular, hold->inverse, share, scratch);
}

// Redundant contacts that are at a bound stay there, idle ones carry nothing, and the others share the rest,
// as long as the others still hold everything without them. Returns whether the inverse is the one of the
// contacts that are left, given that it was that of those at first.
static bool pin_redundant(const ss_model* model, ss_modes* modes, ss_work* work, int g, int rank, bool idle,
                          bool fresh)
{
    const ss_group* group = &model->groups[g];
    ss_hold* hold = &modes->holds[g];
    for (int p = 0; p < hold->count;) {
        int place = hold->places[p];
        ss_contact_run* run = &modes->contacts[group->contacts[place]];
        if (run->determined || (idle ? !run->idle : run->edge == 0 || run->idle)) {
            p++;
            continue;
        }
        hold->count--;
        memmove(&hold->places[p], &hold->places[p + 1], (size_t)(hold->count - p) * sizeof(int));
        run->pinned = fresh = invert(model, modes, work, g, NULL) == rank;
        if (run->pinned) continue;
        run->idle = false;
        memmove(&hold->places[p + 1], &hold->places[p], (size_t)(hold->count - p) * sizeof(int));
        hold->places[p++] = place;
        hold->count++;
    }
    return fresh;
}

// Forces of the held contacts.
static void build_inverse(const ss_model* model, ss_modes* modes, ss_work* work, int g)
{
    const ss_group* group = &model->groups[g];
    ss_hold* hold = &modes->holds[g];
    double first = group->coupling[hold->places[0] * (group->count + 1)];
    if (hold->count == 1 && first > 0.0) {
        hold->inverse[0] = 1.0 / first;
        return;
    }
    double* share = work->share;
    int rank = invert(model, modes, work, g, share);
    hold->singular = rank < hold->count;
    if (!hold->singular) return;
    for (int p = 0; p < hold->count; p++)
        modes->contacts[group->contacts[hold->places[p]]].determined = share[p] <= free_force;
    bool fresh = pin_redundant(model, modes, work, g, rank, true, true);
    fresh = pin_redundant(model, modes, work, g, rank, false, fresh);
    if (!fresh) invert(model, modes, work, g, NULL);
}

// Fills the row of contact i over the group's coordinates and the drives.
static void fill_relation(const ss_model* model, const ss_group* group, int i, double row[], int width)
{
    const ss_contact* contact = &model->contacts[i];
    memset(row, 0, (size_t)width * sizeof(double));
    for (int k = 0; k < contact->q.count; k++)
        for (int c = 0; c < group->coordinate_count; c++)
            if (group->coordinates[c] == contact->q.index[k]) row[c] = contact->q.value[k];
    for (int k = 0; k < contact->d.count; k++)
        row[group->coordinate_count + contact->d.index[k]] = contact->d.value[k];
}

// Normalises row r on its largest coordinate entry and clears that column in the other rows. Returns the
// pivot column, or -1 where the row has become zero (it says nothing new).
static int eliminate(double rows[], int count, int width, int nc, int r, double size)
{
    double* row = &rows[r * width];
    int pivot = -1;
    double best = 64.0 * DBL_EPSILON * size;
    for (int c = 0; c < nc; c++)
        if (fabs(row[c]) > best) {
            best = fabs(row[c]);
            pivot = c;
        }
    if (pivot < 0) return -1;
    double p = row[pivot];
    for (int c = 0; c < width; c++) row[c] /= p;
    for (int s = 0; s < count; s++) {
        double factor = rows[s * width + pivot];
        if (s == r || factor == 0.0) continue;
        for (int c = 0; c < width; c++) rows[s * width + c] -= factor * row[c];
        rows[s * width + pivot] = 0.0;
    }
    return pivot;
}

// Contacts that slip only as others of their group do come to rest with them. With v = 0 at all that hold or
// have just arrived, a contact whose row lies in the span of theirs has arrived too, whatever rounding says.
void ss_complete_hits(const ss_model* model, const ss_step* step, ss_modes* modes, const ss_work* work, int g)
{
    const ss_group* group = &model->groups[g];
    double* rows = modes->holds[g].relation; // made anew before it is used again
    int nc = group->coordinate_count, width = nc + model->drive_count + 1, count = 0, *pivots = work->index;
    double size = 0.0, *row = work->row;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        bool arrives = modes->contacts[i].hit && ss_slips(modes, i); // a stop is met with speed
        if (ss_holds(step, modes, i) || arrives)
            fill_relation(model, group, i, &rows[count++ * width], width);
    }
    for (int k = 0; k < count * width; k++) size = fmax(size, fabs(rows[k]));
    for (int r = 0; r < count; r++) pivots[r] = eliminate(rows, count, width, nc, r, size);
    for (int p = 0; p < group->count; p++) {
        ss_contact_run* run = &modes->contacts[group->contacts[p]];
        bool slips = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
        if (!slips || run->hit) continue;
        fill_relation(model, group, group->contacts[p], row, width);
        double before = 0.0, left = 0.0;
        for (int c = 0; c < nc; c++) before = fmax(before, fabs(row[c]));
        for (int r = 0; r < count; r++) {
            double factor = pivots[r] < 0 ? 0.0 : row[pivots[r]];
            for (int c = 0; c < width && factor != 0.0; c++) row[c] -= factor * rows[r * width + c];
        }
        for (int c = 0; c < width - 1; c++) left = fmax(left, fabs(row[c]));
        run->hit = left <= dependent * before;
    }
}

static void build_relations(const ss_model* model, const ss_step* step, ss_modes* modes, const ss_work* work,
                            int g)
{
    const ss_group* group = &model->groups[g];
    ss_hold* hold = &modes->holds[g];
    int nc = group->coordinate_count, nd = model->drive_count, width = nc + nd + 1, rows = 0;
    double size = 0.0;
    for (int p = 0; p < group->count; p++)
        if (ss_holds(step, modes, group->contacts[p]) && !model->contacts[group->contacts[p]].turns)
            fill_relation(model, group, group->contacts[p], &hold->relation[rows++ * width], width);
    for (int k = 0; k < rows * width; k++) size = fmax(size, fabs(hold->relation[k]));
    hold->rank = 0;
    hold->follows = false;
    int* pivots = work->index;
    for (int r = 0; r < rows; r++) {
        int pivot = eliminate(hold->relation, rows, width, nc, r, size);
        if (pivot < 0) continue;
        pivots[hold->rank] = pivot;
        if (hold->rank != r)
            memcpy(&hold->relation[hold->rank * width], &hold->relation[r * width],
                   (size_t)width * sizeof(double));
        if (hold->rank != r) memset(&hold->relation[r * width], 0, (size_t)width * sizeof(double));
        hold->rank++;
    }
    for (int r = 0; r < hold->rank; r++) { // from w q_dep + ... = const to q_dep = -... + offset
        double* relation = &hold->relation[r * width];
        hold->dependent[r] = group->coordinates[pivots[r]];
        relation[pivots[r]] = 0.0;
        double offset = step->q[hold->dependent[r]];
        for (int c = 0; c < nc + nd; c++) {
            if (relation[c] == 0.0) continue;
            relation[c] = -relation[c];
            hold->follows = true;
            offset -= relation[c] * (c < nc ? step->q[group->coordinates[c]] : step->d[c - nc]);
        }
        relation[nc + nd] = offset;
    }
}

// Range of the force of contact i while it holds: infinite for a stop.
static double range_of(const ss_sim* sim, int i) { return ss_hold_high(sim, i, 0) - ss_hold_low(sim, i, 0); }

// Redundant forces of group g start from the choice that select made: the bias is what it has beyond the
// forces of the pseudo-inverse. Those are in lambda afterwards.
static void set_bias(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    ss_hold* hold = &sim->modes.holds[g];
    memset(hold->bias, 0, (size_t)hold->count * sizeof(double));
    ss_free_acceleration(sim, 0);
    ss_apply_hold(sim, g, 0);
    for (int a = 0; a < hold->count; a++)
        hold->bias[a] =
            sim->work.choice[hold->places[a]] - sim->step.lambda[group->contacts[hold->places[a]]];
}

// Whether all forces that group g holds with, the bias included, lie within their bounds.
static bool is_inside(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    const ss_hold* hold = &sim->modes.holds[g];
    ss_free_acceleration(sim, 0);
    ss_apply_hold(sim, g, 0);
    for (int a = 0; a < hold->count; a++) {
        int i = group->contacts[hold->places[a]];
        double force = sim->step.lambda[i], margin = 1e-6 * fabs(force);
        if (force <= ss_hold_low(sim, i, 0) + margin || force >= ss_hold_high(sim, i, 0) - margin)
            return false;
    }
    return true;
}

// Marks the redundant contacts whose range is below a tenth of the largest as idle; whether there are any.
static bool mark_weak(ss_sim* sim, int g)
{
    static const double weak = 0.1;
    const ss_group* group = &sim->model->groups[g];
    double strongest = 0.0;
    bool any = false;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        if (ss_holds(&sim->step, &sim->modes, i) && !sim->modes.contacts[i].determined)
            strongest = fmax(strongest, range_of(sim, i));
    }
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        ss_contact_run* run = &sim->modes.contacts[i];
        run->idle = ss_holds(&sim->step, &sim->modes, i) && !run->determined && run->edge == 0 &&
                    range_of(sim, i) < weak * strongest;
        any = any || run->idle;
    }
    return any;
}

// Contacts that share what they hold share its changes, too, and meet their bounds one after the other: a
// weak one beside a strong one again and again, each time to hand over no more than its own small range. So
// weak ones go without force where the others stay within their bounds by it. This moves nothing: it is a
// choice among forces that hold.
void ss_keep_choice(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    if (!sim->modes.holds[g].singular || ss_has_level_forces(sim, g)) return;
    for (int p = 0; p < group->count; p++) sim->work.choice[p] = sim->step.lambda[group->contacts[p]];
    if (mark_weak(sim, g)) {
        ss_build_hold(sim, g);
        set_bias(sim, g);
        if (is_inside(sim, g)) return;
        for (int p = 0; p < group->count; p++) sim->modes.contacts[group->contacts[p]].idle = false;
        ss_build_hold(sim, g);
    }
    set_bias(sim, g);
}

// Puts what holds, and is not pinned, into the list of places.
static void list_places(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    ss_hold* hold = &sim->modes.holds[g];
    hold->count = 0;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        if (ss_holds(&sim->step, &sim->modes, i) && !sim->modes.contacts[i].pinned)
            hold->places[hold->count++] = p;
    }
}

static bool invert_levels(ss_sim* sim, int g)
{
    list_places(sim, g);
    sim->modes.holds[g].singular = false;
    bool solvable = ss_couple_levels(sim, g);
    if (sim->modes.holds[g].count > 0) (void)ss_invert_with_levels(sim, g);
    return solvable;
}

// Where levels follow forces. Which forces are determined is asked before any is pinned: what is pinned to
// one of several distributions is not determined, nor is what holds the rest.
static void build_with_levels(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    bool solvable = invert_levels(sim, g), pins = false;
    for (int p = 0; p < group->count; p++) {
        ss_contact_run* run = &sim->modes.contacts[group->contacts[p]];
        run->pinned = (run->idle || run->edge != 0) && ss_holds(&sim->step, &sim->modes, group->contacts[p]);
        pins = pins || run->pinned;
    }
    sim->level_forces->groups[g]->solvable = pins ? invert_levels(sim, g) : solvable;
}

void ss_build_hold(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    ss_hold* hold = &sim->modes.holds[g];
    for (int p = 0; p < group->count; p++) {
        ss_contact_run* run = &sim->modes.contacts[group->contacts[p]];
        run->pinned = false;
        run->determined = true;
    }
    hold->singular = false;
    hold->rank = 0;
    if (ss_has_level_forces(sim, g))
        build_with_levels(sim, g);
    else
        list_places(sim, g);
    hold->active = hold->count > 0;
    if (!hold->active) return;
    if (!ss_has_level_forces(sim, g)) build_inverse(sim->model, &sim->modes, &sim->work, g);
    build_relations(sim->model, &sim->step, &sim->modes, &sim->work, g);
}
