// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An object as plain bytes: a struct (the root), and all that its pool holds but for the spare part.
//
// What an object is made of is saved without a list of it, so that a new field or array is saved from the
// day it is added. What must be told are the pointers: they are marked where the object is made. In the
// bytes a pointer is the place in the object that it points to, which is the same in every object of the
// same kind and sizes; a pointer to anything else (code, the model) is NULL after loading, and whoever owns
// it sets it again. The first bytes of the root (what the object was made from, and the pool itself) are no
// part of the image.
#ifndef SLIPSTICK_CORE_IMAGE_H
#define SLIPSTICK_CORE_IMAGE_H

#include "core/error.h"
#include "core/pool.h"

#include <stdint.h>

typedef struct ss_image_mark ss_image_mark;

typedef struct ss_image {
    ss_pool* pool;
    char* root;
    size_t root_size, first; ///< bytes of the root; of those that are no part of the image
    ss_image_mark* marks;
} ss_image;

/// What an image belongs to. Two objects that agree in it, and in the sizes of all their memory, can load
/// each other's bytes.
typedef struct ss_image_kind {
    char magic[8];
    uint32_t version;     ///< of the format: raised where fields change their meaning
    uint64_t fingerprint; ///< of the model
    uint64_t settings;    ///< of what the caller asked for, as far as the motion depends on it
} ss_image_kind;

void ss_image_begin(ss_image* image, ss_pool* pool, void* root, size_t root_size, size_t first);
/// Tells that pointers stand at these offsets in each of `count` structs of `size` bytes, in a row. The
/// offsets must live as long as the image. Where memory is short the pool knows.
void ss_image_mark_pointers(ss_image* image, void* structs, size_t count, size_t size, const size_t offsets[],
                            size_t offset_count);

size_t ss_image_size(const ss_image* image);
/// buffer may have any alignment.
ss_status ss_image_save(const ss_image* image, const ss_image_kind* kind, void* buffer, size_t size,
                        ss_error* err);
/// On a fault nothing is changed. what: "model" or "slider", for the message.
ss_status ss_image_load(ss_image* image, const ss_image_kind* kind, const char* what, const void* buffer,
                        size_t size, ss_error* err);
/// The same from one object to another one of the same kind.
void ss_image_copy(const ss_image* from, ss_image* to);

#endif
