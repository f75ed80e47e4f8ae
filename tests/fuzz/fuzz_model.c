// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a model file: an answer or an error, never a crash, a leak or a hang. Text after a line
// "#set PATH=VALUE" is still part of the file (a comment), and the change is made as --set would make it.
#include "slipstick/lab.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes the changes the comments ask for; false where one was refused.
static bool change(ss_document* document, const char* text)
{
    ss_error err;
    for (const char* at = strstr(text, "#set "); at; at = strstr(at + 1, "#set ")) {
        char line[200], option[256];
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), at + 5);
        char* equals = strchr(line, '=');
        if (!equals) continue;
        *equals = '\0';
        snprintf(option, sizeof option, "--set %s", line);
        if (ss_document_set(document, line, equals + 1, option, &err) != SS_OK) return false;
    }
    return true;
}

// A fault has a text that can be shown.
static void check_error(const ss_error* err)
{
    char line[1024];
    if (err->status == SS_OK || !err->text[0] || !ss_error_format(err, line, sizeof line)[0]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* text = malloc(size + 1);
    if (!text) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    ss_error err;
    ss_document* document = NULL;
    if (ss_document_parse_yaml("fuzz.yaml", text, size, &document, &err) != SS_OK) check_error(&err);
    ss_model* model = NULL;
    ss_slider* slider = NULL;
    if (document && change(document, text)) {
        if (ss_model_create_from_document(document, &model, &err) != SS_OK) check_error(&err);
        if (ss_slider_create_from_document(document, &slider, &err) != SS_OK) check_error(&err);
    }
    ss_model_destroy(model);
    ss_slider_destroy(slider);
    ss_document_destroy(document);
    free(text);
    return 0;
}
