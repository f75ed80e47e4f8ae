// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for a slider.
#include "answer/answer_impl.h"
#include "share/build.h"
#include "share/slider_parts.h"

#include <stdio.h>

const char* ss_support_label(int support, char out[24])
{
    snprintf(out, 24, "support%d", support + 1);
    return out;
}

static void put_mass(ss_answer* answer, const ss_slider* s)
{
    double m = ss_slider_mass(s), r = ss_slider_gyration(s);
    ss_answer_put_list(answer, "M", false);
    for (int i = 0; i < 3; i++) {
        double row[3] = {0};
        row[i] = i < 2 ? m : m * r * r;
        ss_answer_numbers(answer, row, 3);
    }
    ss_answer_end(answer);
}

static void put_load(ss_answer* answer, const ss_slider_check* check)
{
    if (!check->has_load) return;
    ss_answer_put_object(answer, "applied", false);
    ss_answer_put_numbers(answer, "force", check->load, 2);
    ss_answer_put_number(answer, "moment", check->load[2]);
    ss_answer_put_word(answer, "frame", check->in_body ? "body" : "space");
    ss_answer_put_bool(answer, "varies", check->varies);
    ss_answer_end(answer);
}

static void put_supports(ss_answer* answer, const ss_slider* s)
{
    ss_answer_put_object(answer, "laws", true);
    for (int k = 0; k < ss_slider_support_count(s); k++) {
        char name[24];
        ss_answer_put_object(answer, ss_answer_keep(answer, ss_support_label(k, name)), false);
        ss_answer_put_word(answer, "law", ss_support_kind_name(ss_slider_support_kind(s, k)));
        ss_answer_put_bool(answer, "passive", true);
        ss_answer_put_number(answer, "friction", ss_slider_support_level(s, k));
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_names(ss_answer* answer, const ss_slider* s)
{
    static const char* const coordinates[] = {"x", "y", "angle"};
    ss_answer_put_list(answer, "coordinates", false);
    for (int i = 0; i < 3; i++) ss_answer_word(answer, coordinates[i]);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "contacts", false);
    for (int k = 0; k < ss_slider_support_count(s); k++) {
        char name[24];
        ss_answer_text(answer, ss_support_label(k, name));
    }
    ss_answer_end(answer);
}

ss_status ss_answer_slider_check(const ss_slider_check* check, ss_answer** out, ss_error* err)
{
    static const char* const absent[] = {"C", "K", "W"};
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_word(answer, "kind", "slider");
    put_names(answer, check->slider);
    ss_answer_put_object(answer, "matrices", true);
    put_mass(answer, check->slider);
    for (int i = 0; i < 3; i++) ss_answer_put_null(answer, absent[i]);
    ss_answer_end(answer);
    put_load(answer, check);
    put_supports(answer, check->slider);
    ss_answer_put_list(answer, "warnings", true);
    for (int k = 0; k < check->warning_count; k++) ss_answer_text(answer, check->warnings[k]);
    ss_answer_end(answer);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
