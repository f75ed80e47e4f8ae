// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Mouse and finger on a drawing. A mouse takes hold at once. A finger that swipes up or down scrolls the page, one that taps sets,
// and one that rests for a moment, or pulls to the side, takes hold.

export interface Gesture {
    /** Takes hold of what is there; false: there is nothing. */
    hold?(event: PointerEvent): boolean;
    drag?(event: PointerEvent): void;
    drop?(): void;
    /** A tap, or a click of the mouse where it did not take hold. */
    tap?(event: PointerEvent): void;
    /** The mouse moves without a button. */
    hover?(event: PointerEvent): void;
}

const LONG = 350; // ms: a press that takes hold
const STILL = 9; // px: a finger that moves less than this rests

export function listen(canvas: HTMLElement, gesture: Gesture): void {
    let held = false, first: PointerEvent | null = null, timer = 0;
    const take = (event: PointerEvent): void => {
        window.clearTimeout(timer);
        held = gesture.hold?.(event) ?? false;
        if (held && canvas.isConnected) canvas.setPointerCapture(event.pointerId);
        if (held && event.pointerType === 'touch') navigator.vibrate?.(8);
        if (held) first = null; // where there is nothing to hold, a long tap is a tap
    };
    const end = (): void => {
        window.clearTimeout(timer);
        first = null;
        if (held) gesture.drop?.();
        held = false;
    };
    canvas.classList.add('touched');
    canvas.addEventListener('pointerdown', (event) => {
        if (!event.isPrimary || event.button !== 0) return;
        if (event.pointerType === 'touch') {
            first = event;
            timer = window.setTimeout(() => { if (first) take(first); }, LONG);
            return;
        }
        take(event);
        if (!held) gesture.tap?.(event);
    });
    canvas.addEventListener('pointermove', (event) => {
        if (held) {
            gesture.drag?.(event);
            return;
        }
        if (event.pointerType !== 'touch') gesture.hover?.(event);
        if (!first || event.pointerId !== first.pointerId) return;
        const across = Math.abs(event.clientX - first.clientX), along = Math.abs(event.clientY - first.clientY);
        if (across <= STILL && along <= STILL) return;
        if (across > along) {
            take(first);
            if (held) gesture.drag?.(event);
        }
        window.clearTimeout(timer);
        first = null;
    });
    canvas.addEventListener('pointerup', (event) => {
        const tapped = first;
        end();
        if (tapped) gesture.tap?.(event);
    });
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('touchmove', (event) => { if (held) event.preventDefault(); }, { passive: false }); // what is held does not scroll
    canvas.addEventListener('contextmenu', (event) => { if (held || first) event.preventDefault(); }); // of a long press
}
