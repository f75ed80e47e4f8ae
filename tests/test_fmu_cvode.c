// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model Exchange under CVODE (its own root finding, relative tolerance 1e-10, absolute ones by the nominal
// values), with the calls that importers make: the same motion as the run that goes by itself, to 1e-7 with
// Adams' formulas and to 1e-6 with the backward differences that some importers take, and the same events in
// the same order.
#include "fmi2.h"
#include "fmi3.h"
#include "fmu/unpacked_model.h"
#include "instance.h"
#include "model_exchange.h"
#include "share/model_parts.h"
#include "share/run.h"
#include "slipstick/lab.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 64, EVENTS = 4000, MARKS = 9, ROUNDS = 20 };

static const double tolerance = 1e-10;

// ---- events, as the log has them and as the run tells them

typedef struct diary {
    char lines[EVENTS][96];
    double t[EVENTS];
    int count;
} diary;

static diary heard, wanted;

static void hear(const char* category, const char* text)
{
    double t;
    char line[96];
    if (strcmp(category, "logEvents") != 0) return;
    assert_true(heard.count < EVENTS && sscanf(text, "t = %lf s: %95[^\n]", &t, line) == 2);
    heard.t[heard.count] = t;
    snprintf(heard.lines[heard.count++], 96, "%s", line);
}

static void hear2(fmi2ComponentEnvironment env, fmi2String name, fmi2Status status, fmi2String category,
                  fmi2String format, ...)
{
    char text[512];
    va_list list;
    (void)env, (void)name, (void)status;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    hear(category, text);
}

static void hear3(fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String text)
{
    (void)env, (void)status;
    hear(category, text);
}

static void note(void* user, const ss_event* event)
{
    assert_true(wanted.count < EVENTS);
    wanted.t[wanted.count] = event->t;
    snprintf(wanted.lines[wanted.count++], 96, "%s: %s to %s%s", ss_model_contact_name(user, event->contact),
             ss_mode_name(event->from), ss_mode_name(event->to),
             event->kind == SS_EVENT_IMPACT         ? ", impact"
             : event->kind == SS_EVENT_ACCUMULATION ? ", accumulation"
                                                    : "");
}

// ---- an FMU by either version

typedef struct fmu {
    int version;
    fmu_instance* c;
    size_t states, indicators;
    double next; ///< s: of the next time event
} fmu;

#define OK(call) assert_int_equal(call, 0)

static void begin(fmu* f, const fmu_model* model)
{
    const fmi2CallbackFunctions functions = {.logger = hear2};
    char where[128];
    snprintf(where, sizeof where, "file://%s", model->folder);
    f->c = f->version == 2
               ? fmi2Instantiate("one", fmi2ModelExchange, model->token, where, &functions, 0, 1)
               : fmi3InstantiateModelExchange("one", model->token, model->folder, false, true, NULL, hear3);
    assert_non_null(f->c);
    if (f->version == 2) {
        OK(fmi2SetupExperiment(f->c, 0, 0.0, 0.0, 0, 0.0));
        OK(fmi2EnterInitializationMode(f->c));
        OK(fmi2ExitInitializationMode(f->c));
    } else {
        OK(fmi3EnterInitializationMode(f->c, false, 0.0, 0.0, false, 0.0));
        OK(fmi3ExitInitializationMode(f->c));
    }
    f->states = (size_t)f->c->variables.states;
    f->indicators = (size_t)f->c->variables.indicators;
    assert_true(f->states <= ROOM && f->indicators <= ROOM);
}

static int put(const fmu* f, double t, const double y[])
{
    return f->version == 2 ? fmi2SetTime(f->c, t) || fmi2SetContinuousStates(f->c, y, f->states)
                           : fmi3SetTime(f->c, t) || fmi3SetContinuousStates(f->c, y, f->states);
}

// The instant at hand, until nothing more happens in it.
static void pass(fmu* f, bool first)
{
    bool again = true, end, nominals, changed, given;
    fmi2EventInfo info;
    if (!first) OK(f->version == 2 ? (int)fmi2EnterEventMode(f->c) : (int)fmi3EnterEventMode(f->c));
    for (int k = 0; again; k++) {
        assert_true(k < ROUNDS);
        if (f->version == 2) {
            OK(fmi2NewDiscreteStates(f->c, &info));
            again = info.newDiscreteStatesNeeded;
            f->next = info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
        } else {
            OK(fmi3UpdateDiscreteStates(f->c, &again, &end, &nominals, &changed, &given, &f->next));
            if (!given) f->next = INFINITY;
        }
    }
    OK(f->version == 2 ? (int)fmi2EnterContinuousTimeMode(f->c) : (int)fmi3EnterContinuousTimeMode(f->c));
}

