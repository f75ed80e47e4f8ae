// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/varied_parameter.h"

#include "core/error.h"
#include "model/read/node.h"

ss_status ss_varied_parameter_make(ss_varied_parameter* parameter, const ss_document* document,
                                   const char* path, const char* option, ss_error* err)
{
    *parameter = (ss_varied_parameter){0};
    ss_status status = ss_document_clone(document, &parameter->document, err);
    if (status == SS_OK)
        status = ss_document_set_node(parameter->document, path, "0", option, &parameter->node, err);
    return status;
}

void ss_varied_parameter_free(ss_varied_parameter* parameter)
{
    ss_document_destroy(parameter->document);
    *parameter = (ss_varied_parameter){0};
}

ss_status ss_varied_parameter_model(ss_varied_parameter* parameter, double value, ss_model** out,
                                    ss_error* err)
{
    ss_number_format(value, 17, parameter->text, sizeof parameter->text);
    parameter->node->text = parameter->text;
    return ss_model_create_from_document(parameter->document, out, err);
}

ss_status ss_varied_parameter_leave_tie_names(ss_varied_parameter* parameter, double value, ss_error* err)
{
    ss_node* ties = (ss_node*)ss_node_find(parameter->document->root, "ties"); // of its own copy
    if (!ties || ties->kind != SS_NODE_MAP) return SS_OK;
    ss_model* model = NULL;
    ss_error why;
    ties->kind = SS_NODE_LIST;
    ss_status status = ss_varied_parameter_model(parameter, value, &model, &why);
    ss_model_destroy(model);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != SS_OK) ties->kind = SS_NODE_MAP;
    return SS_OK;
}
