// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws that users write. A text becomes a tape, and the tape, instruction by instruction, the formula on jets
// of law/formula/formula.h. Formulas are smooth for v > 0 and for v < 0: what the sign of v decides is no
// kink. So each register is kept as a product
//
//     sigma p u,     sigma = +-1 or +-sgn v,   p >= 0,   u of a sign that is not known, or 1,
//
// and abs and sign of it are p |u| and sigma sgn u: abs(v) is the speed, sign(v z) is sgn v sgn z.
#include "law/formula/own.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/tolerance.h"
#include "law/formula/formula.h"
#include "share/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { V, X, Z, KEY, MOST = KEY + SS_LAW_NUMBERS }; // variables of the tapes; the last is the sign of v
enum { RATE, FORCE, STORED, TEXTS };

struct ss_own_law {
    ss_law row;
    ss_key keys[SS_LAW_NUMBERS + 1];
    int key_count;
    ss_expression text[TEXTS];
    ss_dimension state; // of its rate, times s
};

static const char* const words[TEXTS] = {"rate", "force", "stored"};

// ---- parsing

static const char* text_of(const ss_law_text* text, int which)
{
    const char* given[TEXTS] = {text->state ? text->rate : NULL, text->force, text->stored};
    return given[which] ? given[which] : "0";
}

static int list_variables(const ss_law_text* text, const ss_law_making* with, int which,
                          ss_variable out[MOST])
{
    ss_dimension place = with->speed;
    place.s++;
    out[V] = (ss_variable){.name = "v", .dimension = with->speed, .meaning = "the slip speed"};
    out[X] = (ss_variable){.name = "x", .dimension = place, .meaning = "the elongation"};
    if (which == RATE) out[X].refused = "a rate depends on v and on the state alone";
    out[Z] = (ss_variable){.name = text->state ? text->state : "", .open = true, .meaning = "the state"};
    for (int k = 0; k < text->key_count; k++)
        out[KEY + k] = (ss_variable){.name = text->keys[k],
                                     .dimension = text->dimensions[k],
                                     .has_unit = !ss_dimension_equal(text->dimensions[k], (ss_dimension){0}),
                                     .open = ss_dimension_equal(text->dimensions[k], (ss_dimension){0})};
    return KEY + text->key_count;
}

static bool knows_time(const ss_tape* tape)
{
    for (int i = 0; i < tape->count; i++) {
        const ss_instruction* in = &tape->code[i];
        bool leaf = ss_op_is_leaf(in->op) && in->op != SS_OP_VARIABLE;
        if (leaf && (in->op != SS_OP_AFFINE || in->q != 0.0)) return true;
    }
    return false;
}

static ss_status parse(const ss_law_text* text, const ss_law_making* with, int which, ss_expression* out,
                       ss_error* err)
{
    ss_variable list[MOST];
    if (!text->state) return ss_fail(err, SS_BAD_INPUT, "states", "a law has a state");
    int count = list_variables(text, with, which, list);
    ss_dimension energy = with->force;
    energy.m += with->speed.m;
    const ss_dimension* expected[TEXTS] = {NULL, &with->force, &energy};
    ss_status status = ss_expression_parse_motion(
        text_of(text, which), with->scope, (ss_variables){list, count, NULL}, expected[which], out, err);
    if (status == SS_OK && out->varies && knows_time(&out->tape)) {
        free(out->tape.code);
        *out = (ss_expression){.varies = false};
        (void)ss_fail(err, SS_BAD_INPUT, NULL, "a law does not depend on t");
        status = SS_BAD_INPUT;
    }
    if (status == SS_BAD_INPUT && err) strcpy(err->field, words[which]);
    return status;
}

ss_status ss_own_check(const ss_law_text* text, const ss_law_making* with, ss_error* err)
{
    for (int k = 0; k < TEXTS; k++) {
        ss_expression expression = {0};
        ss_status status = parse(text, with, k, &expression, err);
        if (status != SS_OK) return status;
        if (expression.varies) free(expression.tape.code);
    }
    return SS_OK;
}

// ---- the formula

// A register: value = sigma p u, see above.
typedef struct factors {
    ss_jet value, positive, other; // p, and u where its sign is not known
    double sign;                   // of sigma
    bool turns;                    // sigma has the sign of v in it
    bool open;                     // there is a u
} factors;

static factors unknown(ss_jet value)
{
    return (factors){
        .value = value, .positive = ss_jet_number(1.0), .other = value, .sign = 1.0, .open = true};
}

static factors known(ss_jet value, double sign)
{
    return (factors){.value = value, .positive = sign < 0.0 ? ss_jet_neg(value) : value, .sign = sign};
}

static ss_jet times(ss_jet a, ss_jet b)
{
    if (!a.graph && a.value == 1.0) return b;
    return !b.graph && b.value == 1.0 ? a : ss_jet_mul(a, b);
}

