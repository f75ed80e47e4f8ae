// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which sums of its variables a program feels. Variables come into it in sums with constant factors (forms),
// of which it then computes what it will: a shift of the variables that leaves all forms alone is not
// noticed, and one that changes forms within sines alone is not noticed after whole turns.
#include "core/error.h"
#include "core/expression/program.h"

#include <stdlib.h>
#include <string.h>

static bool is_nothing(const double form[], int n)
{
    for (int k = 0; k < n; k++)
        if (form[k] != 0.0) return false;
    return true;
}

// The form of a sum, multiple or variable from those of its operands; false for any other operation.
static bool go_on(const ss_instruction* in, const double* a, const double* b, double out[], int n)
{
    double sign = in->op == SS_OP_SUB ? -1.0 : 1.0;
    switch (in->op) {
    case SS_OP_VARIABLE: out[in->a] = 1.0; return true;
    case SS_OP_ADD:
    case SS_OP_SUB:
        for (int k = 0; k < n; k++) out[k] = a[k] + sign * b[k];
        return true;
    case SS_OP_SCALE:
        for (int k = 0; k < n; k++) out[k] = in->p * a[k];
        return true;
    case SS_OP_SHIFT:
    case SS_OP_PACE: memcpy(out, a, (size_t)n * sizeof(double)); return true;
    default: return false;
    }
}

bool ss_program_visit_forms(const ss_program* program, ss_form_visitor* visit, void* user)
{
    int n = program->variable_count;
    size_t width = (size_t)n;
    double* forms = ss_new((size_t)program->count * width, sizeof(double));
    if (!forms) return false;
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        const double *a = ss_op_is_leaf(in->op) ? NULL : forms + (size_t)in->a * width,
                     *b = ss_op_is_binary(in->op) ? forms + (size_t)in->b * width : NULL;
        if (go_on(in, a, b, forms + (size_t)i * width, n)) continue;
        bool turns = in->op == SS_OP_SIN || in->op == SS_OP_COS || in->op == SS_OP_TAN;
        if (a && !is_nothing(a, n)) visit(user, a, turns);
        if (b && !is_nothing(b, n)) visit(user, b, turns);
    }
    for (int k = 0; k < program->output_count; k++) {
        const double* form = forms + (size_t)program->outputs[k] * width;
        if (!is_nothing(form, n)) visit(user, form, false);
    }
    free(forms);
    return true;
}
