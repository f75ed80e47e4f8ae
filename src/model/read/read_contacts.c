// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts of a model file: a row, and a law with its fields; and the friction levels of Coulomb's law, which
// may be given in several ways and vary in time.
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "model/read/read_law.h"
#include "model/read/read_open.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ss_node* field(const ss_contact_reader* c, const char* key)
{
    return ss_node_find(c->node, key);
}

// When a number, or one below it, was changed last: by --set, and by what makes it vary (an axis, a fit, a
// derivative). 0: never.
typedef struct changes {
    int set, varied;
} changes;

static void note_changes(const ss_node* node, changes* last)
{
    if (!node) return;
    int* turn =
        node->option && strncmp(node->option, "--set", strlen("--set")) == 0 ? &last->set : &last->varied;
    if (node->turn > *turn) *turn = node->turn;
    for (const ss_node* child = node->first; child; child = child->next) note_changes(child, last);
}

static int last_turn(const changes* last) { return last->set > last->varied ? last->set : last->varied; }

// One way to give a level: with one number, or with two of which one may be absent.
typedef struct level_way {
    const ss_node* node[2];
    changes last;
} level_way;

static level_way make_way(const ss_node* first, const ss_node* second)
{
    level_way way = {.node = {first ? first : second, first ? second : NULL}};
    note_changes(first, &way.last);
    note_changes(second, &way.last);
    return way;
}

// Of two ways to give a level the one that was changed last counts. A number that varies without any effect,
// because the other way counts, is an error; so is one that would bring back a way that --set replaced.
static ss_status choose_way(ss_contact_reader* c, const level_way ways[2], const char* both,
                            const level_way** out)
{
    int turns[2] = {last_turn(&ways[0].last), last_turn(&ways[1].last)};
    const ss_node *first = ways[0].node[0], *second = ways[1].node[0];
    if (!first || !second) {
        *out = &ways[first ? 0 : 1];
        return SS_OK;
    }
    if (turns[0] == turns[1])
        return ss_read_fail_key(c->r, second->index > first->index ? second : first, "%s", both);
    *out = &ways[turns[0] > turns[1] ? 0 : 1];
    const level_way* other = &ways[turns[0] > turns[1] ? 1 : 0];
    bool loses = other->last.varied > 0;
    if (!loses && !((*out)->last.varied > 0 && other->last.set > (*out)->last.set)) return SS_OK;
    const level_way *idle = loses ? other : *out, *counts = loses ? *out : other;
    const ss_node* node = idle->node[idle->node[1] && idle->node[1]->turn == last_turn(&idle->last)];
    return ss_read_fail_key(c->r, node, "varies without effect: %s was given instead (%s)",
                            counts->node[0]->key, both);
}

// Friction levels forward and backward, with what they were read from. The signal is NULL where the level
// follows the motion, or is infinite.
typedef struct levels {
    const ss_signal* signal[2];
    const ss_node* node[2];
    const char* name[2]; // as errors call them
} levels;

// A level that varies begins at 0 or above; where it becomes negative later, the run ends. Being a number is
// looked at in many places.
static ss_status check_level(ss_contact_reader* c, const ss_node* node, const ss_signal* signal)
{
    enum { SAMPLES = 512 };
    static const double rounding = SS_RELATIVE_ZERO; // smaller levels, beside their terms, are 0 as in a run
    ss_dimension force = ss_force_along(c->row);
    if (ss_signal_is_constant(signal))
        return ss_read_not_negative(c->r, node, ss_signal_value(signal, 0.0), force);
    for (int k = 0; k <= SAMPLES; k++) {
        double t = c->r->def.until * k / SAMPLES;
        double value = ss_signal_value(signal, t);
        char shown[64];
        if (!isfinite(value)) return ss_read_fail(c->r, node, "is not a finite number at t = %g s", t);
        if (k == 0 && value < -rounding * ss_signal_size(signal, t))
            return ss_read_fail_range(c->r, node, "must not be negative (%s at t = 0 s)",
                                      ss_read_show(value, force, shown, sizeof shown));
    }
    return SS_OK;
}

// An expression of the motion in place of a level: the model parses it.
static bool read_following(ss_contact_reader* c, const ss_node* node, int level, double factor,
                           const char* name)
{
    if (!ss_read_follows_motion(c->r, node)) return false;
    c->contact->level[level] = (ss_level_def){node->text, factor, ss_force_along(c->row), name};
    return true;
}

