/** One event of the mouse → the next state, by what stands in its cell. Pure. */

import { agentSpot } from '../agent/mouse.ts';
import { areaOf, isTooSmall } from '../kit/layout.ts';
import type { MouseEvent } from '../kit/mouse/mouse-event.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import { responsesSpot } from '../responses/mouse.ts';
import { reviewSpot } from '../review/mouse.ts';
import { shellSpot } from '../shell/mouse.ts';
import { footerSpot, headerSpot } from './chrome-mouse.ts';
import { done, type Facts, type Outcome } from './handler.ts';
import { overlaySpot } from './overlay-mouse.ts';
import type { AppState } from './state.ts';

/** Rows that one notch of the wheel scrolls. */
const WHEEL_ROWS = 3;

/** Handles one event. */
export function handleMouse(state: AppState, event: MouseEvent, facts: Facts): Outcome {
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

function spotAt(state: AppState, facts: Facts, { x, y }: Cell): Spot | null {
  const area = areaOf(state.size);
  if (y === 0) return headerSpot(state, facts, x);
  if (y === state.size.rows - 1) return footerSpot(state, facts, x);
  // The row above the footer says something; it does nothing.
  if (y > area.rows) return null;
  const cell = { x, y: y - 1 };
  const { overlay } = state;
  // A line or a box that is written in keeps the keys; the screen above it is only looked at.
  if (overlay?.kind === 'prompt' || overlay?.kind === 'comment') return null;
  if (overlay !== null) return overlaySpot(state, facts, overlay, cell);
  switch (state.screen) {
    case 'responses':
      return responsesSpot(state, facts, cell);
    case 'review':
      return reviewSpot(state, facts, cell);
    case 'agent':
      return agentSpot(state, facts, cell);
    case 'shell':
      return shellSpot(state, facts, cell);
  }
}
