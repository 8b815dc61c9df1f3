/** Judges what the AI is doing from several optional sources. Pure. */
import type { AiState, StateTrust } from '../../protocol/pane.ts';

export interface StateWitnesses {
  readonly hook: AiState;
  readonly transcript: AiState;
  readonly title: AiState;
  readonly screen: AiState;
  /** A permission or choice dialog is open on the screen. */
  readonly dialog: boolean;
}

/** Most trusted first. */
const ORDER = ['hook', 'transcript', 'title', 'screen'] as const satisfies readonly StateTrust[];

/** The state to show, and its source. An open dialog beats "working": only the screen shows that the CLI waits. */
export function judgeState(witnesses: StateWitnesses): {
  readonly state: AiState;
  readonly trust: StateTrust | null;
} {
  const trust = ORDER.find((name) => witnesses[name] !== 'unknown') ?? null;
  const state = trust === null ? 'unknown' : witnesses[trust];
  if (witnesses.dialog && state !== 'waiting') return { state: 'waiting', trust: 'screen' };
  return { state, trust };
}

/** A state and when it was reported, ms since the epoch. */
export interface TimedState {
  readonly state: AiState;
  readonly at: number;
}

/** How much earlier than the session file a hook reports. A title changes equally late after a turn ends. */
const HOOK_LEAD_MS = 2_000;

/** The state by a hook's last event, unless later sources disagree: hooks miss a stop, an answer or a held prompt. */
export function hookWitness(hook: TimedState | null, later: readonly TimedState[]): AiState {
  if (hook === null) return 'unknown';
  const isOver = later.some(
    ({ state, at }) =>
      state !== 'unknown' &&
      state !== hook.state &&
      at > hook.at + HOOK_LEAD_MS &&
      // A CLI that asks looks idle to the other sources.
      !(hook.state === 'waiting' && state === 'idle'),
  );
  return isOver ? 'unknown' : hook.state;
}

/** The first character spins while a CLI works: braille (Codex, older Claude Code), a quartered circle (newer). */
const SPINNER = /^[\u2801-\u28ff◐-◓]/u;
/** Codex's title while it asks; the sign in the brackets blinks. */
const ACTION_REQUIRED = /^\[ . \] Action Required\b/;

/** The state by a pane's title: Claude Code shows `✳` when idle or asking, Gemini CLI `◇ ✦ ✋`, Codex the session. */
export function stateOfTitle(title: string): AiState {
  if (SPINNER.test(title) || title.startsWith('✦')) return 'working';
  if (title.startsWith('✋') || ACTION_REQUIRED.test(title)) return 'waiting';
  if (title.startsWith('✳') || title.startsWith('◇')) return 'idle';
  return 'unknown';
}
