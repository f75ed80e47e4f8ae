// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Slipstick: how mechanical systems with dry friction move, where they come to rest, and whether they must.
#ifndef SLIPSTICK_SLIPSTICK_H
#define SLIPSTICK_SLIPSTICK_H

#include "slipstick/batch.h"
#include "slipstick/derivative.h"
#include "slipstick/document.h"
#include "slipstick/exchange.h"
#include "slipstick/law.h"
#include "slipstick/matrix.h"
#include "slipstick/model.h"
#include "slipstick/motion.h"
#include "slipstick/signal.h"
#include "slipstick/simulation.h"
#include "slipstick/slider.h"
#include "slipstick/sliding.h"
#include "slipstick/status.h"

#endif
