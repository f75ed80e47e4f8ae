// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The allocator of the C library, watched. A program's own malloc is the one that all its shared libraries
// call, so this file sees every allocation of the process; it passes each on to the next allocator (the C
// library's, or one that LD_PRELOAD brought) and does something of its own only where that one fails under a
// guard.
#define _GNU_SOURCE // RTLD_NEXT
#include "base/memory.h"
#include "share/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static _Thread_local jmp_buf* home; // of the innermost guard of this thread, NULL without one
static _Thread_local bool left;

bool cli_guard_was_left(void) { return left; }

ss_status cli_guard(cli_guarded* work, void* data, ss_error* err)
{
    if (left) return ss_fail_no_memory(err);
    jmp_buf here;
    jmp_buf* const outer = home;
    volatile ss_status status = SS_NO_MEMORY;
    if (setjmp(here) == 0) {
        home = &here;
        status = work(data, err);
    } else {
        left = true;
    }
    home = outer;
    return left ? ss_fail_no_memory(err) : status;
}

ss_status cli_guard_file(cli_guarded* work, void* data, const char* temporary, ss_error* err)
{
    if (!temporary) return ss_fail_no_memory(err);
    ss_status status = cli_guard(work, data, err);
    if (left) remove(temporary);
    return status;
}

// The sanitizers bring an allocator of their own, which ends the program where memory runs out. clang tells
// of them in other words than gcc.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLIPSTICK_OWN_ALLOCATOR
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SLIPSTICK_OWN_ALLOCATOR)

static void* checked(void* memory, size_t size)
{
    if (memory || size == 0 || !home) return memory;
    longjmp(*home, 1);
}

// The allocator behind this one, by name. Where dlsym itself allocates (it may, in other C libraries, the
// first time), that gets nothing and dlsym makes do.
static bool find_next(void* function, size_t size, const char* name)
{
    static _Thread_local bool searching;
    if (searching) return false;
    searching = true;
    void* found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, size);
    searching = false;
    return found != NULL;
}

void* malloc(size_t size)
{
    static void* (*next)(size_t);
    if (!next && !find_next(&next, sizeof next, "malloc")) return NULL;
    return checked(next(size), size);
}

void* calloc(size_t count, size_t size)
{
    static void* (*next)(size_t, size_t);
    if (!next && !find_next(&next, sizeof next, "calloc")) return NULL;
    return checked(next(count, size), count && size);
}

void* realloc(void* old, size_t size)
{
    static void* (*next)(void*, size_t);
    if (!next && !find_next(&next, sizeof next, "realloc")) return NULL;
    return checked(next(old, size), size);
}

int posix_memalign(void** out, size_t alignment, size_t size)
{
    static int (*next)(void**, size_t, size_t);
    if (!next && !find_next(&next, sizeof next, "posix_memalign")) return ENOMEM;
    int code = next(out, alignment, size);
    if (code == ENOMEM) checked(NULL, size);
    return code;
}

void* aligned_alloc(size_t alignment, size_t size)
{
    static void* (*next)(size_t, size_t);
    if (!next && !find_next(&next, sizeof next, "aligned_alloc")) return NULL;
    return checked(next(alignment, size), size);
}

#endif
