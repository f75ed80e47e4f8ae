// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A fit before it runs: a copy of the document with the free numbers found in it, and the samples in order.
#include "core/error.h"
#include "core/number_length.h"
#include "lab/fit/fit_impl.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "model/read/read.h"
#include "share/model_parts.h"
#include "share/quantity.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what is free

static const char delay_path[] = "clock.delay";

// "sensor.disk.x.offset", "sensor.disk.x.gain": what it is of which trace; SS_FIT_MODEL where it is neither.
static ss_fit_role sensor_role(const char* path, const char** shows, size_t* length)
{
    static const char before[] = "sensor.";
    const char* dot = strrchr(path, '.');
    if (strncmp(path, before, strlen(before)) != 0 || !dot) return SS_FIT_MODEL;
    *shows = path + strlen(before);
    if (dot <= *shows) return SS_FIT_MODEL;
    *length = (size_t)(dot - *shows);
    return strcmp(dot, ".offset") == 0 ? SS_FIT_OFFSET
           : strcmp(dot, ".gain") == 0 ? SS_FIT_GAIN
                                       : SS_FIT_MODEL;
}

static ss_fit_role role_of(const char* path)
{
    const char* shows;
    size_t length;
    return strcmp(path, delay_path) == 0 ? SS_FIT_DELAY : sensor_role(path, &shows, &length);
}

static void option_of(const char* path, char* out, size_t size) { snprintf(out, size, "--free %s", path); }

ss_status ss_fit_fail_free(const char* path, const char* text, ss_error* err)
{
    ss_fail(err, SS_BAD_INPUT, path, "%s", text);
    if (err) option_of(path, err->origin, sizeof err->origin);
    return SS_BAD_INPUT;
}

static ss_status parse_number(const ss_node* node, const ss_scope* scope, const char* path,
                              ss_fit_number* out, ss_error* err)
{
    ss_error reason;
    if (ss_quantity_parse_any(node->text, scope, &out->value, &out->dimension, &out->has_unit, &reason) !=
        SS_OK) {
        char text[320];
        snprintf(text, sizeof text, "'%.60s' is not a number that can be fitted (%.200s)", node->text,
                 reason.text);
        return ss_fit_fail_free(path, text, err);
    }
    double ignored;
    if (node->replaced && !out->has_unit) // a bare number has the unit of what it replaces
        ss_quantity_parse_any(node->replaced, scope, &ignored, &out->dimension, &out->has_unit, &reason);
    out->angle = ss_written_angle(node->replaced ? node->replaced : node->text);
    return SS_OK;
}

ss_status ss_fit_read_number(ss_document* document, const char* path, ss_fit_number* out, ss_error* err)
{
    *out = (ss_fit_number){0};
    if (strcmp(path, delay_path) == 0) {
        *out = (ss_fit_number){.dimension = ss_time, .has_unit = true, .found = true};
        return SS_OK;
    }
    if (role_of(path) != SS_FIT_MODEL) {
        *out = (ss_fit_number){.value = role_of(path) == SS_FIT_GAIN ? 1.0 : 0.0, .found = true};
        return SS_OK;
    }
    char option[256];
    option_of(path, option, sizeof option);
    ss_node* node = NULL;
    ss_status status = ss_document_find(document, path, option, &node, err);
    if (status == SS_OK && !node && strcmp(path, "delay") == 0)
        return ss_fit_fail_free(path, "that of the sensor's clock is called clock.delay", err);
    if (status != SS_OK || !node || node->kind != SS_NODE_SCALAR) return status;
    ss_reader reader = {.document = document, .root = document->root};
    status = ss_read_parameters(&reader);
    if (status != SS_OK && err) *err = reader.error;
    ss_scope scope = {.parameters = reader.parameters, .parameter_count = reader.parameter_count};
    if (status == SS_OK) status = parse_number(node, &scope, path, out, err);
    out->found = status == SS_OK;
    ss_pool_free(&reader.pool);
    return status;
}

const char* ss_fit_number_unit(const ss_document* document, const char* path, char* out, size_t size)
{
    ss_document* copy = NULL; // looking a number up may add it
    ss_node* node = NULL;
    ss_fit_number number;
    ss_error err;
    ss_dimension dimension;
    out[0] = '\0';
    if (ss_document_clone(document, &copy, &err) == SS_OK &&
        ss_fit_read_number(copy, path, &number, &err) == SS_OK && number.found) {
        if (number.has_unit)
            ss_dimension_format_angle(number.dimension, number.angle, out, size);
        else if (ss_document_find(copy, path, path, &node, &err) == SS_OK && node &&
                 ss_document_expects(copy, node, &dimension) && !ss_dimension_equal(dimension, ss_plain))
            ss_dimension_format(dimension, out, size);
    }
    ss_document_destroy(copy);
    return out;
}

