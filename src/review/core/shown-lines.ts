/** Which body lines a hunk's diff shows, and in which order. A part omits what other parts add. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Change } from './change.ts';
import { CONTEXT, type HunkBody, REMOVED } from './hunk-body.ts';
import { type Block, blocksOf, type Picked, placesInBlock } from './hunk-pieces.ts';

/** From 1, inclusive. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** The body lines shown as `range`. Refused if lines of another part are between them. */
export function bodyLines(change: Change, range: Range): Result<Range> {
  const { body } = change;
  if (body === null) return fail('invalid', `A ${change.kind} has no lines.`);
  const shown = shownLines(body, change.picked);
  const { first: from, last: to } = range;
  if (from < 1 || to < from || to > shown.length)
    return fail('invalid', `There are no lines ${from}-${to}: ${shown.length} are shown.`);
  const lines = new Set(shown.slice(from - 1, to));
  let [first, last] = [body.count, 0];
  for (const line of lines) [first, last] = [Math.min(first, line), Math.max(last, line)];
  for (let i = first; i <= last; i += 1) {
    const isFree = lines.has(i) && isOwn(change, i);
    if (body.op(i) !== CONTEXT && !isFree) return OF_ANOTHER_PART;
  }
  return ok({ first: first + 1, last: last + 1 });
}

/** Where lines of the body are shown; null where they are all of another part. */
export function shownRange({ body, picked }: Change, { first, last }: Range): Range | null {
  if (picked === null) return { first, last };
  const at = shownLines(body, picked).flatMap((line, index) =>
    line + 1 >= first && line < last ? index : [],
  );
  const [from] = at;
  return from === undefined ? null : { first: from + 1, last: (at.at(-1) ?? from) + 1 };
}

const OF_ANOTHER_PART = fail('invalid', 'Lines of another part of the hunk are in between; select fewer.');

/** The first and last line of the changed file that the hunk covers. */
export function newSpan({ hunk }: Pick<Change, 'hunk'>): readonly [number, number] {
  const start = Math.max(1, (hunk?.newStart ?? 1) + (hunk?.newCount === 0 ? 1 : 0));
  return [start, start + (hunk?.newCount ?? 0) - 1];
}

/** Lines of the changed file, in the form of `commentedLines`. */
export function linesOfFile(change: Change, { first, last }: Range): Result<Range> {
  const { body } = change;
  if (body === null) return fail('invalid', `A ${change.kind} has no lines.`);
  if (first < 1 || last < first) return fail('invalid', `There are no lines ${first}-${last}.`);
  const [start, end] = newSpan(change);
  const lineOf = (number: number) => {
    if (number < start) return number - start + 1;
    if (number > end) return body.count + number - end;
    let line = 0;
    for (let left = number - start; left > 0 || body.op(line) === REMOVED; line += 1)
      if (body.op(line) !== REMOVED) left -= 1;
    return line + 1;
  };
  const range = { first: lineOf(first), last: lineOf(last) };
  for (let i = Math.max(0, range.first - 1); i < Math.min(body.count, range.last); i += 1)
    if (body.op(i) !== CONTEXT && !isOwn(change, i)) return OF_ANOTHER_PART;
  return ok(range);
}

/** The same for lines to comment on, which may be around the hunk: 0 and less above it, beyond its last below it. */
export function commentedLines(change: Change, { first, last }: Range): Result<Range> {
  const shown = shownLines(change.body, change.picked).length;
  const own = { first: Math.max(1, first), last: Math.min(last, shown) };
  const isAround = change.body !== null && first <= last && own.first > own.last;
  const found = isAround ? ok(own) : bodyLines(change, own);
  if (!found.ok) return found;
  const more = (change.body?.count ?? 0) - shown;
  const lineOf = (line: number, inBody: number) => (line < 1 ? line : line > shown ? line + more : inBody);
  return ok({ first: lineOf(first, found.value.first), last: lineOf(last, found.value.last) });
}

/** The run of changed lines, as shown, at shown line `at`; else the next one below, else the last one. */
export function runAt(change: Change, at: number): Result<Range> {
  if (change.body === null) return fail('invalid', `A ${change.kind} has no lines to split.`);
  const runs = runsOf(change);
  const run = runs.find(({ last }) => last >= at) ?? runs.at(-1);
  return run === undefined ? fail('invalid', 'There are no changed lines.') : ok(run);
}

/** Its own runs of changed lines, as shown, from the top. */
export function runsOf(change: Change, shown = shownLines(change.body, change.picked)): Range[] {
  const { body } = change;
  const runs: { first: number; last: number }[] = [];
  for (const [index, line] of shown.entries()) {
    if (body === null || body.op(line) === CONTEXT || !isOwn(change, line)) continue;
    const run = runs.at(-1);
    if (run?.last === index) run.last = index + 1;
    else runs.push({ first: index + 1, last: index + 1 });
  }
  return runs;
}

const isOwn = ({ picked }: Change, line: number) => picked === null || picked.has(line);

/** Body lines, from 0, in the order shown. */
export function shownLines(body: HunkBody | null, picked: Picked): number[] {
  if (body === null) return [];
  const all = Array.from({ length: body.count }, (_, line) => line);
  if (picked === null) return all;
  const blocks = blocksOf(body).values();
  return all.flatMap((line) => {
    if (body.op(line) === CONTEXT) return [line];
    const isFirst = line === 0 || body.op(line - 1) === CONTEXT;
    const block = isFirst ? blocks.next().value : undefined;
    return block === undefined ? [] : shownBlock(body, block, picked);
  });
}

/** The lines between two unchanged ones: first removed, then added. */
function shownBlock(body: HunkBody, block: Block, picked: NonNullable<Picked>): number[] {
  const { removed, added } = block;
  if ([...removed, ...added].every((line) => picked.has(line)))
    return [...removed, ...added].sort((a, b) => a - b);
  const places = placesInBlock(body, block);
  const own = added.flatMap((line, j) => (picked.has(line) ? [{ line, place: places[j] ?? 0 }] : []));
  const shown: number[] = [];
  let next = 0;
  const addUpTo = (place: number) => {
    for (; next < own.length && (own[next]?.place ?? 0) <= place; next += 1) shown.push(own[next]?.line ?? 0);
  };
  removed.forEach((line, place) => {
    if (!picked.has(line)) addUpTo(place);
    shown.push(line);
  });
  addUpTo(removed.length);
  return shown;
}
