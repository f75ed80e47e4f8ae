// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "opinion.h"

#include "text_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int sign_of(ss_mode mode)
{
    return mode == SS_MODE_SLIP_PLUS ? 1 : mode == SS_MODE_SLIP_MINUS ? -1 : 0;
}

static void keep(void* user, const ss_event* e)
{
    opinion_motion* m = user;
    if (m->count < OPINION_EVENTS)
        m->events[m->count++] = (opinion_event){e->t, e->contact, sign_of(e->from), sign_of(e->to)};
}

static void start(opinion_motion* m, const char* text)
{
    ss_error err;
    memset(m, 0, sizeof *m);
    m->text = text;
    m->model = text_model(text);
    ss_sim_def def = ss_sim_def_default();
    def.on_event = keep;
    def.user = m;
    ss_status status = ss_sim_create(m->model, &def, &m->sim, &err);
    if (status != SS_OK) fail_msg("%s\n%s: %s", text, err.field, err.text);
}

void opinion_follow(const char* text, double until, opinion_look* look, void* user)
{
    enum { LOOKS = 7 };
    static opinion_motion m;
    start(&m, text);
    for (int k = 1; k <= LOOKS; k++) {
        ss_outcome outcome;
        ss_error err;
        double t = until * k / LOOKS;
        ss_status status = ss_sim_advance(m.sim, t, &outcome, &err);
        if (status != SS_OK) fail_msg("%s\n%s: %s", text, err.field, err.text);
        if (outcome != SS_TIME_REACHED && outcome != SS_AT_REST)
            fail_msg("%s\n%s at %.12g s", text, ss_outcome_name(outcome), ss_sim_time(m.sim));
        look(user, &m, t);
    }
    ss_sim_destroy(m.sim);
    ss_model_destroy(m.model);
}
