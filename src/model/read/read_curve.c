// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A friction curve of a model file: a table over the speed or an expression in v, for each direction.
#include "model/read/read_law.h"
#include "model/read/read_open.h"

#include <math.h>

static ss_status read_point(ss_contact_reader* c, const ss_node* point, double speed[], double force[])
{
    int i = point->index;
    ss_dimension of_speed = ss_per_time(c->row);
    char shown[64], before[64];
    if (point->kind != SS_NODE_LIST || point->count != 2)
        return ss_read_fail(c->r, point, "expected a point of the curve, [speed, force]");
    ss_status status = ss_read_number(c->r, point->first, of_speed, &speed[i]);
    if (status == SS_OK)
        status = ss_read_number(c->r, point->last, ss_law_unit(c, ss_force_along(c->row)), &force[i]);
    if (status == SS_OK)
        status = ss_read_not_negative(c->r, point->last, force[i], ss_law_unit(c, ss_force_along(c->row)));
    if (status != SS_OK) return status;
    ss_read_show(speed[i], of_speed, shown, sizeof shown);
    if (i == 0 && speed[0] != 0.0)
        return ss_read_fail(c->r, point->first, "the first speed must be 0, not %s", shown);
    if (i > 0 && !(speed[i] > speed[i - 1]))
        return ss_read_fail(c->r, point->first, "speeds must ascend; %s is not above %s", shown,
                            ss_read_show(speed[i - 1], of_speed, before, sizeof before));
    return SS_OK;
}

static ss_status read_side(ss_contact_reader* c, const ss_node* node, ss_curve_side* out)
{
    static const char expected[] = "an expression in v, or {table: [[0 m/s, 5 N], [0.2 m/s, 3 N]]}";
    static const char* const keys[] = {"table", NULL};
    if (node->kind == SS_NODE_SCALAR && node->text[0] != '\0') {
        out->expression = node->text;
        return ss_read_own_variable(c->r, node, "v", "the slip speed");
    }
    const ss_node* list = node->kind == SS_NODE_MAP ? ss_node_find(node, "table") : NULL;
    if (!list || list->kind != SS_NODE_LIST || list->count == 0)
        return ss_read_fail(c->r, list ? list : node, "expected %s", expected);
    ss_status status = ss_read_keys(c->r, node, keys);
    if (status != SS_OK) return status;
    double* numbers = ss_pool_new(&c->r->pool, 2 * (size_t)list->count, sizeof(double));
    if (!numbers) return ss_fail_no_memory(&c->r->error);
    out->count = list->count;
    out->speed = numbers;
    out->force = numbers + list->count;
    for (const ss_node* point = list->first; point && status == SS_OK; point = point->next)
        status = read_point(c, point, numbers, numbers + list->count);
    return status;
}

static ss_status read_static(ss_contact_reader* c, const ss_node* node, double hold[2])
{
    const ss_node* sides[2];
    bool two;
    ss_status status = ss_read_directions(c, node, sides, &two);
    for (int k = 0; k < 2 && status == SS_OK; k++)
        status = ss_read_number(c->r, sides[k], ss_law_unit(c, ss_force_along(c->row)), &hold[k]);
    return status;
}

ss_status ss_read_curve(ss_contact_reader* c)
{
    const ss_node *node = ss_node_find(c->node, "force"), *rest = ss_node_find(c->node, "static");
    ss_curve* out = &c->contact->curve;
    *out = (ss_curve){.hold = {NAN, NAN}};
    if (!node)
        return ss_read_fail_missing(c->r, c->node, "force",
                                    "is missing; expected an expression in v or a table over the speed");
    const ss_node* sides[2];
    bool two;
    ss_status status = ss_read_directions(c, node, sides, &two);
    for (int k = 0; k < 2 && status == SS_OK; k++) {
        if (k == 1 && !two)
            out->side[1] = out->side[0];
        else
            status = read_side(c, sides[k], &out->side[k]);
    }
    return status == SS_OK && rest ? read_static(c, rest, out->hold) : status;
}
