// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What does an FMU cost its importer? Two blocks in 200 000 communication steps of 1 ms, with four outputs
// read after each, through the functions of FMI 2.0; the same in Model Exchange with rates and indicators at
// as many points; and how long the program takes to write an FMU.
#include "fmi2.h"
#include "slipstick/lab.h"

#include "resource.h"
#include "share/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 200000, RUNS = 3, OUTPUTS = 4 };

static const char model_path[] = SS_SOURCE_DIR "/models/two-blocks.yaml";

static void hear(fmi2ComponentEnvironment env, fmi2String name, fmi2Status status, fmi2String category,
                 fmi2String format, ...)
{
    (void)env, (void)name, (void)status, (void)category, (void)format;
}

static bool write_model(const char* folder, char token[FMU_TOKEN])
{
    ss_document* document;
    ss_error err;
    fmu_resource resource;
    char path[256];
    if (ss_document_read_yaml(model_path, &document, &err) != SS_OK) return false;
    char* text = fmu_resource_write(&(fmu_resource_def){.document = document});
    ss_document_destroy(document);
    if (!text || fmu_resource_read(text, &resource, &err) != SS_OK) return false;
    memcpy(token, resource.token, FMU_TOKEN);
    fmu_resource_free(&resource);
    snprintf(path, sizeof path, "%s/model.txt", folder);
    FILE* file = fopen(path, "wb");
    bool whole = file && fputs(text, file) >= 0;
    free(text);
    return file && fclose(file) == 0 && whole;
}

static fmi2Component begin(const char* folder, const char* token, fmi2Type type)
{
    static const fmi2CallbackFunctions functions = {.logger = hear};
    char where[128];
    snprintf(where, sizeof where, "file://%s", folder);
    fmi2Component c = fmi2Instantiate("bench", type, token, where, &functions, fmi2False, fmi2False);
    if (!c || fmi2SetupExperiment(c, 0, 0, 0, 0, 0) || fmi2EnterInitializationMode(c) ||
        fmi2ExitInitializationMode(c))
        return NULL;
    return c;
}

// Seconds for all steps; negative where a call failed.
static double step_through(fmi2Component c)
{
    static const fmi2ValueReference outputs[OUTPUTS] = {1, 2, 3, 4};
    double values[OUTPUTS], from = ss_now_s();
    for (int k = 0; k < STEPS; k++)
        if (fmi2DoStep(c, 1e-3 * k, 1e-3, 1) != fmi2OK || fmi2GetReal(c, outputs, OUTPUTS, values) != fmi2OK)
            return -1.0;
    return ss_now_s() - from;
}

static double evaluate(fmi2Component c)
{
    double y[4], rates[4], indicators[4];
    fmi2EventInfo info;
    if (fmi2NewDiscreteStates(c, &info) || fmi2EnterContinuousTimeMode(c) || fmi2GetContinuousStates(c, y, 4))
        return -1.0;
    double from = ss_now_s();
    for (int k = 0; k < STEPS; k++) {
        y[0] -= 1e-6;
        if (fmi2SetTime(c, 1e-6 * k) || fmi2SetContinuousStates(c, y, 4) || fmi2GetDerivatives(c, rates, 4) ||
            fmi2GetEventIndicators(c, indicators, 4))
            return -1.0;
    }
    return ss_now_s() - from;
}

static double export_once(const char* folder)
{
    char command[512];
    snprintf(command, sizeof command, "%s fmu %s -o %s/two.fmu >/dev/null", BENCH_PROGRAM, model_path,
             folder);
    double from = ss_now_s();
    int status = system(command);
    return status == 0 ? ss_now_s() - from : -1.0;
}

int main(void)
{
    char folder[] = "/tmp/bench-fmu-XXXXXX", token[FMU_TOKEN], path[128];
    double best[3] = {1e9, 1e9, 1e9};
    bool good = mkdtemp(folder) && write_model(folder, token);
    for (int k = 0; k < RUNS && good; k++) {
        fmi2Component one = begin(folder, token, fmi2CoSimulation),
                      two = begin(folder, token, fmi2ModelExchange);
        double took[3] = {one ? step_through(one) : -1.0, two ? evaluate(two) : -1.0, export_once(folder)};
        for (int j = 0; j < 3; j++) {
            good = good && took[j] >= 0.0;
            if (took[j] < best[j]) best[j] = took[j];
        }
        fmi2FreeInstance(one);
        fmi2FreeInstance(two);
    }
    snprintf(path, sizeof path, "%s/model.txt", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/two.fmu", folder);
    remove(path);
    rmdir(folder);
    if (!good) return 1;
    printf("  Co-Simulation    %d steps of two blocks   %.3f s\n", STEPS, best[0]);
    printf("  Model Exchange   %d points                %.3f s\n", STEPS, best[1]);
    printf("  export                                        %.1f ms\n", 1e3 * best[2]);
    return 0;
}
