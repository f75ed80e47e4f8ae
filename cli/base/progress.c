// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // sigaction
#include "base/progress.h"

#include "share/file.h"
#include "slipstick/lab.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const double quiet_s = 0.5, between_s = 0.1;

// A signal handler can reach nothing but a global of this type.
static volatile sig_atomic_t interrupted = 0;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

bool cli_interrupted(void) { return interrupted != 0; }

static void catch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) // what nohup or a shell ignores stays ignored
        if (sigaction(ends[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ends[k], &action, NULL);
}

cli_progress cli_progress_begin(void)
{
    catch_signals();
    double now = ss_now_s();
    return (cli_progress){.terminal = isatty(STDERR_FILENO) == 1, .started_s = now, .drawn_s = now};
}

enum { LINE = 100 };

// Whether it is time to draw again.
static bool is_due(cli_progress* progress)
{
    if (!progress->terminal) return false;
    double now = ss_now_s();
    if (now - progress->started_s < quiet_s || now - progress->drawn_s < between_s) return false;
    progress->drawn_s = now;
    return true;
}

static void draw(cli_progress* progress, double fraction, const char* text)
{
    char bar[41];
    int filled = fraction > 0 ? (int)(40 * (fraction < 1 ? fraction : 1)) : 0;
    for (int k = 0; k < 40; k++) bar[k] = k < filled ? '#' : '-';
    bar[40] = '\0';
    char line[LINE];
    snprintf(line, sizeof line, "[%s] %3.0f %%%s", bar, 100 * fraction, text);
    dprintf(STDERR_FILENO, "\r%-*s", progress->shown ? LINE - 20 : 0,
            line); // as a terminal is meant to read it
    progress->shown = true;
}

void cli_progress_say(cli_progress* progress, double fraction, const char* text)
{
    if (is_due(progress)) draw(progress, fraction, text);
}

void cli_progress_update(cli_progress* progress, double fraction)
{
    cli_progress_say(progress, fraction, "");
}

void cli_progress_work(cli_progress* progress, double fraction, double rate, const char* unit, double left_s)
{
    if (!is_due(progress)) return;
    char text[64];
    int used = snprintf(text, sizeof text, "  %.3g %s", rate, unit);
    if (left_s >= 3600)
        snprintf(text + used, sizeof text - (size_t)used, "  %.1f h left", left_s / 3600);
    else if (left_s >= 60)
        snprintf(text + used, sizeof text - (size_t)used, "  %.0f min left", left_s / 60);
    else if (left_s >= 0)
        snprintf(text + used, sizeof text - (size_t)used, "  %.0f s left", left_s);
    draw(progress, fraction, text);
}

bool cli_progress_goes_on(void* progress, double share)
{
    cli_progress_update(progress, share);
    return !cli_interrupted();
}

void cli_progress_end(cli_progress* progress)
{
    if (progress->shown) dprintf(STDERR_FILENO, "\r%*s\r", LINE - 20, "");
    progress->shown = false;
}
