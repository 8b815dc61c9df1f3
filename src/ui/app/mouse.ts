/** One event of the mouse → the next state, by what stands in its cell. Pure. */

import { areaOf, isTooSmall } from '../kit/layout.ts';
import type { MouseEvent } from '../kit/mouse/mouse-event.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import { footerSpot, headerSpot } from './chrome-mouse.ts';
import { type AppFacts, type AppOutcome, done } from './model.ts';
import { overlaySpot } from './overlay-mouse.ts';
import { SCREENS } from './screens.ts';
import type { AppState } from './state.ts';

/** Rows that one notch of the wheel scrolls. */
const WHEEL_ROWS = 3;

/** Handles one event. */
export function handleMouse(state: AppState, event: MouseEvent, facts: AppFacts): AppOutcome {
  const spot = isTooSmall(state.size) ? null : spotAt(state, facts, event.cell);
  switch (event.kind) {
    case 'press':
      return spot?.press?.() ?? done(state);
    case 'drag':
      return spot?.drag?.() ?? done(state);
    case 'wheel':
      return spot?.wheel?.(event.direction * WHEEL_ROWS) ?? done(state);
  }
}

function spotAt(state: AppState, facts: AppFacts, { x, y }: Cell): Spot<AppOutcome> | null {
  const area = areaOf(state.size);
  if (y === 0) return headerSpot(state, facts, x);
  if (y === state.size.rows - 1) return footerSpot(state, facts, x);
  // The row above the footer says something; it does nothing.
  if (y > area.rows) return null;
  const cell = { x, y: y - 1 };
  const { overlay } = state;
  // A line or a box that is written in keeps the keys; the screen above it is only looked at.
  if (overlay?.kind === 'prompt' || overlay?.kind === 'comment') return null;
  if (overlay !== null) return overlaySpot(state, facts, cell);
  return SCREENS[state.screen].spotAt(state, facts, cell);
}
