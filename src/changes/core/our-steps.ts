/** Separates copane's own writes to a file from other changes, as a look cannot tell who made a change. Pure. */
import type { ByteString } from '../../review/core/bytes.ts';
import { carryOver } from '../../review/core/carry-over.ts';
import { type FileImage, modeOf } from '../../review/core/file-state.ts';
import { MODE_EXECUTABLE, MODE_SYMLINK } from '../../review/core/patch-model.ts';
import { isSameSide, type SeenSide, type SeenStep } from './attribute.ts';

/** The steps of one file in order, each starting where the previous one ended. Empty if no look saw the file change. */
export function withOurSteps(steps: readonly SeenStep[]): readonly SeenStep[] {
  if (steps.every(({ isOurs }) => isOurs === true)) return [];
  const out: SeenStep[] = [];
  const ours: SeenStep[] = [];
  for (const step of steps) {
    const last = out.at(-1);
    if (step.isOurs !== true) put(out, step, ours.splice(0, seenOf(ours, step)));
    else if (ours.length === 0 && isLookAt(last, step)) {
      // The look that saw it was stored first.
      out.pop();
      put(out, last, [step]);
    } else ours.push(step);
  }
  for (const step of ours) join(out, step);
  return out;
}

/** A last step that undoes what copane wrote after something else: taken back or not, a change belongs to its turn. */
export function putBack(steps: readonly SeenStep[]): SeenStep | null {
  const last = steps.at(-1);
  const sides = steps.flatMap(({ before, after }) => [before, after]);
  if (last === undefined || !isRewritten(steps) || sides.some((side) => side?.bytes === null)) return null;
  const undo = ({ before, after }: SeenStep) => ({ from: imageOf('', after), to: imageOf('', before) });
  const undone = steps
    .filter(({ isOurs }) => isOurs === true)
    .toReversed()
    .map(undo);
  const after = sideOf(undone.reduce(carryOver, imageOf('', last.after)));
  return isSameSide(after, last.after) ? null : { ...last, before: last.after, after, isOurs: true };
}

export function imageOf(name: ByteString, side: SeenSide): FileImage | null {
  if (side === null || side.bytes === null) return null;
  const type = side.mode === MODE_SYMLINK ? 'symlink' : 'file';
  return { path: name, type, executable: side.mode === MODE_EXECUTABLE, bytes: side.bytes };
}

export function sideOf(image: FileImage | null): SeenSide {
  return image === null ? null : { mode: modeOf(image), bytes: image.bytes };
}

/** Whether copane wrote the file after something else had changed it: then there is no difference left. */
function isRewritten(steps: readonly SeenStep[]): boolean {
  const first = steps.findIndex(({ isOurs }) => isOurs !== true);
  return first >= 0 && steps.slice(first).some(({ isOurs }) => isOurs === true);
}

const isLookAt = (last: SeenStep | undefined, { after }: SeenStep): last is SeenStep =>
  last !== undefined && last.isOurs !== true && isSameSide(last.after, after);

/** How many of our writes this look has seen: the older ones, and one that left exactly the content it found. */
function seenOf(ours: readonly SeenStep[], { after, seenAt }: SeenStep): number {
  const isSeen = (step: SeenStep) => step.seenAt <= seenAt || isSameSide(step.after, after);
  return ours.findLastIndex(isSeen) + 1;
}

/** The look's own change is what remains after our writes. */
function put(out: SeenStep[], look: SeenStep, ours: readonly SeenStep[]): void {
  let now = look.before;
  for (const step of ours) {
    if (!isSameSide(now, step.before)) out.push(between({ ...look, seenAt: step.seenAt }, now, step.before));
    out.push(step);
    now = step.after;
  }
  if (!isSameSide(now, look.after) || ours.length === 0) out.push({ ...look, before: now });
}

function join(out: SeenStep[], step: SeenStep): void {
  const last = out.at(-1);
  if (last !== undefined && !isSameSide(last.after, step.before))
    out.push(between(step, last.after, step.before));
  out.push(step);
}

/** Somebody changed it before our write, at an unknown time. */
const between = (
  { since, seenAt, isBetween }: SeenStep,
  before: SeenStep['before'],
  after: SeenStep['after'],
): SeenStep => ({
  before,
  after,
  since,
  seenAt,
  changedAt: null,
  ...(isBetween === undefined ? {} : { isBetween }),
});
