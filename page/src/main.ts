// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
import { slipstick } from './api';

window.slipstick = slipstick;
