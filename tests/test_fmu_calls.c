// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An importer that does anything: calls of FMI 2.0 and 3.0 in random order, with random references, times,
// states and pointers that are NULL. Nothing crashes, no status is other than the standard has, numbers that
// are told with success are finite, and a reset brings back the motion that it was: that of a run that nobody
// disturbed.
#include "fmi2.h"
#include "fmi3.h"
#include "fmu/unpacked_model.h"
#include "instance.h"
#include "model_exchange.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEQUENCES = 125, CALLS = 60, ROOM = 64 };

static unsigned long chance_state = 1;

static unsigned chance(unsigned below)
{
    chance_state = chance_state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(chance_state >> 33) % below;
}

static int coin(void) { return chance(2) == 0; }

static double any_number(void)
{
    static const double odd[] = {0.0, -1.0, 1e-300, 1e300, NAN, INFINITY, -INFINITY, 0.5};
    return chance(4) == 0 ? odd[chance(8)] : ((double)chance(2000) - 1000.0) / 250.0;
}

// A time that a motion can get to.
static double any_time(void)
{
    double t = any_number();
    return fabs(t) > 1e3 ? 2.0 : t;
}

static fmu_model model;

static void hear2(fmi2ComponentEnvironment env, fmi2String name, fmi2Status status, fmi2String category,
                  fmi2String format, ...)
{
    (void)env, (void)name;
    assert_true(status <= fmi2Fatal && category && format);
}

static void hear3(fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String text)
{
    (void)env;
    assert_true(status <= fmi3Fatal && category && text);
}

static const fmi2CallbackFunctions callbacks = {.logger = hear2};

static void fill(double out[ROOM])
{
    for (int k = 0; k < ROOM; k++) out[k] = any_number();
}

static void refer(unsigned out[ROOM])
{
    for (int k = 0; k < ROOM; k++) out[k] = chance(30) == 0 ? 1000000u : chance(24);
}

static size_t some(fmu_instance* c)
{
    size_t states = (size_t)c->variables.states, indicators = (size_t)c->variables.indicators;
    return chance(5) == 0 ? chance(ROOM) : chance(2) ? states : indicators;
}

// ---- one call of FMI 2.0

static fmi2Status phase2(fmu_instance* c, unsigned which)
{
    fmi2EventInfo info;
    fmi2Boolean a, b;
    switch (which) {
    case 0: return fmi2SetupExperiment(c, coin(), 1e-6, chance(6) ? 0.0 : any_time(), coin(), any_number());
    case 1: return fmi2EnterInitializationMode(c);
    case 2: return fmi2ExitInitializationMode(c);
    case 3: return chance(8) ? fmi2OK : fmi2Terminate(c);
    case 4: return chance(8) ? fmi2OK : fmi2Reset(c);
    case 5: return fmi2EnterEventMode(c);
    case 6: return fmi2NewDiscreteStates(c, chance(20) ? &info : NULL);
    case 7: return fmi2EnterContinuousTimeMode(c);
    case 8: return fmi2CompletedIntegratorStep(c, coin(), &a, &b);
    case 9: return fmi2SetTime(c, chance(4) ? c->time + 0.01 : any_time());
    case 10: return fmi2DoStep(c, chance(8) ? c->time : any_time(), fabs(any_time()), 1);
    default: return fmi2CancelStep(c);
    }
}

