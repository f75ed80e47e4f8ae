// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for a slider: its supports, and what may not be meant.
#include "check.h"
#include "json.h"
#include "slider/slider.h"

#include <math.h>

enum { WARNINGS = 4, TEXT = 160 };

typedef struct warnings {
    char text[WARNINGS][TEXT];
    int count;
} warnings;

// The weight is carried by the supports, and balanced where all shares are known.
static void judge_weight(const ss_slider* s, warnings* w)
{
    double total = 0, x = 0, y = 0, reach = ss_slider_gyration(s); // what is nothing against the body is 0
    for (int k = 0; k < ss_slider_support_count(s); k++) {
        double place[2], load = ss_slider_support_load(s, k);
        ss_slider_support_place(s, k, place);
        total += load;
        x += load * place[0];
        y += load * place[1];
        reach = fmax(reach, hypot(place[0], place[1]));
    }
    if (isnan(total)) return;
    if (fabs(total - 1) > 1e-9)
        snprintf(w->text[w->count++], TEXT,
                 "the loads add up to %g, not 1: the supports do not carry the weight", total);
    if (hypot(x, y) > 1e-9 * reach * total)
        snprintf(w->text[w->count++], TEXT,
                 "the loads balance at (%g m, %g m), not at the centre of mass: a body at rest would tip",
                 x / total, y / total);
}

// Loads that friction cannot bear however strong it is: then some motion meets none.
static bool has_free_motion(const ss_slider* s)
{
    double place[3], speed[3];
    ss_slider_start(s, place, speed);
    for (int k = 0; k < 6; k++) {
        double load[3] = {0};
        load[k / 2] = k % 2 ? -1.0 : 1.0;
        if (isinf(ss_slider_gauge(s, place[2], load))) return true;
    }
    return false;
}

static void judge(const ss_slider* s, warnings* w)
{
    double level = 0;
    for (int k = 0; k < ss_slider_support_count(s); k++) level += ss_slider_support_level(s, k);
    if (level == 0)
        snprintf(w->text[w->count++], TEXT, "there is no friction: nothing ever slows down");
    else if (has_free_motion(s))
        snprintf(w->text[w->count++], TEXT, "some motions meet no friction: they are not slowed down");
    judge_weight(s, w);
}

// What is applied at t = 0: Fx, Fy, M. Whether that changes with time.
static bool applied_load(const ss_slider* s, double load[3])
{
    const ss_signal* const signals[3] = {s->force_x, s->force_y, s->moment};
    bool varies = false;
    for (int i = 0; i < 3; i++) {
        load[i] = signals[i] ? ss_signal_value(signals[i], 0.0) : 0.0;
        varies = varies || (signals[i] && !ss_signal_is_constant(signals[i]));
    }
    return varies;
}

static bool has_load(const ss_slider* s) { return s->force_x || s->force_y || s->moment; }

static void load_line(const ss_slider* s, FILE* out)
{
    double load[3];
    if (!has_load(s)) return;
    bool varies = applied_load(s, load);
    fprintf(out, "  applied: force (%g N, %g N) %s, moment %g N*m%s\n", load[0] + 0.0, load[1] + 0.0,
            s->applied_in_body ? "of the body frame" : "in space", load[2] + 0.0,
            varies ? ", at t = 0; it varies" : "");
}

static void put_load(cli_json* json, const ss_slider* s)
{
    double load[3];
    if (!has_load(s)) return;
    bool varies = applied_load(s, load);
    cli_json_key(json, "applied");
    cli_json_object(json, false);
    cli_json_key(json, "force");
    cli_json_array(json, false);
    cli_json_number(json, load[0]);
    cli_json_number(json, load[1]);
    cli_json_end(json);
    cli_json_put_number(json, "moment", load[2]);
    cli_json_put_text(json, "frame", s->applied_in_body ? "body" : "space");
    cli_json_put_bool(json, "varies", varies);
    cli_json_end(json);
}

