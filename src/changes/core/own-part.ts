/**
 * Finds the part of a change that an edit's own texts account for. A tree or a commit contains what everybody wrote to
 * the file, and a loose diff gives no position: only these lines of such a change are known to be the AI's. Pure.
 */
import { editScript } from '../../lib/sequence-diff.ts';
import { type ByteString, utf8Bytes } from '../../review/core/bytes.ts';
import { linesOf, splitLines } from './file-text.ts';
import { partnersOf } from './known-lines.ts';
import type { Asked, TurnEdit } from './turn-edits.ts';

type Lines = readonly ByteString[];
/** Lines that an edit removed, and those that it inserted instead. */
export type Texts = readonly [old: Lines, put: Lines];

/** The text after these edits; null if an old text is missing, or occurs more than once. */
export function replayed(text: string, asked: readonly Asked[]): string | null {
  let now = text;
  for (const one of asked) {
    const isAsIs = now.includes(one.old) || !now.includes('\r\n');
    const [old, put] = isAsIs ? [one.old, one.put] : [withCrlf(one.old), withCrlf(one.put)];
    const parts = old === '' ? (now === '' ? ['', ''] : []) : now.split(old);
    if (parts.length < 2 || (parts.length > 2 && one.isAll !== true)) return null;
    now = parts.join(put);
  }
  return now;
}

/** The same edits in bytes, like the lines of files. */
export const askedBytes = (asked: readonly Asked[]): readonly Asked[] =>
  asked.map((one) => ({ ...one, old: utf8Bytes(one.old), put: utf8Bytes(one.put) }));

export function replayedLines(lines: Lines, asked: readonly Asked[]): Lines | null {
  const now = replayed(lines.join(''), asked);
  return now === null ? null : splitLines(now);
}

const withCrlf = (text: string) => text.replace(/\r?\n/g, '\r\n');

/** The lines that the edit says it changed; empty if it names none. */
export function textsOf({ asked, patch, before, after }: Partial<TurnEdit>): readonly Texts[] {
  if (asked !== undefined) return asked.map(({ old, put }) => [splitLines(old), splitLines(put)]);
  if (patch !== undefined) return patch.map(({ lines }) => [sideOf(lines, '+'), sideOf(lines, '-')]);
  return before === undefined || after === undefined ? [] : [[linesOf(before), linesOf(after)]];
}

export const sideOf = (lines: Lines, absent: '+' | '-'): Lines =>
  lines.filter((line) => line[0] !== absent).map((line) => line.slice(1));

/** The most comparisons in one call, which nothing interrupts: well below 100 ms. */
const COMPARED_MAX = 300_000;
/** How many comparisons are left; below zero there were too many, and the result is meaningless. */
interface Budget {
  left: number;
}

/**
 * `from` with those changed lines of `to` that the texts account for, each in its place: an equal line elsewhere is
 * somebody else's. Blanks around a line do not count. If more equal lines changed in such places than the texts have,
 * none of them is taken, since it is unknown which. None is taken either if finding out would take too long.
 */
export function ownPart(from: Lines, to: Lines, texts: readonly Texts[]): Lines {
  const budget = { left: COMPARED_MAX };
  const edits = joined(texts, budget);
  if (budget.left < 0) return from;
  const wanted = edits.flatMap(([old, put]) => runsOf(changed(old, put)));
  const byKey = Map.groupBy(
    wanted.flatMap((run) => [...run.keys].map((key) => ({ key, run }))),
    ({ key }) => key,
  );
  const isThere = (key: string, run: Run) =>
    byKey.get(key)?.some((one) => isPlaceOf(run, one.run, key, budget)) === true;
  const script = changed(from, to);
  const found = runsOf(script).flatMap((run) =>
    run.changes.map((key) => ({ key, isThere: isThere(key, run) })),
  );
  if (budget.left < 0) return from;
  const all = count(found.flatMap((one) => (one.isThere ? one.key : [])));
  const own = count(wanted.flatMap(({ changes }) => changes));
  const isOwn = found.map((one) => one.isThere && (all.get(one.key) ?? 0) <= (own.get(one.key) ?? 0));
  let at = 0;
  return script.flatMap(({ kind, line }) => {
    if (kind === 'same') return [line];
    const is = isOwn[at++] === true;
    return is === (kind === 'added') ? [line] : [];
  });
}

/** Consecutive changed lines, by their keys. */
interface Run {
  readonly changes: readonly string[];
  readonly keys: ReadonlySet<string>;
  /** Texts of the lines before and after it, if any. */
  readonly beside: readonly string[];
  /** Texts of its own lines and of those beside it. */
  readonly texts: ReadonlySet<string>;
}