static fmi2Status value2(fmu_instance* c, unsigned which)
{
    double numbers[ROOM], out[ROOM];
    unsigned vr[ROOM], known[ROOM];
    fmi2Integer modes[ROOM];
    size_t count = chance(6);
    fill(numbers);
    refer(vr);
    refer(known);
    switch (which) {
    case 0: return fmi2GetReal(c, vr, count, out);
    case 1: return fmi2SetReal(c, vr, count, numbers);
    case 2: return fmi2GetInteger(c, vr, count, modes);
    case 3: return fmi2GetReal(c, chance(2) ? NULL : vr, count, chance(2) ? NULL : out);
    case 4: return fmi2GetDirectionalDerivative(c, vr, count, known, count, numbers, out);
    case 5: return fmi2SetContinuousStates(c, numbers, some(c));
    case 6: return fmi2GetDerivatives(c, out, some(c));
    case 7: return fmi2GetEventIndicators(c, out, some(c));
    case 8: return fmi2GetContinuousStates(c, out, some(c));
    case 9: return fmi2GetNominalsOfContinuousStates(c, out, some(c));
    case 10:
        for (int k = 0; k < ROOM; k++) modes[k] = (fmi2Integer)(chance(4) ? 1 : chance(3));
        return fmi2SetRealInputDerivatives(c, vr, count, modes, numbers);
    default: return fmi2GetRealStatus(c, fmi2LastSuccessfulTime, out);
    }
}

static fmi2Status state2(fmu_instance* c, fmi2FMUstate* kept)
{
    size_t size = 0;
    switch (chance(4)) {
    case 0: return fmi2GetFMUstate(c, kept);
    case 1: return fmi2SetFMUstate(c, *kept);
    case 2: return fmi2FreeFMUstate(c, kept);
    default: break;
    }
    if (!*kept || fmi2SerializedFMUstateSize(c, *kept, &size) != fmi2OK) return fmi2OK;
    fmi2Byte* bytes = malloc(size);
    fmi2FMUstate again = NULL;
    fmi2Status status = fmi2SerializeFMUstate(c, *kept, bytes, size);
    if (chance(2)) bytes[chance((unsigned)size)] ^= 1; // damaged
    if (status == fmi2OK) status = fmi2DeSerializeFMUstate(c, bytes, chance(3) ? size : size / 2, &again);
    if (status == fmi2OK) status = fmi2SetFMUstate(c, again);
    fmi2FreeFMUstate(c, &again);
    free(bytes);
    return status;
}

static void sequence2(bool exchange)
{
    char where[64];
    snprintf(where, sizeof where, "file://%s", model.folder);
    fmu_instance* c = fmi2Instantiate("one", exchange ? fmi2ModelExchange : fmi2CoSimulation, model.token,
                                      where, &callbacks, 0, chance(2) ? fmi2True : fmi2False);
    if (!c) return; // a model that cannot be exchanged
    fmi2FMUstate kept = NULL;
    for (int k = 0; k < CALLS; k++) {
        unsigned kind = chance(9);
        fmi2Status status = kind < 4   ? phase2(c, chance(12))
                            : kind < 8 ? value2(c, chance(12))
                                       : state2(c, &kept);
        assert_true(status <= fmi2Fatal);
    }
    fmi2FreeFMUstate(c, &kept);
    fmi2FreeInstance(c);
}

// ---- one call of FMI 3.0

static fmi3Status phase3(fmu_instance* c, unsigned which)
{
    bool a, b, d, e, f;
    double t;
    switch (which) {
    case 0:
        return fmi3EnterInitializationMode(c, chance(2), 1e-6, chance(6) ? 0.0 : any_time(), chance(2),
                                           any_number());
    case 1: return fmi3ExitInitializationMode(c);
    case 2: return chance(8) ? fmi3OK : fmi3Terminate(c);
    case 3: return chance(8) ? fmi3OK : fmi3Reset(c);
    case 4: return fmi3EnterEventMode(c);
    case 5: return fmi3UpdateDiscreteStates(c, &a, &b, &d, &e, &f, chance(20) ? &t : NULL);
    case 6: return fmi3EnterContinuousTimeMode(c);
    case 7: return fmi3EnterStepMode(c);
    case 8: return fmi3SetTime(c, chance(4) ? c->time + 0.01 : any_time());
    case 9: return fmi3DoStep(c, chance(8) ? c->time : any_time(), fabs(any_time()), true, &a, &b, &d, &t);
    case 10: return chance(9) ? fmi3OK : fmi3EnterConfigurationMode(c);
    default: return fmi3ExitConfigurationMode(c);
    }
}

