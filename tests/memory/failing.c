// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory that runs out, for any program that is started with this library in LD_PRELOAD: the program's main
// is run once per line of standard input, each time in a process of its own (a copy by fork, after all
// libraries are loaded, so that a run costs about a millisecond). A line is
//     FOLDER N once|on
// and makes the N-th allocation of that run fail (counted from the start of main, 0 for none), alone or with
// all that follow. The run happens in FOLDER, with its standard output and error in the files `out` and
// `err` there. For each line the parent prints FOLDER, how the run ended (its exit status, or minus the
// signal), and how many allocations it asked for; the last number is also what a sweep ends at.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long* asked; // shared with the parent; NULL until a run has begun
static long failing;
static bool on;

static bool fails(void)
{
    if (!asked) return false;
    long n = atomic_fetch_add(asked, 1) + 1;
    if (failing == 0 || !(on ? n >= failing : n == failing)) return false;
    errno = ENOMEM;
    return true;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size)
{
    if (fails()) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

typedef int main_function(int argc, char** argv, char** envp);
static main_function* real_main;

static bool redirect(const char* name, int to)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    return file >= 0 && dup2(file, to) >= 0 && close(file) == 0;
}

static void run(const char* folder, atomic_long* counter, int argc, char** argv, char** envp)
{
    struct rlimit none = {0, 0}; // a crash leaves no core file
    setrlimit(RLIMIT_CORE, &none);
    if (chdir(folder) != 0 || !redirect("out", STDOUT_FILENO) || !redirect("err", STDERR_FILENO)) _exit(125);
    asked = counter;
    exit(real_main(argc, argv, envp));
}

static int serve(int argc, char** argv, char** envp)
{
    atomic_long* counter =
        mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counter == MAP_FAILED) return 125;
    char line[4096], folder[4000], how[8];
    for (size_t used = 0;;) { // read() by letters: a copy must not inherit what a stream has read ahead
        ssize_t got = read(STDIN_FILENO, line + used, 1);
        if (got <= 0) return 0;
        if (line[used] != '\n') {
            if (++used == sizeof line) return 125;
            continue;
        }
        line[used] = '\0';
        used = 0;
        if (sscanf(line, "%3999s %ld %7s", folder, &failing, how) != 3) return 125;
        on = strcmp(how, "on") == 0;
        atomic_store(counter, 0);
        pid_t child = fork();
        if (child < 0) return 125;
        if (child == 0) {
            int nothing = open("/dev/null", O_RDONLY);
            dup2(nothing, STDIN_FILENO);
            close(nothing);
            run(folder, counter, argc, argv, envp);
        }
        int status = 0;
        waitpid(child, &status, 0);
        dprintf(STDOUT_FILENO, "%s %d %ld\n", folder,
                WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), atomic_load(counter));
    }
}

int __libc_start_main(main_function* entry, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end);

int __libc_start_main(main_function* entry, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end)
{
    int (*start)(main_function*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
    void* found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &found, sizeof start);
    real_main = entry;
    return start(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
