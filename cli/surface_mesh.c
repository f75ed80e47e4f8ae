// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface as a file: CSV (one row per vertex), OBJ or PLY (a mesh, in N, N and N*m).
#include "command.h"
#include "lab/file/file.h"
#include "load.h"
#include "surface.h"

#include <stdlib.h>
#include <string.h>

enum { FINENESS = 32 };

bool cli_mesh_knows(const char* path)
{
    return cli_ends_in(path, ".csv") || cli_ends_in(path, ".obj") || cli_ends_in(path, ".ply");
}

static void write_csv(const ss_mesh* m, FILE* out)
{
    fputs("qx,qy,qw,Fx_N,Fy_N,M_Nm\n", out);
    for (int k = 0; k < m->vertex_count; k++)
        fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", m->motions[3 * k] + 0.0,
                m->motions[3 * k + 1] + 0.0, m->motions[3 * k + 2] + 0.0, m->loads[3 * k] + 0.0,
                m->loads[3 * k + 1] + 0.0, m->loads[3 * k + 2] + 0.0);
}

static void write_obj(const ss_mesh* m, FILE* out)
{
    fputs("# limit surface: x = Fx (N), y = Fy (N), z = M (N*m)\n", out);
    for (int k = 0; k < m->vertex_count; k++)
        fprintf(out, "v %.9g %.9g %.9g\n", m->loads[3 * k] + 0.0, m->loads[3 * k + 1] + 0.0,
                m->loads[3 * k + 2] + 0.0);
    for (int k = 0; k < m->triangle_count; k++)
        fprintf(out, "f %d %d %d\n", m->triangles[3 * k] + 1, m->triangles[3 * k + 1] + 1,
                m->triangles[3 * k + 2] + 1);
}

static void write_ply(const ss_mesh* m, FILE* out)
{
    fprintf(out,
            "ply\nformat ascii 1.0\ncomment limit surface: x = Fx (N), y = Fy (N), z = M (N*m)\n"
            "element vertex %d\nproperty double x\nproperty double y\nproperty double z\n"
            "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
            m->vertex_count, m->triangle_count);
    for (int k = 0; k < m->vertex_count; k++)
        fprintf(out, "%.9g %.9g %.9g\n", m->loads[3 * k] + 0.0, m->loads[3 * k + 1] + 0.0,
                m->loads[3 * k + 2] + 0.0);
    for (int k = 0; k < m->triangle_count; k++)
        fprintf(out, "3 %d %d %d\n", m->triangles[3 * k], m->triangles[3 * k + 1], m->triangles[3 * k + 2]);
}

static ss_status write_mesh(const ss_mesh* mesh, const char* path, ss_error* err)
{
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_status status = SS_NO_MEMORY;
    if (temporary) status = ss_file_open(target, temporary, &file, err);
    if (file) {
        (cli_ends_in(path, ".csv")   ? write_csv
         : cli_ends_in(path, ".obj") ? write_obj
                                     : write_ply)(mesh, file);
        status = ss_file_finish(file, temporary, target, err);
    }
    free(target);
    free(temporary);
    return status;
}

int cli_mesh_write(const ss_slider* slider, double angle_rad, const char* path, const ss_watch* watch)
{
    ss_mesh mesh;
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (ss_slider_mesh(slider, angle_rad, FINENESS, watch, &mesh, &err) != SS_OK)
        return cli_option_error("--out", path, &err);
    err = (ss_error){.status = SS_NO_MEMORY, .text = "out of memory"};
    ss_status status = write_mesh(&mesh, path, &err);
    ss_mesh_free(&mesh);
    if (status == SS_OK) return CLI_DONE;
    return cli_option_error("--out", path, &err);
}
