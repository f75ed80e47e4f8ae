// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The explicit Runge-Kutta pair of order 8 of Dormand and Prince with the error estimate of orders 5 and 3
// [HNW93: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.5 and II.10].
#include "slider/motion/runge_kutta.h"

#include <math.h>
#include <stddef.h>

enum { N = SS_SLIDE_STATE, STAGES = SS_RK_STAGES };

// clang-format off
static const double a[STAGES - 1][STAGES - 1] = { // row i: weights of the stages before stage i + 1
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0, 0.08876275643042054},
    {0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402, 0.008273789163814023},
    {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894, -43.48988418106996},
    {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423, -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636},
};
static const double b[STAGES] = {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259};
static const double e3[STAGES] = {-0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082};
static const double e5[STAGES] = {0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294};
// clang-format on

const double ss_rk_nodes[STAGES] = {0,
                                    0.05260015195876773,
                                    0.0789002279381516,
                                    0.1183503419072274,
                                    0.2816496580927726,
                                    0.3333333333333333,
                                    0.25,
                                    0.3076923076923077,
                                    0.6512820512820513,
                                    0.6,
                                    0.8571428571428571,
                                    1.0};
const int ss_rk_by_time[STAGES] = {0, 1, 2, 3, 6, 4, 7, 5, 9, 8, 10, 11};

// y + h (weighted sum of the first `count` rates), for the first n components. Inlined for each n, so that
// the compiler knows it.
static inline void combine(int n, const double y[], double h, const double weights[], int count,
                           double k[][N], double out[])
{
    double sum[N];
    for (int j = 0; j < n; j++) sum[j] = weights[0] * k[0][j];
    for (int i = 1; i < count; i++) {
        double weight = weights[i];
        if (weight == 0.0) continue;
        for (int j = 0; j < n; j++) sum[j] += weight * k[i][j];
    }
    for (int j = 0; j < n; j++) out[j] = y[j] + h * sum[j];
}

static inline void stages(int n, ss_rk_rate* rate, void* user, const double y[], double h, double k[][N])
{
    double stage[N] = {0};
    for (int i = 1; i < STAGES; i++) {
        combine(n, y, h, a[i - 1], i, k, stage);
        rate(user, stage, i, k[i]);
    }
}

void ss_rk_step(ss_rk_rate* rate, void* user, const double y[], double h, int live, double k[][N],
                double out[])
{
    if (live <= SS_RK_LIVE)
        stages(SS_RK_LIVE, rate, user, y, h, k);
    else
        stages(N, rate, user, y, h, k);
    combine(N, y, h, b, STAGES, k, out);
}

double ss_rk_error(double h, double k[][N], const double scale[])
{
    double sum3[N] = {0}, sum5[N] = {0}, square3 = 0.0, square5 = 0.0;
    for (int i = 0; i < STAGES; i++) {
        if (e5[i] == 0.0) continue;
        for (int j = 0; j < N; j++) {
            sum3[j] += e3[i] * k[i][j];
            sum5[j] += e5[i] * k[i][j];
        }
    }
    for (int j = 0; j < N; j++) {
        square3 += sum3[j] * sum3[j] * scale[j] * scale[j];
        square5 += sum5[j] * sum5[j] * scale[j] * scale[j];
    }
    double both = square5 + 0.01 * square3, share = square5 / both;
    return both > 0.0 ? fabs(h) * sqrt(square5) * fmax(sqrt(share), 0.01) : both; // NaN stays NaN
}
