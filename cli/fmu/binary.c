// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files as the assembler takes them in; CMake says where they are.
#include "fmu/binary.h"

#define TAKE_IN(name, path)                                                                                  \
    __asm__(".section .rodata\n.balign 16\n.global " #name "\n" #name ":\n.incbin \"" path                   \
            "\"\n.global " #name "_end\n" #name "_end:\n.byte 0\n.previous\n")

TAKE_IN(cli_fmu_binary, SLIPSTICK_FMU_BINARY);
TAKE_IN(cli_fmu_code, SLIPSTICK_FMU_CODE);
TAKE_IN(cli_fmu_license, SLIPSTICK_LICENSE);
