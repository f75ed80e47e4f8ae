// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/knob.h"

#include "model/read/node.h"

ss_status ss_knob_make(ss_knob* knob, const ss_document* document, const char* path, const char* option,
                       ss_error* err)
{
    *knob = (ss_knob){0};
    ss_status status = ss_document_clone(document, &knob->document, err);
    if (status == SS_OK) status = ss_document_set_node(knob->document, path, "0", option, &knob->node, err);
    return status;
}

void ss_knob_free(ss_knob* knob)
{
    ss_document_destroy(knob->document);
    *knob = (ss_knob){0};
}

ss_status ss_knob_model(ss_knob* knob, double value, ss_model** out, ss_error* err)
{
    ss_number_format(value, 17, knob->text, sizeof knob->text);
    knob->node->text = knob->text;
    return ss_model_create_from_document(knob->document, out, err);
}
