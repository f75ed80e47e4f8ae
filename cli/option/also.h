// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// --also PATH=VALUE,..: the same model once more with other starts or other numbers, for pictures that
// compare.
#ifndef SLIPSTICK_CLI_ALSO_H
#define SLIPSTICK_CLI_ALSO_H

#include "option/load.h"

/// The bodies or the slider of the document, changed as each of the texts says. *status is CLI_GO_ON, or the
/// status to exit with after a fault was told. Free what is returned, also then, with cli_also_unload.
cli_loaded* cli_also_load(const ss_document* document, const cli_texts* also, int* status);
void cli_also_unload(cli_loaded* all, const cli_texts* also); ///< NULL is welcome

#endif
