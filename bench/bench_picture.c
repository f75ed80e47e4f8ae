// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long does a picture of ten thousand to ten million points take, and how large is its file? Noise over
// time, and a spiral of ten thousand turns. The peer writes every point, as a file of lines without further
// thought does. A figure is printed only where both have the same outline: in columns of a point's width the
// lowest and the highest places agree to a point.
//
//     bench_picture [--csv FILE]
#include "block_chain.h"
#include "picture/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 360, REPETITIONS = 3, MOST_BY_PEER = 1000000 };

static const char file_name[] = "bench-picture.svg", pixel_name[] = "bench-picture.png";

typedef enum signal { NOISE, SPIRAL } signal;

static void fill(signal which, ss_point points[], int count)
{
    unsigned long long seed = 1;
    for (int k = 0; k < count; k++) {
        double share = (double)k / count, turn = 2 * acos(-1) * 1e4 * share;
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        double random = (double)(seed >> 11) / 9007199254740992.0;
        points[k] = which == NOISE ? (ss_point){2 * share - 1, 2 * random - 1}
                                   : (ss_point){(1 - share) * cos(turn), (1 - share) * sin(turn)};
    }
}

// ---- the two ways

static const ss_pen pen = {.color = {0, 0, 0, 1}, .width = 1.2};

static bool draw(const ss_point points[], int count, const char* path)
{
    const ss_figure_def def = {.sheet = {.path = path, .width = WIDTH, .height = HEIGHT}};
    const ss_plot_axis axis = {NULL, -1, 1};
    ss_figure* figure = NULL;
    ss_error err;
    bool good = ss_figure_create(&def, &figure, &err) == SS_OK;
    if (good) {
        ss_plot_line(ss_figure_plot(figure, &axis, &axis, false), points, count, false, &pen, NULL);
        good = ss_figure_finish(figure, &err) == SS_OK;
    }
    ss_figure_destroy(figure);
    return good;
}

// Every point, in the frame that the figure chose.
static bool draw_all(const ss_point points[], int count, const ss_box* frame, const char* path)
{
    FILE* file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"><path fill=\"none\" d=\"",
            WIDTH, HEIGHT);
    for (int k = 0; k < count; k++)
        fprintf(file, "%s%.2f %.2f", k ? "L" : "M", frame->x + 0.5 * frame->width * (points[k].x + 1),
                frame->y + 0.5 * frame->height * (1 - points[k].y));
    fprintf(file, "\"/></svg>\n");
    return fclose(file) == 0;
}

// ---- outlines

static char* read_all(const char* path, long* size)
{
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char* text = malloc((size_t)*size + 1);
    if (text && fread(text, 1, (size_t)*size, file) != (size_t)*size) text[0] = '\0';
    if (text) text[*size] = '\0';
    fclose(file);
    return text;
}

