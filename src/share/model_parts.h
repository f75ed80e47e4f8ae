// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Short words for what is asked of a model most often: the libraries and the front ends of this repository
// read better with them. Each is a member of what slipstick/model.h tells.
#ifndef SLIPSTICK_SHARE_MODEL_PARTS_H
#define SLIPSTICK_SHARE_MODEL_PARTS_H

#include "slipstick/model.h"

#include <stdio.h>

static inline const char* ss_model_title(const ss_model* model) { return ss_model_get_info(model).title; }
static inline double ss_model_until(const ss_model* model) { return ss_model_get_info(model).until; }
static inline bool ss_model_is_matrices(const ss_model* model)
{
    return ss_model_get_info(model).matrix_count > 0;
}
static inline bool ss_model_is_linear(const ss_model* model) { return ss_model_get_info(model).is_linear; }
static inline bool ss_model_is_open(const ss_model* model) { return ss_model_get_info(model).is_open; }

// ---- bodies and coordinates

static inline int ss_model_body_count(const ss_model* model) { return ss_model_get_info(model).body_count; }
static inline const char* ss_model_body_name(const ss_model* model, int body)
{
    return ss_model_get_body(model, body).name;
}
static inline bool ss_model_body_is_angular(const ss_model* model, int body)
{
    return ss_model_get_body(model, body).angular;
}
static inline bool ss_model_body_is_driven(const ss_model* model, int body)
{
    return ss_model_get_body(model, body).driven;
}
/// "block.x" and "block.v", "rod.angle" and "rod.spin": as a coordinate or its speed is told. Returns out.
static inline const char* ss_model_coordinate_name(const ss_model* model, int body, bool speed, char* out,
                                                   size_t size)
{
    ss_body_info info = ss_model_get_body(model, body);
    snprintf(out, size, "%.250s.%s", info.owner, speed ? info.speed : info.place);
    return out;
}
/// The coordinate that is told as OWNER.WORD, or whose speed is; -1 if there is none.
static inline int ss_model_find_coordinate(const ss_model* model, const char* owner, const char* word,
                                           bool* speed)
{
    int count = ss_model_get_info(model).body_count;
    for (int b = 0; b < count; b++) {
        ss_body_info info = ss_model_get_body(model, b);
        *speed = strcmp(info.speed, word) == 0;
        if ((*speed || strcmp(info.place, word) == 0) && strcmp(info.owner, owner) == 0) return b;
    }
    return -1;
}
static inline int ss_model_body_find(const ss_model* model, const char* name)
{
    return ss_model_find(model, SS_PART_BODY, name);
}
static inline double ss_model_start_x(const ss_model* model, int body)
{
    return ss_model_get_body(model, body).start_x;
}
static inline double ss_model_start_v(const ss_model* model, int body)
{
    return ss_model_get_body(model, body).start_v;
}
static inline int ss_model_coordinate_count(const ss_model* model)
{
    return ss_model_get_info(model).coordinate_count;
}
static inline int ss_model_coordinate_body(const ss_model* model, int coordinate)
{
    return ss_model_get_info(model).coordinate_bodies[coordinate];
}

// ---- contacts

static inline int ss_model_contact_count(const ss_model* model)
{
    return ss_model_get_info(model).contact_count;
}
static inline const char* ss_model_contact_name(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).name;
}
static inline ss_law_kind ss_model_contact_law(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).law;
}
static inline bool ss_model_contact_is_angular(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).angular;
}
static inline const char* ss_model_contact_law_name(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).law_name;
}
static inline ss_dimension ss_model_contact_state_dimension(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).state_dimension;
}
static inline bool ss_model_contact_has(const ss_model* model, int contact, ss_law_trait trait)
{
    return (ss_model_get_contact(model, contact).traits & (unsigned)trait) != 0;
}
static inline int ss_model_contact_elements(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).elements;
}
static inline int ss_moment_elements(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).elements_told;
}
static inline double ss_model_contact_mass(const ss_model* model, int contact)
{
    return ss_model_get_contact(model, contact).mass;
}

// ---- numbers of an open model, by kind and place among their kind

static inline const char* ss_number_kind_name(int kind)
{
    static const char* const names[SS_NUMBER_KINDS] = {"states", "signals", "inputs", "memory"};
    return names[kind];
}
static inline int ss_model_number_count(const ss_model* model, int kind)
{
    return ss_model_get_info(model).number_counts[kind];
}
static inline ss_number_info ss_model_number_of(const ss_model* model, ss_number_kind kind, int k)
{
    ss_model_info info = ss_model_get_info(model);
    for (int before = 0; before < (int)kind; before++) k += info.number_counts[before];
    return ss_model_get_number(model, k);
}
static inline const char* ss_model_number_name(const ss_model* model, int number)
{
    return ss_model_get_number(model, number).name;
}
static inline ss_dimension ss_model_number_dimension(const ss_model* model, int number)
{
    return ss_model_get_number(model, number).dimension;
}
static inline int ss_model_state_count(const ss_model* model)
{
    return ss_model_number_count(model, SS_NUMBER_STATE);
}
static inline const char* ss_model_state_name(const ss_model* model, int state)
{
    return ss_model_get_number(model, state).name;
}
static inline ss_dimension ss_model_state_dimension(const ss_model* model, int state)
{
    return ss_model_get_number(model, state).dimension;
}
static inline double ss_model_state_start(const ss_model* model, int state)
{
    return ss_model_get_number(model, state).start;
}
static inline int ss_model_signal_count(const ss_model* model)
{
    return ss_model_number_count(model, SS_NUMBER_SIGNAL);
}
static inline const char* ss_model_signal_name(const ss_model* model, int signal)
{
    return ss_model_number_of(model, SS_NUMBER_SIGNAL, signal).name;
}
static inline ss_dimension ss_model_signal_dimension(const ss_model* model, int signal)
{
    return ss_model_number_of(model, SS_NUMBER_SIGNAL, signal).dimension;
}
static inline int ss_model_input_count(const ss_model* model)
{
    return ss_model_number_count(model, SS_NUMBER_INPUT);
}
static inline const char* ss_model_input_name(const ss_model* model, int input)
{
    return ss_model_number_of(model, SS_NUMBER_INPUT, input).name;
}
static inline ss_dimension ss_model_input_dimension(const ss_model* model, int input)
{
    return ss_model_number_of(model, SS_NUMBER_INPUT, input).dimension;
}
static inline int ss_model_memory_count(const ss_model* model)
{
    return ss_model_number_count(model, SS_NUMBER_MEMORY);
}
static inline const char* ss_model_memory_name(const ss_model* model, int memory)
{
    return ss_model_number_of(model, SS_NUMBER_MEMORY, memory).name;
}
static inline ss_dimension ss_model_memory_dimension(const ss_model* model, int memory)
{
    return ss_model_number_of(model, SS_NUMBER_MEMORY, memory).dimension;
}
static inline double ss_model_memory_start(const ss_model* model, int memory)
{
    return ss_model_number_of(model, SS_NUMBER_MEMORY, memory).start;
}

#endif
