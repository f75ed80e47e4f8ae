// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/unpacked_model.h"

#include "slipstick/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Sizes of continuous states, as the program puts them into an FMU. Returns how many.
static int measure(const ss_document* document, double sizes[64])
{
    ss_model* model;
    ss_error err;
    if (ss_document_is_slider(document)) return 0;
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    int count = ss_exchange_check(model, &err) == SS_OK ? ss_exchange_state_count(model) : 0;
    assert_true(count <= 64);
    if (count > 0) assert_int_equal(ss_exchange_sizes(model, sizes, &err), SS_OK);
    ss_model_destroy(model);
    return count;
}

void fmu_model_write(fmu_model* model, const char* name)
{
    char path[512];
    ss_document* document;
    ss_error err;
    static const char* const own[] = {"parameters.k1", "parameters.mu"};
    static const bool tunable[] = {true, true};
    bool blocks = strcmp(name, "two-blocks") == 0;
    if (!model->folder[0]) {
        snprintf(model->folder, sizeof model->folder, "/tmp/fmu-model-XXXXXX");
        assert_non_null(mkdtemp(model->folder));
    }
    snprintf(path, sizeof path, "%s/models/%s.yaml", SS_SOURCE_DIR, name);
    assert_int_equal(ss_document_read_yaml(path, &document, &err), SS_OK);
    double sizes[64];
    fmu_resource_def def = {.document = document,
                            .paths = own,
                            .tunable = tunable,
                            .path_count = blocks ? 2 : 0,
                            .sizes = sizes,
                            .size_count = measure(document, sizes)};
    char* text = fmu_resource_write(&def);
    assert_non_null(text);
    fmu_resource resource;
    assert_int_equal(fmu_resource_read(text, &resource, &err), SS_OK);
    snprintf(model->token, sizeof model->token, "%s", resource.token);
    fmu_resource_free(&resource);
    snprintf(path, sizeof path, "%s/model.txt", model->folder);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(text);
    ss_document_destroy(document);
}

void fmu_model_remove(const fmu_model* model)
{
    char path[64];
    snprintf(path, sizeof path, "%s/model.txt", model->folder);
    remove(path);
    rmdir(model->folder);
}
