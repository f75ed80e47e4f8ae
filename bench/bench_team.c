// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster is a map with two threads, and with two MPI ranks? The programs as installed, a map of two
// blocks (models/two-blocks.yaml) of 1000 x 1000 starts, T = 100 s. Its own peer is one thread. The answer is
// printed only where all files have the same bytes. Wall times need two free cores; the seconds of processor
// time beside them do not: two workers that got in each other's way, or had to wait, would show there or in
// the share of the time that both were busy.
//
//     bench_team [SIDE]
#define _DEFAULT_SOURCE // popen, wait4
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { REPETITIONS = 5, WAYS = 4 };

typedef struct way {
    const char *name, *before, *program, *after;
    double wall_s, processor_s; // of the best repetition
} way;

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool run(way* w, int side, const char* file)
{
    char command[2048], answer[4096] = "";
    snprintf(command, sizeof command,
             "%s %s basin " SS_SOURCE_DIR "/models/two-blocks.yaml --over block1.x=-10:10:%d "
             "--over block2.x=-10:10:%d --until 100 --json --out %s %s 2>/dev/null",
             w->before, w->program, side, side, file, w->after);
    double before = processor_seconds();
    FILE* pipe = popen(command, "r");
    if (!pipe) return false;
    size_t length = fread(answer, 1, sizeof answer - 1, pipe);
    answer[length] = '\0';
    const char* seconds = strstr(answer, "\"seconds\": ");
    if (pclose(pipe) != 0 || !seconds) {
        fprintf(stderr, "%s: no answer\n", command);
        return false;
    }
    double wall = strtod(seconds + strlen("\"seconds\": "), NULL), used = processor_seconds() - before;
    if (w->wall_s == 0 || wall < w->wall_s) w->wall_s = wall;
    if (w->processor_s == 0 || used < w->processor_s) w->processor_s = used;
    return true;
}

static bool same_bytes(const char* a, const char* b)
{
    char command[512];
    snprintf(command, sizeof command, "cmp -s %s %s", a, b);
    return system(command) == 0; // NOLINT: our own names
}

static bool measure(way ways[], int side, const char* folder)
{
    char truth[128], file[128];
    snprintf(truth, sizeof truth, "%s/truth.h5", folder);
    snprintf(file, sizeof file, "%s/map.h5", folder);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        for (int k = 0; k < WAYS; k++) {
            if (!run(&ways[k], side, repetition + k == 0 ? truth : file)) return false;
            if (repetition + k > 0 && !same_bytes(truth, file)) {
                fprintf(stderr, "%s: another map\n", ways[k].name);
                return false;
            }
        }
    }
    return true;
}

int main(int argc, char** argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 1000;
    char folder[] = "/tmp/slipstick-team-XXXXXX", remove_folder[128];
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    way ways[WAYS] = {
        {.name = "1 thread", .before = "", .program = BENCH_PROGRAM, .after = "--threads 1"},
        {.name = "2 threads", .before = "", .program = BENCH_PROGRAM, .after = "--threads 2"},
        {.name = "1 rank", .before = "mpirun -n 1", .program = BENCH_MPI, .after = "--threads 1"},
        {.name = "2 ranks", .before = "mpirun -n 2", .program = BENCH_MPI, .after = "--threads 1"}};
    if (!mkdtemp(folder)) return 1;
    bool good = measure(ways, side, folder);
    printf("map of %d starts, best of %d\n", side * side, REPETITIONS);
    printf("  %-10s %12s %12s %14s\n", "", "seconds", "speed-up", "processor s");
    for (int k = 0; k < WAYS && good; k++)
        printf("  %-10s %12.4f %12.2f %14.3f\n", ways[k].name, ways[k].wall_s,
               ways[k / 2 * 2].wall_s / ways[k].wall_s, ways[k].processor_s);
    snprintf(remove_folder, sizeof remove_folder, "rm -r %s", folder);
    return system(remove_folder) == 0 && good ? 0 : 1; // NOLINT: our own names
}
