// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sections as they are written.
#include "lab/scan/scan_impl.h"
#include "share/model_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ss_dimension time_dimension = {.s = 1};

static int contact_of(const ss_model* model, const char* name)
{
    for (int i = 0; i < ss_model_contact_count(model); i++)
        if (strcmp(ss_model_contact_name(model, i), name) == 0) return i;
    return -1;
}

// "slip+", "stick", ..; false where there is no such mode.
static bool read_mode(const char* text, int* out)
{
    *out = SS_ANY_SLIP;
    if (strcmp(text, "slip") == 0) return true;
    for (int mode = SS_MODE_SLIP_PLUS; mode <= SS_MODE_CLOSED; mode++)
        if (strcmp(text, ss_mode_name((ss_mode)mode)) == 0) {
            *out = mode;
            return true;
        }
    return false;
}

static ss_status refuse_event(ss_error* err, const char* text)
{
    return ss_fail(err, SS_BAD_INPUT, "section",
                   "'%.80s': expected FROM>TO with modes slip+, slip-, slip, stick, open or closed, one such "
                   "mode, impact or reversal",
                   text);
}

// What stands behind the colon, without spaces. In "slip->stick" the mode is slip-, as in "slip- > stick".
static ss_status read_event(const char* text, ss_section* out, ss_error* err)
{
    char left[32] = "";
    const char* arrow = strchr(text, '>');
    out->from = out->to = SS_ANY_MODE;
    out->impact = strcmp(text, "impact") == 0;
    out->reversal = strcmp(text, "reversal") == 0;
    if (out->impact || out->reversal) return SS_OK;
    if (!arrow) return read_mode(text, &out->to) ? SS_OK : refuse_event(err, text);
    if ((size_t)(arrow - text) >= sizeof left) return refuse_event(err, text);
    memcpy(left, text, (size_t)(arrow - text));
    return read_mode(left, &out->from) && read_mode(arrow + 1, &out->to) ? SS_OK : refuse_event(err, text);
}

// A copy without the spaces at both ends, or without all of them.
static bool tidy(const char* from, size_t length, bool all, char out[], size_t size)
{
    size_t used = 0;
    while (length > 0 && isspace((unsigned char)*from)) from++, length--;
    while (length > 0 && isspace((unsigned char)from[length - 1])) length--;
    for (size_t k = 0; k < length; k++) {
        if (all && isspace((unsigned char)from[k])) continue;
        if (used + 1 >= size) return false;
        out[used++] = from[k];
    }
    out[used] = '\0';
    return true;
}

static ss_status read_time(const char* text, ss_section* out, ss_error* err)
{
    const ss_scope nothing = {0};
    ss_error fault = {.status = SS_OK};
    out->kind = SS_SECTION_TIME;
    if (ss_quantity_parse(text, &nothing, time_dimension, &out->every, &fault) != SS_OK)
        return ss_fail(err, SS_BAD_INPUT, "section",
                       "expected period, run, a time such as 0.1 s, or events such as floor:slip+>stick; "
                       "as a time: %.160s",
                       fault.text);
    if (!(out->every > 0.0 && isfinite(out->every)))
        return ss_fail(err, SS_BAD_INPUT, "section", "must be greater than 0");
    return SS_OK;
}

ss_status ss_section_parse(const ss_model* model, const char* text, ss_section* out, ss_error* err)
{
    char name[256], what[64];
    const char* colon = strrchr(text, ':');
    *out = (ss_section){.contact = -1};
    if (strcmp(text, "period") == 0) return SS_OK;
    if (strcmp(text, "run") == 0) {
        out->kind = SS_SECTION_RUN;
        return SS_OK;
    }
    if (!colon) return read_time(text, out, err);
    out->kind = SS_SECTION_EVENT;
    if (!tidy(text, (size_t)(colon - text), false, name, sizeof name) ||
        !tidy(colon + 1, strlen(colon + 1), true, what, sizeof what))
        return refuse_event(err, text);
    out->contact = contact_of(model, name);
    if (out->contact < 0) return ss_fail(err, SS_BAD_INPUT, "section", "there is no contact '%.100s'", name);
    return read_event(what, out, err);
}

static bool fits(int wanted, ss_mode mode)
{
    if (wanted == SS_ANY_MODE) return true;
    if (wanted == SS_ANY_SLIP) return mode == SS_MODE_SLIP_PLUS || mode == SS_MODE_SLIP_MINUS;
    return wanted == (int)mode;
}

bool ss_section_is_met(const ss_section* s, const ss_event* event)
{
    if (event->contact != s->contact) return false;
    if (s->impact) return event->kind == SS_EVENT_IMPACT || event->kind == SS_EVENT_ACCUMULATION;
    if (s->reversal) return event->kind == SS_EVENT_REVERSAL;
    return fits(s->from, event->from) && fits(s->to, event->to);
}