static void get_states(const fmu* f, double y[])
{
    OK(f->version == 2 ? (int)fmi2GetContinuousStates(f->c, y, f->states)
                       : (int)fmi3GetContinuousStates(f->c, y, f->states));
}

static int rates(double t, N_Vector state, N_Vector out, void* user)
{
    const fmu* f = user;
    double* to = N_VGetArrayPointer(out);
    return put(f, t, N_VGetArrayPointer(state)) ||
           (f->version == 2 ? (int)fmi2GetDerivatives(f->c, to, f->states)
                            : (int)fmi3GetContinuousStateDerivatives(f->c, to, f->states));
}

static int indicators(double t, N_Vector state, double* out, void* user)
{
    const fmu* f = user;
    return put(f, t, N_VGetArrayPointer(state)) ||
           (f->version == 2 ? (int)fmi2GetEventIndicators(f->c, out, f->indicators)
                            : (int)fmi3GetEventIndicators(f->c, out, f->indicators));
}

// ---- the solver

typedef struct solver {
    int method; ///< CV_ADAMS or CV_BDF
    SUNContext context;
    void* cvode;
    N_Vector y, floor;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    double t;
} solver;

static void make_solver(solver* s, fmu* f, double until)
{
    double nominal[ROOM];
    OK(SUNContext_Create(NULL, &s->context));
    s->cvode = CVodeCreate(s->method, s->context);
    s->y = N_VNew_Serial((sunindextype)f->states, s->context);
    s->floor = N_VNew_Serial((sunindextype)f->states, s->context);
    s->matrix = SUNDenseMatrix((sunindextype)f->states, (sunindextype)f->states, s->context);
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    OK(f->version == 2 ? (int)fmi2GetNominalsOfContinuousStates(f->c, nominal, f->states)
                       : (int)fmi3GetNominalsOfContinuousStates(f->c, nominal, f->states));
    for (size_t k = 0; k < f->states; k++) N_VGetArrayPointer(s->floor)[k] = tolerance * nominal[k];
    get_states(f, N_VGetArrayPointer(s->y));
    OK(CVodeInit(s->cvode, rates, 0.0, s->y));
    OK(CVodeSVtolerances(s->cvode, tolerance, s->floor));
    OK(CVodeSetUserData(s->cvode, f));
    OK(CVodeSetLinearSolver(s->cvode, s->linear, s->matrix));
    OK(CVodeSetMaxNumSteps(s->cvode, 1000000));
    OK(CVodeSetMaxStep(s->cvode, until / 50.0));
    OK(CVodeSetNoInactiveRootWarn(s->cvode));
    if (f->indicators > 0) OK(CVodeRootInit(s->cvode, (int)f->indicators, indicators));
    s->t = 0.0;
}