static fmi3Status value3(fmu_instance* c, unsigned which)
{
    double numbers[ROOM], out[ROOM];
    unsigned vr[ROOM], known[ROOM];
    fmi3Int64 modes[ROOM];
    bool flags[ROOM];
    size_t count = chance(6), n = chance(12) ? count : chance(9);
    fill(numbers);
    refer(vr);
    refer(known);
    switch (which) {
    case 0: return fmi3GetFloat64(c, vr, count, out, n);
    case 1: return fmi3SetFloat64(c, vr, count, numbers, n);
    case 2: return fmi3GetInt64(c, vr, count, modes, n);
    case 3: return fmi3GetBoolean(c, vr, count, flags, n);
    case 4: return fmi3GetDirectionalDerivative(c, vr, count, known, count, numbers, n, out, count);
    case 5: return fmi3SetContinuousStates(c, numbers, some(c));
    case 6: return fmi3GetContinuousStateDerivatives(c, out, some(c));
    case 7: return fmi3GetEventIndicators(c, out, some(c));
    case 8: return fmi3GetContinuousStates(c, out, some(c));
    case 9: return fmi3GetNominalsOfContinuousStates(c, out, some(c));
    case 10: return fmi3GetClock(c, vr, count, flags);
    default: return fmi3GetNumberOfEventIndicators(c, &n);
    }
}

static void sequence3(bool exchange)
{
    fmu_instance* c =
        exchange
            ? fmi3InstantiateModelExchange("one", model.token, model.folder, false, chance(2), NULL, hear3)
            : fmi3InstantiateCoSimulation("one", model.token, model.folder, false, chance(2), chance(2),
                                          chance(2), NULL, 0, NULL, hear3, NULL);
    if (!c) return;
    fmi3FMUState kept = NULL;
    for (int k = 0; k < CALLS; k++) {
        unsigned kind = chance(9);
        fmi3Status status = kind < 4    ? phase3(c, chance(12))
                            : kind < 8  ? value3(c, chance(12))
                            : chance(2) ? fmi3GetFMUState(c, &kept)
                                        : fmi3SetFMUState(c, kept);
        assert_true(status <= fmi3Fatal);
    }
    fmi3FreeFMUState(c, &kept);
    free(kept); // in Configuration Mode it may not be freed by a call
    fmi3FreeInstance(c);
}

static void run_sequences(void** state)
{
    static const char* const models[] = {"two-blocks", "lugre-stop", "hunting-servo", "tripod"};
    (void)state;
    for (int m = 0; m < 4; m++) {
        fmu_model_write(&model, models[m]);
        for (int k = 0; k < SEQUENCES; k++) {
            sequence2(k % 2);
            sequence3(k % 2);
        }
    }
}

// ---- after all that, the motion is what it was

static double place_at(fmu_instance* c, double until)
{
    const fmi2ValueReference x = 1;
    double out = NAN;
    assert_int_equal(fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    assert_int_equal(fmi2ExitInitializationMode(c), fmi2OK);
    assert_int_equal(fmi2DoStep(c, 0.0, until, 1), fmi2OK);
    assert_int_equal(fmi2GetReal(c, &x, 1, &out), fmi2OK);
    return out;
}

static void reset_forgets_everything(void** state)
{
    char where[64];
    (void)state;
    fmu_model_write(&model, "two-blocks");
    snprintf(where, sizeof where, "file://%s", model.folder);
    fmu_instance* c = fmi2Instantiate("one", fmi2CoSimulation, model.token, where, &callbacks, 0, 0);
    assert_non_null(c);
    double undisturbed = place_at(c, 3.0);
    assert_true(fabs(undisturbed) > 0.0);
    for (int k = 0; k < 40; k++) {
        for (int j = 0; j < 12; j++) (chance(2) ? phase2 : value2)(c, chance(12));
        assert_int_equal(fmi2Reset(c), fmi2OK);
        double again = place_at(c, 3.0);
        assert_true(again == undisturbed);
        assert_int_equal(fmi2Reset(c), fmi2OK);
    }
    fmi2FreeInstance(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(run_sequences),
                                       cmocka_unit_test(reset_forgets_everything)};
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    fmu_model_remove(&model);
    return status;
}
