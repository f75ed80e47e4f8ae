// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be said of a slider before it moves.
#include "core/number_length.h"
#include "core/tolerance.h"
#include "share/quantity.h"
#include "share/slider_parts.h"
#include "slider/slider_impl.h"
#include "slipstick/check.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdio.h>

// The weight is carried by the supports, and balanced where all shares are known.
static void judge_weight(const ss_slider* s, ss_slider_check* w)
{
    double total = 0, x = 0, y = 0, reach = ss_slider_gyration(s); // what is nothing against the body is 0
    for (int k = 0; k < ss_slider_support_count(s); k++) {
        double place[2], load = ss_slider_support_load(s, k);
        ss_slider_support_place(s, k, place);
        total += load;
        x += load * place[0];
        y += load * place[1];
        reach = fmax(reach, hypot(place[0], place[1]));
    }
    if (isnan(total)) return;
    if (fabs(total - 1) > SS_SAME)
        ss_format(w->warnings[w->warning_count++], sizeof w->warnings[0],
                  "the loads add up to %g, not 1: the supports do not carry the weight", total);
    if (hypot(x, y) > SS_SAME * reach * total)
        ss_format(w->warnings[w->warning_count++], sizeof w->warnings[0],
                  "the loads balance at (%g m, %g m), not at the centre of mass: a body at rest would tip",
                  x / total, y / total);
}

// Loads that friction cannot bear however strong it is: then some motion meets none.
static bool has_free_motion(const ss_slider* s)
{
    double place[3], speed[3];
    ss_slider_start(s, place, speed);
    for (int k = 0; k < 6; k++) {
        double load[3] = {0};
        load[k / 2] = k % 2 ? -1.0 : 1.0;
        if (isinf(ss_slider_gauge(s, place[2], load))) return true;
    }
    return false;
}

static void judge(const ss_slider* s, ss_slider_check* w)
{
    double level = 0;
    for (int k = 0; k < ss_slider_support_count(s); k++) level += ss_slider_support_level(s, k);
    if (level == 0)
        snprintf(w->warnings[w->warning_count++], sizeof w->warnings[0],
                 "there is no friction: nothing ever slows down");
    else if (has_free_motion(s))
        snprintf(w->warnings[w->warning_count++], sizeof w->warnings[0],
                 "some motions meet no friction: they are not slowed down");
    judge_weight(s, w);
}

// What is applied at t = 0, with its moment about the centre of mass, and whether that changes with time.
// Loads in the body and in space are told as what they are in space.
static void find_load(const ss_slider* s, ss_slider_check* check)
{
    check->has_load = s->load_count > 0;
    check->in_body = s->load_count > 0;
    for (int k = 0; k < s->load_count; k++) check->in_body = check->in_body && s->loads[k].in_body;
    for (int k = 0; k < s->load_count; k++) {
        const ss_load* load = &s->loads[k];
        const ss_signal* const signals[3] = {load->force_x, load->force_y, load->moment};
        double own[3] = {0}, length = s->unit_length, c = cos(s->start[2]), n = sin(s->start[2]);
        for (int i = 0; i < 3; i++) {
            if (!signals[i]) continue;
            own[i] = ss_signal_value(signals[i], 0.0);
            check->varies = check->varies || !ss_signal_is_constant(signals[i]);
        }
        double fx = load->in_body ? own[0] : c * own[0] + n * own[1];
        double fy = load->in_body ? own[1] : c * own[1] - n * own[0];
        check->load[2] += own[2] + length * (load->x * fy - load->y * fx);
        bool turned = load->in_body && !check->in_body;
        check->load[0] += turned ? c * fx - n * fy : own[0];
        check->load[1] += turned ? n * fx + c * fy : own[1];
    }
}

ss_slider_check ss_check_slider(const ss_slider* slider)
{
    ss_slider_check check = {.slider = slider};
    find_load(slider, &check);
    judge(slider, &check);
    return check;
}