static bool is_infinite(const ss_node* node)
{
    return node->kind == SS_NODE_SCALAR &&
           (strcmp(node->text, "inf") == 0 || strcmp(node->text, ".inf") == 0);
}

static ss_status read_friction(ss_contact_reader* c, const ss_node* node, levels* out)
{
    static const char* const names[] = {"friction.forward", "friction.backward"};
    bool two;
    ss_status status = ss_read_directions(c, node, out->node, &two);
    for (int k = 0; k < 2 && status == SS_OK; k++) {
        out->name[k] = two ? names[k] : "friction";
        if (read_following(c, out->node[k], k, 1.0, out->name[k])) continue;
        if (two && is_infinite(out->node[k])) {
            if (is_infinite(out->node[1 - k]))
                return ss_read_fail(c->r, node, "only one direction can be inf; tie the bodies instead");
            continue;
        }
        if (k == 1 && !two) {
            out->signal[1] = out->signal[0];
            c->contact->level[1].field = c->contact->level[0].field;
            break;
        }
        c->contact->level[k].field = out->name[k];
        status = ss_read_signal(c->r, out->node[k], ss_force_along(c->row), &out->signal[k]);
        if (status == SS_OK) status = check_level(c, out->node[k], out->signal[k]);
    }
    return status;
}

static ss_status scale(ss_contact_reader* c, const ss_signal* signal, double factor, const ss_signal** out)
{
    ss_signal* scaled = NULL;
    ss_status status = ss_signal_scale(signal, factor, &scaled, &c->r->error);
    if (status != SS_OK) return status;
    *out = scaled;
    return ss_read_keep_signal(c->r, scaled);
}

ss_status ss_read_varying_level(ss_contact_reader* c, const ss_node* node, const ss_signal** out)
{
    ss_status status = ss_read_signal(c->r, node, ss_force_along(c->row), out);
    return status == SS_OK ? check_level(c, node, *out) : status;
}

static ss_status read_normal(ss_contact_reader* c, const ss_signal** out)
{
    return ss_read_varying_level(c, field(c, "normal"), out);
}

// friction = mu * normal; mu is constant, the normal force may vary.
static ss_status read_mu(ss_contact_reader* c, const ss_node* node, levels* out)
{
    double mu = 0.0;
    const ss_signal* normal = NULL;
    ss_status status = ss_read_number(c->r, node, ss_plain, &mu);
    if (status == SS_OK) status = ss_read_not_negative(c->r, node, mu, ss_plain);
    bool follows = status == SS_OK && read_following(c, field(c, "normal"), 0, mu, "normal");
    if (follows) (void)read_following(c, field(c, "normal"), 1, mu, "normal");
    if (!follows) c->contact->level[0].field = c->contact->level[1].field = "normal";
    if (status == SS_OK && !follows) status = read_normal(c, &normal);
    if (status == SS_OK && !follows) status = scale(c, normal, mu, &out->signal[0]);
    out->signal[1] = out->signal[0];
    out->node[0] = out->node[1] = node;
    out->name[0] = out->name[1] = "mu * normal";
    return status;
}

// Either friction, or mu and normal; of the two the way that was changed last.
static ss_status read_kinetic(ss_contact_reader* c, levels* out)
{
    const ss_node *friction = field(c, "friction"), *mu = field(c, "mu"), *normal = field(c, "normal");
    if (!friction && !mu && !normal)
        return ss_read_fail_missing(c->r, c->node, "friction",
                                    "is missing; expected a number in %s, or mu and normal",
                                    ss_dimension_equal(c->row, ss_length) ? "N" : "N*m");
    const level_way ways[2] = {make_way(friction, NULL), make_way(mu, normal)}, *way = NULL;
    ss_status status = choose_way(c, ways, "expected either friction, or mu and normal, not both", &way);
    if (status != SS_OK) return status;
    if (way == &ways[0]) return read_friction(c, friction, out);
    if (!mu) return ss_read_fail(c->r, normal, "mu is missing beside it; expected mu and normal");
    if (!normal) return ss_read_fail(c->r, mu, "normal is missing beside it; expected mu and normal");
    return read_mu(c, mu, out);
}

