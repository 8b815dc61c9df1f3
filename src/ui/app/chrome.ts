/** The frame around every screen: header, titled rules, footer, toast. Pure. The skeleton uses the same rows. */

import { widthOf } from '../../lib/width.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import type { AiState } from '../../protocol/pane.ts';
import { fitRow, foreign, type Row, rowWidth, type Span, span, spread } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { formatAge } from '../kit/time.ts';

/** The tabs in the order of their keys. */
const TABS = [
  { name: 'responses', title: 'Responses' },
  { name: 'review', title: 'Review' },
  { name: 'agent', title: 'Agent' },
  { name: 'shell', title: 'Shell' },
] as const;

export interface HeaderFacts {
  readonly active: (typeof TABS)[number]['name'];
  readonly suggestions: number;
  /** Files changed by answers that nobody has looked at. */
  readonly changedFiles: number;
  /** The suggestion server's port lets anyone decide. */
  readonly openToAll: boolean;
  /** An AI's progress message; null for none. */
  readonly progress: string | null;
  /** The followed pane; null if there is none or it is not known yet. */
  readonly pane: {
    readonly name: string;
    /** What tells it from other panes of the same program; empty if it is the only one. */
    readonly about: string;
    readonly state: AiState;
    readonly ageMs: number | null;
    /** Another pane waits for the user. */
    readonly othersWaiting: boolean;
  } | null;
}

const STATE_WORDS: Readonly<Record<AiState, string>> = {
  working: 'working',
  waiting: 'waiting for you',
  idle: 'idle',
  unknown: 'state unknown',
  suspended: 'suspended',
  gone: 'has ended',
};

const STATE_ROLES: Readonly<Record<AiState, Role>> = {
  working: 'working',
  waiting: 'waiting',
  idle: 'idle',
  unknown: 'dim',
  suspended: 'error',
  gone: 'error',
};

export const stateWord = (state: AiState): string => STATE_WORDS[state];

export const stateRole = (state: AiState): Role => STATE_ROLES[state];

/** An AI pane's name; "AI pane" for an unknown program. */
export const paneName = (cli: CliId): string => (cli === 'generic' ? 'AI pane' : cli);

/**
 * The first row: name, tabs, AI pane state. When space is short, it drops in this order: our name, other tabs' titles,
 * the state's age, this tab's title, which of several panes it is. The state stays.
 */
export function planHeader(facts: HeaderFacts, columns: number, theme: Theme): Row {
  if (theme.options.plain) return plainHeader(facts);
  const stateAs = (form: StateForm) => (facts.pane === null ? [] : paneState(facts.pane, theme, form));
  const candidates: readonly (readonly [Row, Row])[] = [
    [tabs(facts, 'all', theme), stateAs('long')],
    [tabs(facts, 'nameless', theme), stateAs('long')],
    [tabs(facts, 'named', theme), stateAs('long')],
    [tabs(facts, 'active', theme), stateAs('long')],
    [tabs(facts, 'active', theme), stateAs('word')],
    [tabs(facts, 'numbers', theme), stateAs('word')],
    [tabs(facts, 'numbers', theme), stateAs('nameless')],
    [tabs(facts, 'numbers', theme), stateAs('sign')],
  ];
  const roomOf = ([left, right]: readonly [Row, Row]) => columns - rowWidth(left) - rowWidth(right) - 1;
  // An AI's progress message has priority over tab titles.
  const saying = facts.progress === null ? 0 : PROGRESS_EDGE_CELLS + PROGRESS_MIN_CELLS;
  const fitting =
    candidates.slice(0, -1).find((candidate) => roomOf(candidate) >= saying) ??
    candidates.find((candidate) => roomOf(candidate) >= 0);
  const [left, right] = fitting ?? [tabs(facts, 'numbers', theme), []];
  const room = roomOf([left, right]) - PROGRESS_EDGE_CELLS;
  const progressPart =
    facts.progress === null || room < PROGRESS_MIN_CELLS ? [] : progress(facts.progress, room, theme);
  return spread([...left, ...progressPart], right, columns, theme);
}

/** Cells of the frame around an AI's progress message. */
const PROGRESS_EDGE_CELLS = 3;
/** The progress message needs this many cells, or is left out. */
const PROGRESS_MIN_CELLS = 10;

function progress(message: string, room: number, theme: Theme): Row {
  return [span('  '), ...fitRow([foreign(message, 'dim')], room, theme)];
}

/** States whose word does not follow "is". */
const HOW: Readonly<Partial<Record<AiState, string>>> = {
  unknown: `, ${STATE_WORDS.unknown}`,
  gone: ` ${STATE_WORDS.gone}`,
};

