// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bytes of an image: a head, the root from `first` on, then the kept blocks of the pool, the newest first.
#include "core/image.h"

#include "core/hash.h"

#include <inttypes.h>
#include <string.h>

struct ss_image_mark {
    ss_image_mark* next;
    char* structs;
    size_t count, size;
    const size_t* offsets;
    size_t offset_count;
};

typedef struct head {
    ss_image_kind kind;
    uint64_t size;   // of head and bytes
    uint64_t layout; // of the object: where everything stands in it
    uint64_t check;  // of the bytes
} head;

void ss_image_begin(ss_image* image, ss_pool* pool, void* root, size_t root_size, size_t first)
{
    *image = (ss_image){.pool = pool, .root = root, .root_size = root_size, .first = first};
}

void ss_image_mark_pointers(ss_image* image, void* structs, size_t count, size_t size, const size_t offsets[],
                            size_t offset_count)
{
    ss_image_mark* mark = ss_pool_spare(image->pool, 1, sizeof *mark);
    if (!mark) return;
    *mark = (ss_image_mark){image->marks, structs, count, size, offsets, offset_count};
    image->marks = mark;
}

static size_t bytes_of(const ss_image* image)
{
    size_t sum = image->root_size - image->first;
    for (const ss_pool_block* b = image->pool->kept.newest; b; b = b->next) sum += b->used;
    return sum;
}

size_t ss_image_size(const ss_image* image) { return sizeof(head) + bytes_of(image); }

static uint64_t layout_of(const ss_image* image)
{
    const ss_pool_chain* const chains[] = {&image->pool->kept, &image->pool->spare};
    uint64_t hash = ss_hash_int(SS_HASH_START, (long long)image->root_size);
    for (int c = 0; c < 2; c++)
        for (const ss_pool_block* b = chains[c]->newest; b; b = b->next)
            hash = ss_hash_int(hash, (long long)b->used);
    for (const ss_image_mark* mark = image->marks; mark; mark = mark->next)
        for (size_t k = 0; k < mark->offset_count; k++) {
            hash = ss_hash_int(hash, (long long)(mark->count * mark->size));
            hash = ss_hash_int(hash, (long long)mark->offsets[k]);
        }
    return hash;
}

// ---- pointers

static const uintptr_t elsewhere = UINTPTR_MAX; // of the place of a pointer to something else

// Places are counted from 1 through the root and all blocks, the spare ones last; 0 is that of NULL. Most
// pointers of a row of structs lead to one block: it is looked at first.
typedef struct finder {
    const ss_image* image;
    const ss_pool_block* block; // the last one found, or NULL
    uintptr_t passed;           // place of its first byte
} finder;

// Finds the block that holds the address (by_place false) or the place.
static bool find_block(finder* f, uintptr_t at, bool by_place)
{
    const ss_pool_chain* const chains[] = {&f->image->pool->kept, &f->image->pool->spare};
    if (f->block && at - (by_place ? f->passed : (uintptr_t)f->block->data) < f->block->used) return true;
    f->passed = 1 + f->image->root_size;
    for (int c = 0; c < 2; c++)
        for (f->block = chains[c]->newest; f->block; f->block = f->block->next) {
            uintptr_t begin = by_place ? f->passed : (uintptr_t)f->block->data;
            if (at >= begin && at - begin < f->block->used) return true;
            f->passed += f->block->used;
        }
    return false;
}

static uintptr_t place_of(finder* f, const void* p)
{
    uintptr_t at = (uintptr_t)p, root = (uintptr_t)f->image->root;
    if (!p) return 0;
    if (at >= root && at - root < f->image->root_size) return 1 + (at - root);
    return find_block(f, at, false) ? f->passed + (at - (uintptr_t)f->block->data) : elsewhere;
}

static void* pointer_to(finder* f, uintptr_t place)
{
    if (place == 0 || place == elsewhere) return NULL;
    if (place <= f->image->root_size) return f->image->root + (place - 1);
    return find_block(f, place, true) ? (char*)(uintptr_t)f->block->data + (place - f->passed) : NULL;
}

// Puts places where the bytes hold the pointers of the object they were copied from.
static void put_places(const ss_image* image, char* bytes)
{
    finder target = {.image = image}, own = target;
    for (const ss_image_mark* mark = image->marks; mark; mark = mark->next)
        for (size_t i = 0; i < mark->count; i++)
            for (size_t k = 0; k < mark->offset_count; k++) {
                const char* field = mark->structs + i * mark->size + mark->offsets[k];
                void* pointer;
                memcpy(&pointer, field, sizeof pointer);
                uintptr_t place = place_of(&target, pointer);
                size_t byte = place_of(&own, field) - 1 - image->first;
                memcpy(bytes + byte, &place, sizeof place);
            }
}

// ---- save and load