static ss_status read_static_force(ss_contact_reader* c, const ss_node* node, const levels* kinetic)
{
    static const char* const names[] = {"static.forward", "static.backward"};
    ss_dimension force = ss_force_along(c->row);
    const ss_node* sides[2];
    bool two;
    ss_status status = ss_read_directions(c, node, sides, &two);
    for (int k = 0; k < 2 && status == SS_OK; k++) {
        double* out = k == 0 ? &c->contact->coulomb.static_forward : &c->contact->coulomb.static_backward;
        const ss_node* value = sides[k];
        const ss_signal *signal = NULL, *moving = kinetic->signal[k];
        if (read_following(c, value, 2 + k, 1.0, two ? names[k] : "static")) continue;
        status = ss_read_signal(c->r, value, force, &signal);
        if (status == SS_OK) status = check_level(c, value, signal);
        if (status != SS_OK) continue;
        bool constant = ss_signal_is_constant(signal), infinite = isinf(*out);
        if (!infinite) *out = ss_signal_value(signal, 0.0); // the larger of both holds
        if (!constant) *(k == 0 ? &c->contact->static_forward : &c->contact->static_backward) = signal;
        if (!constant || !moving || !ss_signal_is_constant(moving)) continue;
        status = ss_read_order(c->r, value, two ? names[k] : "static", *out, kinetic->node[k],
                               kinetic->name[k], ss_signal_value(kinetic->signal[k], 0.0), force);
    }
    return status;
}

static ss_status read_mu_static(ss_contact_reader* c, const ss_node* node, const levels* kinetic)
{
    double mu_static = 0.0, mu = 0.0;
    const ss_node* mu_node = field(c, "mu");
    const ss_signal *normal = NULL, *level = NULL;
    if (!mu_node || kinetic->node[0] != mu_node)
        return ss_read_fail(c->r, node, "goes with mu and normal; with friction, give static");
    ss_status status = ss_read_number(c->r, node, ss_plain, &mu_static);
    if (status == SS_OK) status = ss_read_not_negative(c->r, node, mu_static, ss_plain);
    if (status == SS_OK) status = ss_read_number(c->r, mu_node, ss_plain, &mu);
    if (status == SS_OK)
        status = ss_read_order(c->r, node, "mu_static", mu_static, mu_node, "mu", mu, ss_plain);
    if (status == SS_OK && read_following(c, field(c, "normal"), 2, mu_static, "normal")) {
        (void)read_following(c, field(c, "normal"), 3, mu_static, "normal");
        return SS_OK;
    }
    if (status == SS_OK) status = read_normal(c, &normal);
    if (status == SS_OK) status = scale(c, normal, mu_static, &level);
    if (status != SS_OK) return status;
    ss_coulomb* law = &c->contact->coulomb;
    law->static_forward = law->static_backward = ss_signal_value(level, 0.0);
    if (!ss_signal_is_constant(level)) c->contact->static_forward = c->contact->static_backward = level;
    return SS_OK;
}

static ss_status read_static(ss_contact_reader* c, const levels* kinetic)
{
    const ss_node *force = field(c, "static"), *mu = field(c, "mu_static");
    const level_way ways[2] = {make_way(force, NULL), make_way(mu, NULL)}, *way = NULL;
    if (!force && !mu) return SS_OK;
    ss_status status = choose_way(c, ways, "expected static or mu_static, not both", &way);
    if (status != SS_OK) return status;
    return way == &ways[0] ? read_static_force(c, force, kinetic) : read_mu_static(c, mu, kinetic);
}

// Without a static level, the kinetic one holds: constants are equal, and where it varies 0 is the constant,
// because the larger of both counts.
ss_status ss_read_levels(ss_contact_reader* c)
{
    levels kinetic = {{NULL}, {NULL}, {NULL}};
    ss_status status = read_kinetic(c, &kinetic);
    if (status != SS_OK) return status;
    ss_coulomb* law = &c->contact->coulomb;
    double* moving[2] = {&law->forward, &law->backward};
    double* resting[2] = {&law->static_forward, &law->static_backward};
    const ss_signal** varying[2] = {&c->contact->forward, &c->contact->backward};
    for (int k = 0; k < 2; k++) {
        *varying[k] = NULL;
        if (!kinetic.signal[k]) { // follows the motion, or is infinite
            *moving[k] = *resting[k] = c->contact->level[k].expression ? 0.0 : INFINITY;
            continue;
        }
        bool constant = ss_signal_is_constant(kinetic.signal[k]);
        *moving[k] = ss_signal_value(kinetic.signal[k], 0.0);
        *resting[k] = constant ? *moving[k] : 0.0;
        *varying[k] = constant ? NULL : kinetic.signal[k];
    }
    const ss_node* rebound = field(c, "restitution");
    if (rebound) status = ss_read_number(c->r, rebound, ss_plain, &c->contact->restitution);
    if (status == SS_OK && !(c->contact->restitution >= 0.0 && c->contact->restitution <= 1.0))
        return ss_read_fail_range(c->r, rebound, "must be in [0, 1], not %g", c->contact->restitution);
    return status == SS_OK ? read_static(c, &kinetic) : status;
}

