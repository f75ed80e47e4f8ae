// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/cycles_holding.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_holding_make(ss_holding* h, ss_cycles* s, const ss_spot* edge, int contact, ss_spot* out,
                          ss_border* border, ss_error* err)
{
    size_t n = (size_t)s->size + 1;
    *h = (ss_holding){.s = s, .out = out, .border = border};
    h->ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0;
    h->guess = ss_new(4 * n, sizeof(double));
    bool fine = ss_spot_make(s->branch, s->size, &h->limit);
    if (!h->guess || !fine) return ss_fail_no_memory(err);
    h->normal = h->guess + n;
    h->y = h->normal + n;
    h->kept = h->y + n;
    h->normal[s->size] = h->ahead;
    memcpy(h->y, edge->u, (size_t)s->w * sizeof(double));
    return ss_still_make(&h->still, s, contact, edge->u[s->w], h->y, edge->u[s->size], err);
}

void ss_holding_release(ss_holding* h)
{
    ss_still_free(&h->still);
    ss_spot_free(&h->limit);
    free(h->guess);
}

double ss_holding_range(const ss_holding* h) { return h->s->scale[h->s->size]; }

ss_status ss_holding_tell(ss_holding* h, ss_verdict_of_walk* verdict, ss_error* err)
{
    ss_cycles* s = h->s;
    bool made;
    *verdict = SS_WALK_LOST;
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

ss_status ss_holding_mark_at(ss_holding* h, const char* what, const ss_spot* spot, ss_error* err)
{
    ss_border* border = h->border;
    border->kind = SS_SPECIAL_BOUNDARY;
    border->told = true;
    snprintf(border->contact, sizeof border->contact, "%.127s",
             h->s->branch->model->contacts[h->still.contact].name);
    snprintf(border->what, sizeof border->what, "%s", what);
    snprintf(border->why, sizeof border->why, "%.100s: %.40s, and no orbit is found beyond", border->contact,
             border->what);
    return ss_trail_mark(h->s->branch, border->kind, &spot->record, border->contact, border->what)
               ? SS_OK
               : ss_fail_no_memory(err);
}

ss_status ss_holding_mark(ss_holding* h, const char* what, double at, ss_error* err)
{
    h->out->record.value = at;
    return ss_holding_mark_at(h, what, h->out, err);
}

ss_status ss_holding_take_order(ss_holding* h, ss_error* err)
{
    h->s->glimpsed = false;
    return ss_order_copy(&h->s->order, &h->s->found) ? SS_OK : ss_fail_no_memory(err);
}
