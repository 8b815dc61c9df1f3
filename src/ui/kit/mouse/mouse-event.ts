/** A terminal's mouse report (SGR, 1006) → the event and its cell. Pure. */
import type { Cell } from './spot.ts';

export type MouseEvent =
  | { readonly kind: 'press'; readonly cell: Cell }
  /** The pointer moved while the button was held. */
  | { readonly kind: 'drag'; readonly cell: Cell }
  | { readonly kind: 'wheel'; readonly cell: Cell; readonly direction: 1 | -1 };

/** Requests clicks, wheel and drags, in a form without a column limit. */
export const MOUSE_ON = '\u001b[?1002h\u001b[?1006h';
export const MOUSE_OFF = '\u001b[?1006l\u001b[?1002l';

const REPORT = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;
const LEFT = 0;
const MOTION = 32;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
/** Shift, Alt and Ctrl: a terminal keeps most of these to itself; those that arrive are ignored. */
const MODIFIERS = 4 | 8 | 16;

/** Whether it is a mouse report, even of a button without meaning here. */
export function isMouseReport(sequence: string): boolean {
  return REPORT.test(sequence) || sequence.startsWith('\u001b[M');
}

/** The event; null for anything else: releases, other buttons, other sequences. */
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