static factors multiply(const factors* a, const factors* b)
{
    return (factors){.value = ss_jet_mul(a->value, b->value),
                     .positive = times(a->positive, b->positive),
                     .other = a->open && b->open ? ss_jet_mul(a->other, b->other)
                              : a->open          ? a->other
                                                 : b->other,
                     .sign = a->sign * b->sign,
                     .turns = a->turns != b->turns,
                     .open = a->open || b->open};
}

static factors divide(const factors* a, const factors* b)
{
    return (factors){.value = ss_jet_div(a->value, b->value),
                     .positive = ss_jet_div(a->positive, b->positive),
                     .other = !b->open   ? a->other
                              : !a->open ? ss_jet_div(ss_jet_number(1.0), b->other)
                                         : ss_jet_div(a->other, b->other),
                     .sign = a->sign * b->sign,
                     .turns = a->turns != b->turns,
                     .open = a->open || b->open};
}

static ss_jet sign_of(const factors* a, ss_jet sign)
{
    ss_jet out = ss_jet_number(a->sign);
    if (a->turns) out = ss_jet_scale(a->sign, sign);
    return a->open ? times(out, ss_jet_of(SS_OP_SIGN, a->other)) : out;
}

static ss_jet size_of(const factors* a)
{
    return a->open ? times(a->positive, ss_jet_of(SS_OP_ABS, a->other)) : a->positive;
}

static factors step(const ss_instruction* in, const factors* a, const factors* b, ss_jet sign)
{
    switch (in->op) {
    case SS_OP_AFFINE:
        return in->p != 0.0 ? known(ss_jet_number(in->p), copysign(1.0, in->p)) : unknown(ss_jet_number(0.0));
    case SS_OP_MUL: return multiply(a, b);
    case SS_OP_DIV: return divide(a, b);
    case SS_OP_ABS: return known(size_of(a), 1.0);
    case SS_OP_SIGN: {
        factors out = {.value = sign_of(a, sign),
                       .positive = ss_jet_number(1.0),
                       .sign = a->sign,
                       .turns = a->turns,
                       .open = a->open};
        if (a->open) out.other = ss_jet_of(SS_OP_SIGN, a->other);
        return out;
    }
    case SS_OP_SCALE: {
        factors factor = known(ss_jet_number(in->p), copysign(1.0, in->p));
        return multiply(&factor, a);
    }
    case SS_OP_OVER: {
        factors above = known(ss_jet_number(in->p), copysign(1.0, in->p));
        return divide(&above, a);
    }
    case SS_OP_EXP: return known(ss_jet_of(SS_OP_EXP, a->value), 1.0);
    case SS_OP_MIN:
    case SS_OP_MAX: { // by their kink as it is, and not what bounds the argument of a function
        if (in->q != 0.0) return *a;
        return unknown(ss_jet_apply(in->op, a->value, b->value, in->p));
    }
    default: return unknown(ss_jet_apply(in->op, a->value, b->value, in->p));
    }
}

static ss_jet run_tape(const ss_expression* text, const factors variables[])
{
    factors registers[SS_MAX_REGISTERS];
    ss_jet sign = variables[MOST].value;
    if (!text->varies) return ss_jet_number(text->value);
    for (int i = 0; i < text->tape.count; i++) {
        const ss_instruction* in = &text->tape.code[i];
        const factors *a = &registers[in->a], *b = ss_op_is_binary(in->op) ? &registers[in->b] : a;
        registers[in->out] = in->op == SS_OP_VARIABLE ? variables[in->a] : step(in, a, b, sign);
    }
    return registers[text->tape.result].value;
}

static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    const struct ss_own_law* own = ((const ss_formula_law*)law)->made;
    factors variables[MOST + 1];
    variables[V] = (factors){.value = at->v, .positive = at->speed, .sign = 1.0, .turns = true};
    variables[X] = unknown(at->x);
    variables[Z] = unknown(at->z);
    for (int k = 0; k < own->key_count; k++) {
        double value = ((const ss_formula_law*)law)->number[k];
        variables[KEY + k] = value != 0.0 ? known(at->key[k], copysign(1.0, value)) : unknown(at->key[k]);
    }
    variables[MOST] = unknown(at->sign);
    out->rate = run_tape(&own->text[RATE], variables);
    out->force = run_tape(&own->text[FORCE], variables);
    out->stored = run_tape(&own->text[STORED], variables);
}

// ---- in steady sliding

static struct ss_formula_numbers value_at(const void* law, double v, double z)
{
    return ss_formula_value(&((const ss_formula_law*)law)->made->row, law, v, z);
}

