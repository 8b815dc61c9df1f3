/** The list of turns, newest first. Makes only the rows in view, so 10,000 turns cost as much as ten. */
import type { TurnFigures } from '../../protocol/commands/changes.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import { turnTitle } from '../../responses/core/turn.ts';
import { wrapEntries } from '../kit/list.ts';
import { foreign, type Row, type Span, span, spread } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count, formatMoment } from '../kit/time.ts';
import type { ResponsesFacts } from './model.ts';

/** A note on a turn. */
export interface TurnMark {
  readonly word: string;
  readonly role: Role;
}

export interface ListFacts {
  readonly turns: readonly Turn[];
  /** The AI's state, which alone tells whether an open turn continues. */
  readonly ai: AiState;
  readonly selected: number;
  readonly top: number;
  readonly isFocused: boolean;
  readonly now: number;
  readonly linesOf: (turn: Turn) => number;
  /** The files that the turn changed; null if none or unknown. */
  readonly changesOf: (turn: Turn) => TurnFigures | null;
  /** What happened to this turn's prompt; null if it was not ours or is long done. */
  readonly deliveryOf: (turn: Turn) => TurnMark | null;
}

/** Below the first width the source is omitted; below the next, changes replace the line count. */
const SOURCE_MIN_COLUMNS = 72;
const CHANGES_AND_LINES_MIN_COLUMNS = 50;
const LINES_MIN_COLUMNS = 38;

/** The list's visible rows. */
export function planList(facts: ListFacts, columns: number, height: number, theme: Theme): readonly Row[] {
  const visible = facts.turns.slice(facts.top, facts.top + height);
  const linesWidth = Math.max(0, ...visible.map((turn) => lineWords(turn, facts).length));
  if (theme.options.plain) {
    const rows = visible.map((turn, index) => planPlainTurn(turn, facts.top + index, facts));
    return wrapEntries(rows, facts.selected - facts.top, { columns, rows: height });
  }
  return visible.map((turn, index) =>
    planTurn(turn, facts.top + index, facts, { columns, linesWidth }, theme),
  );
}

const lineWords = (turn: Turn, facts: ListFacts): string => count(facts.linesOf(turn), 'line');

function planPlainTurn(turn: Turn, index: number, facts: ListFacts): Row {
  const prompt = turnTitle(turn);
  const state = stateOf(turn, facts);
  const moment = formatMoment(turn.startedAt, facts.now);
  const changes = facts.changesOf(turn);
  const changed = changes === null ? [] : [`changed ${changeWords(changes)}`];
  const words = [
    moment,
    lineWords(turn, facts),
    ...changed,
    turn.source,
    ...(state === null ? [] : [state.word]),
  ];
  return [
    span(`${index === facts.selected ? '> ' : '  '}${index + 1} of ${facts.turns.length}: `),
    prompt === '' ? span('prompt not known') : foreign(prompt),
    span(`, ${words.join(', ')}`),
  ];
}

interface ListColumns {
  readonly columns: number;
  readonly linesWidth: number;
}

function planTurn(turn: Turn, index: number, facts: ListFacts, widths: ListColumns, theme: Theme): Row {
  const { columns, linesWidth } = widths;
  const isSelected = index === facts.selected;
  const prompt = turnTitle(turn);
  const left: Row = [
    span(
      `${isSelected ? theme.glyphs.pointer : ' '} `,
      isSelected && facts.isFocused ? 'rule-active' : 'text',
    ),
    span(formatMoment(turn.startedAt, facts.now), 'dim'),
    span('  '),
    prompt === '' ? span('(prompt not known)', 'dim') : foreign(prompt, isSelected ? 'selected' : 'text'),
  ];
  const state = stateOf(turn, facts);
  const right: Span[] = [];
  if (state !== null) right.push(span(` ${state.word}`, state.role));
  const changes = facts.changesOf(turn);
  if (changes !== null) right.push(...changeSpans(changes));
  // There is no room for both beside the changes.
  if (changes === null && columns >= SOURCE_MIN_COLUMNS)
    right.push(span(`  ${turn.source.padEnd(SOURCE_CELLS)}`, 'dim'));
  if (columns >= (changes === null ? LINES_MIN_COLUMNS : CHANGES_AND_LINES_MIN_COLUMNS))
    right.push(span(`  ${lineWords(turn, facts).padStart(linesWidth)} `, 'dim'));
  else if (changes !== null) right.push(span(' '));
  return spread(left, right, columns, theme);
}

/** `2 files +12 -3` */
const changeWords = ({ files, added, removed }: TurnFigures) =>
  `${count(files, 'file')} +${added} -${removed}`;

const changeSpans = ({ files, added, removed }: TurnFigures): readonly Span[] => [
  span(`  ${count(files, 'file')}`, 'dim'),
  ...(added === 0 ? [] : [span(` +${added}`, 'added')]),
  ...(removed === 0 ? [] : [span(` -${removed}`, 'removed')]),
];

const SOURCE_CELLS = 'transcript'.length;

function stateOf(turn: Turn, facts: ListFacts): TurnMark | null {
  const delivery = facts.deliveryOf(turn);
  if (delivery !== null) return delivery;
  if (turn.kind === 'plan') return { word: 'plan', role: turn.progress === 'streaming' ? 'waiting' : 'dim' };
  const progress = progressOf(turn, facts.ai);
  return progress === null && turn.warning !== null ? { word: '!', role: 'warn' } : progress;
}

const STREAMING: TurnMark = { word: 'streaming', role: 'working' };
const INTERRUPTED: TurnMark = { word: 'interrupted', role: 'warn' };
/** A turn without an end in the session file. */
const OPEN: Readonly<Record<AiState, TurnMark | null>> = {
  working: STREAMING,
  unknown: STREAMING,
  waiting: { word: 'waiting', role: 'waiting' },
  suspended: { word: 'suspended', role: 'warn' },
  idle: null,
  gone: INTERRUPTED,
};

/** The state of the shown turns' AI; in an earlier session it does nothing. */
export const aiOf = ({ view }: ResponsesFacts): AiState => (view.past === null ? view.status.state : 'idle');

/** Interrupted before its first word, Claude Code takes the prompt back and writes no end of the turn. */
export const isBeingWritten = ({ progress }: Turn, ai: AiState): boolean =>
  progress === 'streaming' && ai !== 'idle' && ai !== 'gone';

/** The turn's progress; null if there is nothing to say. */
export function progressOf({ progress }: Turn, ai: AiState): TurnMark | null {
  if (progress === 'streaming') return OPEN[ai];
  return progress === 'interrupted' ? INTERRUPTED : null;
}
