/** The Shell screen's rows: facts in as many columns as fit, sources, requests, reasons. Pure. */
import type { AnsweredRequest, CompletionStatus } from '../../protocol/shell.ts';
import { wrapEntries } from '../kit/list.ts';
import { fitRow, foreign, padRow, type Row, type Span, span, spread, wrapWords } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count } from '../kit/time.ts';

interface Fact {
  readonly label: string;
  readonly value: Row;
  /** It needs its own row. */
  readonly isWide?: true;
}

const LABEL_CELLS = 9;
/** Least cells of a column of facts. */
const FACT_MIN_CELLS = 46;
const FACT_COLUMNS_MAX = 3;

const number = (value: number): string => Math.round(value).toLocaleString('en-US');
const times = (amount: number): string => (amount === 1 ? 'once' : `${number(amount)} times`);
const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
const percent = (part: number, total: number): string =>
  total === 0 ? '0 %' : `${Math.round((100 * part) / total)} %`;

/** Below this width, the least important words are omitted. */
const NARROW_COLUMNS = FACT_MIN_CELLS;

/** The facts, most important first. */
function factsOf(status: CompletionStatus, hasTable: boolean, columns: number): readonly Fact[] {
  const isNarrow = columns < NARROW_COLUMNS;
  const facts: Fact[] = [
    ...status.warnings.map((warning): Fact => ({ label: 'note', value: [foreign(warning, 'warn')] })),
    {
      label: 'asked',
      value: [
        span(`${times(status.requests)}`),
        span(
          `${isNarrow ? '' : ` by ${count(status.shells, 'shell')}`}, ${number(status.cancelled)} overtaken`,
          'dim',
        ),
      ],
    },
    {
      label: 'answered',
      value: [
        span(`in ${milliseconds(status.latencyP50Ms)}`),
        span(`, 99 % within ${milliseconds(status.latencyP99Ms)}`, 'dim'),
      ],
    },
    {
      label: 'taken',
      value: [
        span(`${times(status.accepted)}`),
        span(
          status.requests === 0
            ? ''
            : `, ${isNarrow ? '' : 'after '}${percent(status.accepted, status.requests)} of answers`,
          'dim',
        ),
      ],
    },
    { label: 'history', value: [span(`${number(status.historyLines)} different lines`)] },
    { label: 'model', value: modelValue(status, isNarrow) },
  ];
  if (!hasTable && sourcesOf(status).length > 0)
    facts.push({ label: 'from', value: sourcesValue(status), isWide: true });
  return facts;
}

function modelValue({ model }: CompletionStatus, isNarrow: boolean): Row {
  if (model === null)
    return [span(isNarrow ? 'none; none is needed' : 'none; completions do not need one', 'dim')];
  const where: Span[] = model.isRemote ? [span(' leaves this machine', 'warn')] : [];
  if (model.problem !== null) return [foreign(model.problem.message, 'warn')];
  const speed =
    model.lastMs === null
      ? 'not asked yet'
      : `${number(model.answered)} answers, last in ${milliseconds(model.lastMs)}`;
  return [foreign(model.name), span(`, ${speed}`, 'dim'), ...where];
}

export interface SourceShare {
  readonly name: string;
  readonly shown: number;
  readonly taken: number;
}

/** The sources ever shown, by how often they were accepted, then shown. */
export function sourcesOf({ shownBySource, acceptedBySource }: CompletionStatus): readonly SourceShare[] {
  return Object.entries(shownBySource)
    .map(([name, shown]) => ({ name, shown, taken: acceptedBySource[name] ?? 0 }))
    .sort((a, b) => b.taken - a.taken || b.shown - a.shown || (a.name < b.name ? -1 : 1));
}

function sourcesValue(status: CompletionStatus): Row {
  const sources = sourcesOf(status);
  const total = sources.reduce((sum, { shown }) => sum + shown, 0);
  return [foreign(sources.map(({ name, shown }) => `${name} ${percent(shown, total)}`).join(', '))];
}

const factColumns = (columns: number): number =>
  Math.max(1, Math.min(FACT_COLUMNS_MAX, Math.floor(columns / FACT_MIN_CELLS)));

/** The facts in rows of at most `across`. */
function inRows(facts: readonly Fact[], across: number): readonly (readonly Fact[])[] {
  const rows: Fact[][] = [];
  for (const fact of facts) {
    const last = rows.at(-1);
    if (last === undefined || last.length === across || fact.isWide === true) rows.push([fact]);
    else last.push(fact);
  }
  return rows;
}

/** How many rows the facts take. */
export function countFactRows(
  status: CompletionStatus,
  hasTable: boolean,
  columns: number,
  isPlain: boolean,
): number {
  const facts = factsOf(status, hasTable, columns);
  return isPlain ? facts.length : inRows(facts, factColumns(columns)).length;
}

/** The facts in columns; each row is cut to the width. */
export function planShellFacts(
  status: CompletionStatus,
  hasTable: boolean,
  columns: number,
  theme: Theme,
): readonly Row[] {
  const facts = factsOf(status, hasTable, columns);
  if (theme.options.plain) return facts.map(({ label, value }) => [span(`${label}: `), ...value]);
  const across = factColumns(columns);
  const width = Math.floor(columns / across);
  return inRows(facts, across).map((inRow) => {
    const row = inRow.flatMap(({ label, value }, index): Row => {
      const cell: Row = [span(` ${label.padEnd(LABEL_CELLS)}`, 'dim'), ...value];
      // The last one in a row extends to the edge.
      return index === inRow.length - 1 ? cell : padRow(fitRow(cell, width - 1, theme), width);
    });
    return fitRow(row, columns, theme);
  });
}

