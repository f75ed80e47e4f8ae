// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The figures of the command line, as SVG.
#include "page.h"
#include "share/text.h"
#include "slipstick/picture.h"

#include <stdlib.h>
#include <string.h>

static bool collect(void* user, const void* bytes, size_t size)
{
    page* p = user;
    char* larger = realloc(p->text, p->length + size + 1);
    if (!larger) return false;
    memcpy(larger + p->length, bytes, size);
    p->text = larger;
    p->length += size;
    p->text[p->length] = '\0';
    return true;
}

static ss_sheet sheet(page* p, const char* theme, double width, double height)
{
    free(p->text);
    p->text = NULL;
    p->length = 0;
    return (ss_sheet){.path = "figure.svg",
                      .sink = collect,
                      .user = p,
                      .theme = ss_theme_find(theme),
                      .width = width,
                      .height = height};
}

// view: an ss_motion_view, or an ss_sliding_view of a slider; of: body or contact, or NULL. Draws the motion
// that was run last.
EXPORT(page_picture)
bool page_picture(page* p, int view, const char* of, const char* theme, double width, double height)
{
    const ss_motion* motions[] = {p->motion};
    if (p->slider)
        return ss_picture_sliding(&(ss_sliding_picture){.sheet = sheet(p, theme, width, height),
                                                        .view = (ss_sliding_view)view,
                                                        .motions = motions,
                                                        .count = 1},
                                  &p->err) == SS_OK;
    return ss_picture_motion(&(ss_motion_picture){.sheet = sheet(p, theme, width, height),
                                                  .view = (ss_motion_view)view,
                                                  .of = of,
                                                  .motions = motions,
                                                  .count = 1},
                             &p->err) == SS_OK;
}

// The law of a contact over the slip speed: pairs in page_text; their number, or -1.
EXPORT(page_law) int page_law(page* p, int contact, double fastest)
{
    int count = 0;
    double(*line)[2] = malloc(SS_LAW_POINTS * sizeof *line);
    free(p->text);
    p->length = 0;
    p->text = (char*)line;
    if (!line) ss_fail_no_memory(&p->err);
    if (!line || !page_needs_model(p)) return -1;
    return ss_law_line(p->model, contact, fastest, line, &count, &p->err) == SS_OK ? count : -1;
}

EXPORT(page_picture_certificate)
bool page_picture_certificate(page* p, const char* theme, double width, double height)
{
    if (!page_needs_model(p)) return false;
    ss_sheet paper = sheet(p, theme, width, height);
    return ss_picture_certificate(p->model, &paper, &p->err) == SS_OK;
}

// The map of page_map_begin, computed as a whole.
EXPORT(page_picture_map) bool page_picture_map(page* p, const char* theme, double width, double height)
{
    ss_map_def def = {.basin = p->basin, .keep = true};
    ss_basin_run_def run = {.threads = 1};
    ss_map* map = NULL;
    ss_sheet paper = sheet(p, theme, width, height);
    ss_status status = ss_map_create(&def, &map, &p->err);
    if (status == SS_OK) status = ss_map_run(map, &run, NULL, &p->err);
    if (status == SS_OK) status = ss_map_find_attractors(map, &p->err);
    if (status == SS_OK) status = ss_picture_map(map, &paper, &p->err);
    ss_map_destroy(map);
    return status == SS_OK;
}