// The lowest and highest place of a line in every column; between two vertices of it, too.
static void outline(const char* d, double low[WIDTH], double high[WIDTH])
{
    double x0 = 0, y0 = 0, x, y;
    for (int k = 0; k < WIDTH; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (char *at = (char*)d, *end; *at == 'M' || *at == 'L'; at = end, x0 = x, y0 = y) {
        bool lifted = *at == 'M';
        x = strtod(at + 1, &end);
        y = strtod(end, &end);
        if (lifted) continue;
        double from = fmin(x0, x), to = fmax(x0, x);
        for (int column = (int)floor(from); column <= (int)floor(to); column++) {
            if (column < 0 || column >= WIDTH) continue;
            double a = fmax(from, column), b = fmin(to, column + 1),
                   slope = x != x0 ? (y - y0) / (x - x0) : 0;
            double ya = x != x0 ? y0 + slope * (a - x0) : y0, yb = x != x0 ? y0 + slope * (b - x0) : y;
            low[column] = fmin(low[column], fmin(ya, yb));
            high[column] = fmax(high[column], fmax(ya, yb));
        }
    }
}

// Whether one outline stays within the other, which may be a column off: steep lines cross it anywhere.
static bool lies_within(const double low[WIDTH], const double high[WIDTH], const double other_low[WIDTH],
                        const double other_high[WIDTH])
{
    for (int k = 1; k + 1 < WIDTH; k++) {
        double least = fmin(other_low[k], fmin(other_low[k - 1], other_low[k + 1])),
               most = fmax(other_high[k], fmax(other_high[k - 1], other_high[k + 1]));
        if (low[k] < least - 1 || high[k] > most + 1) return false;
    }
    return true;
}

static bool same_outline(const char* ours, const char* theirs)
{
    static double low[2][WIDTH], high[2][WIDTH];
    outline(ours, low[0], high[0]);
    outline(theirs, low[1], high[1]);
    return lies_within(low[0], high[0], low[1], high[1]) && lies_within(low[1], high[1], low[0], high[0]);
}

// The box the line is cut to, and the line, of our file.
static const char* find_line(const char* svg, ss_box* frame)
{
    const char* clip = strstr(svg, "<clipPath");
    const char* line = clip ? strstr(clip, "<path d=\"") : NULL;
    if (!line || sscanf(clip, "<clipPath id=\"clip1\"><rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
                        &frame->x, &frame->y, &frame->width, &frame->height) != 4)
        return NULL;
    return line + strlen("<path d=\"");
}

// ---- measuring

typedef struct result {
    double seconds, pixel_seconds, peer_seconds;
    long bytes, peer_bytes;
} result;

static bool measure_peer(const ss_point points[], int count, const char* svg, result* r)
{
    ss_box frame;
    const char* line = find_line(svg, &frame);
    if (!line) return false;
    double start = bench_cpu_seconds();
    if (!draw_all(points, count, &frame, file_name)) return false;
    r->peer_seconds = bench_cpu_seconds() - start;
    char* all = read_all(file_name, &r->peer_bytes);
    bool same = all && same_outline(line, strstr(all, " d=\"") + 4);
    free(all);
    if (!same) fprintf(stderr, "%d points: another outline\n", count);
    return same;
}

static bool measure(signal which, int count, result* r)
{
    ss_point* points = malloc((size_t)count * sizeof *points);
    bool good = points != NULL;
    *r = (result){.seconds = INFINITY, .pixel_seconds = INFINITY};
    if (good) fill(which, points, count);
    for (int k = 0; k < REPETITIONS && good; k++) {
        double start = bench_cpu_seconds(), between;
        good = draw(points, count, file_name);
        between = bench_cpu_seconds();
        good = good && draw(points, count, pixel_name);
        r->seconds = fmin(r->seconds, between - start);
        r->pixel_seconds = fmin(r->pixel_seconds, bench_cpu_seconds() - between);
    }
    char* svg = good ? read_all(file_name, &r->bytes) : NULL;
    good = svg != NULL;
    if (good && count <= MOST_BY_PEER) good = measure_peer(points, count, svg, r);
    free(svg);
    free(points);
    remove(file_name);
    remove(pixel_name);
    return good;
}

int main(int argc, char** argv)
{
    static const char* const names[] = {"noise", "spiral"};
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    printf("%-8s %10s %10s %10s %10s %14s %10s\n", "line", "points", "SVG s", "MB", "PNG s", "every point: s",
           "MB");
    for (int which = 0; which < 2; which++)
        for (int count = 10000; count <= 10000000; count *= 10) {
            result r;
            char row[160];
            if (!measure((signal)which, count, &r)) return 1;
            printf("%-8s %10d %10.3f %10.2f %10.3f", names[which], count, r.seconds, 1e-6 * (double)r.bytes,
                   r.pixel_seconds);
            if (r.peer_bytes > 0) printf(" %14.3f %10.2f", r.peer_seconds, 1e-6 * (double)r.peer_bytes);
            printf("\n");
            snprintf(row, sizeof row, "%s,%d,%.4f,%ld,%.4f,%.4f,%ld", names[which], count, r.seconds, r.bytes,
                     r.pixel_seconds, r.peer_seconds, r.peer_bytes);
            if (csv && !bench_append(csv, "line,points,svg_s,bytes,png_s,peer_s,peer_bytes", row)) return 1;
        }
    return 0;
}
