// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "text_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

ss_document* text_document(const char* yaml)
{
    ss_document* document = NULL;
    ss_error err;
    if (ss_document_parse_yaml("m.yaml", yaml, strlen(yaml), &document, &err) != SS_OK)
        fail_msg("%s:%d:%d: %s", err.origin, err.line, err.column, err.text);
    return document;
}

ss_model* text_model(const char* yaml)
{
    ss_document* document = text_document(yaml);
    ss_model* model = NULL;
    ss_error err;
    if (ss_model_create_from_document(document, &model, &err) != SS_OK)
        fail_msg("%s: %s\n%s", err.field, err.text, yaml);
    ss_document_destroy(document);
    return model;
}

ss_model* text_parts_model(const char* parts)
{
    static const char head[] = "slipstick: 1\ntitle: t\n";
    size_t size = sizeof head + strlen(parts);
    char* text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s", head, parts);
    ss_model* model = text_model(text);
    free(text);
    return model;
}

ss_sim* text_run(const ss_model* model, bool ledger, double tolerance)
{
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_error err;
    def.ledger = ledger;
    def.tolerance = tolerance;
    if (ss_sim_create(model, &def, &sim, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return sim;
}

void text_run_to(ss_sim* sim, double until)
{
    ss_outcome outcome;
    ss_error err;
    if (ss_sim_advance(sim, until, &outcome, &err) != SS_OK) fail_msg("%s", err.text);
}

ss_basin* text_basin(const ss_document* document, const ss_basin_axis axes[], int count)
{
    ss_basin_def def = ss_basin_def_default();
    ss_basin* basin = NULL;
    ss_error err;
    def.document = document;
    def.axes = axes;
    def.axis_count = count;
    if (ss_basin_create(&def, &basin, &err) != SS_OK) fail_msg("%s: %s", err.origin, err.text);
    return basin;
}
