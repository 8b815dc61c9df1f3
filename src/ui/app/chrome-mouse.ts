/** The mouse on the first and the last row: tabs and keys do what they say. Pure. */
import { widthOf } from '../../lib/width.ts';
import type { Spot } from '../kit/mouse/spot.ts';
import type { Row, Span } from '../kit/row.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { planFooter, planHeader } from './chrome.ts';
import { contextsOf } from './contexts.ts';
import { headerFacts } from './frame.ts';
import { footerHints, footerMode } from './hints.ts';
import type { Action } from './key-table.ts';
import type { AppFacts, AppOutcome } from './model.ts';
import { SCREENS } from './screens.ts';
import type { AppState } from './state.ts';

/** Cells do not depend on colours; a screen reader's mode has no mouse. */
const CELLS = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });

const TAB_ACTIONS: readonly Action[] = ['screen/responses', 'screen/review', 'screen/agent', 'screen/shell'];

/** A tab, by the planned row. */
export function headerSpot(state: AppState, facts: AppFacts, x: number): Spot<AppOutcome> | null {
  const part = partAt(planHeader(headerFacts(state, facts), state.size.columns, CELLS), x);
  if (part === null || (part.span.role !== 'tab' && part.span.role !== 'tab-active')) return null;
  const action = TAB_ACTIONS[Number(part.span.text[0]) - 1];
  // Below an overlay or while something is written, tabs are what is looked at, not what is asked.
  if (action === undefined || state.overlay !== null) return null;
  return { press: () => facts.run(SCREENS[state.screen].leave(state), action, ['app']) };
}

/** A key in the footer, by the planned row. */
export function footerSpot(state: AppState, facts: AppFacts, x: number): Spot<AppOutcome> | null {
  const { hints, pinned } = footerHints(state, facts);
  const row = planFooter(footerMode(state), hints, pinned, state.size.columns, CELLS);
  const part = partAt(row, x);
  if (part === null) return null;
  // A hint is its key and then its word.
  const isOf = (index: number) => row.slice(0, index + 1).filter(({ role }) => role === 'key').length - 1;
  const shown = row.filter(({ role }) => role === 'key').length;
  const at = isOf(part.index);
  const hint = pinned !== null && at === shown - 1 ? pinned : hints[at];
  if (hint === undefined || SENDING.has(hint.action)) return null;
  return { press: () => facts.run({ ...state, chord: [] }, hint.action, contextsOf(state, facts)) };
}

/** Actions that send something out of copane: they need a key, not a click. */
const SENDING: ReadonlySet<Action> = new Set<Action>([
  'preview/send',
  'answer/choose',
  'confirm/yes',
  'confirm/enter',
]);

function partAt(row: Row, x: number): { readonly span: Span; readonly index: number } | null {
  let from = 0;
  for (const [index, part] of row.entries()) {
    const to = from + widthOf(part.text);
    if (x >= from && x < to) return part.text.trim() === '' ? null : { span: part, index };
    from = to;
  }
  return null;
}
