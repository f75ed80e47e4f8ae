// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The life of an instance: it reads its model from the resources of the FMU.
#define _POSIX_C_SOURCE 200809L // strdup

#include "instance.h"
#include "location.h"
#include "share/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const fmu_topics[FMU_TOPICS] = {"logStatusError", "logEvents", "logNotes"};

// ---- telling

// Copies a text into `room` characters. The standards refer to variables by #...#, so that a # that means
// itself is written twice.
static void double_marks(const char* text, char* out, size_t room)
{
    for (; *text && room > 2; text++) {
        if (*text == '#') *out++ = '#', room--;
        *out++ = *text, room--;
    }
    *out = '\0';
}

void fmu_log(fmu_instance* instance, fmu_status status, fmu_topic topic, const char* format, ...)
{
    char text[1024], doubled[1280];
    if (!instance->logger || !instance->logging[topic]) return;
    va_list list;
    va_start(list, format);
    ss_vformat(text, sizeof text, format, list);
    va_end(list);
    double_marks(text, doubled, sizeof doubled);
    instance->log(instance, status, fmu_topics[topic], doubled);
}

fmu_status fmu_set_logging(fmu_instance* instance, bool on, size_t count, const char* const categories[])
{
    for (int k = 0; k < FMU_TOPICS && count == 0; k++) instance->logging[k] = on || k == FMU_TOPIC_ERROR;
    for (size_t j = 0; j < count; j++) {
        int k = 0;
        while (k < FMU_TOPICS && !(categories && categories[j] && strcmp(categories[j], fmu_topics[k]) == 0))
            k++;
        if (k == FMU_TOPICS) {
            fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "there is no log category %s",
                    categories && categories[j] ? categories[j] : "without a name");
            return FMU_ERROR;
        }
        instance->logging[k] = on;
    }
    return FMU_OK;
}

fmu_status fmu_report(fmu_instance* instance, const ss_error* err)
{
    char text[1024];
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", ss_error_format(err, text, sizeof text));
    return FMU_ERROR;
}

bool fmu_allowed(fmu_instance* instance, int phases, const char* call)
{
    if (instance->phase & phases) return true;
    const char* now = instance->phase == FMU_INSTANTIATED   ? "before the initialisation"
                      : instance->phase == FMU_INITIALIZING ? "during the initialisation"
                      : instance->phase == FMU_AT_EVENT     ? "in Event Mode"
                      : instance->phase == FMU_CONTINUOUS   ? "in Continuous-Time Mode"
                      : instance->phase == FMU_STEPPING     ? "between steps"
                      : instance->phase == FMU_CONFIGURING  ? "in Configuration Mode"
                      : instance->phase == FMU_TERMINATED   ? "after the end"
                                                            : "after an error";
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s: not allowed %s", call, now);
    return false;
}

// ---- birth and death

static char* read_text(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    char* text = NULL;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    if (size >= 0) text = malloc((size_t)size + 1);
    if (text) text[fread(text, 1, (size_t)size, file)] = '\0';
    fclose(file);
    return text;
}

static ss_status read_resource(fmu_instance* instance, const char* location, ss_error* err)
{
    if (!location) return ss_fail(err, SS_BAD_INPUT, NULL, "the folder of the resources was not given");
    char* folder = fmu_path_of(location);
    size_t length = folder ? strlen(folder) : 0, size = length + 16;
    char* path = folder ? malloc(size) : NULL;
    if (!path) {
        free(folder);
        return ss_fail_no_memory(err);
    }
    snprintf(path, size, "%s%smodel.txt", folder, length > 0 && folder[length - 1] == '/' ? "" : "/");
    char* text = read_text(path);
    ss_status status = text ? fmu_resource_read(text, &instance->resource, err)
                            : ss_fail(err, SS_FILE_ERROR, NULL, "cannot read the model, %s", path);
    free(text);
    free(path);
    free(folder);
    return status;
}

