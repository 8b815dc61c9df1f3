/** Answers an open dialog key by key: moves the pointer, checks it, presses Enter. Pure: screens in, keys out. */
import { type Failure, fail } from '../../lib/result.ts';
import { squeeze } from '../../lib/squeeze.ts';
import type { Choice } from '../../protocol/dialog.ts';
import { isSameAnswer, isSameChoice, isSameQuestion } from './dialog.ts';

export interface AnswerRequest {
  /** The dialog that the user read. */
  readonly seen: Choice;
  /** Index of the answer. */
  readonly option: number;
  /** The text to type into it; null for an answer without text. */
  readonly words: string | null;
}

/** `moving` on the way to the answer; `typed`: the text is in; `pressed`: Enter was pressed on it. */
export interface AnswerProgress {
  readonly phase: 'moving' | 'typed' | 'pressed';
  /** The pointer when the last key was pressed: until it moves, that key is still on its way. */
  readonly pressedAt: number | null;
  readonly wasChecked: boolean | null;
}

export type AnswerStep =
  | { readonly kind: 'keys'; readonly keys: readonly string[]; readonly next: AnswerProgress }
  | { readonly kind: 'paste'; readonly next: AnswerProgress }
  /** Nothing to do until the screen changes. `failure`: the message if it does not change. */
  | { readonly kind: 'wait'; readonly failure: Failure }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly failure: Failure };

export const ANSWER_BEGINS: AnswerProgress = { phase: 'moving', pressedAt: null, wasChecked: null };

/** How many characters of the text must appear in the answer before Enter is pressed. */
const SEEN_CHARACTERS = 12;

/** The next key for the dialog as it is now; null if no dialog is open. */
export function nextAnswerStep(
  wanted: AnswerRequest,
  progress: AnswerProgress,
  now: Choice | null,
): AnswerStep {
  if (progress.phase === 'pressed') return afterEnter(wanted, progress, now);
  if (now === null || !isStill(wanted, progress, now)) {
    return refused('the question on the screen is another one now; nothing was answered', 'Read it again.');
  }
  const option = now.options[wanted.option];
  if (option === undefined) return refused('that answer is not on the screen; nothing was answered');
  if (now.keys === 'letter') {
    return { kind: 'keys', keys: [option.label[0] ?? '', 'Enter'], next: afterKey(progress, null) };
  }
  if (progress.phase === 'typed') return afterTyping(wanted, progress, option.label);
  if (now.pointed === null)
    return refused('the screen does not show which answer is marked: answer it in the AI pane');
  if (option.leads !== null) return lead(wanted, progress, now, { pointed: now.pointed, to: option.leads });
  if (now.pointed !== wanted.option) return towards(wanted, progress, now, now.pointed);
  if (wanted.words !== null) return { kind: 'paste', next: { ...progress, phase: 'typed' } };
  return { kind: 'keys', keys: ['Enter'], next: afterKey(progress, option.checked) };
}

/** At first the dialog must be exactly the one that was read; later an answer may contain the user's text. */
function isStill(
  { seen, option }: AnswerRequest,
  { phase, pressedAt }: AnswerProgress,
  now: Choice,
): boolean {
  if (phase === 'moving' && pressedAt === null) return isSameChoice(seen, now);
  return isSameQuestion(seen, now) && isSameAnswer(seen, now, option);
}

function towards(
  { option }: AnswerRequest,
  progress: AnswerProgress,
  now: Choice,
  pointed: number,
): AnswerStep {
  if (progress.pressedAt === pointed)
    return wait('the marked answer did not change: answer it in the AI pane');
  const [back, on] = now.keys === 'right' ? ['Left', 'Right'] : ['Up', 'Down'];
  const key = option > pointed ? on : back;
  return { kind: 'keys', keys: [key ?? 'Down'], next: { ...progress, pressedAt: pointed } };
}

/** One key beyond the last visible answer makes the program show the next one. */
function lead(
  { option }: AnswerRequest,
  progress: AnswerProgress,
  now: Choice,
  { pointed, to }: { readonly pointed: number; readonly to: 'up' | 'down' | 'on' },
): AnswerStep {
  if (to === 'on') return { kind: 'keys', keys: ['Tab'], next: afterKey(progress, null) };
  const edge = to === 'down' ? option - 1 : option + 1;
  if (pointed !== edge) return towards({ seen: now, option: edge, words: null }, progress, now, pointed);
  const key = to === 'down' ? 'Down' : 'Up';
  return { kind: 'keys', keys: [key], next: afterKey(progress, null) };
}

function afterTyping({ words }: AnswerRequest, progress: AnswerProgress, label: string): AnswerStep {
  const typed = squeeze(words ?? '').slice(0, SEEN_CHARACTERS);
  if (squeeze(label).includes(typed) || /\[pasted /i.test(label)) {
    return { kind: 'keys', keys: ['Enter'], next: afterKey(progress, null) };
  }
  return wait('your words are not seen in the answer; they may stand in the AI pane, and were not sent');
}

function afterKey(progress: AnswerProgress, wasChecked: boolean | null): AnswerProgress {
  return { ...progress, phase: 'pressed', wasChecked };
}

/** An answer is given when its dialog is gone or its box has changed. */
function afterEnter(wanted: AnswerRequest, { wasChecked }: AnswerProgress, now: Choice | null): AnswerStep {
  if (now === null || !isSameQuestion(wanted.seen, now)) return { kind: 'done' };
  if (wanted.seen.options[wanted.option]?.leads !== null && !isSameChoice(wanted.seen, now))
    return { kind: 'done' };
  const checked = now.options[wanted.option]?.checked ?? null;
  if (wasChecked !== null && checked !== null && checked !== wasChecked) return { kind: 'done' };
  return wait('Enter was pressed on that answer, and the AI CLI asks the same still: look at the AI pane');
}

const wait = (message: string): AnswerStep => ({ kind: 'wait', failure: fail('unconfirmed', message).error });

function refused(message: string, hint?: string): AnswerStep {
  return { kind: 'refused', failure: fail('refused', message, hint).error };
}