static ss_status place_guess(const ss_fit_free* def, ss_fit_binding* binding, ss_error* err)
{
    if (!isnan(def->guess)) binding->guess = def->guess;
    if (!(def->least < def->most)) return ss_fit_fail_free(def->path, "the bounds leave no room", err);
    if (!isfinite(binding->guess)) return ss_fit_fail_free(def->path, "the first guess is not finite", err);
    if (binding->guess < def->least || binding->guess > def->most) {
        char text[192];
        ss_format(text, sizeof text,
                  "the first guess, %.9g, lies outside the bounds %.9g:%.9g; --set another", binding->guess,
                  def->least, def->most);
        return ss_fit_fail_free(def->path, text, err);
    }
    binding->least = def->least;
    binding->most = def->most;
    return SS_OK;
}

// Which trace the offset or gain of a sensor belongs to.
static ss_status find_sensor(const ss_fit_problem* problem, const char* path, ss_fit_binding* binding,
                             ss_error* err)
{
    const char* shows = NULL;
    size_t length = 0;
    binding->role = role_of(path);
    if (binding->role != SS_FIT_OFFSET && binding->role != SS_FIT_GAIN) return SS_OK;
    sensor_role(path, &shows, &length);
    for (int c = 0; c < problem->def.trace_count; c++)
        if (strlen(problem->columns[c].shows) == length &&
            strncmp(problem->columns[c].shows, shows, length) == 0) {
            binding->column = c;
            binding->has_unit = binding->role == SS_FIT_OFFSET;
            binding->dimension = problem->columns[c].dimension;
            return SS_OK;
        }
    return ss_fit_fail_free(path, "no --column shows what this sensor measures", err);
}

static ss_status bind(ss_fit_problem* problem, const ss_fit_free* def, ss_fit_binding* binding, ss_error* err)
{
    binding->recording = def->recording;
    binding->above = -1;
    size_t size = strlen(def->path) + 16;
    if (!(binding->name = malloc(size))) return ss_fail_no_memory(err);
    snprintf(binding->name, size, "%s", def->path);
    if (def->recording >= 0) snprintf(binding->name, size, "%s#%d", def->path, def->recording + 1);
    for (const ss_fit_binding* other = problem->free; other < binding; other++)
        if (strcmp(other->name, binding->name) == 0)
            return ss_fit_fail_free(def->path, "is given twice", err);
    ss_fit_number now;
    ss_status status = ss_fit_read_number(problem->document, def->path, &now, err);
    binding->guess = strcmp(def->path, delay_path) == 0 ? problem->def.delay : now.value;
    binding->dimension = now.dimension;
    binding->has_unit = now.has_unit;
    if (status == SS_OK) status = find_sensor(problem, def->path, binding, err);
    return status == SS_OK ? place_guess(def, binding, err) : status;
}

// Only now that every guess is known: a number may be an expression in another that is free.
static ss_status make_nodes(ss_fit_problem* problem, ss_error* err)
{
    ss_status status = SS_OK;
    for (int k = 0; k < problem->known_count && status == SS_OK; k++) {
        ss_fit_assignment* known = &problem->known[k];
        const char* path = problem->def.known[k].path;
        ss_node* before = NULL;
        status = ss_document_find(problem->document, path, NULL, &before, err);
        known->text = problem->def.known[k].value;
        known->base = before && before->kind == SS_NODE_SCALAR ? before->text : "0";
        known->recording = problem->def.known[k].recording;
        char option[320];
        snprintf(option, sizeof option, "--each %.120s=%.160s", path, known->text);
        if (status == SS_OK)
            status = ss_document_set_node(problem->document, path, known->text, option, &known->node, err);
        for (int i = 0; i < k; i++)
            if (problem->known[i].node == known->node) known->base = problem->known[i].base;
    }
    for (int j = 0; j < problem->n && status == SS_OK; j++) {
        const char* path = problem->def.free[j].path;
        char option[256];
        option_of(path, option, sizeof option);
        if (problem->free[j].role == SS_FIT_MODEL)
            status = ss_document_set_node(problem->document, path, "0", option, &problem->free[j].node, err);
    }
    return status;
}

