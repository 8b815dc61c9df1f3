/**
 * State and data → exactly the rows of the terminal. Composes header, screen area, toast and footer; every
 * size works, and below the smallest there is one line that says so.
 */

import { widthOf } from '../../lib/width.ts';
import { contextChoiceRows } from '../agent/context-menu.ts';
import { checkpointRows, previewRows, scopeRows } from '../agent/rollback-commands.ts';
import { planAgent } from '../agent/screen.ts';
import { areaOf, isTooSmall } from '../kit/layout.ts';
import { planConfirm, planMenu } from '../kit/menu.ts';
import {
  type CursorCell,
  fillRows,
  fitRow,
  foreign,
  type Row,
  type Size,
  span,
  wrapWords,
} from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { formatAge } from '../kit/time.ts';
import { planAnswer } from '../responses/answer-view.ts';
import { planCode } from '../responses/code-menu.ts';
import { planPreview } from '../responses/preview.ts';
import { planResponses } from '../responses/screen.ts';
import { commentRowsOf, planCommentBox } from '../review/comment-box.ts';
import { planReview } from '../review/screen.ts';
import { planShell } from '../shell/screen.ts';
import { type HeaderFacts, paneName, planFooter, planHeader } from './chrome.ts';
import type { Facts } from './handler.ts';
import { footerHints, footerMode } from './hints.ts';
import { helpRowsOf, paletteActions } from './overlay-content.ts';
import { overlayTop, paletteEntries, paneEntries } from './overlay-view.ts';
import { paneKey } from './ports.ts';
import type { AppState, Frame, Overlay, Picture, Toast } from './state.ts';

/** The frame for a state. */
export function planFrame(state: AppState, facts: Facts, theme: Theme): Frame {
  const { size } = state;
  if (isTooSmall(size)) return { rows: tooSmall(size, theme), cursor: null, area: { from: 0, to: 0 } };
  const area = areaOf(size);
  const body =
    state.overlay === null || state.overlay.kind === 'prompt'
      ? planScreen(state, facts, area, theme)
      : state.overlay.kind === 'comment'
        ? planCommented(state, facts, area, theme)
        : planOverlay(state.overlay, state, facts, area, theme);
  const header = planHeader(headerFacts(state, facts), size.columns, theme);
  const { hints, pinned } = footerHints(state, facts);
  const footer = planFooter(footerMode(state), hints, pinned, size.columns, theme);
  const search = state.overlay?.kind === 'prompt' ? promptLine(state.overlay, size, theme) : null;
  const status = search === null ? planStatus(state, facts, size.columns, theme) : [search.row];
  const rows = [header, ...fillRows(body.rows, area.rows + 1 - status.length), ...status, footer];
  const cursor = search?.cursor ?? (body.cursor === null ? null : { x: body.cursor.x, y: body.cursor.y + 1 });
  return {
    rows: rows.map((row) => fitRow(row, size.columns, theme.glyphs.ellipsis)),
    cursor,
    area: { from: 1, to: 1 + area.rows },
  };
}

function tooSmall(size: Size, theme: Theme): readonly Row[] {
  const words = `copane needs 30x8, this is ${size.columns}x${size.rows}`;
  return fillRows(
    [fitRow([span(words, 'warn')], size.columns, theme.glyphs.ellipsis)],
    Math.max(1, size.rows),
  );
}

function planScreen(state: AppState, facts: Facts, area: Size, theme: Theme): Picture {
  if (state.screen === 'responses') return planResponses(state, facts, area, theme);
  if (state.screen === 'review') return planReview(state, facts, area, theme);
  if (state.screen === 'shell') return planShell(state, facts, area, theme);
  return planAgent(state, facts, area, theme);
}

/** The diff, and below it the box in which a comment on it is written. */
function planCommented(state: AppState, facts: Facts, area: Size, theme: Theme): Picture {
  const rows = area.rows - commentRowsOf(state, facts);
  const screen = planScreen(state, facts, { ...area, rows }, theme);
  const box = planCommentBox(state, facts, theme);
  const cursor = box.cursor === null ? null : { x: box.cursor.x, y: rows + box.cursor.y };
  return { rows: [...fillRows(screen.rows, rows), ...box.rows], cursor };
}

/** What lies over the whole screen area. */
type Panel = Exclude<Overlay, { kind: 'prompt' | 'comment' }>;

const OVERLAY_TITLES: Readonly<Record<Exclude<Panel['kind'], 'diff' | 'palette'>, string>> = {
  help: 'Keys that work here',
  panes: 'AI panes',
  code: 'Code blocks',
  preview: 'This will be sent',
  confirm: 'Sure?',
  answer: 'The AI asks',
  checkpoints: 'Roll back to',
  'rollback-scope': 'How much of it',
  'add-context': 'Add to the context',
  rollback: 'This would change',
};

function outOfFocus(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => row.map(({ text }) => span(text, 'dim')));
}

function planOverlay(overlay: Panel, state: AppState, facts: Facts, area: Size, theme: Theme): Picture {
  const inner = { columns: area.columns, rows: area.rows - 1 };
  const content = overlayRows(overlay, state, facts, inner, theme);
  const title =
    overlay.kind === 'palette'
      ? `: ${overlay.query}`
      : overlay.kind === 'diff'
        ? overlay.title
        : OVERLAY_TITLES[overlay.kind];
  const rule = planRule([foreign(title, 'title')], content.remark, area.columns, theme, true);
  const cursor: CursorCell | null =
    overlay.kind === 'palette' && !theme.options.plain
      ? { x: Math.min(area.columns - 1, widthOf(`${theme.glyphs.horizontal} : ${overlay.query}`)), y: 0 }
      : null;
  const top = theme.options.plain ? 0 : overlayTop(overlay.kind, content.rows.length, area.rows);
  const above = top === 0 ? [] : fillRows(planScreen(state, facts, area, theme).rows, top);
  return { rows: [...outOfFocus(above), rule, ...fillRows(content.rows, inner.rows - top)], cursor };
}

