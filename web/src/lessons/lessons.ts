// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Six guided tours. Each opens a model, says what to look at, asks a question, and gives something to try; `done` sees whether it
// was tried.
import type { Lab } from '../lab';
import { quantities } from '../model/numbers';

export interface Lesson {
    id: string;
    title: string;
    model: string;
    views: string[]; // cards to look at, by id
    numbers: string[]; // sliders to turn, by path
    say: string[];
    question: string;
    options: string[];
    right: number;
    because: string;
    task: string;
    done(lab: Lab): boolean;
}

/** The number at a path of the model, as it is now. */
function number(lab: Lab, path: string): number {
    return (lab.tree && quantities(lab.tree, lab.text).find((q) => q.path === path)?.value) ?? NaN;
}

export const lessons: Lesson[] = [
    {
        id: 'stick-slip', title: 'Stick-slip on a belt', model: 'stick-slip-belt', views: ['time', 'phase', 'law'], numbers: ['contacts.face.static', 'contacts.face.coulomb'],
        say: [
            'A block on a moving belt is held by a spring. Friction carries it along until the spring pulls harder than static friction holds; then it slips back, and is caught again. Violins, brakes and chalk do this.',
            'The blue phases are exact: the relative speed is zero, not small. In the phase plane the motion falls onto one loop, wherever it starts.',
        ],
        question: 'What keeps the motion alive, although friction only takes energy from sliding bodies?',
        options: ['The spring stores more each time', 'The belt drives it, and friction falls with speed', 'Rounding errors of the computer'], right: 1,
        because: 'The belt feeds energy in through the same friction. Because friction is weaker when it slips than when it sticks, each slip overshoots, and the belt catches the block again.',
        task: 'Bring `static` down to `coulomb`, 0.7 N: the belt catches the block once, and then it swings without ever sticking again.',
        done: (lab) => number(lab, 'contacts.face.static') <= 1.02 * number(lab, 'contacts.face.coulomb'),
    },
    {
        id: 'off-centre', title: 'Why it stops off centre', model: 'block-on-floor', views: ['phase', 'time', 'answer'], numbers: [],
        say: [
            'A block on a rough floor is pulled by a spring. It does not stop where the spring is relaxed: it stops at a turning point, as soon as friction can hold the spring. (The red damper feeds in a little energy; near the middle friction takes more.)',
            'All places where friction holds form the equilibrium set, the thick band in the phase plane. Each half swing ends at a turning point; the first one inside the band is the last.',
        ],
        question: 'How wide is the band, with a spring of stiffness k and a friction level F?',
        options: ['From −F/k to F/k', 'A single point, 0', 'It depends on where it started'], right: 0,
        because: 'At rest the spring pulls with k x and friction holds up to F. So every x with |k x| ≤ F is an equilibrium. Where in the band it ends depends on the start.',
        task: 'Drag the block into the band and let go: it never moves.',
        done: (lab) => lab.run?.answer.outcome === 'at-rest' && lab.run.answer.t === 0,
    },
    {
        id: 'must-it-stop', title: 'Must it stop? Certificate against map', model: 'two-blocks', views: ['map', 'verdict', 'phase'], numbers: ['parameters.mu'],
        say: [
            'Two blocks, and a damper between them that pushes instead of braking. Near the middle friction wins; far out the damper does, and the blocks escape.',
            'The map asks every start by computing its motion. The green ellipse is a theorem: whatever starts inside, with less energy than ρ*, must come to rest, without computing anything.',
        ],
        question: 'The light region of the map is larger than the ellipse. Which of them is wrong?',
        options: ['The map: its grid is too coarse', 'The certificate: it misses starts', 'Neither: the theorem is sufficient, not necessary'], right: 2,
        because: 'The certificate proves rest for a region of simple shape and promises nothing outside. The map shows what happens at the starts it tried, and proves nothing between them.',
        task: 'Raise the friction coefficient mu above 0.15 and watch both regions grow; the ellipse widens in proportion to mu.',
        done: (lab) => number(lab, 'parameters.mu') > 0.15,
    },
    {
        id: 'memory', title: 'Hysteresis and memory', model: 'hysteresis', views: ['loop', 'time'], numbers: [],
        say: [
            'A probe is moved to and fro against a pad of five little springs, each of which slips at its own force. The force depends on the way it came: every reversal begins a new branch.',
            'Small loops close inside large ones. When a swing grows beyond an earlier reversal, that reversal is wiped out of the memory.',
        ],
        question: 'What is the area inside a closed loop?',
        options: ['The stiffness of the pad', 'The energy lost in one round', 'The time of one round'], right: 1,
        because: 'Force times way is work. Going there and back along different branches, the difference is heat: the numbers below the loops are the energies they cost.',
        task: 'Press “beside LuGre” in the loop’s card: the same motion with bristles that forget. Its small loops do not close.',
        done: (lab) => lab.view.beside,
    },
    {
        id: 'hunting', title: 'Hunting controllers', model: 'hunting-servo', views: ['time', 'phase'], numbers: ['contacts.guide.static', 'parameters.ki'],
        say: [
            'A stage is driven to a target by a PID controller. While static friction holds the stage, the integrator winds up; then the stage breaks loose, jumps past the target, and sticks on the other side.',
            'The controller is linear and stable without friction. Stick-slip alone makes it hunt about the target for ever.',
        ],
        question: 'Which change ends the hunting?',
        options: ['A stronger integrator', 'Static friction no larger than kinetic friction', 'A heavier stage'], right: 1,
        because: 'The jump comes from the gap between static and kinetic friction. Without the gap the stage leaves its place without a jump and creeps to the target.',
        task: 'Bring `static` of the guide down to its `friction` of 8 N (or switch the integrator off: ki = 0).',
        done: (lab) => number(lab, 'contacts.guide.static') <= 1.02 * number(lab, 'contacts.guide.friction') || /ki:\s*0\b(?![.\d])/.test(lab.text),
    },
    {
        id: 'disk', title: 'How a disk stops spinning and sliding at once', model: 'disk', views: ['surface', 'sphere', 'time'], numbers: [],
        say: [
            'A disk slides and spins on a floor. Spin makes sliding easier and sliding makes spin easier, because friction at every point cares only about the direction of that point’s speed.',
            'Look at the sphere of motions: its poles are pure spin, its equator pure sliding. Wherever it starts, if it slides and spins at all, the direction of motion runs to the same ratio of speed to spin.',
        ],
        question: 'A disk slides fast and spins slowly. What ends first?',
        options: ['The spin: there was less of it', 'The sliding: friction acts on it fully', 'Both at the same moment'], right: 2,
        because: 'Near the end the motion follows an eigen-direction, in which speed and spin shrink in proportion. So they vanish together, at one instant.',
        task: 'Flick the disk off its centre, a few times, and watch where the dot on the sphere goes.',
        done: (lab) => lab.moved || lab.start !== null,
    },
];