// ---- what was recorded

static ss_status fail_trace(const char* shows, const char* text, ss_error* err)
{
    ss_fail(err, SS_BAD_INPUT, shows, "%s", text);
    if (err) snprintf(err->origin, sizeof err->origin, "--column %.200s", shows);
    return SS_BAD_INPUT;
}

static ss_status find_column(const ss_model* model, const ss_fit_trace* trace, ss_fit_column* column,
                             ss_error* err)
{
    const char* dot = strrchr(trace->shows, '.');
    char name[256], text[384];
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - trace->shows) : 0, trace->shows);
    bool is_x = dot && strcmp(dot, ".x") == 0, is_v = dot && strcmp(dot, ".v") == 0;
    bool found = ss_quantity_find(model, trace->shows, &column->of, err) == SS_OK;
    if (!found && !is_x && !is_v)
        return fail_trace(
            trace->shows,
            "expected BODY.x or BODY.v, a position or a speed, CONTACT.force, or a state or signal", err);
    if (!found) {
        int used = snprintf(text, sizeof text, "there is no body '%.60s'; there are", name);
        for (int b = 0; b < ss_model_body_count(model) && used < 300; b++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s %.40s", b > 0 ? "," : "",
                             ss_model_body_name(model, b));
        return fail_trace(trace->shows, text, err);
    }
    snprintf(column->shows, sizeof column->shows, "%.300s", trace->shows);
    column->speed = column->of.kind == SS_QUANTITY_V;
    column->jumps = ss_quantity_row_at(column->of.kind)->changes;
    column->dimension = ss_quantity_dimension(model, column->of);
    ss_quantity_unit(model, column->of, column->unit, sizeof column->unit);
    column->sigma_known = !isnan(trace->sigma);
    column->sigma = trace->sigma;
    if (column->sigma_known && !(trace->sigma > 0.0 && isfinite(trace->sigma)))
        return fail_trace(trace->shows, "sigma must be positive and finite", err);
    return SS_OK;
}

static ss_status check_units(const ss_fit_problem* problem, ss_error* err)
{
    for (int r = 0; r < problem->def.recording_count; r++) {
        const ss_recording* recording = problem->def.recordings[r];
        int columns = problem->def.trace_count + problem->def.input_count;
        if (recording->column_count != columns)
            return ss_fail(err, SS_BAD_INPUT, "traces", "%s has %d columns, not %d", recording->name,
                           recording->column_count, columns);
        for (int c = 0; c < problem->def.trace_count; c++) {
            ss_dimension got = recording->columns[c].dimension, want = problem->columns[c].dimension;
            if (!recording->columns[c].has_unit || ss_dimension_equal(got, want)) continue;
            char given[40], text[160];
            ss_dimension_format(got, given, sizeof given);
            snprintf(text, sizeof text, "expected %s, but the column is in %s", problem->columns[c].unit,
                     given);
            return fail_trace(problem->def.traces[c].shows, text, err);
        }
    }
    return SS_OK;
}

// Noise of a trace before any motion is compared with it: how far samples are off the line between their
// neighbours. What bends in between counts as noise as well, so this is rather too much.
static double rough_noise(const ss_fit_problem* problem, int trace)
{
    const ss_fit_row *before = NULL, *middle = NULL;
    double squares = 0.0;
    long count = 0;
    for (long i = 0; i < problem->m; i++) {
        const ss_fit_row* row = &problem->rows[i];
        if (row->trace != trace) continue;
        if (before && row->time > before->time) {
            double share = (middle->time - before->time) / (row->time - before->time);
            double off = middle->value - (1.0 - share) * before->value - share * row->value;
            squares += off * off / (1.0 + share * share + (1.0 - share) * (1.0 - share));
            count++;
        }
        before = middle && row->time >= middle->time ? middle : NULL; // a new recording begins
        middle = row;
    }
    return count > 0 ? sqrt(squares / (double)count) : 0.0;
}

static void set_scales(ss_fit_problem* problem)
{
    for (int c = 0; c < problem->def.trace_count; c++) {
        double low = INFINITY, high = -INFINITY;
        for (long i = 0; i < problem->m; i++) {
            if (problem->rows[i].trace != c) continue;
            low = fmin(low, problem->rows[i].value);
            high = fmax(high, problem->rows[i].value);
        }
        ss_fit_column* column = &problem->columns[c];
        column->scale = high > low ? high - low : fabs(high) > 0.0 && isfinite(high) ? fabs(high) : 1.0;
        if (!column->sigma_known) column->sigma = fmax(rough_noise(problem, c), 1e-6 * column->scale);
    }
}

