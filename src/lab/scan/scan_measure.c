// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Measures as they are written.
#include "lab/scan/scan_impl.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_status refuse(ss_error* err, const char* text)
{
    return ss_fail(err, SS_BAD_INPUT, "measure",
                   "'%.80s': expected amplitude:, mean:, rms:, max:, min: or overshoot: and a number such as "
                   "block.x, harmonic:block.x:1, settling:block.x:0.01, period, return, lyapunov, "
                   "dissipation, or stick-share:CONTACT",
                   text);
}

typedef struct word {
    const char* name;
    ss_measure_kind kind;
} word;

// Those that stand alone.
static bool read_alone(const char* text, ss_measure* out)
{
    static const word known[] = {{"period", SS_MEASURE_PERIOD},
                                 {"return", SS_MEASURE_RETURN},
                                 {"lyapunov", SS_MEASURE_LYAPUNOV},
                                 {"dissipation", SS_MEASURE_DISSIPATION}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(text, known[k].name) == 0) {
            out->kind = known[k].kind;
            return true;
        }
    return false;
}

static ss_status read_stick_share(const ss_model* model, const char* name, ss_measure* out, ss_error* err)
{
    out->kind = SS_MEASURE_STICK_SHARE;
    for (int i = 0; i < ss_model_contact_count(model); i++)
        if (strcmp(ss_model_contact_name(model, i), name) == 0) out->contact = i;
    if (out->contact >= 0) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "measure", "there is no contact '%.100s'", name);
}

static ss_status read_harmonic(const char* text, const char* number, ss_measure* out, ss_error* err)
{
    char* end;
    double value = strtod(number, &end);
    if (end == number || *end || !(value >= 1.0 && value <= 1e6) || value != floor(value))
        return ss_fail(err, SS_BAD_INPUT, "measure",
                       "'%.80s': the harmonic must be a whole number of at least 1", text);
    out->harmonic = (int)value;
    return SS_OK;
}

static ss_status read_band(const ss_model* model, const char* text, const char* band, ss_measure* out,
                           ss_error* err)
{
    const ss_scope nothing = {0};
    ss_error fault = {.status = SS_OK};
    if (ss_quantity_parse(band, &nothing, ss_quantity_dimension(model, out->of), &out->band, &fault) != SS_OK)
        return ss_fail(err, SS_BAD_INPUT, "measure", "'%.80s': the band: %.160s", text, fault.text);
    if (!(out->band > 0.0 && isfinite(out->band)))
        return ss_fail(err, SS_BAD_INPUT, "measure", "'%.80s': the band must be greater than 0", text);
    return SS_OK;
}

// NAME, or NAME:NUMBER where the measure has one.
static ss_status read_of(const ss_model* model, const char* text, const char* rest, ss_measure* out,
                         ss_error* err)
{
    char name[256];
    bool has_number = out->kind == SS_MEASURE_HARMONIC || out->kind == SS_MEASURE_SETTLING;
    const char* colon = has_number ? strrchr(rest, ':') : rest + strlen(rest);
    if (!colon)
        return ss_fail(err, SS_BAD_INPUT, "measure", "'%.80s': expected %s", text,
                       out->kind == SS_MEASURE_HARMONIC
                           ? "harmonic:NAME:K, such as harmonic:block.x:1"
                           : "settling:NAME:BAND, such as settling:block.x:0.01");
    if ((size_t)(colon - rest) >= sizeof name) return refuse(err, text);
    snprintf(name, sizeof name, "%.*s", (int)(colon - rest), rest);
    ss_status status = ss_quantity_find(model, name, &out->of, err);
    if (status != SS_OK && err) snprintf(err->field, sizeof err->field, "measure");
    if (status != SS_OK || !has_number) return status;
    return out->kind == SS_MEASURE_HARMONIC ? read_harmonic(text, colon + 1, out, err)
                                            : read_band(model, text, colon + 1, out, err);
}

ss_status ss_measure_parse(const ss_model* model, const char* text, ss_measure* out, ss_error* err)
{
    static const word known[] = {{"amplitude:", SS_MEASURE_AMPLITUDE},
                                 {"mean:", SS_MEASURE_MEAN},
                                 {"rms:", SS_MEASURE_RMS},
                                 {"max:", SS_MEASURE_MAX},
                                 {"min:", SS_MEASURE_MIN},
                                 {"harmonic:", SS_MEASURE_HARMONIC},
                                 {"settling:", SS_MEASURE_SETTLING},
                                 {"overshoot:", SS_MEASURE_OVERSHOOT}};
    *out = (ss_measure){.contact = -1};
    if (read_alone(text, out)) return SS_OK;
    if (strncmp(text, "stick-share:", 12) == 0) return read_stick_share(model, text + 12, out, err);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t length = strlen(known[k].name);
        if (strncmp(text, known[k].name, length) != 0) continue;
        out->kind = known[k].kind;
        return read_of(model, text, text + length, out, err);
    }
    return refuse(err, text);
}
