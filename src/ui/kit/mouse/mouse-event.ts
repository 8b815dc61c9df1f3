/** What a terminal reports of the mouse (SGR, 1006) → what was done, and in which cell. Pure. */
import type { Cell } from './spot.ts';

export type MouseEvent =
  | { readonly kind: 'press'; readonly cell: Cell }
  /** The pointer moved with the button held. */
  | { readonly kind: 'drag'; readonly cell: Cell }
  | { readonly kind: 'wheel'; readonly cell: Cell; readonly direction: 1 | -1 };

/** Asks for clicks, wheel and moves with a button held, in a form without a limit of columns. */
export const MOUSE_ON = '\u001b[?1002h\u001b[?1006h';
export const MOUSE_OFF = '\u001b[?1006l\u001b[?1002l';

const REPORT = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;
const LEFT = 0;
const MOTION = 32;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
/** Shift, Alt and Ctrl: a terminal keeps most of these for itself; what arrives means the same. */
const MODIFIERS = 4 | 8 | 16;

/** True for every report of the mouse, also of buttons that mean nothing here. */
export function isMouseReport(sequence: string): boolean {
  return REPORT.test(sequence) || sequence.startsWith('\u001b[M');
}

/** The event; null for anything else: releases, other buttons, sequences of another kind. */
export function parseMouse(sequence: string): MouseEvent | null {
  const match = REPORT.exec(sequence);
  if (match === null || match[4] === 'm') return null;
  const button = Number(match[1]) & ~MODIFIERS;
  const cell = { x: Number(match[2]) - 1, y: Number(match[3]) - 1 };
  switch (button) {
    case LEFT:
      return { kind: 'press', cell };
    case LEFT | MOTION:
      return { kind: 'drag', cell };
    case WHEEL_UP:
      return { kind: 'wheel', cell, direction: -1 };
    case WHEEL_DOWN:
      return { kind: 'wheel', cell, direction: 1 };
    default:
      return null;
  }
}
