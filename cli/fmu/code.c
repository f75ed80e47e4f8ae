// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The code of an FMU in sources/: headers in their folders, files to compile side by side under names of
// their own (engine/flow/open.c is engine_flow_open.c), because compilers put all objects into one folder.
#include "fmu/code.h"

#include "fmu/binary.h"

#include <stdio.h>
#include <string.h>

static bool is_compiled(const char* name) { return strcmp(name + strlen(name) - 2, ".c") == 0; }

// The name in sources/ of a file of the project.
static void name_of(const char* path, char out[256])
{
    const char* inner = strchr(path, '/'); // without src, include, fmu
    snprintf(out, 256, "%s", inner ? inner + 1 : path);
    for (char* c = out; is_compiled(path) && *c; c++)
        if (*c == '/') *c = '_';
}

static bool each(cli_zip_visit* visit, void* user)
{
    return cli_zip_each(cli_fmu_code, (size_t)(cli_fmu_code_end - cli_fmu_code), visit, user);
}

// ---- the list

typedef struct list {
    fmu_buffer* out;
    const char* element;
} list;

static void put_file(void* user, const char* path, cli_zip_file* file)
{
    const list* l = user;
    char name[256];
    (void)file;
    if (!is_compiled(path)) return;
    name_of(path, name);
    fmu_print(l->out, "      <%s name=\"%s\"/>\n", l->element, name);
}

void cli_list_code(const char* element, fmu_buffer* out)
{
    list l = {.out = out, .element = element};
    out->failed = !each(put_file, &l) || out->failed;
}

void cli_describe_build(const char* identifier, fmu_buffer* out)
{
    fmu_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n");
    fmu_print(out, "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C17\">\n",
              identifier);
    cli_list_code("SourceFile", out);
    fmu_put(out, "      <IncludeDirectory name=\".\"/>\n    </SourceFileSet>\n"
                 "    <Library name=\"m\" external=\"true\" description=\"mathematics of the C library\"/>\n"
                 "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

// ---- the files

static void copy_file(void* user, const char* path, cli_zip_file* file)
{
    char name[256], full[300];
    name_of(path, name);
    snprintf(full, sizeof full, "sources/%s", name);
    cli_zip_copy(user, full, file);
}

bool cli_add_code(cli_zip* zip) { return each(copy_file, zip); }

static void copy_binary(void* user, const char* path, cli_zip_file* file)
{
    const cli_binary_target* target = user;
    (void)path;
    cli_zip_copy(target->zip, target->name, file);
}

bool cli_add_binary(cli_binary_target* target)
{
    return cli_zip_each(cli_fmu_binary, (size_t)(cli_fmu_binary_end - cli_fmu_binary), copy_binary, target);
}

typedef struct candidate {
    const void* bytes;
    size_t size;
    bool same;
} candidate;

static void compare(void* user, const char* path, cli_zip_file* file)
{
    (void)path;
    candidate* c = user;
    c->same = cli_zip_holds(file, c->bytes, c->size) || c->same;
}

bool cli_is_own_binary(const void* bytes, size_t size)
{
    candidate c = {.bytes = bytes, .size = size};
    return cli_zip_each(cli_fmu_binary, (size_t)(cli_fmu_binary_end - cli_fmu_binary), compare, &c) && c.same;
}
