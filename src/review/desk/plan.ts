/** Plans an intent: the desk that already shows it, a command, a question before it, or why nothing is done. Pure. */
import { count } from '../../lib/count.ts';
import type { Intent, IntentResult, Sync } from '../../protocol/intent.ts';
import { filesThatRun, filesUnsure, runningWords, unsureWords } from '../core/many-question.ts';
import {
  type Desk,
  type DeskHunk,
  type DeskStep,
  deciderOf,
  findHunk,
  type HunkStatus,
  hunkBeside,
  isOpen,
  markedIn,
  nextOpen,
  nextUnseen,
  openHunks,
  statusOf,
} from './desk.ts';
import type { Decision, DeskAct, DeskCommand, DeskPlan, PlanFacts } from './desk-plan.ts';
import { moveStep, redoTarget, takeOut, undoTarget, withStep } from './steps.ts';

const DECIDED = { accept: 'accepted', reject: 'rejected', modify: 'modified' } as const;
type Action = 'accept' | 'reject';

/** A script states what it wants: no questions, no mark. Its decisions can be undone like any other action. */
export function planOrder(desk: Desk, command: DeskCommand, by: { id: string; client: string }): DeskAct {
  const statuses = command.kind === 'decide' ? statusesAfter(desk, command) : {};
  const flying = { ...desk, inFlight: [...desk.inFlight, { ...by, statuses }] };
  return { kind: 'act', desk: flying, mark: null, command, statuses, ...by, hunk: null };
}

/** The order to undo (or redo) a hunk; `all` and `every` mean every decision. */
export function stepOrder(hunk: string, direction: 'undo' | 'redo'): DeskCommand {
  if (hunk === 'all' || hunk === 'every') return { kind: 'step_all', direction };
  return { kind: 'step', direction, step: null, hunks: [hunk] };
}

function statusesAfter(desk: Desk, { hunk, action, lines, file }: Decision): DeskAct['statuses'] {
  if (lines !== null || action === 'modify') return {};
  const ids = hunk === 'all' ? openHunks(desk, file) : hunk === 'every' ? idsOf(desk, file) : [hunk];
  return allOf(ids, DECIDED[action]);
}

const idsOf = ({ hunks }: Desk, file: string | null) =>
  hunks.filter((hunk) => file === null || hunk.file === file).map(({ id }) => id);

/** The plan for an intent. */
export function planIntent(desk: Desk, intent: Intent, facts: PlanFacts): DeskPlan {
  const { mark } = facts.reviewer;
  if (desk.end !== null && intent.kind !== 'reopen') return say(mark, `This suggestion is ${desk.end}`);
  if ('seen' in intent) return planOnHunk(desk, intent, facts);
  switch (intent.kind) {
    case 'mark':
      return say(markedIn(desk, intent.hunk), null);
    case 'view':
      return say(intent.viewed ? nextUnseen(desk, intent.hunk, facts.viewed) : intent.hunk, null);
    case 'next':
      return say(hunkBeside(desk, mark, 1), null);
    case 'previous':
      return say(hunkBeside(desk, mark, -1), null);
    case 'next_open':
      return say(nextOpen(desk, mark), null);
    case 'accept_all':
      return planAll(desk, 'accept', facts);
    case 'reject_all':
      return planAll(desk, 'reject', facts);
    case 'redo':
      return planRedo(desk, facts);
    case 'undo_all':
      return planUndoAll(desk, facts);
    case 'finish':
      return planFinish(desk, intent.sync, facts);
    case 'discard':
      return planDiscard(desk, facts);
    case 'commit':
      return planCommit(desk, intent.message, facts);
    case 'reopen':
      return planReopen(desk, facts);
  }
}

type OnHunk = Extract<Intent, { seen: unknown }>;

