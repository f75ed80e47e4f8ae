// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A contact at v = 0 sticks where its force is inside its bounds, and slips where, with the force at a bound,
// it is accelerated away from it. The forces of contacts that are coupled are the solution of a strictly
// convex problem (docs/theory/projection.md), so a mode in which each of them does one or the other by a
// clear margin is the only one. Where no mode does, the lane is not decided here.
#include "engine/batch/lanes_modes.h"

#include "core/tolerance.h"

#include <math.h>

static int digit(const ss_lane_choice* choice, int mode, int i) { return mode / choice->lanes->place[i] % 3; }

static int with(const ss_lane_choice* choice, int mode, int i, ss_mode value)
{
    return mode + ((int)value - digit(choice, mode, i)) * choice->lanes->place[i];
}

// What follows on an event of a contact that is decided by itself alone.
static void fill_next(const ss_lane_choice* choice, ss_lanes* lanes, int mode, int i)
{
    ss_lane_contact* contact = &lanes->modes[mode].contacts[i];
    int held = with(choice, mode, i, SS_MODE_STICK), plus = with(choice, mode, i, SS_MODE_SLIP_PLUS);
    int minus = with(choice, mode, i, SS_MODE_SLIP_MINUS), back = mode == plus ? minus : plus;
    bool alone = choice->group[i] == 1u << i;
    // Slip starts like s where the force falls at once, and like s^2 where its acceleration starts at 0.
    int loose = choice->model->contacts[i].falling ? 1 : 2;
    contact->held = &lanes->modes[held].contacts[i];
    bool usable[] = {lanes->modes[plus].usable, lanes->modes[minus].usable,
                     lanes->modes[held].usable && alone,
                     lanes->modes[back].usable && lanes->modes[held].usable && alone};
    int unit = choice->lanes->lead[i] * SS_LANES_LEAD, undecided = SS_EVENT + i;
    contact->next_low = usable[0] ? SS_DECIDED + plus + loose * unit : undecided;
    contact->next_high = usable[1] ? SS_DECIDED + minus + loose * unit : undecided;
    contact->next_stick = usable[2] ? SS_DECIDED + held : undecided;
    contact->next_back = usable[3] ? SS_DECIDED + back + unit : undecided;
    contact->undecided = undecided;
}

void ss_lane_choice_make(ss_lane_choice* choice, ss_lanes* lanes, const ss_model* model)
{
    choice->lanes = lanes;
    choice->model = model;
    for (int i = 0, place = 1; i < lanes->m; i++, place *= 3) {
        const ss_group* group = &model->groups[model->contacts[i].group];
        lanes->place[i] = place;
        lanes->lead[i] = 1 << 2 * i;
        choice->group[i] = 0;
        for (int k = 0; k < group->count; k++) choice->group[i] |= 1u << group->contacts[k];
    }
    lanes->alone = true;
    for (int mode = 0; mode < lanes->mode_count; mode++) {
        lanes->alone = lanes->alone && lanes->modes[mode].usable;
        for (int i = 0; i < lanes->m; i++) fill_next(choice, lanes, mode, i);
    }
    for (int i = 0; i < lanes->m; i++) lanes->alone = lanes->alone && choice->group[i] == 1u << i;
}

static double sum_row(const double row[], double base, const double y[], int size, double* terms)
{
    double sum = base;
    *terms = fabs(base);
    for (int c = 0; c < size; c++) {
        double term = row[c] * y[c];
        sum += term;
        *terms += fabs(term);
    }
    return sum;
}

// Whether contact i, which has v = 0, clearly does in this mode what the mode says.
static bool agrees(const ss_lane_choice* choice, int mode, int i, const double y[])
{
    const ss_lane_contact* contact = &choice->lanes->modes[mode].contacts[i];
    int size = 2 * choice->lanes->n;
    double terms;
    if (contact->sticks) {
        double force = sum_row(contact->row, contact->base, y, size, &terms);
        double margin = SS_CLEAR * (terms + contact->high - contact->low);
        return force > contact->low + margin && force < contact->high - margin;
    }
    double pull = sum_row(contact->pull_row, contact->pull_base, y, size, &terms);
    return (digit(choice, mode, i) == SS_MODE_SLIP_PLUS ? pull : -pull) > SS_CLEAR * terms;
}

// The mode in which all contacts of the set, which have v = 0, agree; the others keep theirs. All ways are
// tried, stick first. -1 where none is clear.
static int find_mode(const ss_lane_choice* choice, int mode, unsigned set, const double y[])
{
    int members[SS_LANES_N], count = 0, ways = 1;
    for (int i = 0; i < choice->lanes->m; i++)
        if (set & 1u << i) {
            members[count++] = i;
            ways *= 3;
        }
    for (int way = 0; way < ways; way++) {
        int tried = mode;
        for (int k = 0, rest = way; k < count; k++, rest /= 3)
            tried = with(choice, tried, members[k], (ss_mode)(SS_MODE_STICK - rest % 3));
        bool good = choice->lanes->modes[tried].usable;
        for (int k = 0; k < count && good; k++) good = agrees(choice, tried, members[k], y);
        if (good) return tried;
    }
    return -1;
}

// Contacts of the set that slip have begun to, from rest.
static void set_leads(const ss_lane_choice* choice, ss_lane* lane, int mode, unsigned set)
{
    lane->lead = 0.0;
    for (int i = 0; i < choice->lanes->m; i++)
        if ((set & 1u << i) && digit(choice, mode, i) != SS_MODE_STICK) lane->lead += choice->lanes->lead[i];
}

int ss_lane_start_mode(const ss_lane_choice* choice, ss_lane* lane)
{
    int n = choice->lanes->n, m = choice->lanes->m, mode = 0;
    unsigned still = 0;
    for (int i = 0; i < m; i++) {
        const ss_row* row = &choice->model->contacts[i].q;
        double v = 0.0, terms = 0.0;
        for (int k = 0; k < row->count; k++) {
            v += row->value[k] * lane->y[n + row->index[k]];
            terms += fabs(row->value[k] * lane->y[n + row->index[k]]);
        }
        if (v != 0.0 && fabs(v) <= SS_CLEAR * terms) return -1;
        if (v == 0.0) still |= 1u << i;
        if (v < 0.0) mode += choice->lanes->place[i] * SS_MODE_SLIP_MINUS;
    }
    for (int i = 0; i < m && mode >= 0; i++)
        if ((still & choice->group[i]) != 0 && (choice->group[i] & ((1u << i) - 1)) == 0) // once per group
            mode = find_mode(choice, mode, still & choice->group[i], lane->y);
    if (mode < 0 || !choice->lanes->modes[mode].usable) return -1;
    set_leads(choice, lane, mode, still);
    return mode;
}

static int count_changes(const ss_lane_choice* choice, int before, int after)
{
    int count = 0;
    for (int i = 0; i < choice->lanes->m; i++) count += digit(choice, before, i) != digit(choice, after, i);
    return count;
}

int ss_lane_next_mode(const ss_lane_choice* choice, ss_lane* lane, int contact)
{
    int mode = lane->mode;
    unsigned still = 1u << contact;
    if (digit(choice, mode, contact) == SS_MODE_STICK) return -1; // comes loose into what has no tables
    for (int i = 0; i < choice->lanes->m; i++)
        if ((choice->group[contact] & 1u << i) && digit(choice, mode, i) == SS_MODE_STICK) still |= 1u << i;
    mode = find_mode(choice, mode, still, lane->y);
    if (mode < 0) return -1;
    set_leads(choice, lane, mode, still);
    lane->events += count_changes(choice, lane->mode, mode);
    return mode;
}
