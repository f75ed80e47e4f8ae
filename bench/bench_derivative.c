// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much more does a motion cost when its derivative by one number of the model moves with it? Each kind of
// model is asked: linear, with dry friction, forced, with friction that falls with speed, with bristles, with
// states (linear and not), and sampled. The truth is the eighth-order difference of motions of neighbouring
// models, and for the linear one its closed form; a derivative that is off prints no figure.
#include "block_chain.h"

#include "share/derivative.h"
#include "slipstick/derivative.h"
#include "slipstick/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct kind {
    const char *name, *path, *text;
    double until; // s
    int repeats;  // motions per measurement
} kind;

static const kind kinds[] = {
    {"linear", "parameters.k",
     "parameters: {k: 3 N/m}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: k}]\n"
     "start: {a: {x: 1 m}}\n",
     100.0, 200},
    {"coulomb", "parameters.F",
     "parameters: {F: 0.01 N}\n"
     "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 1 N/m}, {between: [a, b], stiffness: 3 N/m}]\n"
     "contacts: {a: {between: [a, ground], law: coulomb, friction: F},\n"
     "           b: {between: [b, ground], law: coulomb, friction: 2*F}}\n"
     "start: {a: {x: 1 m}, b: {x: -1.3 m}}\n",
     60.0, 200},
    {"forced", "parameters.F",
     "parameters: {F: 0.2 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 1 N/m}]\n"
     "forces: [{body: a, force: \"1 N * cos(1.5 rad/s * t)\"}]\n"
     "contacts: {floor: {between: [a, ground], law: coulomb, friction: F}}\n",
     200.0, 100},
    {"amplitude", "parameters.A",
     "parameters: {A: 1 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 1 N/m}]\n"
     "forces: [{body: a, force: \"A * cos(1.5 rad/s * t)\"}]\n"
     "contacts: {floor: {between: [a, ground], law: coulomb, friction: 0.2 N}}\n",
     200.0, 100},
    {"frequency", "parameters.w",
     "parameters: {w: 1.5 rad/s}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 1 N/m}]\n"
     "forces: [{body: a, force: \"1 N * cos(w * t)\"}]\n"
     "contacts: {floor: {between: [a, ground], law: coulomb, friction: 0.2 N}}\n",
     200.0, 20},
    {"stribeck", "parameters.F",
     "parameters: {F: 1 N}\n"
     "bodies: {block: {mass: 1 kg}, belt: {speed: 0.2 m/s}}\n"
     "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
     "contacts: {face: {between: [block, belt], law: stribeck, coulomb: 0.7 N, static: F, stribeck_speed: "
     "0.3 "
     "m/s}}\n",
     12.0, 100},
    {"sliding", "parameters.F",
     "parameters: {F: 1 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [a, ground], law: stribeck, coulomb: 0.7 N, static: F, stribeck_speed: 0.3 "
     "m/s}}\n"
     "start: {a: {x: 5 m}}\n",
     6.0, 100},
    {"lugre", "parameters.F",
     "parameters: {F: 1 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [a, ground], law: lugre, sigma0: 1e3 N/m, sigma1: 10 N*s/m, sigma2: 0.1 "
     "N*s/m, coulomb: F, static: 1.5*F, stribeck_speed: 0.1 m/s}}\n"
     "start: {a: {x: 5 m}}\n",
     6.0, 10},
    {"curve", "parameters.F",
     "parameters: {F: 0.4 N}\n"
     "bodies: {block: {mass: 1 kg}, belt: {speed: 0.2 m/s}}\n"
     "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
     "contacts: {face: {between: [block, belt], law: curve, force: \"0.6 N + F*exp(-v/(0.3 m/s))\", static: "
     "1.1 N}}\n",
     12.0, 100},
    {"dahl", "parameters.F",
     "parameters: {F: 1 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [a, ground], law: dahl, sigma0: 1e3 N/m, coulomb: F}}\n"
     "start: {a: {x: 5 m}}\n",
     6.0, 10},
    {"plastic", "parameters.F",
     "parameters: {F: 1 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [a, ground], law: elasto-plastic, sigma0: 1e3 N/m, sigma1: 10 N*s/m, "
     "sigma2: 0.1 N*s/m, coulomb: F, breakaway: 0.5 mm}}\n"
     "start: {a: {x: 5 m}}\n",
     6.0, 10},
    {"maxwell", "parameters.F",
     "parameters: {F: 0.4 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [a, ground], law: maxwell-slip, elements: [[30 N/m, F], [20 N/m, 0.6 "
     "N]]}}\n"
     "start: {a: {x: 5 m}}\n",
     10.0, 20},
    {"gms", "parameters.F",
     "parameters: {F: 1 N}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [a, ground], law: gms, elements: [[300 N/m, 0.4], [200 N/m, 0.6]], "
     "coulomb: "
     "F, static: 1.5*F, stribeck_speed: 0.1 m/s, attraction: 20 N/s}}\n"
     "start: {a: {x: 5 m}}\n",
     6.0, 10},
    {"hertz", "parameters.K",
     "parameters: {K: 400 N/m^1.5}\n"
     "bodies: {a: {mass: 1 kg}}\n"
     "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
     "contacts: {wall: {between: [a, ground], law: hunt-crossley, above: 0.2 m, stiffness: K, exponent: 1.5, "
     "alpha: 0.1 s/m}}\n"
     "start: {a: {x: -1 m}}\n",
     12.0, 20},
    {"loop", "parameters.ki",
     "parameters: {ki: 20 kN/(m*s)}\n"
     "bodies: {stage: {mass: 2 kg}}\n"
     "states: {sum: {rate: 10 mm - stage.x, start: 0}}\n"
     "forces: [{body: stage, force: \"2000 N/m*(10 mm - stage.x) + ki*sum - 60 N*s/m*stage.v\"}]\n"
     "contacts: {guide: {between: [stage, ground], law: coulomb, friction: 8 N, static: 12 N}}\n",
     5.0, 100},
    {"pendulum", "parameters.load",
     "parameters: {load: 0.5 kg}\n"
     "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
     "potentials: [\"load*9.81 m/s^2*0.4 m*(1 - cos(rod.x))\"]\n"
     "contacts: {pivot: {between: [rod, ground], law: coulomb, friction: 0.03 N*m}}\n"
     "start: {rod: {x: 2.5 rad}}\n",
     3.0, 100},
    {"beside", "parameters.load",
     "parameters: {load: 0.5 kg}\n"
     "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
     "potentials: [\"load*9.81 m/s^2*0.4 m*(1 - cos(rod.x))\"]\n"
     "contacts: {pivot: {between: [rod, ground], law: stribeck, coulomb: 0.03 N*m, static: 0.05 N*m, "
     "stribeck_speed: 0.5 rad/s}}\n"
     "start: {rod: {x: 2.5 rad}}\n",
     3.0, 20},
    {"sampled", "parameters.ki",
     "parameters: {ki: 20 kN/(m*s)}\n"
     "bodies: {stage: {mass: 2 kg}}\n"
     "sampled:\n"
     "  servo:\n"
     "    every: 1 ms\n"
     "    memory: {sum: 0 m*s, command: 0 N}\n"
     "    at_tick:\n"
     "      - e: 10 mm - stage.x\n"
     "      - sum: sum + e * 1 ms\n"
     "      - command: 2000 N/m*e + ki*sum - 20 N*s/m*stage.v\n"
     "forces: [{body: stage, force: command}]\n"
     "contacts: {guide: {between: [stage, ground], law: coulomb, friction: 0.5 N}}\n",
     0.2, 40},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], BEST_OF = 9 };

