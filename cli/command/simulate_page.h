// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// `simulate --plot motion.html`: the motion as a page of its own, to play.
#ifndef SLIPSTICK_CLI_SIMULATE_PAGE_H
#define SLIPSTICK_CLI_SIMULATE_PAGE_H

#include "command/run.h"
#include "option/plot.h"

/// The player's script and style, ended by NUL; made at build time from web/src (cmake/player.cmake). The
/// script is empty where there was no esbuild to bundle it.
extern const char cli_player_script[], cli_player_style[];

bool cli_page_wanted(const cli_plot* plot); ///< the name ends in .html
/// Whether such a page can be written, and nothing else is asked of the picture. Returns CLI_GO_ON or the
/// status to exit with.
int cli_page_check(const cli_plot* plot, const cli_texts* also);
/// Writes the page: runs the motion once more, with moments close enough to play. Returns the status to exit
/// with.
/// motion: one with a sketch, of the model in the document.
int cli_page_write(const cli_plot* plot, const cli_common* common, const ss_document* document,
                   const ss_motion* motion);

#endif
