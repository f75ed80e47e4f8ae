# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# Toolchain of the page's core: clang 14 with Debian's wasi-libc.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-14)
set(CMAKE_RANLIB llvm-ranlib-14)
set(CMAKE_C_COMPILER_WORKS TRUE)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
