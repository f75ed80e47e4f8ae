// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Linear models run in closed form, in steps or long steps that go by the fastest of their modes. Where that
// one dies out at once and the motion goes on slowly (the current in a small coil, a filter), steps by
// collocation are as good and far fewer.
#include "core/algebra/eigen.h"
#include "core/error.h"
#include "engine/flow/stiff.h"
#include "model/actions.h"
#include "share/model_parts.h"

#include <stdlib.h>

enum { LARGEST = 48 };
static const double many = 3e4; // rate times the time of the run: closed form is as good below

bool ss_is_stiff_linear(const ss_model* model)
{
    int states = ss_model_state_count(model), size = 2 * model->n + states;
    if (states == 0 || size > LARGEST || !model->nature.linear) return false;
    if (!(model->bounds.rate * model->until > many)) return false;
    size_t n = (size_t)size;
    double* a = ss_new(n * n + n, sizeof *a);
    double complex* room = ss_new(4 * n * n + n, sizeof *room);
    double complex fastest = 0.0;
    if (a && room) {
        ss_spectrum spectrum = {.values = room, .vectors = room + n, .inverse = room + n + n * n};
        ss_actions_system(model, a);
        if (ss_eigen_solve(a, size, &spectrum, room + n + 2 * n * n, a + n * n))
            for (size_t k = 0; k < n; k++)
                if (cabs(spectrum.values[k]) > cabs(fastest)) fastest = spectrum.values[k];
    }
    free(a);
    free(room);
    return -creal(fastest) > 0.7 * cabs(fastest) && cabs(fastest) * model->until > many;
}
