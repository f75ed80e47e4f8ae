// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "waves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// ---- random numbers

double wave_uniform(wave_source* source, double from, double to)
{
    source->state += 0x9e3779b97f4a7c15u;
    uint64_t z = source->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return from + (to - from) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

int wave_pick(wave_source* source, int count) { return (int)wave_uniform(source, 0, count); }

bool wave_chance(wave_source* source, double share) { return wave_uniform(source, 0, 1) < share; }

// ---- functions of time

static double table_value(const wave* w, double t)
{
    if (t <= w->time[0]) return w->value[0];
    for (int k = 1; k < w->count; k++)
        if (t < w->time[k])
            return w->value[k - 1] +
                   (w->value[k] - w->value[k - 1]) * (t - w->time[k - 1]) / (w->time[k] - w->time[k - 1]);
    return w->value[w->count - 1];
}

double wave_value(const wave* w, double t)
{
    double s = sin(2 * pi * w->frequency * t + w->phase);
    switch (w->kind) {
    case SINE: return w->a + w->b * s;
    case RECTIFIED: return w->b * fmax(0, s);
    case ABSOLUTE: return w->b * fabs(s);
    case SQUARED: return w->b * s * s;
    case RAMP: return fmax(0, w->a + w->b * t);
    case TABLE: return table_value(w, t);
    default: return w->a;
    }
}

void wave_text(const wave* w, const char* unit, char out[], size_t size)
{
    char angle[128];
    snprintf(angle, sizeof angle, "sin(2*pi*%.17g Hz*t + %.17g)", w->frequency, w->phase);
    switch (w->kind) {
    case SINE: snprintf(out, size, "\"%.17g %s + %.17g %s*%s\"", w->a, unit, w->b, unit, angle); break;
    case RECTIFIED: snprintf(out, size, "\"max(0 %s, %.17g %s*%s)\"", unit, w->b, unit, angle); break;
    case ABSOLUTE: snprintf(out, size, "\"abs(%.17g %s*%s)\"", w->b, unit, angle); break;
    case SQUARED: snprintf(out, size, "\"%.17g %s*%s^2\"", w->b, unit, angle); break;
    case RAMP:
        snprintf(out, size, "\"max(0 %s, %.17g %s + %.17g %s/s*t)\"", unit, w->a, unit, w->b, unit);
        break;
    case TABLE: {
        int used = snprintf(out, size, "{table: [");
        for (int k = 0; k < w->count; k++)
            used += snprintf(out + used, size - (size_t)used, "%s[%.17g s, %.17g %s]", k ? ", " : "",
                             w->time[k], w->value[k], unit);
        snprintf(out + used, size - (size_t)used, "]}");
        break;
    }
    default: snprintf(out, size, "%.17g %s", w->a, unit);
    }
}

// Tables with stretches at 0 and steps of a hundredth of a second.
static void random_table(wave_source* r, wave* w, double until, double size)
{
    w->count = 3 + wave_pick(r, WAVE_POINTS - 3);
    double t = wave_chance(r, 0.5) ? 0 : wave_uniform(r, 0, 0.3);
    for (int k = 0; k < w->count; k++) {
        w->time[k] = t;
        w->value[k] = wave_chance(r, 0.4) ? 0 : size * wave_uniform(r, 0, 1);
        t += wave_chance(r, 0.25) ? 0.01 : wave_uniform(r, 0.1, 2 * until / w->count);
    }
}

wave wave_random_level(wave_source* r, double until)
{
    static const double frequencies[] = {0.5, 1, 2}, phases[] = {0, pi / 2, -pi / 2, pi};
    wave w = {.kind = 1 + wave_pick(r, WAVE_KINDS - 1), .b = wave_uniform(r, 0.3, 4)};
    w.frequency = wave_chance(r, 0.5) ? frequencies[wave_pick(r, 3)] : wave_uniform(r, 0.3, 2);
    w.phase = wave_chance(r, 0.5) ? phases[wave_pick(r, 4)] : wave_uniform(r, -3, 3);
    if (w.kind == SINE)
        w.a = wave_chance(r, 0.6) ? w.b : w.b * wave_uniform(r, 1, 2); // touches 0, or stays above
    if (w.kind == RAMP) {
        w.a = wave_chance(r, 0.3) ? 0 : wave_uniform(r, 0, 3);
        w.b = w.a == 0 || wave_chance(r, 0.3) ? wave_uniform(r, 0.2, 2) : -w.a / wave_uniform(r, 0.3, until);
    }
    if (w.kind == TABLE) random_table(r, &w, until, w.b);
    return w;
}

wave wave_random_force(wave_source* r, double until)
{
    wave w = wave_random_level(r, until);
    if (wave_chance(r, 0.3)) w = (wave){.kind = CONSTANT, .a = wave_uniform(r, -2, 2)};
    if (w.kind == SINE && wave_chance(r, 0.7)) w.a = wave_chance(r, 0.5) ? 0 : wave_uniform(r, -1, 1);
    if (w.kind == TABLE && wave_chance(r, 0.5))
        for (int k = 0; k < w.count; k++) w.value[k] = -w.value[k];
    return w;
}

// ---- breaks

static void add_break(wave_breaks* breaks, double t, double until)
{
    if (t > 1e-12 && t < until - 1e-12 && breaks->count < WAVE_BREAKS - 1) breaks->at[breaks->count++] = t;
}

void wave_add_breaks(wave_breaks* breaks, const wave* w, double until)
{
    if (w->kind == TABLE)
        for (int k = 0; k < w->count; k++) add_break(breaks, w->time[k], until);
    if (w->kind == RAMP) add_break(breaks, -w->a / w->b, until);
    if (w->kind == RAMP || w->kind == TABLE || w->kind == CONSTANT) return;
    for (int k = -4; k < 60; k++) // quarter turns: zeros and extremes
        add_break(breaks, (k * pi / 2 - w->phase) / (2 * pi * w->frequency), until);
}

static int ascending(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

void wave_finish_breaks(wave_breaks* breaks, double until)
{
    breaks->at[breaks->count++] = until;
    qsort(breaks->at, (size_t)breaks->count, sizeof(double), ascending);
}

double wave_next_break(const wave_breaks* breaks, double t, double until)
{
    double next = until;
    for (int k = breaks->count - 1; k >= 0; k--)
        if (breaks->at[k] > t + 1e-13 && breaks->at[k] < next) next = breaks->at[k];
    return next;
}