// Room for what an importer may set, filled with what the model says.
static ss_status make_room(fmu_instance* instance, ss_error* err)
{
    size_t d = sizeof(double), count = (size_t)instance->variables.count;
    for (size_t k = 0; k < count; k++) instance->input_count += instance->variables.at[k].kind == FMU_INPUT;
    size_t inputs = (size_t)instance->input_count;
    size_t parameters = (size_t)instance->resource.parameter_count, all = parameters + count + 5 * inputs;
    instance->number_count = (int)all;
    instance->set.numbers = calloc(all + 1, d);
    instance->made.numbers = calloc(all + 1, d);
    instance->parameters = instance->set.numbers;
    instance->y = calloc((size_t)instance->variables.states + 1, d);
    instance->rates = calloc((size_t)instance->variables.states + 1, d);
    instance->indicators = calloc((size_t)instance->variables.indicators + 1, d);
    int numbers = instance->model ? ss_sim_numbers(instance->sim, NULL) : 0;
    instance->numbers = calloc((size_t)numbers + 1, d);
    if (!instance->set.numbers || !instance->made.numbers || !instance->y || !instance->rates ||
        !instance->indicators || !instance->numbers)
        return ss_fail_no_memory(err);
    instance->starts = instance->parameters + parameters;
    instance->inputs = instance->starts + count;
    instance->input_set = instance->inputs + inputs;
    instance->slopes = instance->input_set + inputs;
    instance->origins = instance->slopes + inputs;
    instance->fresh = instance->origins + inputs;
    return SS_OK;
}

static void take_defaults(fmu_instance* instance)
{
    for (int k = 0; k < instance->resource.parameter_count; k++)
        instance->parameters[k] = instance->resource.parameters[k].value;
    for (int k = 0; k < instance->variables.count; k++) {
        const fmu_variable* v = &instance->variables.at[k];
        instance->starts[k] = v->start;
        if (v->kind != FMU_INPUT) continue;
        instance->inputs[v->index] = v->start;
        instance->input_set[v->index] = instance->slopes[v->index] = instance->fresh[v->index] = 0.0;
    }
    instance->set.start_time = instance->time = 0.0;
    instance->set.stop_time = INFINITY;
    instance->set.tolerance = instance->resource.tolerance;
    instance->before = instance->numbers_known = instance->placed = false;
    instance->phase = FMU_INSTANTIATED;
    instance->stale = true;
}

// The model as it stands in the FMU, once: what its variables are is read off it.
static ss_status make_model(fmu_instance* instance, ss_error* err)
{
    const ss_document* document = instance->resource.document;
    ss_status status = ss_document_is_slider(document)
                           ? ss_slider_create_from_document(document, &instance->slider, err)
                           : ss_model_create_from_document(document, &instance->model, err);
    if (status == SS_OK)
        status = fmu_variables_make(&instance->resource, instance->model, instance->slider,
                                    &instance->variables, err);
    ss_sim_def def = fmu_sim_def(instance);
    ss_slide_def slide = ss_slide_def_default();
    if (status == SS_OK && instance->model)
        status = ss_sim_create(instance->model, &def, &instance->sim, err);
    if (status == SS_OK && instance->slider)
        status = ss_slide_create(instance->slider, &slide, &instance->slide, err);
    return status;
}

fmu_instance* fmu_instance_make(const char* name, const char* token, const char* location, fmu_log_sink* log,
                                void (*logger)(void), void* environment, bool logging, int version)
{
    fmu_instance* instance = calloc(1, sizeof *instance);
    if (!instance) return NULL;
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    instance->log = log;
    instance->logger = logger;
    instance->environment = environment;
    instance->version = version;
    instance->set.tolerance = ss_sim_def_default().tolerance;
    for (int k = 0; k < FMU_TOPICS; k++) instance->logging[k] = logging || k == FMU_TOPIC_ERROR;
    instance->name = strdup(name ? name : "");
    ss_status status = instance->name ? SS_OK : SS_NO_MEMORY;
    if (status == SS_OK) status = read_resource(instance, location, &err);
    if (status == SS_OK && (!token || strcmp(token, instance->resource.token) != 0))
        status = ss_fail(&err, SS_BAD_INPUT, NULL,
                         "expected the token %s, not %s: description and model do not belong "
                         "together",
                         instance->resource.token, token ? token : "none");
    if (status == SS_OK) status = make_model(instance, &err);
    if (status == SS_OK) status = make_room(instance, &err);
    if (status == SS_OK) {
        take_defaults(instance);
        instance->set.at_start = true;
        fmu_recipe_copy(instance, &instance->set, &instance->made);
        return instance;
    }
    fmu_report(instance, &err);
    fmu_instance_free(instance);
    return NULL;
}

void fmu_instance_free(fmu_instance* instance)
{
    if (!instance) return;
    ss_sim_destroy(instance->sim);
    ss_model_destroy(instance->model);
    ss_slide_destroy(instance->slide);
    ss_slider_destroy(instance->slider);
    fmu_variables_free(&instance->variables);
    fmu_resource_free(&instance->resource);
    free(instance->name);
    free(instance->set.numbers);
    free(instance->made.numbers);
    free(instance->numbers);
    free(instance->y);
    free(instance->rates);
    free(instance->indicators);
    free(instance);
}

fmu_status fmu_reset(fmu_instance* instance)
{
    take_defaults(instance);
    return FMU_OK;
}
