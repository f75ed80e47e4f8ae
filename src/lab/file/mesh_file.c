// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface as a file: CSV (one row per vertex), OBJ or PLY (a mesh, in N, N and N*m).
#include "lab/file/output_file.h"

#include "core/number_length.h"

#include <stdlib.h>
#include <string.h>

static bool ends_in(const char* path, const char* ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool ss_mesh_knows(const char* path)
{
    return ends_in(path, ".csv") || ends_in(path, ".obj") || ends_in(path, ".ply");
}

// Three numbers, none of them -0, and what stands behind them.
static void put_vector(FILE* out, const double at[3], int digits, char between, char behind)
{
    for (int i = 0; i < 3; i++) {
        char text[SS_NUMBER_SIZE];
        fputs(ss_number_format(at[i] + 0.0, digits, text, sizeof text), out);
        fputc(i < 2 ? between : behind, out);
    }
}

static void write_csv(const ss_mesh* m, FILE* out)
{
    fputs("qx,qy,qw,Fx_N,Fy_N,M_Nm\n", out);
    for (int k = 0; k < m->vertex_count; k++) {
        put_vector(out, &m->motions[3 * k], 17, ',', ',');
        put_vector(out, &m->loads[3 * k], 17, ',', '\n');
    }
}

static void write_obj(const ss_mesh* m, FILE* out)
{
    fputs("# limit surface: x = Fx (N), y = Fy (N), z = M (N*m)\n", out);
    for (int k = 0; k < m->vertex_count; k++) {
        fputs("v ", out);
        put_vector(out, &m->loads[3 * k], 9, ' ', '\n');
    }
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
    for (int k = 0; k < m->vertex_count; k++) put_vector(out, &m->loads[3 * k], 9, ' ', '\n');
    for (int k = 0; k < m->triangle_count; k++)
        fprintf(out, "3 %d %d %d\n", m->triangles[3 * k], m->triangles[3 * k + 1], m->triangles[3 * k + 2]);
}

ss_status ss_mesh_write(const ss_mesh* mesh, const char* path, ss_error* err)
{
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_status status = temporary ? ss_file_open(target, temporary, &file, err) : ss_fail_no_memory(err);
    if (file) {
        (ends_in(path, ".csv") ? write_csv : ends_in(path, ".obj") ? write_obj : write_ply)(mesh, file);
        status = ss_file_finish(file, temporary, target, err);
    }
    free(target);
    free(temporary);
    return status;
}
