// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The collocation polynomial: what it integrates exactly, and that its estimate of its own error does not
// depend on luck. Known: sin(a u + phase) on [0, 1], whose integral is in closed form; for some phases one
// coefficient of the polynomial vanishes, and the error does not.
#include "engine/flow/collocation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { S = SS_STAGES, POINTS = 40 };

// Coefficients of the polynomial through values at the nodes.
static void interpolate(const ss_collocation* method, const double at_nodes[S], double out[S])
{
    for (int m = 0; m < S; m++) {
        out[m] = 0.0;
        for (int j = 0; j < S; j++) out[m] += method->power[m][j] * at_nodes[j];
    }
}

static double integral(const double c[S], double u)
{
    double sum = 0.0;
    for (int m = S - 1; m >= 0; m--) sum = (sum + c[m] / (m + 1)) * u;
    return sum;
}

static void powers_are_exact(void** state)
{
    (void)state;
    ss_collocation method;
    ss_collocation_make(&method);
    for (int power = 0; power < 2 * S - 1; power++) { // Radau's rule: degree 2 S - 2 at the end of the step
        double values[S], sum = 0.0;
        for (int j = 0; j < S; j++) {
            values[j] = pow(method.node[j], power);
            sum += method.once[S - 1][j] * values[j];
        }
        assert_true(fabs(sum - 1.0 / (power + 1)) < 1e-14);
    }
}

static void error_is_never_underestimated(void** state)
{
    (void)state;
    ss_collocation method;
    ss_collocation_make(&method);
    for (double a = 0.5; a < 3.0; a += 0.5)
        for (double phase = 0.0; phase < 3.14159; phase += 0.001) {
            double values[S], c[S], error = 0.0;
            for (int j = 0; j < S; j++) values[j] = sin(a * method.node[j] + phase);
            interpolate(&method, values, c);
            for (int k = 1; k <= POINTS; k++) {
                double u = k / (double)POINTS, exact = (cos(phase) - cos(a * u + phase)) / a;
                error = fmax(error, fabs(integral(c, u) - exact));
            }
            double estimate = ss_collocation_error(c, 1, 1.0);
            if (error > 1e-14 && !(estimate > 0.2 * error && estimate < 1e3 * error))
                fail_msg("rate %g, phase %g: error %.3g, estimate %.3g", a, phase, error, estimate);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers_are_exact),
                                       cmocka_unit_test(error_is_never_underestimated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
