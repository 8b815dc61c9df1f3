/**
 * Lines as the diff of a hunk shows them, as lines of its body. The two differ for a part of a split hunk: what other
 * parts add is not shown in it.
 */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Change } from './change.ts';
import { ADDED, CONTEXT, type HunkBody } from './hunk-body.ts';

/** From 1, both ends included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** The lines of the body that are shown as `range`; refused where lines of another part lie between them. */
export function bodyLines(change: Change, range: Range): Result<Range> {
  const { body } = change;
  if (body === null) return fail('invalid', `A ${change.kind} has no lines.`);
  const shown = shownLines(change, body);
  const [first, last] = [shown[range.first - 1], shown[range.last - 1]];
  if (first === undefined || last === undefined || last < first)
    return fail('invalid', `There are no lines ${range.first}-${range.last}: ${shown.length} are shown.`);
  for (let i = first; i <= last; i += 1) {
    if (body.op(i) !== CONTEXT && !isOwn(change, i))
      return fail('invalid', 'Lines of another part of the hunk lie between these; select fewer.');
  }
  return ok({ first: first + 1, last: last + 1 });
}

/** The run of changed lines, as they are shown, at the shown line `at`, else the next one below, else the last one. */
export function runAt(change: Change, at: number): Result<Range> {
  const { body } = change;
  if (body === null) return fail('invalid', `A ${change.kind} has no lines to split.`);
  const shown = shownLines(change, body);
  const isChanged = (index: number) => {
    const line = shown[index];
    return line !== undefined && body.op(line) !== CONTEXT && isOwn(change, line);
  };
  const indices = [...shown.keys()].filter(isChanged);
  let first = indices.find((index) => index >= at - 1) ?? indices.at(-1);
  if (first === undefined) return fail('invalid', 'There are no changed lines.');
  let last = first;
  while (isChanged(first - 1)) first -= 1;
  while (isChanged(last + 1)) last += 1;
  return ok({ first: first + 1, last: last + 1 });
}

const isOwn = ({ picked }: Change, line: number) => picked === null || picked.has(line);

/** Lines of the body, from 0, in the order in which they are shown. */
function shownLines(change: Change, body: HunkBody): number[] {
  return Array.from({ length: body.count }, (_, line) => line).filter(
    (line) => body.op(line) !== ADDED || isOwn(change, line),
  );
}