typedef struct pair {
    ss_document* document;
    ss_model* model;
    ss_path_direction* path;
    ss_derivative* derivative;
    ss_sim *plain, *varied; // the motion alone, and with its derivative
    ss_error err;
} pair;

static double process_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool open_pair(pair* p, const kind* k)
{
    char text[2000];
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    snprintf(text, sizeof text, "slipstick: 1\ntitle: %s\n%s", k->name, k->text);
    return ss_document_parse_yaml("m.yaml", text, strlen(text), &p->document, &p->err) == SS_OK &&
           ss_model_create_from_document(p->document, &p->model, &p->err) == SS_OK &&
           ss_path_direction_create(p->document, p->model, k->path, k->until, &p->path, &p->err) == SS_OK &&
           ss_sim_create(p->model, &def, &p->plain, &p->err) == SS_OK &&
           ss_sim_create(p->model, &def, &p->varied, &p->err) == SS_OK &&
           ss_derivative_create(p->model, ss_path_direction_get(p->path), 1, &p->derivative, &p->err) ==
               SS_OK &&
           ss_derivative_attach(p->derivative, p->varied, &p->err) == SS_OK;
}

static void close_pair(pair* p)
{
    ss_derivative_destroy(p->derivative);
    ss_sim_destroy(p->plain);
    ss_sim_destroy(p->varied);
    ss_path_direction_destroy(p->path);
    ss_model_destroy(p->model);
    ss_document_destroy(p->document);
}