const BAR_CELLS = 12;
const SOURCE_NAME_CELLS = 10;

/** One row per source: its share of what was shown, and how often it was accepted. */
export function planShellSources(
  status: CompletionStatus,
  height: number,
  columns: number,
  theme: Theme,
): readonly Row[] {
  const sources = sourcesOf(status);
  const total = sources.reduce((sum, { shown }) => sum + shown, 0);
  const isNarrow = columns < NARROW_COLUMNS;
  const barCells = isNarrow ? BAR_CELLS / 2 : BAR_CELLS;
  return sources.slice(0, height).map(({ name, shown, taken }): Row => {
    const words: Row = [
      span(`${percent(shown, total).padStart(5)}${isNarrow ? '' : ' of the rows'}`),
      span(`, taken ${times(taken)}`, 'dim'),
    ];
    if (theme.options.plain) return [foreign(`${name}: `), ...words];
    const cells = Math.round((barCells * shown) / Math.max(1, total));
    const bar = (theme.options.ascii ? '#' : '█').repeat(cells).padEnd(barCells);
    return fitRow(
      [foreign(` ${name.padEnd(SOURCE_NAME_CELLS)}`), span(bar, 'idle'), ...words],
      columns,
      theme,
    );
  });
}

/** Below this width, requests have no time of day. */
const CLOCK_MIN_COLUMNS = 56;

export interface RequestList {
  readonly recent: readonly AnsweredRequest[];
  readonly marked: number;
  readonly top: number;
}

/** One row per request: the typed text, the top candidate, the duration. */
export function planShellRequests(
  { recent, marked, top }: RequestList,
  height: number,
  columns: number,
  theme: Theme,
): readonly Row[] {
  const visible = recent.slice(top, top + height);
  if (theme.options.plain) {
    const rows = visible.map((request, index): Row => {
      const isMarked = top + index === marked;
      const best = request.candidates[0]?.line ?? null;
      const words = requestWords(request, best, isMarked, theme);
      return [span(isMarked ? '> ' : '  '), ...words, span(`, ${milliseconds(request.ms)}`)];
    });
    return wrapEntries(rows, marked - top, { columns, rows: height });
  }
  return visible.map((request, index): Row => {
    const isMarked = top + index === marked;
    const [best] = request.candidates;
    const pointer = `${isMarked ? theme.glyphs.pointer : ' '} `;
    const left: Row = [
      span(pointer, isMarked ? 'rule-active' : 'text'),
      ...(columns < CLOCK_MIN_COLUMNS ? [] : [span(`${clock(request.atMs)}  `, 'dim')]),
      ...requestWords(request, best?.line ?? null, isMarked, theme),
    ];
    return spread(left, [span(` ${milliseconds(request.ms)} `, 'dim')], columns, theme);
  });
}

/** The line as the shell showed it: the typed text, then the completion in another colour. */
function requestWords(request: AnsweredRequest, best: string | null, isMarked: boolean, theme: Theme): Row {
  const { input, taken } = request;
  const typed = foreign(input === '' ? '(empty line)' : input, isMarked ? 'selected' : 'text');
  const line = taken ?? best;
  if (line === null) return [typed, span('  nothing to offer', 'dim')];
  const role: Role = taken === null ? 'dim' : 'ok';
  const mark = taken === null ? [] : [span(` ${theme.glyphs.accepted}`, 'ok')];
  if (theme.options.plain)
    return [typed, span(taken === null ? ', offered ' : ', taken '), foreign(line, role)];
  return line.startsWith(input) && input !== ''
    ? [typed, foreign(line.slice(input.length), role), ...mark]
    : [typed, span(` ${theme.glyphs.arrow} `, 'dim'), foreign(line, role), ...mark];
}

function clock(atMs: number): string {
  const at = new Date(atMs);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

const CONFIDENCE_CELLS = 6;

/** Why a request's candidates are in this order. */
export function planShellReasons(request: AnsweredRequest, columns: number, theme: Theme): readonly Row[] {
  const rows: Row[] = [
    fitRow(
      [span(' in ', 'dim'), foreign(request.cwd === '' ? 'an unknown folder' : request.cwd, 'dim')],
      columns,
      theme,
    ),
  ];
  if (request.candidates.length === 0)
    rows.push([span(' Nothing completes this line: no history, no grammar, no file.', 'dim')]);
  for (const { line, confidence, sources, why, kind, partial } of request.candidates) {
    const isTaken = request.taken === line;
    const sure = `${Math.round(confidence * 100)} %`.padStart(CONFIDENCE_CELLS - 1);
    const role: Role = isTaken ? 'ok' : 'text';
    rows.push(
      fitRow(
        [
          span(`${sure} `, 'key'),
          foreign(line, role),
          ...(isTaken ? [span(` ${theme.glyphs.accepted} taken`, 'ok')] : []),
        ],
        columns,
        theme,
      ),
    );
    const marks = [kind === 'fix' ? 'a correction' : '', partial ? 'more may follow' : ''].filter(Boolean);
    const words = foreign(`${sources.join(', ')}: ${[why, ...marks].join('; ')}`).text;
    for (const row of wrapWords(words, Math.max(10, columns - CONFIDENCE_CELLS - 1), 'dim'))
      rows.push([span(' '.repeat(CONFIDENCE_CELLS)), ...row]);
  }
  return rows;
}
