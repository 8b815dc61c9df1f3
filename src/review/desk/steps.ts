/** The undo and redo lists. One action is one step, however many hunks it decided. Pure. */
import { type Desk, type DeskStep, findHunk, isOpen, statusOf } from './desk.ts';

/** Steps kept per suggestion; older ones can still be undone hunk by hunk. */
export const STEPS_MAX = 10_000;

type Lists = Pick<Desk, 'done' | 'undone'>;

/** A client did something new, so what it had undone can no longer be redone. */
export function withStep(desk: Desk, step: DeskStep): Desk {
  return {
    ...desk,
    done: [...desk.done, step].slice(-STEPS_MAX),
    undone: desk.undone.filter(({ client }) => client !== step.client),
  };
}

/** What a client's next undo affects: a whole step, or one hunk's decision; null for nothing. */
export type UndoTarget =
  | { readonly kind: 'step'; readonly step: DeskStep }
  | { readonly kind: 'hunk'; readonly hunk: string };

/** The client's last step, else anyone's. A marked hunk decided earlier or by others is undone alone. */
export function undoTarget(desk: Desk, client: string, marked: string | null): UndoTarget | null {
  const last = lastStep(desk, client);
  const hunk = findHunk(desk, marked);
  const status = hunk === null ? 'pending' : statusOf(desk, hunk);
  const isDecided = !isOpen(status) && status !== 'already_applied';
  if (hunk !== null && isDecided && last?.hunks.includes(hunk.id) !== true)
    return { kind: 'hunk', hunk: hunk.id };
  return last === null ? null : { kind: 'step', step: last };
}

/** Skips steps whose hunks are all open again because someone else undid them. */
function lastStep(desk: Desk, client: string): DeskStep | null {
  const decided = new Set(desk.hunks.filter((hunk) => !isOpen(statusOf(desk, hunk))).map(({ id }) => id));
  // A step without hunks is pending, and its hunks are not known yet.
  const isThere = ({ hunks }: DeskStep) => hunks.length === 0 || hunks.some((id) => decided.has(id));
  const own = desk.done.findLast((step) => step.client === client && isThere(step));
  return own ?? desk.done.findLast(isThere) ?? null;
}

/** What a client's next redo affects: its own last step, otherwise anyone's. */
export function redoTarget({ undone }: Lists, client: string): DeskStep | null {
  return undone.findLast((step) => step.client === client) ?? undone.at(-1) ?? null;
}

/** Moves an undone (or redone) step. */
export function moveStep(desk: Desk, step: DeskStep, direction: 'undo' | 'redo'): Desk {
  const without = (list: readonly DeskStep[]) => list.filter(({ id }) => id !== step.id);
  const [done, undone] = [without(desk.done), without(desk.undone)];
  return direction === 'undo'
    ? { ...desk, done, undone: [...undone, step].slice(-STEPS_MAX) }
    : { ...desk, done: [...done, step].slice(-STEPS_MAX), undone };
}

/** Decisions undone (or redone) independently of their original steps form a new step. */
export function takeOut(desk: Desk, step: DeskStep, direction: 'undo' | 'redo'): Desk {
  if (step.hunks.length === 0) return desk;
  const taken = new Set(step.hunks);
  const without = (list: readonly DeskStep[]) =>
    list.flatMap((one) => {
      const hunks = one.hunks.filter((id) => !taken.has(id));
      if (hunks.length === one.hunks.length) return [one];
      return hunks.length === 0 ? [] : [{ ...one, hunks }];
    });
  return direction === 'undo'
    ? { ...desk, done: without(desk.done), undone: [...desk.undone, step].slice(-STEPS_MAX) }
    : { ...desk, undone: without(desk.undone), done: [...desk.done, step].slice(-STEPS_MAX) };
}

/** Sets the hunks that an action decided; if no key had listed it, adds a new step. */
export function withDecided(desk: Desk, step: DeskStep): Desk {
  const isListed = [...desk.done, ...desk.undone].some(({ id }) => id === step.id);
  if (isListed) return withHunksOf(desk, step.id, step.hunks);
  return step.hunks.length === 0 ? desk : withStep(desk, step);
}

/** Sets a step's hunks; drops the step if there are none. */
export function withHunksOf(desk: Desk, id: string, hunks: readonly string[]): Desk {
  const put = (list: readonly DeskStep[]) =>
    list.flatMap((step) => (step.id !== id ? [step] : hunks.length === 0 ? [] : [{ ...step, hunks }]));
  return { ...desk, done: put(desk.done), undone: put(desk.undone) };
}

/** Every decision was undone (or redone) at once. */
export function allStepped(desk: Desk, step: DeskStep, direction: 'undo' | 'redo'): Desk {
  const steps = step.hunks.length === 0 ? [] : [step];
  if (direction === 'undo') return { ...desk, done: [], undone: steps };
  return { ...desk, done: [...desk.done, ...steps].slice(-STEPS_MAX), undone: [] };
}
