// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Complete elliptic integrals: values to 30 digits, and relations that hold for every modulus.
#include "core/algebra/elliptic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want))) fail_msg("%.17g, expected %.17g", got, want);
}

// By arithmetic of 30 digits (60 where K - E cancels): k, B, C, D.
static void test_values(void** state)
{
    (void)state;
    static const double truth[][4] = {
        {1e-8, 0.785398163397448319, 0.196349540849362092, 0.785398163397448339},
        {0.05, 0.785643830720693364, 0.196718416763119914, 0.786135626762601164},
        {0.3, 0.794546897627582138, 0.21060916305942804, 0.81350172230293066},
        {0.5, 0.812597772919920493, 0.242219235891020226, 0.87315258189267555},
        {0.7, 0.845626931430298909, 0.315183950028827892, 1.00006706694442456},
        {0.75, 0.857625029183459065, 0.347981728684286342, 1.05336475156837013},
        {0.9, 0.911595946273194829, 0.564638575156025457, 1.36895319214957547},
        {0.999, 0.997000717203909985, 2.50660566616097956, 3.49859567863823374},
        {0.999999, 0.999993552512229407, 5.94750456352668811, 6.94748622103573763},
        {0.9999999999, 0.999999998894735289, 10.5526461993636538, 11.5526461961478597},
    };
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        ss_elliptic f = ss_elliptic_of(truth[i][0], 1.0);
        assert_near(f.B, truth[i][1], 1e-15);
        assert_near(f.C, truth[i][2], 1.5e-15);
        assert_near(f.D, truth[i][3], 1e-15);
        assert_near(f.K, truth[i][1] + truth[i][3], 1e-15);
    }
}

// Legendre: E K' + E' K - K K' = pi/2 for k and k' = sqrt(1 - k^2).
static void test_legendre(void** state)
{
    (void)state;
    for (int i = 1; i < 200; i++) {
        double angle = i * (1.57079632679489661923 / 200), k = sin(angle), kc = cos(angle);
        ss_elliptic f = ss_elliptic_of(k, 1.0), g = ss_elliptic_of(kc, 1.0);
        double sum = f.E * g.K + g.E * f.K - f.K * g.K;
        assert_near(sum, 1.57079632679489661923, 1e-14 * f.K);
    }
}

// Landen: K(k) = 2/(1 + k') K((1 - k')/(1 + k')), with the ratio given as two numbers. What k' loses in the
// rounding of k is eps/k'^2 of it.
static void test_landen(void** state)
{
    (void)state;
    for (int i = 1; i < 100; i++) {
        double kc = i / 100.0, k = sqrt((1.0 - kc) * (1.0 + kc));
        assert_near(ss_elliptic_of(k, 1.0).K, 2.0 / (1.0 + kc) * ss_elliptic_of(1.0 - kc, 1.0 + kc).K,
                    4e-15 + 2e-16 / (kc * kc));
    }
}

static void test_ends(void** state)
{
    (void)state;
    ss_elliptic zero = ss_elliptic_of(0.0, 3.0), one = ss_elliptic_of(3.0, 3.0);
    assert_near(zero.B, 0.78539816339744830962, 1e-16);
    assert_near(zero.D, 0.78539816339744830962, 1e-16);
    assert_near(zero.C, 0.19634954084936207740, 1e-15);
    assert_true(one.B == 1.0 && one.E == 1.0 && isinf(one.K) && isinf(one.D));
    // Next to 1, K = ln(4/k') and a quarter of k'^2 ln(..) more, far below rounding here.
    double small = 1e-14;
    ss_elliptic f = ss_elliptic_of(1.0 - small, 1.0);
    assert_near(f.K, log(4.0 / sqrt(f.mc)), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_legendre),
        cmocka_unit_test(test_landen),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