// Of a speed, the mean since the sample before is kept as well.
static void add_row(ss_fit_problem* problem, int recording, double t, double value, int trace)
{
    if (isnan(value)) return;
    ss_fit_row row = {.time = t, .value = value, .soft = value, .trace = trace};
    bool speed = problem->columns[trace].speed;
    for (long i = problem->m - 1; i >= problem->first[recording]; i--) {
        if (problem->rows[i].trace != trace) continue;
        if (speed && t > problem->rows[i].time) row.soft = 0.5 * (value + problem->rows[i].value);
        row.rank = problem->rows[i].rank + 1;
        break;
    }
    problem->rows[problem->m++] = row;
}

static ss_status gather_rows(ss_fit_problem* problem, ss_error* err)
{
    const ss_fit_def* def = &problem->def;
    long most = 0;
    for (int r = 0; r < def->recording_count; r++) most += def->recordings[r]->count * def->trace_count;
    problem->rows = ss_new((size_t)most, sizeof *problem->rows);
    if (!problem->rows) return ss_fail_no_memory(err);
    for (int r = 0; r < def->recording_count; r++) {
        const ss_recording* recording = def->recordings[r];
        problem->first[r] = problem->m;
        for (long k = 0; k < recording->count; k++) {
            double t = recording->time[k];
            if (t < def->from || t > def->to) continue;
            if (t < 0.0)
                return ss_fail(err, SS_BAD_INPUT, recording->name,
                               "the time %.9g s is before the start of the motion, t = 0; leave such samples "
                               "out with --from 0",
                               t);
            for (int c = 0; c < def->trace_count; c++)
                add_row(problem, r, t, ss_recording_value(recording, k, c), c);
        }
    }
    problem->first[def->recording_count] = problem->m;
    if (problem->m <= problem->n)
        return ss_fail(err, SS_BAD_INPUT, def->recordings[0]->name, "%ld samples cannot determine %d numbers",
                       problem->m, problem->n);
    set_scales(problem);
    return SS_OK;
}

// ---- the whole

static ss_status check_def(const ss_fit_def* def, ss_error* err)
{
    if (!def) return ss_fail(err, SS_BAD_INPUT, NULL, "there is no definition");
    if (!def->document) return ss_fail(err, SS_BAD_INPUT, "document", "is missing");
    if (def->recording_count < 1 || !def->recordings)
        return ss_fail(err, SS_BAD_INPUT, "recordings", "there is none");
    if (def->trace_count < 1 || !def->traces) return ss_fail(err, SS_BAD_INPUT, "traces", "there is none");
    if ((def->free_count < 1 && !def->as_it_is) || !def->free)
        return ss_fail(err, SS_BAD_INPUT, "free", "no number is free");
    if (!isfinite(def->delay)) return ss_fail(err, SS_BAD_INPUT, "delay", "must be finite");
    if (!(def->quiet >= 0.0)) return ss_fail(err, SS_BAD_INPUT, "quiet", "must not be negative");
    if (def->starts < 1) return ss_fail(err, SS_BAD_INPUT, "starts", "must be at least 1");
    for (int j = 0; j < def->free_count; j++)
        if (!def->free[j].path || def->free[j].recording < -1 ||
            def->free[j].recording >= def->recording_count)
            return ss_fail(err, SS_BAD_INPUT, "free", "a path is missing, or there is no such recording");
    for (int k = 0; k < def->known_count; k++)
        if (!def->known[k].path || !def->known[k].value || def->known[k].recording < 0 ||
            def->known[k].recording >= def->recording_count)
            return ss_fail(err, SS_BAD_INPUT, "known",
                           "a path or value is missing, or there is no such recording");
    return SS_OK;
}

