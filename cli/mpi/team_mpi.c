// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A team of MPI ranks: slipstick-mpi. Rank 0 hands out blocks, one for each that a rank has room for, and
// takes the answers; it computes as well. In every rank one thread speaks MPI and the pool's threads compute,
// so blocks are under way while others are computed. Nobody waits inside MPI: implementations wait by
// spinning, and the core is needed.
#define _POSIX_C_SOURCE 200809L // nanosleep
#include "base/team.h"

#include "base/progress.h"
#include "command.h"
#include "option/options.h"
#include "share/blocks.h"
#include "share/file.h"
#include "slipstick/lab.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TAG_ROOM = 1, // to rank 0: an int, room for so many blocks
    TAG_BLOCK,    // to a rank: an int64, the block to compute; NO_MORE
    TAG_ANSWER,   // to rank 0: an int64, a block whose payload follows
    TAG_PAYLOAD,
    TAG_FAILED, // to rank 0: an ss_error
    TAG_DONE,   // to rank 0: nothing; the rank has ended
};
static const int64_t NO_MORE = -1;
static const double poll_s = 0.0005, patience_s = 1;

// MPI is a matter of the process, and so is this.
static int rank_of_mine = 0, team_size = 1;
static bool broken = false; // somebody is gone: MPI_Finalize would wait for ever

int cli_team_rank(void) { return rank_of_mine; }
int cli_team_size(void) { return team_size; }

// Only rank 0 speaks.
static void fall_silent(void)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) broken = true;
}

void cli_team_begin(int* argc, char*** argv)
{
    int provided;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) exit(CLI_UNFINISHED);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_of_mine);
    MPI_Comm_size(MPI_COMM_WORLD, &team_size);
    if (rank_of_mine > 0) fall_silent();
}

int cli_team_end(int status)
{
    fflush(NULL);
    if (broken) MPI_Abort(MPI_COMM_WORLD, status ? status : CLI_UNFINISHED);
    MPI_Finalize();
    return status;
}

int cli_team_agree(int status)
{
    int* all = calloc((size_t)team_size, sizeof *all);
    if (!all || MPI_Allgather(&status, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS) {
        free(all);
        broken = true;
        return CLI_UNFINISHED;
    }
    int agreed = all[0];
    for (int r = 1; r < team_size && agreed == CLI_GO_ON; r++) {
        if (all[r] == CLI_GO_ON) continue;
        fprintf(stderr, "rank %d could not begin; can it read the model, under the same name?\n", r);
        agreed = CLI_UNFINISHED;
    }
    free(all);
    return agreed;
}

// Cores for this rank: those it may use, and no more than its share of the machine.
static int fair_threads(void)
{
    MPI_Comm machine;
    int ranks = 1, cores = ss_basin_cores();
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) ==
        MPI_SUCCESS) {
        MPI_Comm_size(machine, &ranks);
        MPI_Comm_free(&machine);
    }
    int share = (int)(sysconf(_SC_NPROCESSORS_ONLN) / ranks);
    int threads = cores < share ? cores : share;
    return threads > 0 ? threads : 1;
}

static ss_status lost(ss_error* err, int rank)
{
    broken = true;
    return ss_fail(err, SS_FILE_ERROR, NULL, "lost contact with rank %d", rank);
}

// ---- ranks that serve ----

typedef struct server {
    const ss_basin* basin;
    ss_basin_pool* pool;
    bool ended, sending;
    int64_t block;
    ss_basin_answer answer;
    MPI_Request requests[2]; // of the answer under way
} server;

