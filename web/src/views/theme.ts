// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Light or dark, as whoever looks prefers; on paper always light.
import { forgetColors } from './colors';

export function setTheme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    forgetColors();
}

export function isDark(): boolean { return document.documentElement.dataset.theme === 'dark'; }

/** Begins as is preferred, and follows what changes; `told` draws anew. */
export function followTheme(told: () => void): void {
    const prefers = matchMedia('(prefers-color-scheme: dark)');
    let onScreen = prefers.matches;
    const show = (dark: boolean): void => {
        setTheme(dark);
        told();
    };
    prefers.addEventListener('change', () => show(prefers.matches));
    matchMedia('print').addEventListener('change', (paper) => {
        if (paper.matches) onScreen = isDark();
        show(!paper.matches && onScreen);
    });
    show(onScreen);
}