static void copy_out(const ss_image* image, char* bytes)
{
    memcpy(bytes, image->root + image->first, image->root_size - image->first);
    size_t done = image->root_size - image->first;
    for (const ss_pool_block* b = image->pool->kept.newest; b; b = b->next) {
        memcpy(bytes + done, b->data, b->used);
        done += b->used;
    }
}

static void copy_in(ss_image* image, const char* bytes)
{
    finder target = {.image = image};
    memcpy(image->root + image->first, bytes, image->root_size - image->first);
    size_t done = image->root_size - image->first;
    for (ss_pool_block* b = image->pool->kept.newest; b; b = b->next) {
        memcpy(b->data, bytes + done, b->used);
        done += b->used;
    }
    for (const ss_image_mark* mark = image->marks; mark; mark = mark->next)
        for (size_t i = 0; i < mark->count; i++)
            for (size_t k = 0; k < mark->offset_count; k++) {
                char* field = mark->structs + i * mark->size + mark->offsets[k];
                uintptr_t place;
                memcpy(&place, field, sizeof place);
                void* pointer = pointer_to(&target, place);
                memcpy(field, &pointer, sizeof pointer);
            }
}

ss_status ss_image_save(const ss_image* image, const ss_image_kind* kind, void* buffer, size_t size,
                        ss_error* err)
{
    size_t needs = ss_image_size(image);
    if (!buffer || size < needs)
        return ss_fail(err, SS_BAD_INPUT, "size", "the run takes %zu bytes, the buffer has %zu", needs,
                       buffer ? size : 0);
    char* bytes = (char*)buffer + sizeof(head);
    copy_out(image, bytes);
    put_places(image, bytes);
    head h;
    memset(&h, 0, sizeof h); // and what lies between its fields
    memcpy(h.kind.magic, kind->magic, sizeof h.kind.magic);
    h.kind.version = kind->version;
    h.kind.fingerprint = kind->fingerprint;
    h.kind.settings = kind->settings;
    h.size = needs;
    h.layout = layout_of(image);
    h.check = ss_hash(h.layout, bytes, needs - sizeof h);
    memcpy(buffer, &h, sizeof h);
    return SS_OK;
}

static ss_status check_head(const head* h, const ss_image* image, const ss_image_kind* kind, const char* what,
                            size_t size, ss_error* err)
{
    if (memcmp(h->kind.magic, kind->magic, sizeof h->kind.magic) != 0)
        return ss_fail(err, SS_BAD_INPUT, "buffer", "these bytes are no saved run of a %s", what);
    if (h->kind.version != kind->version)
        return ss_fail(err, SS_BAD_INPUT, "buffer",
                       "saved by another version of the library: format %" PRIu32 ", not %" PRIu32,
                       h->kind.version, kind->version);
    if (h->kind.fingerprint != kind->fingerprint)
        return ss_fail(err, SS_BAD_INPUT, "buffer", "this is a saved run of another %s", what);
    if (h->kind.settings != kind->settings)
        return ss_fail(err, SS_BAD_INPUT, "buffer",
                       "saved from a run with other settings, such as its tolerance");
    if (h->layout != layout_of(image) || h->size != ss_image_size(image))
        return ss_fail(err, SS_BAD_INPUT, "buffer", "saved by another build of the library");
    if (size < h->size)
        return ss_fail(err, SS_BAD_INPUT, "buffer", "ends after %zu of %" PRIu64 " bytes", size, h->size);
    return SS_OK;
}

ss_status ss_image_load(ss_image* image, const ss_image_kind* kind, const char* what, const void* buffer,
                        size_t size, ss_error* err)
{
    head h;
    if (!buffer || size < sizeof h)
        return ss_fail(err, SS_BAD_INPUT, "buffer", "these bytes are no saved run of a %s", what);
    memcpy(&h, buffer, sizeof h);
    ss_status status = check_head(&h, image, kind, what, size, err);
    if (status != SS_OK) return status;
    const char* bytes = (const char*)buffer + sizeof h;
    if (ss_hash(h.layout, bytes, (size_t)h.size - sizeof h) != h.check)
        return ss_fail(err, SS_BAD_INPUT, "buffer", "the saved run is damaged");
    copy_in(image, bytes);
    return SS_OK;
}

void ss_image_copy(const ss_image* from, ss_image* to)
{
    finder old = {.image = from}, new = {.image = to};
    const ss_pool_block* source = from->pool->kept.newest;
    memcpy(to->root + to->first, from->root + from->first, to->root_size - to->first);
    for (ss_pool_block* b = to->pool->kept.newest; b; b = b->next, source = source->next)
        memcpy(b->data, source->data, b->used);
    for (const ss_image_mark* mark = to->marks; mark; mark = mark->next)
        for (size_t i = 0; i < mark->count; i++)
            for (size_t k = 0; k < mark->offset_count; k++) {
                char* field = mark->structs + i * mark->size + mark->offsets[k];
                void* pointer;
                memcpy(&pointer, field, sizeof pointer);
                pointer = pointer_to(&new, place_of(&old, pointer));
                memcpy(field, &pointer, sizeof pointer);
            }
}