function runsOf(script: ReturnType<typeof changed>): readonly Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < script.length; from += 1) {
    if (script[from]?.kind === 'same') continue;
    let to = from;
    while (to < script.length && script[to]?.kind !== 'same') to += 1;
    const own = script.slice(from, to);
    const beside = [script[from - 1], script[to]].flatMap((one) =>
      one === undefined ? [] : keyOf('', one.line),
    );
    const changes = own.map(({ kind, line }) => keyOf(kind, line));
    const texts = new Set([...beside, ...own.map(({ line }) => keyOf('', line))]);
    runs.push({ changes, keys: new Set(changes), beside, texts });
    from = to;
  }
  return runs;
}

/** Whether this run may contain a line of an edit: the edit kept the lines beside it, or changed more lines there. */
function isPlaceOf(run: Run, { keys, beside }: Run, key: string, budget: Budget): boolean {
  budget.left -= 1;
  const isPlaced = beside.length > 0 || keys.size === 1;
  if (isPlaced && beside.every((text) => run.texts.has(text))) return true;
  for (const other of keys) {
    budget.left -= 1;
    if (budget.left < 0 || (other !== key && run.keys.has(other))) return true;
  }
  return false;
}

/** Texts with more lines are not joined. */
const JOINED_MAX_LINES = 2_000;

/** Joins an edit with an earlier one whose new text it changes: no look saw the file in between. */
function joined(texts: readonly Texts[], budget: Budget): readonly Texts[] {
  const out: Texts[] = [];
  for (const [old, put] of texts) {
    const index = out.findLastIndex(
      ([, earlier]) => placeIn(earlier, old, budget) >= 0 || placeIn(old, earlier, budget) >= 0,
    );
    if (budget.left < 0) return out;
    const [first, second] = out[index] ?? [[], []];
    const at = placeIn(second, old, budget);
    if (index < 0) out.push([old, put]);
    else if (at >= 0) out[index] = [first, replacedAt(second, at, old, put)];
    else out[index] = [replacedAt(old, placeIn(old, second, budget), second, first), put];
  }
  return out;
}

/** Not `toSpliced`: there may be more lines than a call may have arguments. */
const replacedAt = (lines: Lines, at: number, old: Lines, put: Lines): Lines => [
  ...lines.slice(0, at),
  ...put,
  ...lines.slice(at + old.length),
];

/** The position of these consecutive lines; -1 if they do not occur, or if there are no lines or too many. */
function placeIn(lines: Lines, wanted: Lines, budget: Budget): number {
  if (wanted.length === 0 || lines.length > JOINED_MAX_LINES) return -1;
  const isSame = (line: ByteString, other: ByteString) => {
    budget.left -= 1;
    return keyOf('', line) === keyOf('', other);
  };
  const isAt = (from: number) => wanted.every((line, at) => isSame(line, lines[from + at] ?? ''));
  const last = lines.length - wanted.length;
  budget.left -= 1;
  for (let from = 0; from <= last && budget.left >= 0; from += 1) if (isAt(from)) return from;
  return -1;
}

/** The most lines compared with one text, over all edits; in larger files fewer edits are searched for. */
const COMPARED_MAX_LINES = 4_000_000;

/** The changes of a file up to one text, for all edits that may be part of them, mostly from the same earlier text. */
export class ChangedLines {
  readonly to: Lines;
  #left = COMPARED_MAX_LINES;
  #known: { readonly from: ByteString; readonly counts: Counts } | null = null;

  constructor(to: Lines) {
    this.to = to;
  }

  /** Whether it includes everything that the texts changed; also false if finding out would take too long. */
  have(from: Lines, texts: readonly Texts[]): boolean {
    const text = from.join('');
    if (this.#known?.from !== text) {
      this.#left -= from.length + this.to.length;
      if (this.#left < 0) return false;
      this.#known = { from: text, counts: counted(changed(from, this.to)) };
    }
    const { counts } = this.#known;
    return (
      texts.length > 0 && [...countedTexts(texts)].every(([key, times]) => (counts.get(key) ?? 0) >= times)
    );
  }
}

const countedTexts = (texts: readonly Texts[]) => counted(texts.flatMap(([old, put]) => changed(old, put)));

type Counts = ReadonlyMap<string, number>;

/** How often each line was removed and added. */
const counted = (lines: ReturnType<typeof changed>): Counts =>
  count(lines.flatMap(({ kind, line }) => (kind === 'same' ? [] : keyOf(kind, line))));

function count(keys: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function changed(from: Lines, to: Lines) {
  return editScript(from.length, to.length, partnersOf(from, to)).map(({ kind, a, b }) => ({
    kind,
    line: (kind === 'added' ? to[b] : from[a]) ?? '',
  }));
}

/** Its kind, and its text without byte order mark, indentation, trailing blanks and line end. */
const keyOf = (kind: string, line: ByteString) =>
  kind + line.replace(/^(?:\xef\xbb\xbf)?[ \t]+|^\xef\xbb\xbf|[ \t\r\n]+$/g, '');
