// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Colours of the drawings, read from the style sheet, so that light, dark and print need no word here.

export interface Colors {
    ink: string; muted: string; line: string; grid: string; card: string; accent: string; stick: string; slip: string; closed: string;
    body: string; edge: string; floor: string; good: string; bad: string; series: string[]; region: string; set: string;
}

const names = ['ink', 'muted', 'line', 'grid', 'card', 'accent', 'stick', 'slip', 'closed', 'body', 'edge', 'floor', 'good', 'bad', 'region', 'set'] as const;
let known: Colors | null = null;

export function colors(): Colors {
    if (known) return known;
    const style = getComputedStyle(document.documentElement);
    const made: Record<string, unknown> = {};
    for (const name of names) made[name] = style.getPropertyValue('--' + name).trim();
    made.series = [1, 2, 3, 4, 5, 6].map((k) => style.getPropertyValue('--series' + k).trim());
    return (known = made as unknown as Colors);
}

export function forgetColors(): void { known = null; }

/** Colour of a mode (ss_mode): what slips is warm, what sticks is calm. */
export function modeColor(mode: number): string {
    const c = colors();
    switch (mode) {
        case 2: return c.stick;
        case 3: return c.muted;
        case 4: return c.closed;
        default: return c.slip;
    }
}

export const modeNames = ['slip +', 'slip −', 'stick', 'open', 'closed', 'slip'];