function planOnHunk(desk: Desk, intent: OnHunk, facts: PlanFacts): DeskPlan {
  const { mark } = facts.reviewer;
  const hunk = findHunk(desk, intent.hunk ?? mark);
  if (hunk === null)
    return intent.hunk === null && intent.kind === 'undo'
      ? planUndo(desk, null, facts)
      : say(mark, desk.hunks.length === 0 ? 'There are no hunks' : 'This hunk no longer exists');
  switch (intent.kind) {
    case 'accept':
    case 'reject':
      return planDecision(desk, hunk, intent, facts);
    case 'accept_file':
      return planFile(desk, hunk, 'accept', facts);
    case 'reject_file':
      return planFile(desk, hunk, 'reject', facts);
    case 'modify': {
      const lost = lostTo(desk, hunk, 'modified', intent, facts);
      if (lost !== null) return lost;
      const { modified } = intent;
      return act(desk, decide('modify', hunk.id, { modified }), { facts, hunk: hunk.id, step: [hunk.id] });
    }
    case 'undo':
      return planUndo(desk, hunk.id, facts);
    case 'split': {
      const { lines, at } = intent;
      if (hunk.kind !== 'text') return say(hunk.id, `A ${hunk.kind} has no lines to split`);
      return act(desk, { kind: 'split', hunk: hunk.id, lines, at }, { facts, hunk: hunk.id });
    }
    case 'join':
      if (hunk.parent === null) return say(hunk.id, 'This hunk was not split');
      return act(desk, { kind: 'join', hunk: hunk.parent }, { facts, hunk: hunk.id });
    case 'comment': {
      const text = intent.text.trim();
      if (text === '') return say(hunk.id, 'No comment was made');
      const { lines } = intent;
      return act(desk, { kind: 'comment', hunk: hunk.id, text, lines }, { facts, hunk: hunk.id, mark });
    }
  }
}

function planDecision(
  desk: Desk,
  hunk: DeskHunk,
  intent: Extract<Intent, { kind: Action }>,
  facts: PlanFacts,
): DeskPlan {
  const { kind: action, lines } = intent;
  const lost = lostTo(desk, hunk, DECIDED[action], intent, facts);
  if (lost !== null) return lost;
  const command = decide(action, hunk.id, { lines });
  if (lines !== null) return act(desk, command, { facts, hunk: hunk.id, step: [] });
  const status = statusOf(desk, hunk);
  if (status === DECIDED[action]) return say(nextOpen(desk, hunk.id), null);
  if (action === 'accept' && status === 'conflict') return planConflict(desk, hunk, facts);
  const statuses = { [hunk.id]: DECIDED[action] };
  return act(desk, command, { facts, hunk: hunk.id, statuses, step: [hunk.id], goesOn: true });
}

/** A hunk that fits nowhere is accepted by a clean three-way merge, and only after confirmation. */
function planConflict(desk: Desk, hunk: DeskHunk, facts: PlanFacts): DeskPlan {
  const why = hunk.reason ?? 'The hunk does not fit.';
  if (facts.mergeConflicts !== 0)
    return { kind: 'refuse', mark: hunk.id, message: `This hunk is in conflict: ${why}`, hint: null };
  if (facts.confirmed === null)
    return ask(hunk.id, 'The hunk does not fit as it is. Use the three-way merge, which has no conflict?');
  const merge = decide('modify', hunk.id, { modified: { kind: 'merge' } });
  return act(desk, merge, { facts, hunk: hunk.id, step: [hunk.id] });
}

/** The plan if another client has decided on the hunk since this one saw it; else null. */
function lostTo(
  desk: Desk,
  hunk: DeskHunk,
  wanted: HunkStatus,
  { seen }: OnHunk,
  { reviewer, nameOf }: PlanFacts,
): DeskPlan | null {
  const status = statusOf(desk, hunk);
  if (seen === null || !isOpen(seen) || isOpen(status) || status === 'already_applied') return null;
  const client = deciderOf(desk, hunk.id);
  if (client === reviewer.client) return null;
  const words = `${nameOf(client)} has ${status} this hunk meanwhile`;
  if (status === wanted && wanted !== 'modified') return say(nextOpen(desk, hunk.id), words);
  return { kind: 'refuse', mark: hunk.id, message: `${words}; nothing was done.`, hint: null };
}

function planFile(desk: Desk, { id, file }: DeskHunk, action: Action, facts: PlanFacts): DeskPlan {
  const hunks = openHunks(desk, file);
  if (hunks.length === 0) return say(id, 'Every hunk of this file is already decided');
  const warning = warningFor(desk, action, hunks);
  // The marked one is in view; others that would be decided with it may not be.
  if (warning !== '' && (hunks.length > 1 || hunks[0] !== id) && facts.confirmed === null)
    return ask(id, `${VERBS[action]} ${count(hunks.length, 'open hunk')} of it?${warning}`);
  const command = decide(action, 'all', { file });
  const statuses = allOf(hunks, DECIDED[action]);
  return act(desk, command, { facts, hunk: null, statuses, step: hunks, goesOn: true, mark: id });
}

