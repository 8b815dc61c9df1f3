/** State and data → the layout of the terminal, at any size. Both Ink and the first frame draw it. */

import { distinguish } from '../../lib/pane-names.ts';
import { widthOf } from '../../lib/width.ts';
import { countToReview } from '../../protocol/to-review.ts';
import { areaOf, isTooSmall, MIN_COLUMNS, MIN_ROWS } from '../kit/layout.ts';
import type { ScreenName, Toast } from '../kit/model.ts';
import {
  clipPanes,
  composePanes,
  cursorOf,
  dimPanes,
  type Pane,
  type Panes,
  paintPane,
  paintPanes,
  widePane,
} from '../kit/pane.ts';
import {
  type CursorCell,
  fillRows,
  fitRow,
  foreign,
  type PaintedRow,
  paintSpans,
  type Row,
  type Size,
  span,
  wrapWords,
} from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { formatAge } from '../kit/time.ts';
import { paneKey } from '../responses/port.ts';
import { type HeaderFacts, paneName, planFooter, planHeader } from './chrome.ts';
import { footerHints, footerMode } from './hints.ts';
import type { AppFacts } from './model.ts';
import { overlayView } from './overlay-content.ts';
import { overlayTop } from './overlay-view.ts';
import { SCREENS } from './screens.ts';
import type { AnyPrompt, AppState } from './state.ts';

/** An overlay's pane; `isDocument`: it may be long and scrolls. */
interface Dialog<R> extends Pane<R> {
  readonly isDocument: boolean;
}

/** The whole screen's layout. */
export interface Frame<R = Row> {
  readonly size: Size;
  readonly screen: ScreenName;
  readonly header: R;
  readonly panes: Panes<string, R>;
  readonly dialog: Dialog<R> | null;
  /** The rows above the footer. Messages cover the bottom of the area. */
  readonly status: readonly R[];
  readonly footer: R;
  readonly cursor: CursorCell | null;
}

/** A frame as written to the terminal, with the bar between two panes. */
export interface PaintedFrame extends Frame<PaintedRow> {
  readonly bar: PaintedRow;
}

/** A state's frame. */
export function planFrame(state: AppState, facts: AppFacts, theme: Theme): Frame {
  const { size, screen } = state;
  if (isTooSmall(size)) return tooSmall(state);
  const area = areaOf(size);
  const prompt = state.overlay?.kind === 'prompt' ? promptLine(state.overlay, size, theme) : null;
  const status = prompt === null ? planStatus(state, facts, size, theme) : [prompt.row];
  const { panes, dialog } = planArea(state, facts, area, theme);
  const room = area.rows + 1 - status.length;
  const clipped = clipPanes(panes, room);
  const { hints, pinned } = footerHints(state, facts);
  const cursor = cursorOf(dialog === null ? panes : { dialog });
  return {
    size,
    screen,
    header: planHeader(headerFacts(state, facts), size.columns, theme),
    panes: clipped,
    dialog: dialog === null ? null : clipDialog(dialog, room),
    status,
    footer: planFooter(footerMode(state), hints, pinned, size.columns, theme),
    cursor: prompt?.cursor ?? (cursor === null ? null : { x: cursor.x, y: cursor.y + 1 }),
  };
}

function clipDialog(dialog: Dialog<Row>, rows: number): Dialog<Row> | null {
  const { clipped } = clipPanes({ clipped: dialog }, rows);
  return clipped === null ? null : { ...clipped, isDocument: dialog.isDocument };
}

/** The frame for a terminal that is too small: a line that says so, and how to quit. */
function tooSmall({ size, screen }: AppState): Frame {
  const words = `copane needs ${MIN_COLUMNS}x${MIN_ROWS}, this is ${size.columns}x${size.rows}. Make the pane larger; prefix z of tmux zooms it.`;
  const [header = [], ...rows] = wrapWords(words, size.columns, 'warn');
  const region = { x: 0, y: 0, columns: size.columns, rows: Math.max(0, size.rows - 1) };
  const rest = { region, head: null, rows: rows.slice(0, region.rows), cursor: null, isDocument: false };
  return { size, screen, header, panes: {}, dialog: rest, status: [], footer: [], cursor: null };
}

/** The screen area: the screen and its overlay. */
function planArea(
  state: AppState,
  facts: AppFacts,
  area: Size,
  theme: Theme,
): { readonly panes: Panes; readonly dialog: Dialog<Row> | null } {
  const screen = SCREENS[state.screen];
  const inner = { columns: area.columns, rows: area.rows - 1 };
  const view = overlayView(state, facts, inner, theme);
  if (view === null) return { panes: screen.plan(state, facts, area, theme), dialog: null };
  const top = theme.options.plain ? 0 : overlayTop(view, area.rows);
  const head = planRule([foreign(view.title, 'title')], view.remark, area.columns, theme, true);
  const size = { columns: area.columns, rows: inner.rows - top };
  // A palette's title contains the typed text.
  const x = Math.min(area.columns - 1, widthOf(`${theme.glyphs.horizontal} ${view.title}`));
  const cursor = state.overlay?.kind === 'palette' && !theme.options.plain ? { x, y: -1 } : null;
  return {
    panes: top === 0 ? {} : dimPanes(clipPanes(screen.plan(state, facts, area, theme), top)),
    dialog: { ...widePane(top, size, { head, rows: view.rows }), cursor, isDocument: !view.isSheet },
  };
}