static void free_solver(solver* s)
{
    CVodeFree(&s->cvode);
    SUNLinSolFree(s->linear);
    SUNMatDestroy(s->matrix);
    N_VDestroy(s->floor);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

// Goes on to t, with all events up to there.
static void go(solver* s, fmu* f, double t)
{
    while (s->t < t) {
        double goal = fmin(t, f->next);
        if (goal <= s->t) goal = s->t;
        int status = CV_TSTOP_RETURN;
        if (goal > s->t) {
            OK(CVodeSetStopTime(s->cvode, goal));
            status = CVode(s->cvode, goal, s->y, &s->t, CV_NORMAL);
        }
        if (status < 0) fail_msg("CVODE: %d at t = %.17g", status, s->t);
        OK(put(f, s->t, N_VGetArrayPointer(s->y)));
        if (status != CV_ROOT_RETURN && s->t < f->next) continue;
        pass(f, false);
        get_states(f, N_VGetArrayPointer(s->y));
        OK(CVodeReInit(s->cvode, s->t, s->y));
    }
}

// ---- the comparison

static double get(const fmu* f, unsigned reference)
{
    double value = NAN;
    OK(f->version == 2 ? (int)fmi2GetReal(f->c, &reference, 1, &value)
                       : (int)fmi3GetFloat64(f->c, &reference, 1, &value, 1));
    return value;
}

static bool is_bristle(const fmu_variable* v)
{
    return v->kind == FMU_QUANTITY && ss_quantity_row_at(v->of.kind)->exchange == 1 + SS_EXCHANGE_Z;
}

static void compare(const fmu* f, const ss_sim* sim, double t, double most)
{
    for (int k = 0; k < f->c->variables.count; k++) {
        const fmu_variable* v = &f->c->variables.at[k];
        double want = fmu_tells(v, SS_QUANTITY_X)   ? ss_sim_x(sim)[v->index]
                      : fmu_tells(v, SS_QUANTITY_V) ? ss_sim_v(sim)[v->index]
                      : v->kind == FMU_STATE        ? ss_sim_states(sim)[v->index]
                      : is_bristle(v)               ? ss_sim_contact(sim, v->index).z
                                                    : NAN;
        double got = isnan(want) ? NAN : get(f, (unsigned)k);
        if (!isnan(want) && !(fabs(got - want) <= most * fmax(1.0, fabs(want))))
            fail_msg("%s at t = %g: %.17g, not %.17g", v->name, t, got, want);
    }
}

static void compare_events(double most)
{
    for (int k = 0; k < heard.count && k < wanted.count; k++) {
        if (strcmp(heard.lines[k], wanted.lines[k]) != 0)
            fail_msg("event %d: t = %.12g %s, not t = %.12g %s", k, heard.t[k], heard.lines[k], wanted.t[k],
                     wanted.lines[k]);
        if (fabs(heard.t[k] - wanted.t[k]) > most * fmax(1.0, wanted.t[k]))
            fail_msg("event %d: t = %.12g, not %.12g", k, heard.t[k], wanted.t[k]);
    }
    assert_int_equal(heard.count, wanted.count);
}

static void exchange(const char* name, int version, double until, int method)
{
    double most = method == CV_ADAMS ? 1e-7 : 1e-6;
    ss_error err;
    ss_outcome outcome;
    ss_sim* sim;
    solver s = {.method = method};
    fmu f = {.version = version};
    fmu_model model = {0};
    fmu_model_write(&model, name);
    heard.count = wanted.count = 0;
    begin(&f, &model);
    ss_sim_def def = ss_sim_def_default();
    def.on_event = note;
    def.user = f.c->model;
    OK(ss_sim_create(f.c->model, &def, &sim, &err));
    pass(&f, true);
    make_solver(&s, &f, until);
    for (int k = 1; k <= MARKS; k++) {
        double t = until * k / MARKS;
        go(&s, &f, t);
        OK(ss_sim_advance(sim, t, &outcome, &err));
        compare(&f, sim, t, most);
    }
    compare_events(most);
    print_message("%s, FMI %d, %s: %d events\n", name, version, method == CV_ADAMS ? "Adams" : "BDF",
                  heard.count);
    free_solver(&s);
    ss_sim_destroy(sim);
    fmu_instance_free(f.c);
    fmu_model_remove(&model);
}

static void exchange_all(void** state)
{
    static const struct {
        const char* name;
        double until; ///< s
    } models[] = {{"two-blocks", 12.0},
                  {"block-on-floor", 12.0},
                  {"lugre-stop", 0.6},
                  {"stick-slip-belt", 8.0},
                  {"struck-disk", 1.0},
                  {"rusty-pendulum", 4.0},
                  {"sampled-servo",
                   0.3}, // as long as its encoder does not tell positions apart that differ by rounding
                  {"relief-valve", 0.02}, // comes to rest a hair from its seat
                  {"hunting-servo", 3.0},
                  {"two-blocks-relative", 6.0},
                  {"two-blocks-sum", 20.0},
                  {"carried-disk", 0.35},
                  {"carried-disk-recording", 0.35},
                  {"two-blocks-matrices", 8.0},
                  {"dc-motor", 0.3},
                  {"wedge-brake", 3.0},
                  {"velocity-loop", 4.0},
                  {"active-passive-pair", 6.0},
                  {"coupled-clutches", 1.5},
                  {"geared-drive", 30.0},
                  {"drill-string", 30.0},
                  {"measured-bit", 10.0}};
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++)
        for (int run = 0; run < 4; run++)
            exchange(models[k].name, 2 + run % 2, models[k].until, run < 2 ? CV_ADAMS : CV_BDF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exchange_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
