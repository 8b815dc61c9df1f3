/** An action's outcome: the new desk, mark and message; and the facts a command needs beforehand. Pure. */
import { count } from '../../lib/count.ts';
import type { Failure } from '../../lib/result.ts';
import type { IntentResult } from '../../protocol/intent.ts';
import { type Desk, type DeskHunk, type DeskStep, isOpen, nextOpen, openHunks, statusOf } from './desk.ts';
import type { DeskAct, DeskCommand, DeskPlan } from './desk-plan.ts';
import { allStepped, moveStep, takeOut, withDecided, withHunksOf } from './steps.ts';

export interface Answer {
  /** The affected hunks in their new state. */
  readonly hunks: readonly DeskHunk[];
  readonly revision: number;
  readonly end: Desk['end'];
}

export interface Settled {
  readonly desk: Desk;
  readonly mark: string | null;
  readonly words: string | null;
}

/** The desk after an action was written. `mark`: the client's mark by now. */
export function settleDone(desk: Desk, act: DeskAct, answer: Answer, mark: string | null): Settled {
  const landed = withHunks(withoutFlight(desk, act.id), answer.hunks);
  const next = remember({ ...landed, revision: answer.revision, end: answer.end }, act, answer.hunks);
  return {
    desk: next,
    mark: markAfter(next, act, answer.hunks, mark),
    words: wordsFor(next, act, answer.hunks),
  };
}

/** The desk after an action was refused: it is no longer pending, and the mark returns to its hunk. */
export function settleRefused(desk: Desk, act: DeskAct): Settled {
  const landed = withoutFlight(desk, act.id);
  return { desk: forget(landed, act), mark: act.hunk ?? act.mark, words: null };
}

/** A refusal as a full sentence, with its hint. */
export function refusalOf({ command }: DeskAct, { message, hint }: Failure) {
  const isOnHunk = command.kind === 'decide' && command.hunk !== 'all';
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return { message: sentence, hint: hint ?? null, isOnHunk };
}

/** Whether every hunk is decided. */
export function isComplete(desk: Desk): boolean {
  return desk.hunks.length > 0 && desk.hunks.every((hunk) => !isOpen(statusOf(desk, hunk)));
}

/** The desk with these hunks updated; parts replace the hunk that they were split from. */
export function withHunks(desk: Desk, hunks: readonly DeskHunk[]): Desk {
  if (hunks.length === 0) return desk;
  const fresh = new Map(hunks.map((hunk) => [hunk.id, hunk]));
  const known = desk.hunks.map((hunk) => fresh.get(hunk.id) ?? hunk);
  return { ...desk, hunks: known };
}

function withoutFlight(desk: Desk, id: string): Desk {
  return { ...desk, inFlight: desk.inFlight.filter((flight) => flight.id !== id) };
}

/** Updates the undo lists once an action's hunks are known. */
function remember(desk: Desk, { id, client, command }: DeskAct, hunks: readonly DeskHunk[]): Desk {
  const step = { id, client, hunks: hunks.map((hunk) => hunk.id) };
  switch (command.kind) {
    case 'decide':
      return withDecided(desk, { ...step, hunks: decidedOf(hunks) });
    case 'step':
      return command.step === null ? takeOut(desk, step, command.direction) : desk;
    case 'step_all':
      return allStepped(desk, { ...step, isAll: command.direction === 'undo' }, command.direction);
    default:
      return desk;
  }
}

const decidedOf = (hunks: readonly DeskHunk[]) =>
  hunks.filter(({ status }) => !isOpen(status)).map(({ id }) => id);

/** A refused decision is not a step; a refused step can be retried. */
function forget(desk: Desk, { id, command }: DeskAct): Desk {
  if (command.kind === 'decide') return withHunksOf(desk, id, []);
  if (command.kind !== 'step') return desk;
  const moved = [...desk.done, ...desk.undone].find((step) => step.id === command.step);
  if (moved === undefined) return desk;
  return moveStep(desk, moved, command.direction === 'undo' ? 'redo' : 'undo');
}

