// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/cycles_stick_border.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_stick_border_make(ss_stick_border* h, ss_cycles* s, const ss_branch_point* edge, int contact,
                               ss_branch_point* out, ss_border* border, ss_error* err)
{
    size_t n = (size_t)s->size + 1;
    *h = (ss_stick_border){.s = s, .out = out, .border = border};
    h->ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0;
    h->guess = ss_new(4 * n, sizeof(double));
    bool fine = ss_branch_point_make(s->branch, s->size, &h->limit);
    if (!h->guess || !fine) return ss_fail_no_memory(err);
    h->normal = h->guess + n;
    h->y = h->normal + n;
    h->kept = h->y + n;
    h->normal[s->size] = h->ahead;
    memcpy(h->y, edge->u, (size_t)s->w * sizeof(double));
    return ss_stuck_make(&h->still, s, contact, edge->u[s->w], h->y, edge->u[s->size], err);
}

void ss_stick_border_release(ss_stick_border* h)
{
    ss_stuck_free(&h->still);
    ss_branch_point_free(&h->limit);
    free(h->guess);
}

double ss_stick_border_range(const ss_stick_border* h) { return h->s->scale[h->s->size]; }

ss_status ss_stick_border_fill_point(ss_stick_border* h, ss_continuation_verdict* verdict, ss_error* err)
{
    ss_cycles* s = h->s;
    bool made;
    *verdict = SS_CONTINUATION_LOST;
    ss_status status = ss_cycles_at(s, &s->here, h->still.value, &made, err);
    if (status != SS_OK || !made) return status;
    memcpy(h->guess, h->still.y, (size_t)s->w * sizeof(double));
    h->guess[s->w] = s->forced ? s->here.period : h->still.period;
    h->guess[s->size] = h->still.value;
    s->differed = false;
    status = ss_cycles_solve(s, h->guess, h->normal, h->out, verdict, err);
    for (int c = 0; c <= s->size && h->out->tangent[s->size] * h->ahead < 0.0; c++)
        h->out->tangent[c] = -h->out->tangent[c];
    return status;
}

ss_status ss_stick_border_mark_at(ss_stick_border* h, const char* what, const ss_branch_point* point,
                                  ss_error* err)
{
    ss_border* border = h->border;
    border->kind = SS_SPECIAL_BOUNDARY;
    border->told = true;
    snprintf(border->contact, sizeof border->contact, "%.127s",
             h->s->branch->model->contacts[h->still.contact].name);
    snprintf(border->what, sizeof border->what, "%s", what);
    snprintf(border->why, sizeof border->why, "%.100s: %.40s, and no orbit is found beyond", border->contact,
             border->what);
    return ss_solution_branch_mark(h->s->branch, border->kind, &point->record, border->contact, border->what)
               ? SS_OK
               : ss_fail_no_memory(err);
}

ss_status ss_stick_border_mark(ss_stick_border* h, const char* what, double at, ss_error* err)
{
    h->out->record.value = at;
    return ss_stick_border_mark_at(h, what, h->out, err);
}

ss_status ss_stick_border_take_order(ss_stick_border* h, ss_error* err)
{
    h->s->has_rejected = false;
    return ss_event_order_copy(&h->s->order, &h->s->found) ? SS_OK : ss_fail_no_memory(err);
}
