// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How a friction curve changes with a number of its model: of a table, each of its lines; of an expression,
// the constants of its program, where the models beside the number have the same operations. Otherwise
// neighbours are asked.
#include "engine/sensitivity/program_tangent.h"
#include "law/curve_slopes.h"

static const ss_curve* curve_of(const ss_model* model, int i) { return ss_law_of(&model->contacts[i]); }

// Lines of a table; false where neighbours have another number of them.
static bool make_lines(ss_derivative* der, const ss_direction* from, int i, int way,
                       ss_curve_side_change* out)
{
    int count = curve_of(der->model, i)->side[way].count;
    out->rest = ss_pool_new(&der->pool, (size_t)count, sizeof(double));
    out->slope = ss_pool_new(&der->pool, (size_t)count, sizeof(double));
    if (der->pool.failed) return false;
    for (int line = 0; line < count; line++) {
        double rest[SS_DIRECTION_MODELS], slope[SS_DIRECTION_MODELS];
        for (int k = 0; k < from->model_count; k++) {
            const ss_curve_side* other = &curve_of(from->models[k], i)->side[way];
            if (other->count != count) return false;
            ss_curve_line(other, line, &rest[k], &slope[k]);
        }
        out->rest[line] = ss_direction_sum(from, rest);
        out->slope[line] = ss_direction_sum(from, slope);
    }
    return true;
}

// Only the numbers change here, and only the level is asked for: what else the tangent would follow is left
// out.
static void keep_needed(ss_tangent* by, bool moves[], bool needed[])
{
    const ss_program* program = by->program;
    int kept = 0;
    for (int n = 0; n < by->count; n++) {
        int i = by->active[n];
        const ss_instruction* in = &program->code[i];
        moves[i] = by->p[i] != 0.0 || by->q[i] != 0.0 || (!ss_op_is_leaf(in->op) && moves[in->a]) ||
                   (ss_op_is_binary(in->op) && moves[in->b]);
    }
    needed[program->outputs[SS_CURVE_LEVEL]] = true;
    for (int i = program->count - 1; i >= 0; i--) {
        const ss_instruction* in = &program->code[i];
        if (needed[i] && !ss_op_is_leaf(in->op)) needed[in->a] = true;
        if (needed[i] && ss_op_is_binary(in->op)) needed[in->b] = true;
    }
    for (int n = 0; n < by->count; n++)
        if (moves[by->active[n]] && needed[by->active[n]]) by->active[kept++] = by->active[n];
    by->count = kept;
}

static bool make_tangent(ss_derivative* der, const ss_direction* from, int i, int way,
                         ss_curve_side_change* out)
{
    const ss_program *own = curve_of(der->model, i)->side[way].program, *others[SS_DIRECTION_MODELS];
    size_t count = (size_t)own->count;
    for (int k = 0; k < from->model_count; k++) {
        others[k] = curve_of(from->models[k], i)->side[way].program;
        if (!others[k]) return false;
    }
    ss_program_tangent_one(der, from, own, others, false, &out->by);
    out->rows = ss_pool_new(&der->pool, SS_WIDTH * count, sizeof(double));
    out->change = ss_pool_new(&der->pool, count, sizeof(double));
    bool *moves = ss_pool_new(&der->pool, count, sizeof(bool)),
         *needed = ss_pool_new(&der->pool, count, sizeof(bool));
    if (der->pool.failed || !out->by.program) return false;
    keep_needed(&out->by, moves, needed);
    return true;
}

static bool changes(const ss_curve_side_change* by, int lines)
{
    bool any = by->by.count > 0;
    for (int line = 0; line < lines; line++) any = any || by->rest[line] != 0.0 || by->slope[line] != 0.0;
    return any;
}

void ss_change_make_curve(ss_derivative* der, ss_model_change* change, int i)
{
    ss_curve_change* out = ss_pool_new(&der->pool, 1, sizeof *out);
    bool any = false;
    for (int way = 0; out && way < 2; way++) {
        int lines = curve_of(der->model, i)->side[way].count;
        bool known = lines > 0 ? make_lines(der, change->from, i, way, &out->side[way])
                               : make_tangent(der, change->from, i, way, &out->side[way]);
        if (!known) return;
        any = any || changes(&out->side[way], lines);
    }
    change->numbers[i] = out;
    change->law[i] = any;
}