// The state nearest to 0 that does not change, on the side to which v takes it from there; 0: there is none.
static double steady(const void* law, double v)
{
    const double least = 1e-12, most = 1e12;
    double speed = v != 0.0 ? fabs(v) : 1.0, first = value_at(law, speed, 0.0).rate;
    double side = copysign(1.0, first), low = 0.0, high = least;
    if (first == 0.0) return 0.0;
    while (value_at(law, speed, side * high).rate * side > 0.0 && high < most) high *= 2.0;
    if (high >= most) return 0.0;
    low = high > least ? 0.5 * high : 0.0;
    for (int k = 0; k < 100 && low < high; k++) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        *(value_at(law, speed, side * middle).rate * side > 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static void facts(const void* law, double v, ss_law_facts* out)
{
    if (isnan(v)) return;
    out->steady = steady(law, v);
    out->limit = fabs(value_at(law, fabs(v), out->steady).force);
}

// ---- making it

static const ss_key* keys_of(const void* law) { return ((const ss_formula_law*)law)->made->keys; }

// Takes the code of a tape from where it was allocated into the pool.
static bool adopt(ss_tape* tape, ss_pool* pool)
{
    size_t size = (size_t)tape->count * sizeof *tape->code;
    ss_instruction* code = ss_pool_new(pool, (size_t)tape->count, sizeof *code);
    if (code) memcpy(code, tape->code, size);
    free(tape->code);
    tape->code = code;
    return code != NULL;
}

// How much the force changes from v = -speed to speed; 0 where that is rounding.
static double change_across(const ss_formula_law* law, double speed, double z)
{
    double up = value_at(law, speed, z).force, down = value_at(law, -speed, z).force;
    return fabs(up - down) <= SS_CLEAR * (fabs(up) + fabs(down)) ? 0.0 : up - down;
}

// A force that jumps as v passes 0 is friction: something has to hold the contact there, and no bristle does.
// A jump does not shrink with the speeds on its sides.
static ss_status refuse_jump(const ss_formula_law* law, ss_error* err)
{
    static const double states[] = {0.0, 1e-3, -1e-3, 1.0, -1.0}, almost_0 = 1e-150, small = 1e-75; // m/s
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        double jump = change_across(law, almost_0, states[k]);
        if (!isfinite(jump) || !(fabs(jump) > 0.5 * fabs(change_across(law, small, states[k])))) continue;
        return ss_fail(
            err, SS_BAD_INPUT, words[FORCE],
            "the force of its law jumps by %g as v passes 0: that is friction, which may hold it; give it a "
            "contact with law coulomb beside this one",
            fabs(jump));
    }
    return SS_OK;
}

static ss_status make(const void* def, void* self, const ss_law_making* with, ss_error* err)
{
    const ss_formula_law* from = def;
    const ss_law_text* text = from->text;
    if (!with) return SS_OK;
    struct ss_own_law* own = ss_pool_new(with->pool, 1, sizeof *own);
    if (!own) return ss_fail_no_memory(err);
    for (int k = 0; k < TEXTS; k++) {
        ss_status status = parse(text, with, k, &own->text[k], err);
        if (status != SS_OK) return status;
        if (own->text[k].varies && !adopt(&own->text[k].tape, with->pool)) return ss_fail_no_memory(err);
    }
    own->key_count = text->key_count;
    for (int k = 0; k < text->key_count; k++)
        own->keys[k] = (ss_key){.name = ss_pool_text(with->pool, text->keys[k], strlen(text->keys[k])),
                                .place = SS_NUMBER(k)};
    own->row = ss_own_law;
    own->row.name = ss_pool_text(with->pool, text->name, strlen(text->name));
    own->row.keys.list = own->keys;
    own->state = own->text[RATE].dimension;
    own->state.s++;
    if (own->text[RATE].varies && !own->text[RATE].open) own->row.state.unit = &own->state;
    ss_formula_law* to = self;
    *to = *from;
    to->text = NULL;
    to->made = own;
    *with->row = &own->row;
    return own->row.name ? refuse_jump(to, err) : ss_fail_no_memory(err);
}

uint64_t ss_own_hash(uint64_t hash, const void* law)
{
    const struct ss_own_law* own = ((const ss_formula_law*)law)->made;
    for (int k = 0; k < TEXTS; k++) {
        const ss_expression* text = &own->text[k];
        if (!text->varies) hash = ss_hash_number(hash, text->value);
        for (int i = 0; text->varies && i < text->tape.count; i++) {
            const ss_instruction* in = &text->tape.code[i];
            hash = ss_hash_int(ss_hash_int(ss_hash_int(hash, (int)in->op), in->a), in->b);
            hash = ss_hash_number(ss_hash_number(ss_hash_int(hash, in->out), in->p), in->q);
        }
    }
    return hash;
}

// ---- the row, from which that of each law is made

static void report_numbers(const void* law, const ss_law_place* place, ss_law_said* to)
{
    (void)place;
    ss_numbers_tell(keys_of(law), law, to);
}

static void report_words(const void* law, const ss_law_place* place, ss_law_said* out)
{
    double at_1 = ss_law_ask(&ss_own_law, law, 1.0).limit, at_0 = ss_law_ask(&ss_own_law, law, 0.001).limit;
    ss_law_words_add(out,
                     "as the file writes it: steady sliding meets %g %s at 1 %s/s and %g %s at 0.001 %s/s",
                     at_1, place->unit, place->way, at_0, place->unit, place->way);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

static const ss_key keys[] = {{.name = NULL}};

const ss_law ss_own_law = {
    .name = "own",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_Z | SS_TRAIT_OWN,
    .size = sizeof(ss_formula_law),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    SS_BY_FORMULA,
    .facts = facts,
    .report = {.say = report, .drifts = true},
};
