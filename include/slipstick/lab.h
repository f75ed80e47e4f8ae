// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What needs a desktop (libslipstick-lab): model files.
#ifndef SLIPSTICK_LAB_H
#define SLIPSTICK_LAB_H

#include "slipstick/slipstick.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a YAML 1.2 file into a document.
SS_API ss_status ss_document_read_yaml(const char* path, ss_document** out, ss_error* err);
/// The same from memory; name is what errors call it.
SS_API ss_status ss_document_parse_yaml(const char* name, const char* text, size_t length, ss_document** out,
                                        ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
