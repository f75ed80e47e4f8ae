// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where things go on the sheet. Letters are a little smaller on a small sheet; legends stand beside their
// plots or, where that would leave these too narrow, in rows at the foot of the sheet.
#include "picture/figure/figure_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double sample_width = 22, gap = 8; // points at full size

static void choose_sizes(ss_figure* figure)
{
    double width = figure->def.width / 420, height = figure->def.height / (110 + 45 * figure->plot_count),
           scale = fmin(fmax(fmin(width, height), 0.7), 1);
    figure->scale = scale;
    figure->text = 10 * scale;
    figure->small = 9 * scale;
    figure->margin = 10 * scale;
    figure->tick = 4 * scale;
}

// ---- texts ----

// Bytes of the character a text begins with.
static size_t character(const char* text)
{
    size_t n = 1;
    while (((unsigned char)text[n] & 0xC0) == 0x80) n++;
    return n;
}

const char* ss_text_fit(const char* text, double size, double room, bool keep_end, char* out, size_t out_size)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    snprintf(out, out_size, "%s", text);
    if (ss_text_width(text, size) <= room) return out;
    room -= ss_text_width(ellipsis, size);
    if (keep_end) {
        while (*text && ss_text_width(text, size) > room) text += character(text);
        snprintf(out, out_size, "%s%s", ellipsis, text);
        return out;
    }
    size_t length = 0;
    out[0] = '\0';
    while (text[length] && length + character(text + length) + sizeof ellipsis < out_size) {
        size_t next = length + character(text + length);
        memcpy(out + length, text + length, next - length);
        out[next] = '\0';
        if (ss_text_width(out, size) > room) break;
        length = next;
    }
    memcpy(out + length, ellipsis, sizeof ellipsis);
    return out;
}

// ---- ticks ----

double ss_widest_tick(const ss_ticks* ticks, double size)
{
    double widest = 0;
    char text[40];
    for (int k = 0; k < ticks->count; k++)
        widest = fmax(widest, ss_text_width(ss_ticks_label(ticks, k, text, sizeof text), size));
    return widest;
}

ss_ticks ss_plot_x_ticks(const ss_plot* plot)
{
    ss_ticks ticks = ss_ticks_choose(plot->x.from, plot->x.to, 8);
    for (int about = 7; about > 0; about--) {
        double apart = plot->frame.width * ticks.step / (plot->x.to - plot->x.from);
        if (ticks.count < 2 ||
            ss_widest_tick(&ticks, plot->figure->small) + 0.8 * plot->figure->small <= apart)
            break;
        ticks = ss_ticks_choose(plot->x.from, plot->x.to, about);
    }
    return ticks;
}

ss_ticks ss_plot_y_ticks(const ss_plot* plot)
{
    int about = (int)fmin(8, fmax(2, plot->frame.height / (2.8 * plot->figure->text)));
    ss_ticks ticks = ss_ticks_choose(plot->y.from, plot->y.to, about);
    while (ticks.count < 2 && about < 6) ticks = ss_ticks_choose(plot->y.from, plot->y.to, ++about);
    return ticks;
}

// ---- legend ----

double ss_entry_pitch(const ss_figure* figure) { return 16 * figure->scale; }

double ss_entry_width(const ss_figure* figure, const ss_entry* entry)
{
    double name = ss_text_width(entry->name, figure->small), most = 0.45 * figure->def.width;
    return sample_width * figure->scale + fmin(name, most);
}

// Whether a plot above has the same entry.
static bool is_repeated(const ss_figure* figure, const ss_plot* plot, const ss_entry* entry)
{
    for (const ss_plot* above = figure->plots; above < plot; above++)
        for (int k = 0; k < above->entry_count; k++)
            if (above->entries[k].kind == entry->kind && strcmp(above->entries[k].name, entry->name) == 0)
                return true;
    return false;
}

