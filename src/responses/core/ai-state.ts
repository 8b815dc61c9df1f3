/** What the AI is doing, from several sources. Pure; each source is optional. */
import type { AiState, StateTrust } from '../../protocol/pane.ts';

export interface StateWitnesses {
  readonly hook: AiState;
  readonly transcript: AiState;
  readonly title: AiState;
  readonly screen: AiState;
  /** A permission or choice dialog is open on the screen. */
  readonly dialog: boolean;
}

/** Most trusted first: the program's own word, its file, its title, the shape of what it draws. */
const ORDER = ['hook', 'transcript', 'title', 'screen'] as const satisfies readonly StateTrust[];

/**
 * The state to show, and which witness said so. An open dialog beats "working": session files and titles record
 * that a tool was asked for, not that the CLI waits for a yes.
 */
export function judgeState(witnesses: StateWitnesses): {
  readonly state: AiState;
  readonly trust: StateTrust | null;
} {
  const trust = ORDER.find((name) => witnesses[name] !== 'unknown') ?? null;
  const state = trust === null ? 'unknown' : witnesses[trust];
  if (witnesses.dialog && state !== 'waiting') return { state: 'waiting', trust: 'screen' };
  return { state, trust };
}

/** A state and when it was told, ms since the epoch. */
export interface TimedState {
  readonly state: AiState;
  readonly at: number;
}

/** How much earlier than the session file a hook reports; a title changes as late after the end of a turn. */
const HOOK_LEAD_MS = 2_000;

/**
 * What the last word of a hook is worth by now. No hook tells that a turn was stopped, that a question was answered or
 * that a held prompt begins: then the session file or the title says otherwise, later, and the hook's word is over.
 */
export function hookWitness(hook: TimedState | null, later: readonly TimedState[]): AiState {
  if (hook === null) return 'unknown';
  const isOver = later.some(
    ({ state, at }) =>
      state !== 'unknown' &&
      state !== hook.state &&
      at > hook.at + HOOK_LEAD_MS &&
      // A CLI that asks looks at rest to those who see only that it does not work.
      !(hook.state === 'waiting' && state === 'idle'),
  );
  return isOver ? 'unknown' : hook.state;
}

/** The first character spins while a CLI works: braille (Codex, older Claude Code), a quartered circle (newer). */
const SPINNER = /^[\u2801-\u28ff◐-◓]/u;
/** Codex's title while it asks; the sign in the brackets blinks. */
const ACTION_REQUIRED = /^\[ . \] Action Required\b/;

/**
 * What a pane's title says. Claude Code rests at `✳`, and stays there while it asks; Gemini CLI uses `◇ ✦ ✋`;
 * Codex names the session when it rests, which could be anything.
 */
export function stateOfTitle(title: string): AiState {
  if (SPINNER.test(title) || title.startsWith('✦')) return 'working';
  if (title.startsWith('✋') || ACTION_REQUIRED.test(title)) return 'waiting';
  if (title.startsWith('✳') || title.startsWith('◇')) return 'idle';
  return 'unknown';
}