function markAfter(
  desk: Desk,
  { command, hunk }: DeskAct,
  hunks: readonly DeskHunk[],
  mark: string | null,
): string | null {
  const isCut = command.kind === 'split' || command.kind === 'join';
  const isOfLines = command.kind === 'decide' && command.lines !== null;
  if ((isCut || isOfLines) && hunks[0] !== undefined) return hunks[0].id;
  // The editor was open meanwhile, so only now is the hunk known to be done.
  const isModified = command.kind === 'decide' && command.action === 'modify';
  return isModified && mark === hunk ? nextOpen(desk, mark) : mark;
}

/** A single hunk shows its sign; several hunks, and the end of the review, get a message. */
function wordsFor(desk: Desk, { command }: DeskAct, hunks: readonly DeskHunk[]): string | null {
  switch (command.kind) {
    case 'decide':
      return command.hunk === 'all' ? manyWords(desk, command, hunks) : null;
    case 'step':
      return hunks.length > 1 ? stepWords(desk, command.direction, hunks) : null;
    case 'step_all':
      return stepWords(desk, command.direction, hunks);
    case 'split':
      return hunks.length > 1
        ? `Split into ${count(hunks.length, 'part')}`
        : 'It is one change already; select some of its lines to split them off';
    case 'join':
      return 'One hunk again';
    case 'comment':
      return 'Comment made';
    case 'finish':
      if (command.commit) return 'Committed, and the review completed';
      return command.how === 'finalize' ? 'Review completed' : 'Suggestion discarded';
    case 'reopen':
      return 'The review is open again';
  }
}

function stepWords(desk: Desk, direction: 'undo' | 'redo', hunks: readonly DeskHunk[]): string {
  const done = count(hunks.length, 'decision');
  if (direction === 'redo') return `${done} redone`;
  const stuck = desk.hunks.filter(({ status, reason }) => reason !== null && !isOpen(status)).length;
  const rest =
    stuck === 0
      ? ''
      : `; ${count(stuck, 'hunk')} ${stuck === 1 ? 'stays' : 'stay'}, changed by someone since`;
  return `${done} undone${rest}`;
}

function manyWords(
  desk: Desk,
  { action, file }: Extract<DeskCommand, { kind: 'decide' }>,
  hunks: readonly DeskHunk[],
): string {
  const decided = hunks.filter(({ status }) => !isOpen(status)).length;
  const left = openHunks(desk, file).length;
  const rest = left === 0 ? '' : `; ${count(left, 'hunk')} did not fit`;
  return `${action === 'accept' ? 'Accepted' : 'Rejected'} ${count(decided, 'hunk')}${rest}`;
}

/** Whether it is independent of earlier actions: a decision on one whole hunk, or a step with known hunks. */
export function isPlain(command: DeskCommand): boolean {
  if (command.kind !== 'decide') return command.kind === 'step' && command.hunks.length === 1;
  return command.hunk !== 'all' && command.hunk !== 'every' && command.lines === null;
}

/** Whether it changes which hunks there are. */
export function isCut(command: DeskCommand): boolean {
  const isOfLines = command.kind === 'decide' && command.lines !== null;
  return isOfLines || command.kind === 'split' || command.kind === 'join' || command.kind === 'reopen';
}

/** The step in its current form. */
export function stepNow({ done, undone }: Desk, id: string): DeskStep | undefined {
  return [...done, ...undone].find((step) => step.id === id);
}

/** An empty answer. */
export const NOTHING = {
  words: null,
  problem: null,
  question: null,
  mark: null,
  suggestion: null,
  hunks: [],
  notes: [],
};

/** The answer if nothing is carried out. */
export function spoken(desk: Desk, plan: Exclude<DeskPlan, DeskAct>): IntentResult {
  const { mark } = plan;
  const common = { ...NOTHING, mark, revision: desk.revision, complete: isComplete(desk) };
  switch (plan.kind) {
    case 'say':
      return { ...common, kind: 'said', words: plan.words };
    case 'ask':
      return {
        ...common,
        kind: 'asked',
        question: plan.question,
        ...(plan.ways === undefined ? {} : { ways: plan.ways }),
      };
    case 'refuse':
      return { ...common, kind: 'refused', problem: { message: plan.message, hint: plan.hint } };
  }
}