function plainHeader(facts: HeaderFacts): Row {
  const title = TABS.find((tab) => tab.name === facts.active)?.title ?? '';
  const open = facts.openToAll ? [span('. Every program on this machine may decide', 'error')] : [];
  const progressPart = facts.progress === null ? [] : [span('. An AI says: '), foreign(facts.progress)];
  if (facts.pane === null) return [span(`copane, ${title}`), ...open, ...progressPart];
  const { name, about, state } = facts.pane;
  const how = HOW[state] ?? ` is ${stateWord(state)}`;
  return [
    span(`copane, ${title}. `),
    foreign(about === '' ? name : `${name} ${about}`),
    span(how),
    ...open,
    ...progressPart,
  ];
}

/** `nameless`: all titles, not our name · `named`: our name and this title · `active`: this title · `numbers`: none. */
type TabForm = 'all' | 'nameless' | 'named' | 'active' | 'numbers';
/** From widest to narrowest: word and age; word; no pane name; only the sign. */
type StateForm = 'long' | 'word' | 'nameless' | 'sign';

function tabs(facts: HeaderFacts, form: TabForm, theme: Theme): Row {
  const row: Span[] = form === 'all' || form === 'named' ? [span(' copane', 'strong')] : [];
  TABS.forEach((tab, index) => {
    const isActive = tab.name === facts.active;
    const isTitled = form !== 'numbers' && (isActive || form === 'all' || form === 'nameless');
    const title = isTitled ? ` ${tab.title}` : '';
    row.push(span(isTitled && row.length > 0 ? '  ' : ' '));
    row.push(span(`${index + 1}${title}`, isActive ? 'tab-active' : 'tab'));
    if (tab.name === 'review' && facts.suggestions > 0)
      row.push(span(`${title === '' ? '' : ' '}${theme.glyphs.dot}${facts.suggestions}`, 'waiting'));
    if (tab.name === 'responses' && facts.changedFiles > 0)
      row.push(span(`${title === '' ? '' : ' '}±${facts.changedFiles}`, 'waiting'));
  });
  if (facts.openToAll) row.push(span(' '), span('auth: none', 'error'));
  return row;
}

/** Most cells of a folder name: tab titles need room too. */
const ABOUT_MAX_CELLS = 24;

function paneState(pane: NonNullable<HeaderFacts['pane']>, theme: Theme, form: StateForm): Row {
  // The age of an unknown state is of no use.
  const isAged = form === 'long' && pane.ageMs !== null && pane.state !== 'unknown';
  const age = isAged ? ` ${formatAge(pane.ageMs ?? 0)}` : '';
  const about = fitRow([foreign(pane.about, 'dim')], ABOUT_MAX_CELLS, theme);
  const word = form === 'sign' ? '' : ` ${stateWord(pane.state)}${age}`;
  return [
    ...(pane.othersWaiting ? [span('* ', 'waiting')] : []),
    foreign(pane.name),
    span(' '),
    ...(pane.about === '' || form === 'nameless' ? [] : [...about, span(' ')]),
    span(theme.glyphs.dot, stateRole(pane.state)),
    span(word, stateRole(pane.state)),
    span(' '),
  ];
}

/** A key and its word in the footer. */
export interface Hint {
  readonly key: string;
  readonly word: string;
}

/** The last row: mode, then as many keys as fit. The pinned hint (help) always stays. */
export function planFooter(
  mode: string | null,
  hints: readonly Hint[],
  pinned: Hint | null,
  columns: number,
  theme: Theme,
): Row {
  if (theme.options.plain) return plainFooter(mode, hints, pinned, columns);
  const row: Span[] = mode === null ? [] : [span(` ${mode}`, 'strong')];
  const tail = pinned === null ? [] : hintSpans(pinned);
  let left = columns - rowWidth(row) - rowWidth(tail);
  for (const hint of hints) {
    const spans = hintSpans(hint);
    left -= rowWidth(spans);
    if (left < 0) break;
    row.push(...spans);
  }
  return fitRow([...row, ...tail], columns, theme);
}

/** As many keys as fit, none cut. */
function plainFooter(mode: string | null, hints: readonly Hint[], pinned: Hint | null, columns: number): Row {
  const wordsOf = ({ key, word }: Hint) => `${key} ${word}`;
  const tail = pinned === null ? '' : wordsOf(pinned);
  let text = `${mode === null ? '' : `Mode ${mode}. `}Keys: `;
  for (const hint of hints) {
    const words = `${wordsOf(hint)}, `;
    if (widthOf(text + words + tail) > columns) break;
    text += words;
  }
  return [span(tail === '' ? text.replace(/, $/, '') : text + tail)];
}

const hintSpans = (hint: Hint): Row => [span('  '), span(hint.key, 'key'), span(` ${hint.word}`, 'dim')];
