/** Hunks that grew over decided ones as an AI kept writing: the decided ones become parts. Pure. */
import { latin1 } from '../core/bytes.ts';
import type { Change } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { type Decision, stateOf } from '../core/file-state.ts';
import { CONTEXT, type HunkBody } from '../core/hunk-body.ts';

/** A part of a hunk, with the decision made when it was a hunk of its own. */
export interface GrownPart {
  /** Lines of the hunk's body. */
  readonly lines: readonly number[];
  readonly was: { readonly id: string; readonly decision: Decision };
}

/** The decided changes of an earlier review that this hunk now includes. */
export function grownParts(change: Change, earlier: FileReview): readonly GrownPart[] {
  const { body } = change;
  if (body === null) return [];
  const texts = textsOf(body);
  const parts: GrownPart[] = [];
  for (const old of earlier.changes) {
    const { decision } = stateOf(earlier.state, old.id);
    if (old.body === null || decision === 'pending') continue;
    const place = placeIn(texts, old.body, pickedOf(old));
    const isTaken = place?.some((line) => parts.some(({ lines }) => lines.includes(line))) ?? true;
    if (place !== null && !isTaken) parts.push({ lines: place, was: { id: old.id, decision } });
  }
  return parts;
}

/** The hunk's lines outside its parts. */
export function linesBeside(change: Change, parts: readonly GrownPart[]): readonly number[] {
  const taken = new Set(parts.flatMap(({ lines }) => lines));
  return pickedOf(change).filter((line) => !taken.has(line));
}

function pickedOf({ body, picked }: Change): readonly number[] {
  const all = Array.from({ length: body?.count ?? 0 }, (_, line) => line);
  return all.filter((line) => body?.op(line) !== CONTEXT && (picked === null || picked.has(line)));
}

/** Each line with its marker. */
function textsOf(body: HunkBody): readonly string[] {
  return Array.from(
    { length: body.count },
    (_, line) => `${body.op(line)}${latin1(body.bytes.subarray(body.start(line), body.end(line)))}`,
  );
}

/** Where another hunk's lines are, with anything between them; null if not found exactly once. */
function placeIn(
  texts: readonly string[],
  other: HunkBody,
  lines: readonly number[],
): readonly number[] | null {
  const [first = 0, last = -1] = [lines[0], lines.at(-1)];
  const run = textsOf(other).slice(first, last + 1);
  const places = texts.flatMap((_, at) =>
    run.length > 0 && run.every((text, index) => texts[at + index] === text) ? [at] : [],
  );
  const [place, ...more] = places;
  return place === undefined || more.length > 0 ? null : lines.map((line) => line - first + place);
}
