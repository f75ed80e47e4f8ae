// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Reads a model file with the installed libraries and runs it.
#include <slipstick/lab.h>

#include <stdio.h>

int main(int argc, char** argv)
{
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_outcome outcome = SS_TIME_REACHED;
    ss_error err;
    ss_sim_def def = ss_sim_def_default();
    if (argc != 2) return 2;

    ss_status status = ss_document_read_yaml(argv[1], &document, &err);
    if (status == SS_OK) status = ss_model_create_from_document(document, &model, &err);
    if (status == SS_OK) status = ss_sim_create(model, &def, &sim, &err);
    if (status == SS_OK) status = ss_sim_advance(sim, ss_model_get_info(model).until, &outcome, &err);
    if (status == SS_OK) {
        printf("%s: %s, x = %.9f m\n", ss_model_get_info(model).title, ss_outcome_name(outcome),
               ss_sim_x(sim)[0]);
    } else {
        char text[1024];
        fprintf(stderr, "%s\n", ss_error_format(&err, text, sizeof text));
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    ss_document_destroy(document);
    return status == SS_OK ? 0 : 1;
}
