// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "option/plot.h"

#include "command.h"
#include "share/file.h"
#include "slipstick/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double least_points = 72, most_points = 14400; // an inch, the most PDF readers take

// "160x120mm", "160 x 120 mm", "800x600px", "600x400" (px).
static int read_size(const char* text, ss_sheet* out)
{
    double width, height;
    char unit[3] = "px";
    int end = 0;
    int found = sscanf(text, "%lf x%lf %n%2[a-z]%n", &width, &height, &end, unit, &end);
    bool millimetres = strcmp(unit, "mm") == 0;
    if (found < 2 || text[end] || (!millimetres && strcmp(unit, "px") != 0))
        return cli_option_fault("--size", text, "expected a size such as 160x120mm or 800x600px");
    double points = millimetres ? 72 / 25.4 : 0.75; // 96 pixels to the inch
    out->width = width * points;
    out->height = height * points;
    out->density = millimetres ? 0 : 1 / 0.75;
    if (!(out->width >= least_points && out->height >= least_points && out->width <= most_points &&
          out->height <= most_points))
        return cli_option_fault("--size", text, "must be between 26 mm (96 px) and 5 m (19200 px)");
    return CLI_GO_ON;
}

int cli_plot_sheet(cli_plot* plot, const cli_common* common, ss_sheet* out)
{
    *out = (ss_sheet){.path = plot->path};
    const char* needs = plot->theme  ? "--theme"
                        : plot->size ? "--size"
                        : plot->view ? "--view"
                        : plot->dpi  ? "--dpi"
                        : plot->font ? "--font"
                                     : NULL;
    if (!plot->path && needs) return cli_option_fault(needs, NULL, "only makes sense with --plot");
    if (!plot->path) return CLI_GO_ON;
    if (!ss_picture_knows(plot->path))
        return cli_option_fault("--plot", plot->path, "the name must end in .svg, .png or .pdf");
    out->theme = ss_theme_find(plot->theme ? plot->theme : "print");
    if (!out->theme) return cli_option_fault("--theme", plot->theme, "expected print, screen or dark");
    int status = plot->size ? read_size(plot->size, out) : CLI_GO_ON;
    out->font = plot->font;
    out->made = cli_made_line(common, plot->made);
    if (plot->dpi > 0) out->density = (double)plot->dpi / 72.0; // a point is 1/72 inch
    return status;
}

int cli_plot_view(const cli_plot* plot, const char* const names[], const char** of)
{
    *of = NULL;
    if (!plot->view) return 0;
    size_t length = strcspn(plot->view, ":");
    if (plot->view[length]) *of = plot->view + length + 1;
    char known[200] = "";
    for (int k = 0; names[k]; k++) {
        if (strlen(names[k]) == length && strncmp(names[k], plot->view, length) == 0) return k;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", names[k]);
    }
    cli_option_fault("--view", plot->view, "expected one of %s", known);
    return -1;
}

ss_status cli_plot_draw(cli_guarded* work, void* data, const ss_sheet* sheet, ss_error* err)
{
    char* temporary = ss_file_unfinished(sheet->path);
    ss_status status = cli_guard_file(work, data, temporary, err);
    free(temporary);
    return status;
}