static bool run(ss_sim* sim, double until, int repeats, double* time, ss_error* err)
{
    ss_outcome outcome;
    double begun = process_seconds();
    bool good = true;
    for (int k = 0; k < repeats && good; k++)
        good = ss_sim_restart(sim, NULL, NULL, err) == SS_OK &&
               ss_sim_advance(sim, until, &outcome, err) == SS_OK;
    *time = process_seconds() - begun;
    return good;
}

// For whoever counts instructions (derivative_instructions.py): one motion each, by a name of its own.
__attribute__((noinline)) bool motion_alone(pair* p, const kind* k)
{
    double time;
    return run(p->plain, k->until, 1, &time, &p->err);
}

__attribute__((noinline)) bool motion_with_derivative(pair* p, const kind* k)
{
    double time;
    return run(p->varied, k->until, 1, &time, &p->err);
}

// The end of the first body in neighbouring models, weighted so that the sum is the derivative.
static bool difference(const pair* p, double until, double* out, double* size, ss_error* err)
{
    const ss_direction* direction = ss_path_direction_get(p->path);
    ss_sim_def def = ss_sim_def_default();
    bool good = true;
    *out = *size = 0.0;
    def.tolerance = 1e-12;
    for (int k = 0; k < direction->model_count && good; k++) {
        ss_sim* sim = NULL;
        ss_outcome outcome;
        good = ss_sim_create(direction->models[k], &def, &sim, err) == SS_OK &&
               ss_sim_advance(sim, until, &outcome, err) == SS_OK;
        if (good) *out += direction->weights[k] * ss_sim_x(sim)[0];
        if (good) *size += fabs(direction->weights[k] * ss_sim_x(sim)[0]);
        ss_sim_destroy(sim);
    }
    return good;
}

static bool check(pair* p, const kind* k)
{
    double x[2], v[2], want, size, time;
    if (!run(p->varied, k->until, 1, &time, &p->err) || !difference(p, k->until, &want, &size, &p->err))
        return false;
    if (k == &kinds[0]) { // x = cos(w t), w^2 = k
        want = -k->until * sin(sqrt(3.0) * k->until) / (2.0 * sqrt(3.0));
        size = 0.0;
    }
    bool there = ss_derivative_bodies(p->derivative, 0, x, v);
    if (there && fabs(x[0] - want) <= 1e-6 * fabs(want) + 1e-9 * size) return true;
    snprintf(p->err.text, sizeof p->err.text, "the derivative is %.12g, not %.12g", there ? x[0] : NAN, want);
    return false;
}

// Tables are made on the first motion of a run: they count no more than the model does.
static bool count(pair* p, const kind* k)
{
    double time;
    bool good = run(p->plain, k->until, 1, &time, &p->err) && motion_alone(p, k);
    good = motion_with_derivative(p, k) && good; // a call that comes back, so that its end is seen
    return good;
}

static bool measure(pair* p, const kind* k, double* alone, double* varied)
{
    *alone = *varied = INFINITY;
    for (int n = 0; n < BEST_OF; n++) {
        double a, b;
        if (!run(p->plain, k->until, k->repeats, &a, &p->err) ||
            !run(p->varied, k->until, k->repeats, &b, &p->err))
            return false;
        *alone = fmin(*alone, a / k->repeats);
        *varied = fmin(*varied, b / k->repeats);
    }
    return true;
}

int main(int argc, char** argv)
{
    const char* csv = argc > 2 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    bool counted = argc > 1 && strcmp(argv[1], "--counted") == 0;
    const char* only = csv ? NULL : argc > 2 && counted ? argv[2] : argc > 1 && !counted ? argv[1] : NULL;
    for (int k = 0; k < KINDS; k++) {
        pair p = {0};
        double alone, varied;
        char row[200];
        if (only && strcmp(only, kinds[k].name) != 0) continue;
        bool good = open_pair(&p, &kinds[k]) && check(&p, &kinds[k]) &&
                    (counted ? count(&p, &kinds[k]) : measure(&p, &kinds[k], &alone, &varied));
        if (!good) fprintf(stderr, "%s: %s %s\n", kinds[k].name, p.err.field, p.err.text);
        close_pair(&p);
        if (!good) return 1;
        if (counted) {
            puts(kinds[k].name);
            continue;
        }
        printf("%-9s motion %.3g ms, with one derivative %.3g ms: %.2f times\n", kinds[k].name, 1e3 * alone,
               1e3 * varied, varied / alone);
        snprintf(row, sizeof row, "%s,%.4g,%.4g,%.4g", kinds[k].name, alone, varied, varied / alone);
        if (csv && !bench_append(csv, "kind,motion_s,with_derivative_s,times", row)) return 1;
    }
    return 0;
}
