/** Finds a hunk's lines by text in the hunk that replaced it. Pure. */
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import { latin1 } from './bytes.ts';
import type { Change } from './change.ts';
import { ADDED, type HunkBody, REMOVED } from './hunk-body.ts';

/** Body lines from 1, inclusive; lines outside the body belong to the file around the hunk. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** From the first to the last of these lines that still exists; null if none does. */
export function movedLines({ body: from }: Change, { body: to }: Change, range: Range): Range | null {
  if (from === null || to === null) return null;
  const old = partners(from, to, ADDED);
  const now = partners(from, to, REMOVED);
  const [a, b] = [sideOf(from, ADDED), sideOf(to, ADDED)];
  /** Lines around a hunk belong to the file: keep the distance to the nearest line that both hunks have. */
  const around = (line: number) => {
    const [at, there] = (line < 0 ? [...old].at(0) : [...old].at(-1)) ?? [];
    if (at === undefined || there === undefined) return null;
    const away = line < 0 ? line - a.indexOf(at) : line - from.count + a.length - a.indexOf(at);
    const place = b.indexOf(there) + away;
    return b[place] ?? (place < 0 ? place : to.count + place - b.length);
  };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let line = range.first - 1; line < range.last; line += 1) {
    const isOutside = line < 0 || line >= from.count;
    const place = isOutside ? around(line) : (old.get(line) ?? now.get(line) ?? null);
    if (place !== null) [first, last] = [Math.min(first, place + 1), Math.max(last, place + 1)];
  }
  return first > last ? null : { first, last };
}

/** The hunk has most of the lines that stood where the other one stands, or some of them; null: it cannot be told by lines. */
export function sharedLines({ body: from }: Change, { body: to }: Change): 'most' | 'some' | 'none' | null {
  if (from === null || to === null) return null;
  const isBlank = (line: number) => !/\S/.test(latin1(from.bytes.subarray(from.start(line), from.end(line))));
  const lines = sideOf(from, ADDED).filter((line) => !isBlank(line));
  if (lines.length === 0) return null;
  const there = partners(from, to, ADDED);
  const shared = lines.filter((line) => there.has(line)).length;
  return shared * 2 >= lines.length ? 'most' : shared > 0 ? 'some' : 'none';
}

const sideOf = (body: HunkBody, left: number) =>
  Array.from({ length: body.count }, (_, line) => line).filter((line) => body.op(line) !== left);

/** For one side, the other hunk's line for each line in both. */
function partners(from: HunkBody, to: HunkBody, left: number): ReadonlyMap<number, number> {
  const names = new Interner();
  const [a, b] = [sideOf(from, left), sideOf(to, left)];
  const idsOf = (body: HunkBody, lines: readonly number[]) =>
    names.idsOf(lines.map((line) => latin1(body.bytes.subarray(body.start(line), body.end(line)))));
  const found = alignSequences(idsOf(from, a), idsOf(to, b));
  return new Map(
    a.flatMap((line, at) => {
      const there = b[found[at] ?? -1];
      return there === undefined ? [] : [[line, there] as const];
    }),
  );
}
