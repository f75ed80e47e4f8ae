// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface as a file: CSV (one row per vertex), OBJ or PLY (a mesh, in N, N and N*m).
#include "command.h"
#include "load.h"
#include "surface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FINENESS = 32 };

static bool ends_with(const char* path, const char* ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool cli_mesh_knows(const char* path)
{
    return ends_with(path, ".csv") || ends_with(path, ".obj") || ends_with(path, ".ply");
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

static int fault(const char* path)
{
    fprintf(stderr, "--out %s: %s\n", path, strerror(errno));
    return CLI_WRONG;
}

// Written beside, then renamed: what was there stays until the new file is whole.
int cli_mesh_write(const ss_slider* slider, double angle_rad, const char* path)
{
    ss_mesh mesh;
    ss_error err;
    if (ss_slider_mesh(slider, angle_rad, FINENESS, &mesh, &err) != SS_OK) return cli_tell(&err);
    size_t length = strlen(path) + sizeof ".part";
    char* part = malloc(length);
    FILE* out = NULL;
    if (part) {
        snprintf(part, length, "%s.part", path);
        out = fopen(part, "w");
    }
    int status = out ? CLI_DONE : fault(path);
    if (out) {
        (ends_with(path, ".csv") ? write_csv : ends_with(path, ".obj") ? write_obj : write_ply)(&mesh, out);
        bool written = !ferror(out);
        written = fclose(out) == 0 && written && rename(part, path) == 0;
        if (!written) status = fault(path);
        if (!written) remove(part);
    }
    free(part);
    ss_mesh_free(&mesh);
    return status;
}