/** The frame as rows, exactly as many as the terminal has. */
export function composeFrame(
  { size, header, panes, dialog, status, footer }: Frame,
  theme: Theme,
): readonly Row[] {
  const fitted = (row: Row) => fitRow(row, size.columns, theme);
  if (isTooSmall(size)) return fillRows([fitted(header)], Math.max(1, size.rows));
  const area = composePanes({ ...panes, dialog }, size.rows - 2 - status.length, theme);
  return [header, ...area, ...status, footer].map(fitted);
}

/** The frame as written to the terminal. */
export function paintFrame(frame: Frame, theme: Theme): PaintedFrame {
  const { size, dialog } = frame;
  const paint = (row: Row) => paintSpans(fitRow(row, size.columns, theme), theme);
  return {
    ...frame,
    header: paint(frame.header),
    panes: paintPanes(frame.panes, theme),
    dialog: dialog === null ? null : { ...paintPane(dialog, theme), isDocument: dialog.isDocument },
    status: frame.status.map(paint),
    footer: paint(frame.footer),
    bar: paintSpans([span(theme.glyphs.vertical, 'rule')], theme),
  };
}

/** The first row's facts. */
export function headerFacts(state: AppState, facts: AppFacts): HeaderFacts {
  const { panes, selected, status } = facts.view;
  const pane = panes.find((candidate) => paneKey(candidate.identity) === selected);
  return {
    active: state.screen,
    suggestions: countToReview(facts.review.suggestions),
    changedFiles: facts.view.changes.unseen,
    openToAll: facts.notices.openToAll,
    progress: facts.notices.progress?.message ?? null,
    pane:
      pane === undefined
        ? null
        : {
            name: paneName(pane.cli),
            about: distinguish(panes)[panes.indexOf(pane)] ?? '',
            state: status.state,
            ageMs: status.since === null ? null : facts.now - status.since,
            othersWaiting: panes.some((other) => other !== pane && other.state === 'waiting'),
          },
  };
}

const TONE_ROLES: Readonly<Record<Toast['tone'], Role>> = {
  info: 'text',
  ok: 'ok',
  warn: 'warn',
  error: 'error',
};

/** Longer work is shown as in progress. */
const BUSY_AFTER_MS = 200;

/** Most rows that a new toast may cover. */
const TOAST_MAX_ROWS = 4;
/** The same for a toast of several lines, such as a hook's output, as a share of the area. */
const TOAST_MAX_SHARE = 0.6;

/** The row above the footer: work in progress, a message, or a rule. */
function planStatus(state: AppState, facts: AppFacts, size: Size, theme: Theme): readonly Row[] {
  const { columns } = size;
  const { toast, busy } = state;
  if (busy !== null && facts.now - busy.since >= BUSY_AFTER_MS) {
    return [[span(' '), foreign(busy.what, 'working'), span(` ${formatAge(facts.now - busy.since)}`, 'dim')]];
  }
  if (toast === null) return [theme.options.plain ? [] : planRule([], [], columns, theme, false)];
  const role = TONE_ROLES[toast.tone];
  // What follows a line end is of a program or of a file's name, and could pass for a row of ours.
  const lines = toast.text.replaceAll('\n', '\n| ').split('\n');
  const isOutput = lines.length > 1;
  const most = isOutput ? Math.max(TOAST_MAX_ROWS, Math.floor(size.rows * TOAST_MAX_SHARE)) : TOAST_MAX_ROWS;
  const all = lines.flatMap((line) => wrapWords(foreign(line).text, Math.max(10, columns - 2), role));
  // A program's last lines matter most.
  const isCut = isOutput && all.length > most;
  const rows = isCut ? [...all.slice(0, 1), [span(theme.glyphs.ellipsis)], ...all.slice(2 - most)] : all;
  // Cuts show an ellipsis; nothing is dropped silently. The last row is longer than the terminal.
  const kept = theme.options.plain ? rows : rows.slice(0, most);
  const rest = rows.slice(kept.length - 1).flatMap((row, index) => (index === 0 ? row : [span(' '), ...row]));
  const uncut = rows.length > kept.length ? kept.with(-1, rest) : kept;
  const shown = toast.isFolded ? [[foreign(toast.text, role)]] : uncut;
  return shown.map((row) => [span(' '), ...row]);
}

function promptLine(
  { query, sign }: AnyPrompt,
  size: Size,
  theme: Theme,
): { readonly row: Row; readonly cursor: CursorCell } {
  const row: Row = [span(sign ?? (theme.options.plain ? 'Search: ' : '/'), 'key'), foreign(query)];
  const x = Math.min(
    size.columns - 1,
    row.reduce((sum, part) => sum + widthOf(part.text), 0),
  );
  return { row, cursor: { x, y: size.rows - 2 } };
}