interface Content {
  readonly rows: readonly Row[];
  readonly remark: Row;
}

function overlayRows(overlay: Panel, state: AppState, facts: Facts, size: Size, theme: Theme): Content {
  switch (overlay.kind) {
    case 'help':
      return scrolled(helpRowsOf(overlay, facts, size.columns), overlay.top, size.rows);
    case 'diff':
      return scrolled(facts.diffRows(overlay.diff, size.columns), overlay.top, size.rows);
    case 'palette': {
      const entries = paletteEntries(paletteActions(overlay, facts), facts.keymap, overlay.contexts);
      return {
        rows: planMenu(entries, overlay.cursor, size, theme),
        remark: [span(`${entries.length}`, 'dim')],
      };
    }
    case 'panes': {
      const selected = facts.view.panes.findIndex((pane) => paneKey(pane.identity) === facts.view.selected);
      return {
        rows: planMenu(paneEntries(facts.view.panes, selected, theme), overlay.cursor, size, theme),
        remark: [],
      };
    }
    case 'code':
      return {
        rows: planCode(overlay.blocks, overlay.cursor, size, theme),
        remark: [span(`${overlay.cursor + 1} of ${overlay.blocks.length}`, 'dim')],
      };
    case 'checkpoints':
      return { rows: planMenu(checkpointRows(facts), overlay.cursor, size, theme), remark: [] };
    case 'rollback-scope':
      return {
        rows: planMenu(scopeRows(facts, overlay.checkpoint), overlay.cursor, size, theme),
        remark: [],
      };
    case 'add-context':
      return { rows: planMenu(contextChoiceRows(overlay), overlay.cursor, size, theme), remark: [] };
    case 'rollback':
      return scrolled(previewRows(overlay.result), overlay.top, size.rows);
    case 'confirm':
      return { rows: planConfirm(overlay.question, size.columns), remark: [] };
    case 'answer':
      return { rows: planAnswer(overlay.dialog, overlay.options, overlay.cursor, size, theme), remark: [] };
    case 'preview':
      return planPreview(overlay, state, facts, theme);
  }
}

function scrolled(rows: readonly Row[], top: number, height: number): Content {
  const first = Math.max(0, Math.min(top, rows.length - height));
  const remark: Row =
    rows.length <= height ? [] : [span(`${Math.round(((first + height) / rows.length) * 100)} %`, 'dim')];
  return { rows: rows.slice(first, first + height), remark };
}

/** What the first row tells. */
export function headerFacts(state: AppState, facts: Facts): HeaderFacts {
  const { panes, selected, status } = facts.view;
  const pane = panes.find((candidate) => paneKey(candidate.identity) === selected);
  return {
    active: state.screen,
    suggestions: facts.review.suggestions.filter(({ status: how }) => how !== 'complete').length,
    openToAll: facts.notices.openToAll,
    progress: facts.notices.progress?.message ?? null,
    pane:
      pane === undefined
        ? null
        : {
            name: paneName(pane.cli),
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

/** What takes longer than this shows that it is under way. */
const BUSY_AFTER_MS = 200;

/** A toast that nobody has seen yet may cover so many rows of the area. */
const TOAST_MAX_ROWS = 4;

/** The row above the footer: what is under way, what was said, or a rule. */
function planStatus(state: AppState, facts: Facts, columns: number, theme: Theme): readonly Row[] {
  const { toast, busy } = state;
  if (busy !== null && facts.now - busy.since >= BUSY_AFTER_MS) {
    return [[span(' '), foreign(busy.what, 'working'), span(` ${formatAge(facts.now - busy.since)}`, 'dim')]];
  }
  if (toast === null) return [theme.options.plain ? [] : planRule([], [], columns, theme, false)];
  const words = foreign(toast.text).text;
  const rows = wrapWords(words, Math.max(10, columns - 2), TONE_ROLES[toast.tone]);
  // What does not fit is said by an ellipsis, never left out in silence: the last row is longer than the terminal.
  const kept = rows.slice(0, TOAST_MAX_ROWS);
  const rest = rows
    .slice(TOAST_MAX_ROWS - 1)
    .flatMap((row, index) => (index === 0 ? row : [span(' '), ...row]));
  const whole = rows.length > TOAST_MAX_ROWS ? kept.with(-1, rest) : kept;
  const shown = toast.isFolded ? [[span(words, TONE_ROLES[toast.tone])]] : whole;
  return shown.map((row) => [span(' '), ...row]);
}

function promptLine(
  { query, save, context }: Extract<Overlay, { kind: 'prompt' }>,
  size: Size,
  theme: Theme,
): { readonly row: Row; readonly cursor: CursorCell } {
  const question = save !== undefined ? 'Save as: ' : context === true ? 'File: ' : null;
  const sign = question ?? (theme.options.plain ? 'Search: ' : '/');
  const row: Row = [span(sign, 'key'), foreign(query)];
  const x = Math.min(
    size.columns - 1,
    row.reduce((sum, part) => sum + widthOf(part.text), 0),
  );
  return { row, cursor: { x, y: size.rows - 2 } };
}
