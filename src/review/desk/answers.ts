/** The answers of the desk to a client, and what is to be known of a command before it is carried out. Pure. */
import type { IntentResult } from '../../protocol/intent.ts';
import type { SuggestionSummary } from '../../protocol/review.ts';
import type { Desk, DeskStep } from './desk.ts';
import type { DeskAct, DeskCommand, DeskPlan } from './plan.ts';
import { isComplete } from './settle.ts';

/** Builds on nothing that was done before: a decision on one whole hunk, or a step of known hunks. */
export function isPlain(command: DeskCommand): boolean {
  if (command.kind === 'decide') return command.hunk !== 'all' && command.lines === null;
  return command.kind === 'step' && command.hunks.length === 1;
}

/** Afterwards there are other hunks than before. */
export function isCut(command: DeskCommand): boolean {
  const isOfLines = command.kind === 'decide' && command.lines !== null;
  return isOfLines || command.kind === 'split' || command.kind === 'join' || command.kind === 'reopen';
}

/** The step as it is listed now. */
export function stepNow({ done, undone }: Desk, id: string): DeskStep | undefined {
  return [...done, ...undone].find((step) => step.id === id);
}

/** An answer that says nothing. */
export const NOTHING = {
  words: null,
  problem: null,
  question: null,
  mark: null,
  suggestion: null,
  hunks: [],
  notes: [],
};

/** The answer where nothing is carried out. */
export function spoken(desk: Desk, plan: Exclude<DeskPlan, DeskAct>): IntentResult {
  const { mark } = plan;
  const common = { ...NOTHING, mark, revision: desk.revision, complete: isComplete(desk) };
  switch (plan.kind) {
    case 'say':
      return { ...common, kind: 'said', words: plan.words };
    case 'ask':
      return { ...common, kind: 'asked', question: plan.question };
    case 'refuse':
      return { ...common, kind: 'refused', problem: { message: plan.message, hint: plan.hint } };
  }
}

/** How the suggestion ended; null while it is open. */
export function endOf({ status }: SuggestionSummary): Desk['end'] {
  return status === 'finalized' || status === 'discarded' ? status : null;
}

/** How a client is called in a sentence, at its beginning. */
export function clientName(client: string | null): string {
  if (client === null) return 'Somebody';
  return client.startsWith('nvim/') ? 'Neovim' : 'Another copane';
}