static void listen_to_leader(server* s)
{
    int there = 0;
    MPI_Status status;
    while (!s->ended && MPI_Iprobe(0, TAG_BLOCK, MPI_COMM_WORLD, &there, &status) == MPI_SUCCESS && there) {
        int64_t block = NO_MORE;
        MPI_Recv(&block, 1, MPI_INT64_T, 0, TAG_BLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (block == NO_MORE)
            s->ended = true;
        else
            ss_basin_pool_give(s->pool, block);
    }
}

static void start_sending(server* s)
{
    s->block = s->answer.block;
    MPI_Isend(&s->block, 1, MPI_INT64_T, 0, TAG_ANSWER, MPI_COMM_WORLD, &s->requests[0]);
    MPI_Isend(s->answer.payload, (int)s->answer.size, MPI_BYTE, 0, TAG_PAYLOAD, MPI_COMM_WORLD,
              &s->requests[1]);
    s->sending = true;
}

static void look_after_sending(server* s)
{
    int sent = 0;
    if (!s->sending || MPI_Testall(2, s->requests, &sent, MPI_STATUSES_IGNORE) != MPI_SUCCESS || !sent)
        return;
    ss_basin_pool_give_back(s->pool, &s->answer);
    s->sending = false;
}

static void wait_for_end(server* s)
{
    for (int64_t block = 0; !s->ended && block != NO_MORE;)
        if (MPI_Recv(&block, 1, MPI_INT64_T, 0, TAG_BLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            break;
    while (s->sending) look_after_sending(s);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
}

static ss_status serve(const ss_basin* basin, int threads, ss_error* err)
{
    server s = {.basin = basin};
    ss_status status = ss_basin_pool_create(basin, threads, &s.pool, err);
    // One place is kept for the answer under way: it may have arrived before it is known here to have left.
    int room = status == SS_OK ? ss_basin_pool_wants(s.pool) - 1 : 0;
    if (status == SS_OK) MPI_Send(&room, 1, MPI_INT, 0, TAG_ROOM, MPI_COMM_WORLD);
    while (status == SS_OK && !s.ended) {
        bool taken = false;
        listen_to_leader(&s);
        look_after_sending(&s);
        if (s.sending) {
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
            continue;
        }
        status = ss_basin_pool_take(s.pool, poll_s, &taken, &s.answer, err);
        if (taken) start_sending(&s);
    }
    if (status != SS_OK) MPI_Send(err, sizeof *err, MPI_BYTE, 0, TAG_FAILED, MPI_COMM_WORLD);
    wait_for_end(&s);
    ss_basin_pool_destroy(s.pool);
    return status;
}

// ---- the rank that leads ----

typedef struct leader {
    const ss_basin* basin;
    const ss_basin_run_def* def;
    const ss_basin_done* done;
    ss_basin_counts* counts;
    ss_basin_pool* pool;
    void* payload; // of an answer that arrives
    int* room;     // blocks each rank has room for
    int64_t next;  // block to hand out
    int64_t out;   // handed to other ranks, not answered
    int gone;      // ranks that have ended
    bool ended;    // somebody wants no more
    ss_status status;
    ss_error* err;
} leader;

static int64_t next_block(leader* l)
{
    int64_t block = l->next++;
    while (l->next < ss_basin_block_total(l->basin) && l->done && l->done->is_done(l->done->user, l->next))
        l->next++;
    return block;
}

static void pass_on(leader* l, int64_t number, const void* payload)
{
    if (l->ended) return; // late: it may be computed again
    ss_basin_block block = ss_basin_view(l->basin, number, payload);
    if (l->def->sink && !l->def->sink(l->def->user, &block))
        l->ended = true;
    else
        ss_basin_count(&block, l->counts);
}

static void take_answer(leader* l, int rank)
{
    int64_t number = 0;
    bool good = MPI_Recv(&number, 1, MPI_INT64_T, rank, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
                    MPI_SUCCESS &&
                number >= 0 && number < ss_basin_block_total(l->basin) &&
                MPI_Recv(l->payload, (int)ss_basin_payload_size(l->basin, number), MPI_BYTE, rank,
                         TAG_PAYLOAD, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    if (!good) {
        l->status = lost(l->err, rank);
        return;
    }
    l->out--;
    l->room[rank]++;
    pass_on(l, number, l->payload);
}

static void take_failure(leader* l, int rank)
{
    ss_error err;
    MPI_Recv(&err, sizeof err, MPI_BYTE, rank, TAG_FAILED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (l->status == SS_OK) {
        l->status = err.status;
        if (l->err) *l->err = err;
    }
}

// Whatever the ranks have to say. False if nothing.
static bool hear_ranks(leader* l)
{
    int there = 0;
    MPI_Status message;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message) != MPI_SUCCESS) {
        broken = true; // which rank it was is not told
        l->status = ss_fail(l->err, SS_FILE_ERROR, NULL, "lost contact with a rank");
        return false;
    }
    if (!there) return false;
    int rank = message.MPI_SOURCE;
    switch (message.MPI_TAG) {
    case TAG_ANSWER: take_answer(l, rank); break;
    case TAG_FAILED: take_failure(l, rank); break;
    case TAG_ROOM:
        MPI_Recv(&l->room[rank], 1, MPI_INT, rank, TAG_ROOM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case TAG_DONE:
        MPI_Recv(NULL, 0, MPI_BYTE, rank, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        l->gone++;
        break;
    default: return false; // a payload, which is taken with its number
    }
    return true;
}

// One block to each in turn, so that nobody sits on a heap of them while others have none.
static void hand_out(leader* l)
{
    for (bool given = true; given && l->next < ss_basin_block_total(l->basin);) {
        given = ss_basin_pool_wants(l->pool) > 0;
        if (given) ss_basin_pool_give(l->pool, next_block(l));
        for (int r = 1; r < team_size && l->next < ss_basin_block_total(l->basin); r++) {
            if (l->room[r] == 0) continue;
            int64_t block = next_block(l);
            if (MPI_Send(&block, 1, MPI_INT64_T, r, TAG_BLOCK, MPI_COMM_WORLD) != MPI_SUCCESS)
                l->status = lost(l->err, r);
            l->room[r]--;
            l->out++;
            given = true;
        }
    }
}

static void take_own(leader* l, double wait_s)
{
    bool taken;
    ss_basin_answer answer;
    ss_status status = ss_basin_pool_take(l->pool, wait_s, &taken, &answer, l->err);
    if (status != SS_OK) l->status = status;
    if (status != SS_OK || !taken) return;
    pass_on(l, answer.block, answer.payload);
    ss_basin_pool_give_back(l->pool, &answer);
}

static bool is_over(const leader* l)
{
    return l->status != SS_OK || l->ended ||
           (l->next >= ss_basin_block_total(l->basin) && l->out == 0 && ss_basin_pool_pending(l->pool) == 0);
}

// All go home. A rank that does not say goodbye in time is gone.
static void dismiss(leader* l)
{
    l->ended = true;
    for (int r = 1; r < team_size && !broken; r++)
        MPI_Send(&NO_MORE, 1, MPI_INT64_T, r, TAG_BLOCK, MPI_COMM_WORLD);
    ss_status before = l->status;
    double end = ss_now_s() + patience_s * (cli_interrupted() ? 0.2 : 30);
    while (l->gone < team_size - 1 && !broken && ss_now_s() < end)
        if (!hear_ranks(l)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    if (l->gone < team_size - 1) broken = true;
    l->status = before;
}

// A message from a rank that was killed halfway never ends, and neither does the call that receives it. When
// the job is being ended and the leader is still not home after a moment, this says so for it. What was
// computed is in the journal, whole blocks only.
typedef struct watchdog {
    pthread_t thread;
    atomic_bool home;
    bool runs;
} watchdog;

static void* watch_over(void* user)
{
    watchdog* dog = user;
    double asked = 0;
    while (!atomic_load(&dog->home)) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        if (!cli_interrupted()) continue;
        if (asked == 0) asked = ss_now_s();
        if (ss_now_s() - asked < patience_s * 0.4) continue;
        static const char text[] =
            "the job was ended, by somebody or because a rank was lost; --resume continues it\n";
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(CLI_UNFINISHED);
        _exit(CLI_UNFINISHED);
    }
    return NULL;
}

static void start_watchdog(watchdog* dog)
{
    atomic_init(&dog->home, false);
    dog->runs = pthread_create(&dog->thread, NULL, watch_over, dog) == 0; // better without than not at all
}

static void stop_watchdog(watchdog* dog)
{
    atomic_store(&dog->home, true);
    if (dog->runs) pthread_join(dog->thread, NULL);
}

static ss_status lead(leader* l, int threads)
{
    watchdog dog;
    start_watchdog(&dog);
    l->next = -1;
    next_block(l); // the first that is not done
    l->status = ss_basin_pool_create(l->basin, threads, &l->pool, l->err);
    while (l->status == SS_OK && !is_over(l)) {
        hand_out(l);
        bool heard = hear_ranks(l);
        if (l->status == SS_OK) take_own(l, heard ? 0 : poll_s);
        int64_t done = l->counts->rest + l->counts->escaped + l->counts->moving;
        if (l->def->watch && !l->def->watch(l->def->user, done)) l->ended = true;
    }
    ss_status status = l->status;
    ss_basin_pool_destroy(l->pool); // before the ranks: it stops the threads
    dismiss(l);
    stop_watchdog(&dog);
    return status;
}

ss_status cli_team_compute(const ss_basin* basin, const ss_basin_run_def* def, const ss_basin_done* done,
                           ss_basin_counts* counts, ss_error* err)
{
    int fair = fair_threads(), threads = def->threads > 0 ? def->threads : fair;
    if (rank_of_mine > 0) return serve(basin, threads, err);
    leader l = {.basin = basin, .def = def, .done = done, .counts = counts, .err = err};
    l.payload = malloc(ss_basin_payload_size(basin, 0));
    l.room = calloc((size_t)team_size, sizeof *l.room);
    ss_status status = SS_NO_MEMORY;
    if (l.payload && l.room) {
        status = lead(&l, threads);
    } else {
        ss_fail_no_memory(err);
        dismiss(&l);
    }
    free(l.payload);
    free(l.room);
    return status;
}
