/** Which edits of several proposals stay, while a model fixes the others. Pure. */
import type { EditFault, ProposedEdit } from '../../protocol/agent.ts';

/** The edits that were kept and are not proposed again, and the fresh ones. */
export function withKept(
  kept: readonly ProposedEdit[],
  fresh: readonly ProposedEdit[],
): readonly ProposedEdit[] {
  return [...kept.filter((one) => !fresh.some((other) => meet(one, other))), ...fresh];
}

/** Drops edits that have a fault, and both of two that overlap. */
export function withoutFaulty(
  edits: readonly ProposedEdit[],
  faults: readonly EditFault[],
): readonly ProposedEdit[] {
  const codes = new Map(faults.map(({ edit_id, code }) => [edit_id, code]));
  const overlapping = edits.filter(({ edit_id }) => codes.get(edit_id) === 'overlap');
  return edits.filter((edit) => !codes.has(edit.edit_id) && !overlapping.some((other) => meet(edit, other)));
}

/** Both are about the same lines, or one of them about the whole file. */
function meet(one: ProposedEdit, other: ProposedEdit): boolean {
  if (one.file_path !== other.file_path) return false;
  if ((one.operation === 'insert') !== (other.operation === 'insert')) return false;
  const [a, b] = [rangeOf(one), rangeOf(other)];
  return a.from <= b.to && b.from <= a.to;
}

function rangeOf({ start_line: start, end_line: end }: ProposedEdit) {
  return start === undefined ? { from: 0, to: Number.POSITIVE_INFINITY } : { from: start, to: end ?? start };
}
