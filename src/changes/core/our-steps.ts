/** What copane itself wrote to a file, taken out of what its looks saw: a look cannot tell whose a change was. Pure. */
import { isSameSide, type SeenStep } from './attribute.ts';

/**
 * The steps of one file in the order in which they were kept, each from where the one before ended. Empty when no look saw
 * the file change: what copane wrote then is no part of what an AI did.
 */
export function withOurSteps(steps: readonly SeenStep[]): readonly SeenStep[] {
  if (steps.every(({ isOurs }) => isOurs === true)) return [];
  const out: SeenStep[] = [];
  const ours: SeenStep[] = [];
  for (const step of steps) {
    const last = out.at(-1);
    if (step.isOurs !== true) put(out, step, ours.splice(0, seenOf(ours, step)));
    else if (ours.length === 0 && isLookAt(last, step)) {
      // The look that saw it was kept first.
      out.pop();
      put(out, last, [step]);
    } else ours.push(step);
  }
  for (const step of ours) join(out, step);
  return out;
}

const isLookAt = (last: SeenStep | undefined, { after }: SeenStep): last is SeenStep =>
  last !== undefined && last.isOurs !== true && isSameSide(last.after, after);

/** How many of our writes this look has seen: those that are older, and one that left just what it found. */
function seenOf(ours: readonly SeenStep[], { after, seenAt }: SeenStep): number {
  const isSeen = (step: SeenStep) => step.seenAt <= seenAt || isSameSide(step.after, after);
  return ours.findLastIndex(isSeen) + 1;
}

/** The look's own change is what is left of it beside our writes. */
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

/** Somebody changed it before our write: when, is not known. */
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