void cli_check_slider_text(const ss_slider* s, FILE* out)
{
    warnings w = {.count = 0};
    double place[3], speed[3];
    int count = ss_slider_support_count(s);
    ss_slider_start(s, place, speed);
    fprintf(out, "%s\n  a rigid body on a plane: mass %g kg, radius of gyration %g m, gravity %g m/s^2\n",
            ss_slider_title(s), ss_slider_mass(s), ss_slider_gyration(s), ss_slider_gravity(s));
    fprintf(out, "  starts at (%g m, %g m, %g rad) with (%g m/s, %g m/s, %g rad/s)\n", place[0] + 0.0,
            place[1] + 0.0, place[2] + 0.0, speed[0] + 0.0, speed[1] + 0.0, speed[2] + 0.0);
    fprintf(out, "  runs until t = %g s\n\n  %d support%s%s\n", ss_slider_until(s), count,
            count == 1 ? "" : "s",
            ss_slider_floor_is_anisotropic(s) ? ", on a floor that differs along and across" : "");
    for (int k = 0; k < count; k++) {
        double at[2];
        ss_slider_support_place(s, k, at);
        fprintf(out, "    support%d: %s at (%g m, %g m), friction up to %g N\n", k + 1,
                ss_support_kind_name(ss_slider_support_kind(s, k)), at[0] + 0.0, at[1] + 0.0,
                ss_slider_support_level(s, k));
    }
    load_line(s, out);
    judge(s, &w);
    for (int k = 0; k < w.count; k++) fprintf(out, "%s  warning: %s\n", k ? "" : "\n", w.text[k]);
}

static void put_mass(cli_json* json, const ss_slider* s)
{
    double m = ss_slider_mass(s), r = ss_slider_gyration(s);
    cli_json_key(json, "M");
    cli_json_array(json, false);
    for (int i = 0; i < 3; i++) {
        cli_json_array(json, false);
        for (int j = 0; j < 3; j++) cli_json_number(json, i != j ? 0 : i < 2 ? m : m * r * r);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void put_supports(cli_json* json, const ss_slider* s)
{
    cli_json_key(json, "laws");
    cli_json_object(json, true);
    for (int k = 0; k < ss_slider_support_count(s); k++) {
        char name[32];
        snprintf(name, sizeof name, "support%d", k + 1);
        cli_json_key(json, name);
        cli_json_object(json, false);
        cli_json_put_text(json, "law", ss_support_kind_name(ss_slider_support_kind(s, k)));
        cli_json_put_bool(json, "passive", true);
        cli_json_put_number(json, "friction", ss_slider_support_level(s, k));
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_check_slider_json(const ss_slider* s, FILE* out)
{
    static const char* const coordinates[] = {"x", "y", "angle"};
    static const char* const absent[] = {"C", "K", "W"};
    warnings w = {.count = 0};
    judge(s, &w);
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_text(&json, "kind", "slider");
    cli_json_key(&json, "coordinates");
    cli_json_array(&json, false);
    for (int i = 0; i < 3; i++) cli_json_text(&json, coordinates[i]);
    cli_json_end(&json);
    cli_json_key(&json, "contacts");
    cli_json_array(&json, false);
    for (int k = 0; k < ss_slider_support_count(s); k++) {
        char name[32];
        snprintf(name, sizeof name, "support%d", k + 1);
        cli_json_text(&json, name);
    }
    cli_json_end(&json);
    cli_json_key(&json, "matrices");
    cli_json_object(&json, true);
    put_mass(&json, s);
    for (int i = 0; i < 3; i++) {
        cli_json_key(&json, absent[i]);
        cli_json_null(&json);
    }
    cli_json_end(&json);
    put_load(&json, s);
    put_supports(&json, s);
    cli_json_key(&json, "warnings");
    cli_json_array(&json, true);
    for (int k = 0; k < w.count; k++) cli_json_text(&json, w.text[k]);
    cli_json_end(&json);
    cli_json_end(&json);
}