// mu, angle: plain numbers that are not negative.
static ss_status read_part(ss_contact_reader* c, const char* name, double* out)
{
    const ss_node* node = field(c, name);
    if (!node) return ss_read_fail_missing(c->r, c->node, name, "is missing; expected a number");
    ss_status status = ss_read_number(c->r, node, ss_plain, out);
    return status == SS_OK ? ss_read_not_negative(c->r, node, *out, ss_plain) : status;
}

// A rope on a drum: the level (exp(mu angle) - 1) min(abs(A.force), abs(B.force)) by the names of what pulls
// at its ends.
ss_status ss_read_tensions(ss_contact_reader* c)
{
    static const char* const expected = "expected the names of two ties or connections, [A, B]";
    const ss_node* node = field(c, "tensions");
    const ss_node *first = NULL, *second = NULL;
    char text[256];
    double mu = 0.0, angle = 0.0;
    if (!node) return ss_read_fail_missing(c->r, c->node, "tensions", "is missing; %s", expected);
    if (node->kind == SS_NODE_LIST && node->count == 2) first = node->first;
    if (first) second = first->next;
    if (!second || first->kind != SS_NODE_SCALAR || second->kind != SS_NODE_SCALAR)
        return ss_read_fail(c->r, node, "%s", expected);
    ss_status status = read_part(c, "mu", &mu);
    if (status == SS_OK) status = read_part(c, "angle", &angle);
    if (status != SS_OK) return status;
    int length = snprintf(text, sizeof text, "min(abs(%s.force), abs(%s.force))", first->text, second->text);
    if (length < 0 || (size_t)length >= sizeof text) return ss_read_fail(c->r, node, "%s", expected);
    const char* kept = ss_pool_text(&c->r->pool, text, (size_t)length);
    if (!kept) return ss_fail_no_memory(&c->r->error);
    for (int k = 0; k < 2; k++)
        c->contact->level[k] = (ss_level_def){kept, expm1(mu * angle), ss_force_along(c->row), "tensions"};
    return SS_OK;
}

static ss_status read_contact(ss_reader* r, const ss_node* node, ss_contact_def* contact)
{
    *contact = ss_contact_def_default();
    contact->name = node->key;
    ss_contact_reader c = {.r = r, .node = node, .row = ss_length, .contact = contact};
    ss_status status = ss_read_name(r, node);
    if (status == SS_OK)
        status = ss_read_expect(r, node, SS_NODE_MAP, "{between: [A, ground], law: coulomb, friction: 1 N}");
    if (status == SS_OK) status = ss_read_law_kind(r, node, &contact->law);
    if (status == SS_OK) status = ss_read_row(r, node, &contact->along, &c.row);
    contact->force = ss_force_along(c.row);
    return status == SS_OK ? ss_read_law_fields(&c) : status;
}

ss_status ss_read_contacts(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "contacts");
    ss_status status = ss_read_own_laws(r);
    if (status != SS_OK || ss_read_is_empty(map)) return status;
    status = ss_read_expect(r, map, SS_NODE_MAP, "{floor: {between: [A, ground], ..}}");
    if (status == SS_OK) status = ss_read_no_invention(r, map, "contact");
    if (status != SS_OK) return status;
    r->contacts_node = map;
    ss_contact_def* contacts = ss_pool_new(&r->pool, (size_t)map->count, sizeof *contacts);
    if (!contacts) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next)
        status = read_contact(r, node, &contacts[node->index]);
    r->def.contacts = r->contacts = contacts;
    r->def.contact_count = map->count;
    return status;
}
