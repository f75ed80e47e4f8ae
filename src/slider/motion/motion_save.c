// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sliding motion as plain bytes: save, load and copy, as engine/save.c does it for a run.
#include "core/expression/signal_series.h"
#include "core/hash.h"
#include "slider/motion/slide_impl.h"

#define AT(field) offsetof(struct ss_slide, field)
static const size_t pointers[] = {
    AT(made.spots),     AT(made.members),     AT(made.lines),     AT(made.patches),       AT(made.ratchets),
    AT(made.spot_of),   AT(made.line_of),     AT(mode.spot_held), AT(mode.line_held),     AT(mode.line_mode),
    AT(mode.spot_off),  AT(mode.slip_x),      AT(mode.slip_y),    AT(mode.slip_level),    AT(mode.slip_spot),
    AT(mode.odd),       AT(mode.before),      AT(inputs.scratch), AT(inputs.kink_series), AT(work.zero_spot),
    AT(work.zero_line), AT(work.stay_spot),   AT(work.stay_line), AT(work.use),           AT(work.stay),
    AT(work.noted),     AT(instant.supports), AT(instant.events), AT(fingers.each),
};
#undef AT

void ss_slide_mark(ss_slide* s)
{
    ss_image_mark_pointers(&s->image, s, 1, sizeof *s, pointers, sizeof pointers / sizeof *pointers);
}

// ---- the slider as one number

static uint64_t hash_numbers(uint64_t hash, const double numbers[], size_t count)
{
    return ss_hash(hash, numbers, count * sizeof *numbers);
}

// Field by field: what lies between fields may be anything.
static uint64_t hash_element(uint64_t hash, const ss_element* e)
{
    double numbers[] = {e->x,    e->y,        e->level,    e->bias,     e->radius,  e->inner,
                        e->area, e->along[0], e->along[1], e->rolls[0], e->rolls[1]};
    hash = ss_hash_int(ss_hash_int(hash, e->kind), e->support);
    hash = ss_hash_int(ss_hash_int(hash, e->is_bearing), e->patch);
    hash = hash_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
    hash = hash_numbers(hash, e->ellipse, 4);
    return e->vertices ? hash_numbers(hash, e->vertices, 2 * (size_t)e->vertex_count) : hash;
}

static uint64_t hash_load(uint64_t hash, const ss_load* load)
{
    const double place[] = {load->x, load->y};
    hash = ss_signal_hash(ss_signal_hash(hash, load->force_x), load->force_y);
    return hash_numbers(ss_hash_int(ss_signal_hash(hash, load->moment), load->in_body), place, 2);
}

static uint64_t hash_floor(uint64_t hash, const ss_floor_motion* floor)
{
    for (int i = 0; i < 2; i++) hash = ss_signal_hash(ss_signal_hash(hash, floor->speed[i]), floor->place[i]);
    hash = ss_signal_hash(ss_signal_hash(hash, floor->spin), floor->angle);
    return hash_numbers(hash_numbers(hash, floor->center, 2), floor->weight, 2);
}

static uint64_t hash_fingers(uint64_t hash, const ss_slider* slider)
{
    hash = hash_numbers(ss_hash_int(hash, slider->quasistatic), &slider->outline.radius, 1);
    hash = hash_numbers(hash, slider->outline.vertices, 2 * (size_t)slider->outline.count);
    for (int i = 0; i < slider->pusher_count; i++) {
        const ss_pusher* p = &slider->pushers[i];
        hash = ss_signal_hash(ss_signal_hash(hash, p->speed[0]), p->speed[1]);
        hash = hash_numbers(hash_numbers(hash, p->at, 2), &p->mu, 1);
    }
    return hash;
}

uint64_t ss_slider_fingerprint(const ss_slider* slider)
{
    double numbers[] = {slider->mass,        slider->gyration,    slider->gravity,    slider->unit_force,
                        slider->unit_length, slider->unit_time,   slider->unit_speed, slider->unit_moment,
                        slider->floor_mu[0], slider->floor_mu[1], slider->floor_angle};
    uint64_t hash = hash_numbers(SS_HASH_START, numbers, sizeof numbers / sizeof *numbers);
    size_t supports = (size_t)slider->supports.count;
    hash = ss_hash_int(hash, slider->floor_is_anisotropic);
    for (size_t i = 0; i < supports; i++) hash = ss_hash_int(hash, slider->supports.kinds[i]);
    hash = hash_numbers(hash, slider->supports.levels, supports);
    for (int k = 0; k < slider->element_count; k++) hash = hash_element(hash, &slider->elements[k]);
    for (int k = 0; k < slider->load_count; k++) hash = hash_load(hash, &slider->loads[k]);
    hash = ss_signal_hash(hash_floor(hash, &slider->motion), slider->varying.gravity);
    if (slider->pusher_count > 0 || slider->quasistatic) hash = hash_fingers(hash, slider);
    return hash_numbers(hash_numbers(hash, slider->start, 3), slider->start_speed, 3);
}

static ss_image_kind kind_of(const ss_slide* s)
{
    double numbers[] = {s->def.tolerance, s->def.escape};
    return (ss_image_kind){.magic = {'s', 'l', 'i', 'p', 's', 'l', 'd', '\n'},
                           .version = 1,
                           .fingerprint = ss_slider_fingerprint(s->weight ? s->weight->original : s->slider),
                           .settings = ss_hash(SS_HASH_START, numbers, sizeof numbers)};
}

size_t ss_slide_save_size(const ss_slide* slide) { return ss_image_size(&slide->image); }

ss_status ss_slide_save(const ss_slide* slide, void* buffer, size_t size, ss_error* err)
{
    ss_image_kind kind = kind_of(slide);
    return ss_image_save(&slide->image, &kind, buffer, size, err);
}

ss_status ss_slide_load(ss_slide* slide, const void* buffer, size_t size, ss_error* err)
{
    ss_image_kind kind = kind_of(slide);
    ss_status status = ss_image_load(&slide->image, &kind, "slider", buffer, size, err);
    ss_slide_weigh_anew(slide);
    return status;
}

ss_status ss_slide_copy(const ss_slide* slide, ss_slide** out, ss_error* err)
{
    const ss_slider* slider = slide->weight ? slide->weight->original : slide->slider;
    ss_status status = ss_slide_make(slider, &slide->def, out, err);
    if (status != SS_OK) return status;
    ss_image_copy(&slide->image, &(*out)->image);
    ss_slide_weigh_anew(*out);
    return SS_OK;
}
