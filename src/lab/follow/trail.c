// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/trail.h"

#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ss_trail_record_make(const ss_trail* branch, ss_trail_record* record)
{
    size_t b = (size_t)branch->bodies, s = (size_t)branch->states, room = (size_t)branch->room;
    *record = (ss_trail_record){.value = NAN, .period = NAN};
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

void ss_trail_record_free(ss_trail_record* record)
{
    free(record->block);
    *record = (ss_trail_record){0};
}

void ss_trail_record_copy(const ss_trail* branch, const ss_trail_record* from, ss_trail_record* to)
{
    size_t size = 4 * (size_t)branch->bodies + 3 * (size_t)branch->states + 2 * (size_t)branch->room;
    to->value = from->value;
    to->period = from->period;
    to->stable = from->stable;
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

void ss_trail_record_sort(const ss_trail* branch, ss_trail_record* record)
{
    qsort(record->spectrum, (size_t)record->spectrum_count, sizeof record->spectrum[0],
          branch->steady ? by_real_part : by_size);
}

bool ss_trail_add(ss_trail* branch, const ss_trail_record* record)
{
    if (!ss_grow(&branch->points, branch->point_count, &branch->point_room, sizeof(ss_trail_record)))
        return false;
    ss_trail_record* to = &branch->points[branch->point_count];
    if (!ss_trail_record_make(branch, to)) return false;
    ss_trail_record_copy(branch, record, to);
    branch->point_count++;
    return true;
}

bool ss_trail_mark(ss_trail* branch, ss_special_kind kind, const ss_trail_record* record, const char* contact,
                   const char* what)
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
    if (!ss_trail_record_make(branch, &to->record)) return false;
    ss_trail_record_copy(branch, record, &to->record);
    snprintf(to->contact, sizeof to->contact, "%.127s", contact);
    snprintf(to->what, sizeof to->what, "%.127s", what);
    branch->special_count++;
    return true;
}

void ss_trail_destroy(ss_trail* branch)
{
    if (!branch) return;
    for (size_t k = 0; k < branch->point_count; k++) ss_trail_record_free(&branch->points[k]);
    for (size_t k = 0; k < branch->special_count; k++) ss_trail_record_free(&branch->specials[k].record);
    free(branch->points);
    free(branch->specials);
    free(branch->path);
    ss_model_destroy(branch->model);
    free(branch);
}

// ---- what is told of it

static ss_trail_point shown(const ss_trail* branch, const ss_trail_record* record)
{
    return (ss_trail_point){.value = record->value,
                            .period = record->period,
                            .stable = record->stable,
                            .events = record->events,
                            .amplitude = branch->steady ? NULL : record->amplitude,
                            .middle = branch->steady ? NULL : record->middle,
                            .x = record->x,
                            .v = record->v,
                            .states = branch->states > 0 ? record->states : NULL,
                            .spectrum_count = record->spectrum_count,
                            .spectrum = (const double(*)[2])record->spectrum};
}

bool ss_trail_is_steady(const ss_trail* branch) { return branch->steady; }
long ss_trail_count(const ss_trail* branch) { return (long)branch->point_count; }
ss_trail_point ss_trail_get(const ss_trail* branch, long point)
{
    return shown(branch, &branch->points[point]);
}
int ss_trail_special_count(const ss_trail* branch) { return (int)branch->special_count; }

ss_trail_special ss_trail_get_special(const ss_trail* branch, int special)
{
    const ss_special* s = &branch->specials[special];
    return (ss_trail_special){.kind = s->kind,
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

const char* ss_trail_end(const ss_trail* branch) { return branch->end; }
bool ss_trail_is_unfinished(const ss_trail* branch) { return branch->unfinished; }
const ss_model* ss_trail_model(const ss_trail* branch) { return branch->model; }
const char* ss_trail_path(const ss_trail* branch) { return branch->path; }

const char* ss_trail_unit(const ss_trail* branch, char* out, size_t size)
{
    if (size > 0) out[0] = '\0';
    return branch->has_unit ? ss_dimension_format_angle(branch->dimension, branch->angle, out, size) : out;
}
