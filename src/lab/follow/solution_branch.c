// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/solution_branch.h"

#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ss_solution_branch_record_make(const ss_solution_branch* branch, ss_solution_branch_record* record)
{
    size_t b = (size_t)branch->bodies, s = (size_t)branch->states, room = (size_t)branch->room;
    *record = (ss_solution_branch_record){.value = NAN, .period = NAN};
    double* block = record->block = ss_new(4 * b + 3 * s + 2 * room, sizeof(double));
    if (!block) return false;
    record->amplitude = block;
    record->middle = record->amplitude + b + s;
    record->x = record->middle + b + s;
    record->v = record->x + b;
    record->states = record->v + b;
    record->spectrum = (double(*)[2])(record->states + s);
    return true;
}

void ss_solution_branch_record_free(ss_solution_branch_record* record)
{
    free(record->block);
    *record = (ss_solution_branch_record){0};
}

void ss_solution_branch_record_copy(const ss_solution_branch* branch, const ss_solution_branch_record* from,
                                    ss_solution_branch_record* to)
{
    size_t size = 4 * (size_t)branch->bodies + 3 * (size_t)branch->states + 2 * (size_t)branch->room;
    to->value = from->value;
    to->period = from->period;
    to->stable = from->stable;
    to->neutral = from->neutral;
    to->events = from->events;
    to->spectrum_count = from->spectrum_count;
    memcpy(to->block, from->block, size * sizeof(double));
}

static int by_size(const void* a, const void* b)
{
    const double *x = a, *y = b;
    double dx = hypot(x[0], x[1]), dy = hypot(y[0], y[1]);
    if (dx != dy) return dx < dy ? 1 : -1;
    return (x[1] < y[1]) - (x[1] > y[1]);
}

static int by_real_part(const void* a, const void* b)
{
    const double *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? 1 : -1;
    return (x[1] < y[1]) - (x[1] > y[1]);
}

void ss_solution_branch_record_sort(const ss_solution_branch* branch, ss_solution_branch_record* record)
{
    qsort(record->spectrum, (size_t)record->spectrum_count, sizeof record->spectrum[0],
          branch->steady ? by_real_part : by_size);
}

bool ss_solution_branch_add(ss_solution_branch* branch, const ss_solution_branch_record* record)
{
    if (!ss_grow(&branch->points, branch->point_count, &branch->point_room,
                 sizeof(ss_solution_branch_record)))
        return false;
    ss_solution_branch_record* to = &branch->points[branch->point_count];
    if (!ss_solution_branch_record_make(branch, to)) return false;
    ss_solution_branch_record_copy(branch, record, to);
    branch->point_count++;
    return true;
}

bool ss_solution_branch_mark(ss_solution_branch* branch, ss_special_kind kind,
                             const ss_solution_branch_record* record, const char* contact, const char* what)
{
    // What happens twice at one value, as in a motion that is its own mirror image, is told once.
    const ss_special* last = branch->special_count > 0 ? &branch->specials[branch->special_count - 1] : NULL;
    if (last && contact[0] && last->kind == kind && strcmp(last->contact, contact) == 0 &&
        strcmp(last->what, what) == 0 &&
        fabs(last->record.value - record->value) <= SS_ROOT_BIT * fabs(record->value))
        return true;
    if (!ss_grow(&branch->specials, branch->special_count, &branch->special_room, sizeof(ss_special)))
        return false;
    ss_special* to = &branch->specials[branch->special_count];
    *to = (ss_special){.kind = kind, .after = (long)branch->point_count - 1};
    if (!ss_solution_branch_record_make(branch, &to->record)) return false;
    ss_solution_branch_record_copy(branch, record, &to->record);
    snprintf(to->contact, sizeof to->contact, "%.127s", contact);
    snprintf(to->what, sizeof to->what, "%.127s", what);
    branch->special_count++;
    return true;
}

void ss_solution_branch_destroy(ss_solution_branch* branch)
{
    if (!branch) return;
    for (size_t k = 0; k < branch->point_count; k++) ss_solution_branch_record_free(&branch->points[k]);
    for (size_t k = 0; k < branch->special_count; k++)
        ss_solution_branch_record_free(&branch->specials[k].record);
    free(branch->points);
    free(branch->specials);
    free(branch->path);
    ss_model_destroy(branch->model);
    free(branch);
}

// ---- what is told of it

static ss_solution_branch_point shown(const ss_solution_branch* branch,
                                      const ss_solution_branch_record* record)
{
    return (ss_solution_branch_point){.value = record->value,
                                      .period = record->period,
                                      .stable = record->stable,
                                      .neutral = record->neutral,
                                      .events = record->events,
                                      .amplitude = branch->steady ? NULL : record->amplitude,
                                      .middle = branch->steady ? NULL : record->middle,
                                      .x = record->x,
                                      .v = record->v,
                                      .states = branch->states > 0 ? record->states : NULL,
                                      .spectrum_count = record->spectrum_count,
                                      .spectrum = (const double(*)[2])record->spectrum};
}

bool ss_solution_branch_is_steady(const ss_solution_branch* branch) { return branch->steady; }
long ss_solution_branch_count(const ss_solution_branch* branch) { return (long)branch->point_count; }
ss_solution_branch_point ss_solution_branch_get(const ss_solution_branch* branch, long point)
{
    return shown(branch, &branch->points[point]);
}
int ss_solution_branch_special_count(const ss_solution_branch* branch) { return (int)branch->special_count; }

ss_solution_branch_special ss_solution_branch_get_special(const ss_solution_branch* branch, int special)
{
    const ss_special* s = &branch->specials[special];
    return (ss_solution_branch_special){.kind = s->kind,
                                        .at = shown(branch, &s->record),
                                        .contact = s->contact[0] ? s->contact : NULL,
                                        .what = s->what[0] ? s->what : NULL,
                                        .after = s->after};
}

const char* ss_special_name(ss_special_kind kind)
{
    static const char* const names[] = {"fold",   "flip",    "torus",    "hopf",
                                        "branch", "grazing", "boundary", "swap"};
    return (int)kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

const char* ss_solution_branch_end(const ss_solution_branch* branch) { return branch->end; }
bool ss_solution_branch_is_unfinished(const ss_solution_branch* branch) { return branch->unfinished; }
const ss_model* ss_solution_branch_model(const ss_solution_branch* branch) { return branch->model; }
const char* ss_solution_branch_path(const ss_solution_branch* branch) { return branch->path; }

const char* ss_solution_branch_unit(const ss_solution_branch* branch, char* out, size_t size)
{
    snprintf(out, size, "%s", branch->unit);
    return out;
}
