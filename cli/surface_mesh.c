// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface as a file.
#include "command.h"
#include "options.h"
#include "slipstick/file.h"
#include "surface.h"

enum { FINENESS = 32 };

int cli_mesh_write(const ss_slider* slider, double angle_rad, const char* path, const ss_watch* watch)
{
    ss_mesh mesh;
    ss_error err;
    if (ss_slider_mesh(slider, angle_rad, FINENESS, watch, &mesh, &err) != SS_OK)
        return cli_option_error("--out", path, &err);
    ss_status status = ss_mesh_write(&mesh, path, &err);
    ss_mesh_free(&mesh);
    return status == SS_OK ? CLI_DONE : cli_option_error("--out", path, &err);
}
