// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ends of branches wait on a stack: the start, then one reversal after the other. When the displacement gets
// back to the last but one, the loop between the two is closed and both are forgotten, as a material with
// return-point memory forgets them.
#include "picture/view/loops.h"

#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct reversal {
    double x, work; // work up to here, without that of closed loops
} reversal;

typedef struct search {
    reversal* stack;
    int depth;
    size_t depth_room;
    ss_loops* kinds;
    int kind_count;
    size_t kind_room;
    double closed; // work of closed loops so far
    double least;  // width that counts
    bool failed;
} search;

static double three_digits(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.2e", value); // and back, both in the locale at hand
    return strtod(text, NULL);
}

static void count_loop(search* s, double width, double work)
{
    width = three_digits(width);
    work = three_digits(work);
    for (int k = 0; k < s->kind_count; k++)
        if (s->kinds[k].width == width && s->kinds[k].work == work) {
            s->kinds[k].count++;
            return;
        }
    if (ss_grow(&s->kinds, (size_t)s->kind_count, &s->kind_room, sizeof *s->kinds))
        s->kinds[s->kind_count++] = (ss_loops){width, work, 1};
    else
        s->failed = true;
}

static void push(search* s, double x, double work)
{
    if (ss_grow(&s->stack, (size_t)s->depth, &s->depth_room, sizeof *s->stack))
        s->stack[s->depth++] = (reversal){x, work - s->closed};
    else
        s->failed = true;
}

// Closes every loop whose beginning the branch from `from` to `to` reaches; the start of all is no reversal.
static void close_loops(search* s, ss_point from, ss_point to, double work_from)
{
    double way = to.x >= from.x ? 1 : -1;
    while (s->depth > 2) {
        const reversal *first = &s->stack[s->depth - 2], *second = &s->stack[s->depth - 1];
        if (way * (to.x - first->x) < -1e-6 * s->least) return;
        double share = to.x == from.x ? 1 : fmin(1, (first->x - from.x) / (to.x - from.x)),
               force = from.y + share * (to.y - from.y),
               work = work_from + 0.5 * (from.y + force) * share * (to.x - from.x) - s->closed - first->work,
               width = fabs(second->x - first->x);
        if (width >= s->least) count_loop(s, width, work);
        s->closed += work;
        s->depth -= 2;
    }
}

static int compare(const void* a, const void* b)
{
    const ss_loops *x = a, *y = b;
    if (x->width != y->width) return x->width > y->width ? -1 : 1;
    return (x->work < y->work) - (x->work > y->work);
}

// How much of x the points cover; 0 where that is rounding.
static double width_of(const ss_point points[], int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        low = fmin(low, points[k].x);
        high = fmax(high, points[k].x);
    }
    return high - low > SS_CLEAR * fmax(fabs(low), fabs(high)) ? high - low : 0;
}

int ss_loops_find(const ss_point points[], int count, ss_loops out[], int room)
{
    search s = {.least = 1e-3 * width_of(points, count)};
    double work = 0, way = 0;
    if (count > 0) push(&s, points[0].x, 0);
    for (int k = 1; k < count && !s.failed && s.least > 0; k++) {
        double step = points[k].x - points[k - 1].x;
        if (step == 0) continue;
        if (step * way < 0) push(&s, points[k - 1].x, work);
        way = step;
        close_loops(&s, points[k - 1], points[k], work);
        work += 0.5 * (points[k].y + points[k - 1].y) * step;
    }
    if (s.kind_count > 0) qsort(s.kinds, (size_t)s.kind_count, sizeof *s.kinds, compare);
    for (int k = 0; k < s.kind_count && k < room; k++) out[k] = s.kinds[k];
    int found = s.failed ? -1 : s.kind_count;
    free(s.stack);
    free(s.kinds);
    return found;
}