static ss_status allocate(ss_fit_problem* p, ss_error* err)
{
    size_t n = (size_t)p->n, m = (size_t)p->m;
    double** numbers[] = {&p->scratch.values, &p->scratch.plus, &p->scratch.minus, &p->scratch.residual};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) *numbers[k] = ss_new(m, sizeof(double));
    uint64_t** signs[] = {&p->scratch.signs, &p->scratch.signs_plus, &p->scratch.signs_minus};
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++) *signs[k] = ss_new(m, sizeof(uint64_t));
    p->scratch.at = ss_new(n + 1, sizeof(double)); // the first tells whether anything is known
    p->scratch.beside = ss_new(n, sizeof(double));
    p->scratch.jacobian = ss_new(n * m, sizeof(double));
    p->scratch.derived_at = ss_new(n + 1, sizeof(double));
    p->active = ss_new(m, sizeof(bool));
    bool good = p->scratch.values && p->scratch.plus && p->scratch.minus && p->scratch.residual &&
                p->scratch.signs && p->scratch.signs_plus && p->scratch.signs_minus && p->scratch.at &&
                p->scratch.beside && p->scratch.jacobian && p->scratch.derived_at && p->active;
    if (!good) return ss_fail_no_memory(err);
    p->scratch.derived_at[0] = NAN;
    for (size_t i = 0; i < m; i++) p->active[i] = true;
    p->scratch.at[0] = NAN;
    return ss_fit_find_limits(p, p->scratch.beside, err);
}

// Whether one motion with all its derivatives costs less than one more motion per number: where they go by
// series, as in linear models, and along curves whose slopes have some if there are several of them.
static bool exact_pays(const ss_model* model, int count)
{
    enum { SEVERAL = 3 };
    if (model->nature.linear) return true;
    if (count < SEVERAL || model->open) return false;
    for (int c = 0; c < model->connection_count; c++)
        if (model->connections[c].cubic != 0.0) return false;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        bool curved = contact->law_entry->point.at != NULL;
        if (curved && (contact->elements > 0 || !contact->law_entry->series.slopes)) return false;
    }
    return true;
}

static ss_status fill(ss_fit_problem* problem, ss_error* err)
{
    const ss_fit_def* def = &problem->def;
    problem->free = ss_new((size_t)def->free_count, sizeof *problem->free);
    problem->known = ss_new((size_t)def->known_count, sizeof *problem->known);
    problem->columns = ss_new((size_t)def->trace_count, sizeof *problem->columns);
    problem->first = ss_new((size_t)def->recording_count + 1, sizeof *problem->first);
    if (!problem->free || !problem->known || !problem->columns || !problem->first)
        return ss_fail_no_memory(err);
    ss_status status = ss_document_clone(def->document, &problem->document, err);
    ss_model* model = NULL;
    if (status == SS_OK) status = ss_model_create_from_document(problem->document, &model, err);
    for (int c = 0; c < def->trace_count && status == SS_OK; c++)
        status = find_column(model, &def->traces[c], &problem->columns[c], err);
    problem->exact = model && exact_pays(model, def->free_count);
    if (status == SS_OK) status = check_units(problem, err);
    if (status == SS_OK) status = ss_fit_make_inputs(problem, model, err);
    ss_model_destroy(model);
    for (; problem->n < def->free_count && status == SS_OK; problem->n++)
        status = bind(problem, &def->free[problem->n], &problem->free[problem->n], err);
    problem->known_count = def->known_count;
    if (status == SS_OK) status = make_nodes(problem, err);
    if (status == SS_OK) status = gather_rows(problem, err);
    return status == SS_OK ? allocate(problem, err) : status;
}

ss_status ss_fit_problem_create(const ss_fit_def* def, ss_fit_problem** out, ss_error* err)
{
    *out = NULL;
    ss_status status = check_def(def, err);
    if (status != SS_OK) return status;
    ss_fit_problem* problem = ss_new(1, sizeof *problem);
    if (!problem) return ss_fail_no_memory(err);
    problem->def = *def;
    problem->manner.horizon = INFINITY;
    problem->effort.left = INFINITY;
    problem->manner.only = -1;
    problem->effort.budget = LONG_MAX;
    status = fill(problem, err);
    if (status == SS_OK)
        *out = problem;
    else
        ss_fit_problem_destroy(problem);
    return status;
}

void ss_fit_problem_destroy(ss_fit_problem* p)
{
    if (!p) return;
    void* pieces[] = {p->known,
                      p->points,
                      p->columns,
                      p->rows,
                      p->first,
                      p->active,
                      p->scratch.values,
                      p->scratch.plus,
                      p->scratch.minus,
                      p->scratch.signs,
                      p->scratch.signs_plus,
                      p->scratch.signs_minus,
                      p->scratch.at,
                      p->scratch.beside,
                      p->scratch.jacobian,
                      p->scratch.derived_at,
                      p->scratch.residual,
                      p->log.events};
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) free(pieces[k]);
    for (int j = 0; p->free && j < p->n; j++) free(p->free[j].name);
    ss_document_destroy(p->document);
    free(p->free);
    free(p);
}