/** Everything open. Includes the revision that was seen, so that no one's decision since is overridden. */
function planAll(desk: Desk, action: Action, facts: PlanFacts): DeskPlan {
  const { mark } = facts.reviewer;
  const hunks = openHunks(desk);
  if (hunks.length === 0) return say(mark, 'Every hunk is already decided');
  if (facts.confirmed === null) {
    const warning = warningFor(desk, action, hunks);
    return ask(mark, `${VERBS[action]} ${count(hunks.length, 'open hunk')}?${warning}`);
  }
  const command = decide(action, 'all', { confirmed: facts.confirmed });
  return act(desk, command, { facts, hunk: null, statuses: allOf(hunks, DECIDED[action]), step: hunks });
}

const VERBS = { accept: 'Accept', reject: 'Reject' } as const;

/** Names files that would be accepted and run by themselves, or be rejected and may hold the reviewer's changes. */
function warningFor(desk: Desk, action: Action, ids: readonly string[]): string {
  const wanted = new Set(ids);
  const hunks = desk.hunks.filter(({ id }) => wanted.has(id));
  const files = action === 'accept' ? filesThatRun(hunks) : filesUnsure(hunks);
  if (files.length === 0) return '';
  return ` ${action === 'accept' ? runningWords(files) : `${unsureWords(files)} ${KEEP_YOURS}`}`;
}

const KEEP_YOURS = 'First accept the ones to keep.';

function planUndo(desk: Desk, marked: string | null, facts: PlanFacts): DeskPlan {
  const { client, mark } = facts.reviewer;
  const target = undoTarget(desk, client, marked);
  if (target === null) return say(mark, 'There is no decision to undo');
  if (target.kind === 'hunk') {
    const { hunk } = target;
    const step: DeskStep = { id: facts.id, client, hunks: [hunk] };
    const command = { kind: 'step', direction: 'undo', step: step.id, hunks: step.hunks } as const;
    return act(takeOut(desk, step, 'undo'), command, { facts, hunk, statuses: { [hunk]: 'pending' } });
  }
  return stepping(moveStep(desk, target.step, 'undo'), target.step, 'undo', facts);
}

function planRedo(desk: Desk, facts: PlanFacts): DeskPlan {
  const step = redoTarget(desk, facts.reviewer.client);
  if (step === null) return say(facts.reviewer.mark, 'Nothing was undone here');
  if (step.isAll !== true) return stepping(moveStep(desk, step, 'redo'), step, 'redo', facts);
  return act(desk, { kind: 'step_all', direction: 'redo' }, { facts, hunk: null });
}

function stepping(desk: Desk, step: DeskStep, direction: 'undo' | 'redo', facts: PlanFacts): DeskPlan {
  const command = { kind: 'step', direction, step: step.id, hunks: step.hunks } as const;
  const [first = facts.reviewer.mark] = step.hunks;
  const statuses = direction === 'undo' ? allOf(step.hunks, 'pending') : {};
  return act(desk, command, { facts, hunk: null, mark: first, statuses });
}

function planUndoAll(desk: Desk, facts: PlanFacts): DeskPlan {
  if (facts.confirmed === null) return ask(facts.reviewer.mark, 'Undo every decision on this suggestion?');
  return act(desk, { kind: 'step_all', direction: 'undo' }, { facts, hunk: null });
}

/** Finishing always asks for confirmation; the question counts what is open. */
function planFinish(desk: Desk, sync: Sync, facts: PlanFacts): DeskPlan {
  if (facts.confirmed === null) {
    const { lastSync = null, reviewer } = facts;
    const ways = lastSync === null ? [] : waysToFinish(desk, lastSync);
    const [first] = ways;
    const plain = { kind: 'ask', mark: reviewer.mark, question: finishQuestion(desk, sync) } as const;
    return first === undefined ? plain : { ...plain, question: first.question, ways };
  }
  const commit = sync !== 'keep';
  const how = { how: 'finalize', commit, hooks: commit, push: sync === 'push' } as const;
  return act(desk, { ...ENDING, ...how, sandbox: commit ? 'sync' : 'keep' }, { facts, hunk: null });
}

/** In a sandbox made by copane, removes everything of its author that was not accepted. */
function planDiscard(desk: Desk, facts: PlanFacts): DeskPlan {
  if (facts.confirmed === null) return ask(facts.reviewer.mark, DISCARD_QUESTION);
  return act(desk, { ...ENDING, how: 'discard', sandbox: 'revert' }, { facts, hunk: null });
}

