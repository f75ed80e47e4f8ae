// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answers of `surface`.
#include "answer/answer_impl.h"
#include "share/build.h"

#include <math.h>

ss_status ss_answer_load(const double motion[3], const ss_sliding_load* load, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_numbers(answer, "motion", motion, 3);
    ss_answer_put_numbers(answer, "load", load->load, 3);
    ss_answer_put_number(answer, "power", load->power);
    ss_answer_put_bool(answer, "facet", load->facet);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}

ss_status ss_answer_first_motion(const ss_first_motion* motion, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_bool(answer, "sticks", motion->sticks);
    ss_answer_put_numbers(answer, "load", motion->load, 3);
    ss_answer_put_numbers(answer, "acceleration", motion->acceleration, 3);
    ss_answer_put_number(answer, "gauge", motion->gauge);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}

ss_status ss_answer_push(const ss_push_answer* push, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_word(answer, "mode", ss_mode_name(push->mode));
    ss_answer_put_numbers(answer, "motion", push->motion, 3);
    ss_answer_put_numbers(answer, "force", push->force, 2);
    ss_answer_key(answer, "cone");
    ss_answer_list(answer, false);
    for (int i = 0; i < 2; i++) ss_answer_numbers(answer, push->cone[i], 2);
    ss_answer_end(answer);
    ss_answer_put_bool(answer, "determined", push->determined);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}

static void add_direction(ss_answer* answer, const ss_eigen_direction* d, const double* share)
{
    ss_answer_object(answer, false);
    ss_answer_put_numbers(answer, "q", d->q, 3);
    ss_answer_put_numbers(answer, "load", d->load, 3);
    ss_answer_put_number(answer, "magnitude", d->magnitude);
    ss_answer_put_numbers(answer, "radii", d->radii, 2);
    ss_answer_put_word(answer, "stability", ss_stability_name(d->stability));
    if (isnan(d->center[0]))
        ss_answer_put_null(answer, "center_of_rotation");
    else
        ss_answer_put_numbers(answer, "center_of_rotation", d->center, 2);
    if (d->is_circle) {
        ss_answer_put_word(answer, "family", "circle");
        ss_answer_put_numbers(answer, "axis", d->axis, 3);
    }
    if (share) ss_answer_put_number(answer, "basin", *share);
    ss_answer_end(answer);
}

ss_status ss_answer_eigen(const ss_eigen_set* set, const double shares[], ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_list(answer, "eigen_directions", true);
    for (int k = 0; k < set->count; k++) add_direction(answer, &set->items[k], shares ? &shares[k] : NULL);
    ss_answer_end(answer);
    ss_answer_put_bool(answer, "complete", set->complete);
    ss_answer_put_number(answer, "euler", set->has_euler ? (double)set->euler : NAN);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}

static void add_facet(ss_answer* answer, const ss_facet* f)
{
    char name[24];
    ss_answer_object(answer, false);
    ss_answer_put_text(answer, "support", ss_support_label(f->support, name));
    ss_answer_put_numbers(answer, "normal", f->normal, 3);
    ss_answer_put_numbers(answer, "center", f->center, 3);
    ss_answer_put_list(answer, "axes", false);
    for (int a = 0; a < 2; a++) ss_answer_numbers(answer, f->axes[a], 3);
    ss_answer_end(answer);
    ss_answer_put_number(answer, "distance", f->distance);
    ss_answer_end(answer);
}

ss_status ss_answer_faces(const ss_facet facets[], int count, const ss_vertex_set* vertices, ss_answer** out,
                          ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_list(answer, "facets", true);
    for (int k = 0; k < count; k++) add_facet(answer, &facets[k]);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "vertices", true);
    for (int k = 0; k < vertices->count; k++) {
        ss_answer_object(answer, false);
        ss_answer_put_numbers(answer, "load", vertices->items[k].load, 3);
        ss_answer_put_numbers(answer, "motion", vertices->items[k].motion, 3);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
