// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The force of a friction law over the slip speed, in steady motion, from the numbers that `check` tells; for drawing only.

export interface Curve {
    /** Level of friction at a speed other than 0; positive against positive speed. */
    level(v: number): number;
    stick: [number, number]; // what it holds at rest, down to and up to
    speed: number; // about where the curve bends, 0: nowhere
}

function number(law: Record<string, unknown>, key: string, otherwise: number): number {
    const value = law[key];
    return typeof value === 'number' ? value : otherwise;
}

/** The curve of a law, or null where it has none (stops, tables). */
export function curveOf(law: Record<string, unknown>): Curve | null {
    const stribeck = (v: number): number => {
        const coulomb = number(law, 'coulomb', 0), statics = number(law, 'static', coulomb), speed = number(law, 'stribeck_speed', 0);
        const surplus = speed > 0 ? (statics - coulomb) * Math.exp(-((Math.abs(v) / speed) ** number(law, 'shape', 2))) : 0;
        return coulomb + surplus;
    };
    switch (law.law) {
        case 'coulomb': {
            const forward = number(law, 'forward', NaN), backward = number(law, 'backward', NaN);
            if (!Number.isFinite(forward) || !Number.isFinite(backward)) return null;
            return { level: (v) => (v > 0 ? forward : -backward), stick: [-number(law, 'static_backward', backward), number(law, 'static_forward', forward)], speed: 0 };
        }
        case 'stribeck': case 'gms': {
            const viscous = number(law, 'viscous', 0), statics = number(law, 'static', number(law, 'coulomb', 0));
            return { level: (v) => Math.sign(v) * stribeck(v) + viscous * v, stick: [-statics, statics], speed: number(law, 'stribeck_speed', 0) };
        }
        case 'lugre': case 'elasto-plastic': case 'dahl': {
            const viscous = number(law, 'sigma2', 0), statics = number(law, 'static', number(law, 'coulomb', 0));
            return { level: (v) => Math.sign(v) * stribeck(v) + viscous * v, stick: [-statics, statics], speed: number(law, 'stribeck_speed', 0) };
        }
        case 'maxwell-slip': {
            const level = number(law, 'breakaway', NaN);
            return Number.isFinite(level) ? { level: (v) => Math.sign(v) * level, stick: [-level, level], speed: 0 } : null;
        }
        default: return null;
    }
}
