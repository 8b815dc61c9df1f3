/** Rows of the overlays: help, menus, questions. Each fills the screen area. Pure. */

import { folderName, placeOf, sessionTitle } from '../../lib/pane-names.ts';
import { widthOf } from '../../lib/width.ts';
import type { AiPane } from '../../protocol/pane.ts';
import type { ContextTitles } from '../kit/keys/binding.ts';
import { formatChord } from '../kit/keys/key.ts';
import { type BoundAction, type Keymap, keyOf } from '../kit/keys/keymap.ts';
import type { MenuRow } from '../kit/menu.ts';
import type { OverlayView } from '../kit/overlay.ts';
import { foreign, padRow, type Row, span, wrapWords } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { paneName, stateRole, stateWord } from './chrome.ts';
import { type Action, CONTEXT_TITLES } from './key-table.ts';

const titles: ContextTitles = CONTEXT_TITLES;

/** Help: the keys of all active contexts, narrowest first. */
export function planHelp(
  keymap: Keymap<Action>,
  contexts: readonly string[],
  columns: number,
): readonly Row[] {
  const rows: Row[] = [];
  const shown = new Set<string>();
  for (const context of contexts) {
    const bindings = keymap.bound.filter(
      (binding) =>
        binding.contexts.includes(context) && binding.chords.length > 0 && !shown.has(binding.action),
    );
    if (bindings.length === 0) continue;
    if (rows.length > 0) rows.push([]);
    rows.push([span(` ${titles[context] ?? context}`, 'heading')]);
    const keysWidth = Math.min(
      KEYS_MAX_CELLS,
      Math.max(...bindings.map((binding) => widthOf(keysOf(binding)))),
    );
    for (const binding of bindings) {
      shown.add(binding.action);
      rows.push(...helpRows(binding, keysWidth, columns));
    }
  }
  return rows;
}

const KEYS_MAX_CELLS = 16;

const keysOf = (binding: BoundAction<Action>): string => binding.chords.map(formatChord).join(', ');

function helpRows(binding: BoundAction<Action>, keysWidth: number, columns: number): readonly Row[] {
  const left = keysWidth + 4;
  const lines = wrapWords(binding.help, Math.max(10, columns - left - 1));
  return lines.map((line, index) => [
    ...padRow(index === 0 ? [span('  '), span(fitKeys(keysOf(binding), keysWidth), 'key')] : [], left),
    ...line,
  ]);
}

function fitKeys(keys: string, width: number): string {
  return widthOf(keys) <= width ? keys : (keys.split(', ')[0] ?? keys);
}

/** A sheet leaves at least this many rows of the screen, or takes the whole area. */
const SHEET_MIN_ROWS_ABOVE = 5;

/** The area row of an overlay's titled rule; 0 if it takes the whole area. */
export function overlayTop({ isSheet, rows }: OverlayView, areaRows: number): number {
  const top = areaRows - rows.length - 1;
  return isSheet && top >= SHEET_MIN_ROWS_ABOVE ? top : 0;
}

/** In a narrow pane the pane names have priority: the pointer starts on the followed one anyway. */
const FOLLOWED_MIN_COLUMNS = 60;

/** The AI panes; `*` marks one that waits for the user. What they share comes last, where it may be cut. */
export function paneEntries(
  panes: readonly AiPane[],
  { selected, columns }: { readonly selected: number; readonly columns: number },
  theme: Theme,
): readonly MenuRow[] {
  const facts = [({ cwd }: AiPane) => folderName(cwd), ({ branch }: AiPane) => branch ?? '', titleOf];
  const isShared = (fact: (pane: AiPane) => string) => Number(new Set(panes.map(fact)).size === 1);
  const ordered = facts.toSorted((a, b) => isShared(a) - isShared(b));
  return panes.map((pane, index) => ({
    left: [
      span(pane.state === 'waiting' ? '* ' : '  ', 'waiting'),
      span(paneName(pane.cli)),
      ...[placeOf(pane, panes), ...ordered.map((fact) => fact(pane))].flatMap((fact) =>
        fact === '' ? [] : [span('  '), foreign(fact, 'dim')],
      ),
    ],
    right: [
      span(`${theme.glyphs.dot} ${stateWord(pane.state)}`, stateRole(pane.state)),
      span(index === selected && columns >= FOLLOWED_MIN_COLUMNS ? '  followed' : '', 'dim'),
    ],
  }));
}

const titleOf = ({ cli, title, cwd }: AiPane): string => sessionTitle(cli, title, folderName(cwd));

/** The AI CLIs that can be started. */
export function startEntries(names: readonly string[]): readonly MenuRow[] {
  return names.map((name) => ({
    left: [span('  '), span(`start ${name === 'tour' ? 'the tour' : name}`), span('  in a new pane', 'dim')],
    right: [],
  }));
}

/** The palette's commands with their keys. */
export function paletteEntries(
  actions: readonly BoundAction<Action>[],
  keymap: Keymap<Action>,
  contexts: readonly string[],
): readonly MenuRow[] {
  return actions.map((action) => {
    const key = keyOf(keymap, action.action, contexts);
    return { left: [span(action.help)], right: key === null ? [] : [span(key, 'key')] };
  });
}