/** The ways to finish, each with its question; none if nothing accepted can be committed. */
function waysToFinish(desk: Desk, last: Sync): NonNullable<IntentResult['ways']> {
  if (!hasTaken(desk)) return [];
  const others = (['keep', 'commit', 'push'] as const).filter((sync) => sync !== last);
  return [last, ...others].map((sync) => ({ sync, question: finishQuestion(desk, sync) }));
}

const hasTaken = (desk: Desk) =>
  desk.hunks.some((hunk) => /^(?:accepted|modified)$/.test(statusOf(desk, hunk)));

const ENDING = { kind: 'finish', commit: false, hooks: false, push: false, message: null } as const;

/** The user's own commit: whatever runs at a "git commit" runs here, and the question says so. */
function planCommit(desk: Desk, message: string, facts: PlanFacts): DeskPlan {
  if (!hasTaken(desk)) return say(facts.reviewer.mark, 'Nothing is accepted: there is nothing to commit');
  const how = 'Hooks run, and it is signed where that is set, as with "git commit".';
  const question = `Commit what was accepted, and finish the review? ${how}${openWords(desk)}`;
  if (facts.confirmed === null) return ask(facts.reviewer.mark, question);
  const commit = { ...ENDING, how: 'finalize', sandbox: 'keep', commit: true, hooks: true, message } as const;
  return act(desk, commit, { facts, hunk: null });
}

export const DISCARD_QUESTION = 'Discard this suggestion? What was accepted stays, the rest is dropped.';

const finishQuestion = (desk: Desk, sync: Sync): string => `${FINISH_QUESTIONS[sync]}${openWords(desk)}`;

const FINISH_QUESTIONS: Readonly<Record<Sync, string>> = {
  keep: 'Finish the review? What was accepted stays.',
  commit: 'Finish the review, and commit what was accepted? Hooks run; a sandbox goes on from there.',
  push: 'Finish the review, commit what was accepted and push it? Hooks run; a sandbox goes on from there.',
};

function openWords(desk: Desk): string {
  const open = openHunks(desk).length;
  return open === 0 ? '' : ` ${count(open, 'hunk')} ${open === 1 ? 'stays' : 'stay'} undecided.`;
}

function planReopen(desk: Desk, facts: PlanFacts): DeskPlan {
  if (desk.end === null) return say(facts.reviewer.mark, 'This suggestion is open');
  return act({ ...desk, end: null }, { kind: 'reopen' }, { facts, hunk: null });
}

/** A decision by a key: the desk has asked before a joint accept and named the files that run by themselves. */
function decide(
  action: Decision['action'],
  hunk: string,
  more: Partial<Decision & { confirmed: number | null }>,
): DeskCommand {
  const plain = { lines: null, file: null, modified: null, comment: null, revision: null, confirmed: null };
  const common = {
    onlyFitting: hunk === 'all',
    onlyUndecided: false,
    acceptSelfRunning: true,
    rejectUnsure: true,
  };
  return { kind: 'decide', action, hunk, ...plain, ...common, ...more };
}

const allOf = (hunks: readonly string[], status: HunkStatus) =>
  Object.fromEntries(hunks.map((id) => [id, status]));

interface About {
  readonly facts: PlanFacts;
  readonly hunk: string | null;
  readonly statuses?: Readonly<Record<string, HunkStatus>>;
  /** The hunks of the step to undo; omitted: not a decision. Empty: not known yet. */
  readonly step?: readonly string[];
  /** The mark moves to the next open hunk. */
  readonly goesOn?: boolean;
  /** The hunk that the mark moves on from, or is set to; default: this hunk, or the current one. */
  readonly mark?: string | null;
}

function act(desk: Desk, command: DeskCommand, about: About): DeskAct {
  const { facts, hunk, statuses = {} } = about;
  const { id, reviewer } = facts;
  const { client } = reviewer;
  const flying: Desk = { ...desk, inFlight: [...desk.inFlight, { id, client, statuses }] };
  const noted = about.step === undefined ? flying : withStep(flying, { id, client, hunks: about.step });
  const from = about.mark === undefined ? (hunk ?? reviewer.mark) : about.mark;
  const mark = about.goesOn === true ? nextOpen(noted, from) : from;
  return { kind: 'act', desk: noted, mark, command, statuses, id, client, hunk };
}

const say = (mark: string | null, words: string | null): DeskPlan => ({ kind: 'say', mark, words });
const ask = (mark: string | null, question: string): DeskPlan => ({ kind: 'ask', mark, question });
