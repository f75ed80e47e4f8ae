// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A plate on a rough table rests on three points, and nobody knows which: dust decides, or the last stroke of
// a file. All that is known is that they lie under the plate, a disk of radius 1 m, that their triangle
// contains the centre of mass, and that they carry the weight. What can be said of the motion before it is
// made [GRP91, section 11]? Triangles are drawn at random, and each is asked what it takes to turn the plate,
// and about which points it can be turning when it comes to rest: for mass gathered at the centre, spread
// evenly, and gathered at the rim.
#include <slipstick/lab.h>

#include <math.h>
#include <stdio.h>

enum { PLATES = 200 };

static double uniform(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

// Three points under the plate, and the shares of the weight that balance it: the barycentric coordinates of
// the centre, all positive where the triangle contains it.
static void draw_feet(unsigned* seed, ss_support_def feet[3])
{
    double load[3] = {-1, -1, -1};
    while (load[0] < 0 || load[1] < 0 || load[2] < 0) {
        for (int i = 0; i < 3; i++) {
            double r = sqrt(uniform(seed)), a = 6.283185307179586 * uniform(seed);
            feet[i] = ss_support_def_default();
            feet[i].position_m[0] = r * cos(a);
            feet[i].position_m[1] = r * sin(a);
            feet[i].mu[0] = 1;
        }
        double twice = 0;
        for (int i = 0; i < 3; i++) {
            const double *p = feet[(i + 1) % 3].position_m, *q = feet[(i + 2) % 3].position_m;
            twice += load[i] = p[0] * q[1] - p[1] * q[0];
        }
        for (int i = 0; i < 3; i++) feet[i].load = load[i] /= twice;
    }
}

typedef struct tally {
    double least_turn, most_turn; // moment it takes to turn the plate about its centre, N*m
    int foot, beside,
        translation; // plates that can end turning about a foot, about another point, translating
} tally;

static bool look_at(const ss_slider* plate, tally* t)
{
    double turn = ss_slider_power(plate, 0, (double[]){0, 0, 1});
    t->least_turn = fmin(t->least_turn, turn);
    t->most_turn = fmax(t->most_turn, turn);
    ss_eigen_set set;
    if (ss_slider_eigen(plate, 0, NULL, &set, NULL) != SS_OK || !set.complete) return false;
    bool foot = false, beside = false, translation = false;
    for (int k = 0; k < set.count && set.items[k].stability == SS_STABLE; k++) { // these come first
        translation = translation || set.items[k].is_circle;
        foot = foot || isinf(set.items[k].radii[0]);
        beside = beside || !(set.items[k].is_circle || isinf(set.items[k].radii[0]));
    }
    t->foot += foot;
    t->beside += beside;
    t->translation += translation;
    ss_eigen_set_free(&set);
    return true;
}

static bool draw_plates(double gyration, tally* t)
{
    unsigned seed = 1;
    *t = (tally){.least_turn = INFINITY};
    for (int n = 0; n < PLATES; n++) {
        ss_support_def feet[3];
        draw_feet(&seed, feet);
        ss_slider_def def = ss_slider_def_default();
        def.mass_kg = def.gravity = 1;
        def.gyration_m = gyration;
        def.supports = feet;
        def.support_count = 3;
        ss_slider* plate = NULL;
        bool good = ss_slider_create(&def, &plate, NULL) == SS_OK && look_at(plate, t);
        ss_slider_destroy(plate);
        if (!good) return false;
    }
    return true;
}

int main(void)
{
    static const double gyrations[] = {0.2, 0.7071067811865476, 1.0};
    tally t;
    printf("a plate of weight 1 N and radius 1 m on three unknown feet, mu = 1, %d draws\n", PLATES);
    printf("to push it takes 1 N, whatever the feet\n\n");
    printf("  r_g     can come to rest about a foot   about another point   translating\n");
    for (int k = 0; k < 3; k++) {
        if (!draw_plates(gyrations[k], &t)) return 1;
        printf("  %.2f m %29d %21d %13d\n", gyrations[k], t.foot, t.beside, t.translation);
    }
    printf("\nto turn it about its centre takes %.2f to %.2f N*m (uniform pressure: %.2f)\n", t.least_turn,
           t.most_turn, 2.0 / 3.0);
    return 0;
}
