// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Short words for what is asked of a slider most often, as model_parts.h has them for a model.
#ifndef SLIPSTICK_SHARE_SLIDER_PARTS_H
#define SLIPSTICK_SHARE_SLIDER_PARTS_H

#include "slipstick/slider.h"

#include <stdio.h>
#include <string.h>

static inline const char* ss_slider_title(const ss_slider* slider)
{
    return ss_slider_get_info(slider).title;
}
static inline double ss_slider_mass(const ss_slider* slider) { return ss_slider_get_info(slider).mass_kg; }
static inline double ss_slider_gyration(const ss_slider* slider)
{
    return ss_slider_get_info(slider).gyration_m;
}
static inline double ss_slider_gravity(const ss_slider* slider) { return ss_slider_get_info(slider).gravity; }
static inline double ss_slider_until(const ss_slider* slider) { return ss_slider_get_info(slider).until_s; }
static inline int ss_slider_support_count(const ss_slider* slider)
{
    return ss_slider_get_info(slider).support_count;
}
/// Supports, and after them the fingers: what a motion tells the modes and forces of.
static inline int ss_slider_contact_count(const ss_slider* slider)
{
    ss_slider_info info = ss_slider_get_info(slider);
    return info.support_count + info.pusher_count;
}
/// "support1", .., "pusher1", ..
static inline const char* ss_slider_contact_label(const ss_slider* slider, int contact, char out[24])
{
    int supports = ss_slider_support_count(slider);
    bool finger = contact >= supports;
    snprintf(out, 24, "%s%d", finger ? "pusher" : "support", contact + 1 - (finger ? supports : 0));
    return out;
}
static inline bool ss_slider_floor_is_anisotropic(const ss_slider* slider)
{
    return ss_slider_get_info(slider).floor_is_anisotropic;
}
static inline bool ss_slider_floor_moves(const ss_slider* slider)
{
    return ss_slider_get_info(slider).floor_moves;
}
static inline ss_support_kind ss_slider_support_kind(const ss_slider* slider, int support)
{
    return ss_slider_get_support(slider, support).kind;
}
static inline double ss_slider_support_level(const ss_slider* slider, int support)
{
    return ss_slider_get_support(slider, support).level_N;
}
static inline double ss_slider_support_load(const ss_slider* slider, int support)
{
    return ss_slider_get_support(slider, support).load;
}
static inline void ss_slider_support_place(const ss_slider* slider, int support, double place[2])
{
    ss_support_info info = ss_slider_get_support(slider, support);
    memcpy(place, info.place, sizeof info.place);
}
static inline void ss_slider_start(const ss_slider* slider, double place[3], double speed[3])
{
    ss_slider_info info = ss_slider_get_info(slider);
    memcpy(place, info.start, sizeof info.start);
    memcpy(speed, info.start_speed, sizeof info.start_speed);
}

#endif
