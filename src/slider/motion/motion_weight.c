// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Gravity that varies in time, on a floor that shakes up and down: every level that is a share of the weight
// rises and falls with it, others (a friction in N, the drag of a bearing) do not. A motion then has a
// slider of its own, whose levels are those of the moment that is looked at.
//
//   reads     slider.varying.gravity; within a step the piece of it on which the step began
//   writes    levels of the elements, of spots, and of the discs that slip
//   promise   the same levels for the same time, whatever was looked at before
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "share/quantity.h"
#include "slider/motion/slide_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HARMONICS = 32 };

// Levels are divided by, so that a body without weight keeps a trace of friction.
static const double least_pull = 1e-12;

ss_status ss_slide_make_weight(ss_slide* s, ss_error* err)
{
    const ss_slider* slider = s->slider;
    if (!slider->varying.gravity) return SS_OK;
    size_t count = (size_t)slider->element_count + 1;
    ss_weight* weight = malloc(sizeof *weight + count * sizeof *slider->elements);
    if (!weight) return ss_fail_no_memory(err);
    weight->slider = *slider;
    weight->original = slider;
    weight->pull = NAN;
    weight->slider.elements = (ss_element*)(weight + 1);
    memcpy(weight->slider.elements, slider->elements, (count - 1) * sizeof *slider->elements);
    s->weight = weight;
    s->slider = &weight->slider;
    return SS_OK;
}

// A signal is asked a little inside the step under way: at its very end it is that of the next piece.
static double inside_step(const ss_slide* s, double t)
{
    double from = s->course.now.t, to = s->inputs.break_at;
    if (s->step.limit_flow) return s->course.start.t;
    if (!(to > from + SS_NOISE * (1.0 + from)) || t < from || t > to) return t;
    return fmin(t, to - SS_RELATIVE_ZERO * (1.0 + fabs(to)));
}

double ss_slide_pull(const ss_slide* s, double t)
{
    return s->weight ? ss_slider_pull(s->slider, inside_step(s, t) * s->slider->unit_time) : 1.0;
}

static void set_elements(ss_weight* w)
{
    for (int i = 0; i < w->slider.element_count; i++) {
        const ss_element* from = &w->original->elements[i];
        ss_element* to = &w->slider.elements[i];
        if (!from->weighs) continue;
        to->level = from->level * w->pull;
        for (int k = 0; k < 4; k++) to->ellipse[k] = from->ellipse[k] * w->pull;
    }
}

static void set_levels(const ss_slide* s, double pull)
{
    pull = fmax(pull, least_pull);
    if (s->weight->pull == pull) return;
    s->weight->pull = pull;
    set_elements(s->weight);
    for (int i = 0; i < s->made.spot_count; i++) {
        ss_spot* spot = &s->made.spots[i];
        double level = 0.0;
        for (int k = 0; k < spot->count; k++) {
            const ss_element* e = &s->slider->elements[s->made.members[spot->first + k]];
            level += spot->kind == SS_SPOT_RATCHET ? e->level : e->ellipse[0];
        }
        spot->level = level;
    }
    for (int i = 0; i < s->mode.slip_count; i++)
        s->mode.slip_level[i] = s->made.spots[s->mode.slip_spot[i]].level;
}

void ss_slide_weigh(const ss_slide* s, double t)
{
    if (s->weight) set_levels(s, ss_slide_pull(s, t));
}

void ss_slide_weigh_anew(const ss_slide* s)
{
    if (s->weight) s->weight->pull = NAN;
}

bool ss_slide_weigh_least(const ss_slide* s, double t)
{
    ss_harmonic harmonics[HARMONICS];
    double least, unit = s->slider->unit_time;
    if (!s->weight) return true;
    const ss_signal* gravity = s->slider->varying.gravity;
    if (ss_signal_stays(gravity, t * unit, s->inputs.scratch)) {
        set_levels(s, ss_slider_pull(s->slider, t * unit));
        return true;
    }
    int count = ss_signal_spectrum(gravity, t * unit, &least, harmonics, HARMONICS);
    for (int k = 0; k < count; k++) least -= hypot(harmonics[k].sine, harmonics[k].cosine);
    if (count < 0) return false;
    set_levels(s, least / s->slider->gravity);
    return true;
}

double ss_slide_pull_pace(const ss_slide* s, double t, double h)
{
    enum { ORDER = SS_PUSH_ORDER };
    double c[ORDER + 1], power = 1.0, unit = s->slider->unit_time, rise = 0.0;
    if (!s->weight) return 0.0;
    if (!ss_signal_series(s->slider->varying.gravity, t * unit, ORDER, c, s->inputs.kink_series,
                          s->inputs.scratch))
        return INFINITY;
    double least = c[0];
    for (int k = 1; k <= ORDER; k++) {
        c[k] *= pow(unit, k);
        rise += k * fabs(c[k]) * power;
        power *= h;
        least -= fabs(c[k]) * power;
    }
    return least > 0.0 ? rise / least : INFINITY;
}