double ss_figure_flow_legend(ss_figure* figure, double top, ss_entry_sink* sink)
{
    double left = figure->margin, right = figure->def.width - figure->margin, x = left, y = top;
    bool any = false;
    for (int p = 0; p < figure->plot_count; p++) {
        ss_plot* plot = &figure->plots[p];
        for (int k = 0; k < plot->entry_count; k++) {
            double width = ss_entry_width(figure, &plot->entries[k]);
            if (is_repeated(figure, plot, &plot->entries[k])) continue;
            if (any && x + width > right) {
                x = left;
                y += ss_entry_pitch(figure);
            }
            if (sink) sink(plot, &plot->entries[k], x, y + figure->small);
            x += width + 12 * figure->scale;
            any = true;
        }
    }
    return any ? y - top + ss_entry_pitch(figure) : 0;
}

static double beside_width(const ss_figure* figure)
{
    double widest = 0;
    for (int p = 0; p < figure->plot_count; p++)
        for (int k = 0; k < figure->plots[p].entry_count; k++)
            widest = fmax(widest, ss_entry_width(figure, &figure->plots[p].entries[k]));
    return widest > 0 ? widest + 12 * figure->scale + 0.6 * figure->margin : 0;
}

// ---- frames ----

// The first and the last tick of an axis may stand at the very edge.
static double edge_room(const ss_figure* figure) { return 2.2 * figure->small; }

// Room for labels and ticks at the left of all plots, which stand in line.
static double left_room(const ss_figure* figure)
{
    double room = figure->margin;
    for (int p = 0; p < figure->plot_count; p++) {
        const ss_plot* plot = &figure->plots[p];
        if (plot->x.label) room = fmax(room, edge_room(figure));
        if (!plot->y.label) continue;
        ss_ticks ticks = ss_plot_y_ticks(plot);
        room = fmax(room, 1.9 * figure->text + ss_widest_tick(&ticks, figure->small) + figure->tick + 6);
    }
    return room;
}

static double right_room(const ss_figure* figure)
{
    double room = figure->margin;
    for (int p = 0; p < figure->plot_count; p++)
        if (figure->plots[p].x.label) room = fmax(room, edge_room(figure));
    return room;
}

static double below(const ss_figure* figure, const ss_plot* plot)
{
    return gap * figure->scale + (plot->x.label ? 2.5 * figure->text + figure->tick : 0);
}

static double weight_of(const ss_figure* figure, int plot)
{
    return figure->def.weights ? figure->def.weights[plot] : 1;
}

static void shrink_to_square(ss_plot* plot)
{
    ss_box* f = &plot->frame;
    double across = plot->x.to - plot->x.from, up = plot->y.to - plot->y.from,
           scale = fmin(f->width / across, f->height / up);
    if (plot->figure->legend_below) f->x += 0.5 * (f->width - scale * across);
    f->width = scale * across;
    f->height = scale * up;
}

// Frames one above the other, between the title and the foot.
static void set_heights(ss_figure* figure)
{
    double top = figure->margin + (figure->title[0] ? 2 * figure->text : 0);
    double room = figure->def.height - top - figure->foot - 0.4 * figure->margin, all = 0;
    for (int p = 0; p < figure->plot_count; p++) {
        room -= below(figure, &figure->plots[p]);
        all += weight_of(figure, p);
    }
    for (int p = 0; p < figure->plot_count; p++) {
        ss_plot* plot = &figure->plots[p];
        plot->frame.y = top;
        plot->frame.height = fmax(room * weight_of(figure, p) / all, 4);
        top += plot->frame.height + below(figure, plot);
    }
}

static void set_widths(ss_figure* figure, double left, double right)
{
    for (int p = 0; p < figure->plot_count; p++) {
        figure->plots[p].frame.x = left;
        figure->plots[p].frame.width = fmax(figure->def.width - left - right, 4);
    }
}

void ss_figure_lay_out(ss_figure* figure)
{
    choose_sizes(figure);
    set_heights(figure);
    double left = left_room(figure), right = right_room(figure), beside = beside_width(figure);
    figure->legend_below = figure->def.width - left - right - beside < 0.45 * figure->def.width;
    if (figure->legend_below) {
        figure->foot = fmin(ss_figure_flow_legend(figure, 0, NULL), 0.4 * figure->def.height);
        set_heights(figure);
        left = left_room(figure);
    }
    set_widths(figure, left, figure->legend_below ? right : fmax(beside, right));
    for (int p = 0; p < figure->plot_count; p++)
        if (figure->plots[p].square) shrink_to_square(&figure->plots[p]);
}
