// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Before the search: whether recording and model are of one order of magnitude in time and length at all. A
// column in ms that is read as s is a motion a thousand times as slow, and the search would go on for long
// without an end. Also whether both go the same way: a force may be that on the pad or that on the plate.
#include "core/number_length.h"
#include "lab/fit/fit_impl.h"

#include <math.h>
#include <stdio.h>

static const double orders = 100.0; // two of them
static const double turns = 10.0;   // counts are exact: one order is enough
static const double part = 0.1;     // of the range: smaller moves do not count, nor those within the noise
static const double turned = -0.9;  // correlation of recording and guess that chance does not make

// What one trace of one recording does, in the recording or in the model.
typedef struct course {
    double range;     // SI
    double busy;      // s: until it stays where it ends
    double reversals; // how often it turns by a tenth of its range
    double last;      // s: between the last two samples
} course;

typedef double reader(const ss_fit_problem* p, long i);
static double recorded(const ss_fit_problem* p, long i) { return p->rows[i].value; }
static double computed(const ss_fit_problem* p, long i) { return p->scratch.values[i]; }

static bool belongs(const ss_fit_problem* p, long i, int trace)
{
    return p->rows[i].trace == trace && ss_fit_takes_part(p, i);
}

static course follow(const ss_fit_problem* p, int recording, int trace, reader* read, double noise)
{
    course c = {0};
    double low = INFINITY, high = -INFINITY, end = 0.0, first = NAN, before = NAN;
    for (long i = p->first[recording]; i < p->first[recording + 1]; i++) {
        if (!belongs(p, i, trace)) continue;
        double t = p->rows[i].time;
        end = read(p, i);
        low = fmin(low, end);
        high = fmax(high, end);
        if (isnan(first)) first = t;
        if (t > before) c.last = t - before;
        before = t;
    }
    c.range = high > low ? high - low : 0.0;
    double least = fmax(part * c.range, 6.0 * noise);
    double top = -INFINITY, bottom = INFINITY, direction = 0.0;
    for (long i = p->first[recording]; i < p->first[recording + 1] && c.range > 0.0; i++) {
        if (!belongs(p, i, trace)) continue;
        double value = read(p, i);
        if (fabs(value - end) > least) c.busy = p->rows[i].time - first;
        top = fmax(top, value);
        bottom = fmin(bottom, value);
        if (direction >= 0.0 && value < top - least) {
            c.reversals += direction > 0.0;
            direction = -1.0;
            bottom = value;
        } else if (direction <= 0.0 && value > bottom + least) {
            c.reversals += direction < 0.0;
            direction = 1.0;
            top = value;
        }
    }
    return c;
}

// Of the recording with the model as it is, about the means of both; 0 where one of them is constant.
static double correlate(const ss_fit_problem* p, int recording, int trace)
{
    double count = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (long i = p->first[recording]; i < p->first[recording + 1]; i++) {
        if (!belongs(p, i, trace)) continue;
        double dx = recorded(p, i) - x, dy = computed(p, i) - y;
        count += 1.0; // means and moments are kept up to date (Welford), so that offsets take no digits
        x += dx / count;
        y += dy / count;
        xx += dx * (recorded(p, i) - x);
        yy += dy * (computed(p, i) - y);
        xy += dx * (computed(p, i) - y);
    }
    return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : 0.0;
}

static bool far_apart(double a, double b, double factor) { return a > factor * b || b > factor * a; }

static bool compare(ss_fit_problem* p, int recording, int trace)
{
    double noise = p->columns[trace].sigma;
    course data = follow(p, recording, trace, recorded, noise);
    course model = follow(p, recording, trace, computed, noise);
    const char* shows = p->def.traces[trace].shows;
    char* text = p->foreseen;
    bool moves = data.range > 12.0 * noise, should = model.range > 12.0 * noise;
    if (!(model.range > 0.0)) return false;
    if (!moves && !(should && model.range > orders * data.range)) return false; // else all of it is noise
    double step = data.last; // what ends between two samples lasts as long as that
    if (far_apart(data.range, model.range, orders))
        ss_format(
            text, SS_FIT_TEXT,
            "%s moves over %.3g in the recording and over %.3g in the model as it is (SI): are the units "
            "of its column and of the time right?",
            shows, data.range, model.range);
    else if (far_apart(fmax(data.busy, step), fmax(model.busy, step), orders))
        ss_format(
            text, SS_FIT_TEXT,
            "%s moves for %.3g s in the recording and for %.3g s in the model as it is: is the unit of the "
            "time right?",
            shows, fmax(data.busy, step), fmax(model.busy, step));
    else if (far_apart(fmax(data.reversals, 2.0), fmax(model.reversals, 2.0), turns))
        ss_format(
            text, SS_FIT_TEXT,
            "%s turns %.0f times in the recording and %.0f times in the model as it is: is the unit of the "
            "time right?",
            shows, data.reversals, model.reversals);
    else if (correlate(p, recording, trace) < turned)
        ss_format(
            text, SS_FIT_TEXT,
            "%s goes the opposite way in the recording and in the model as it is (correlation %.2f): is "
            "its sign right? The unit -%s turns the column",
            shows, correlate(p, recording, trace), p->columns[trace].unit);
    return text[0] != '\0';
}

void ss_fit_compare_scales(ss_fit_problem* p)
{
    p->foreseen[0] = '\0';
    for (int r = 0; r < p->def.recording_count; r++)
        for (int c = 0; c < p->def.trace_count; c++) {
            if (!compare(p, r, c)) continue;
            if (p->def.warn) p->def.warn(p->def.user, p->foreseen);
            return;
        }
}
