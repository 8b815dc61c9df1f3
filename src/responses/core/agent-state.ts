/** What the AI is doing, from several witnesses. Pure; each witness is optional. */
import type { AgentState, StateTrust } from '../../protocol/pane.ts';

export interface StateWitnesses {
  readonly hook: AgentState;
  readonly transcript: AgentState;
  readonly title: AgentState;
  readonly screen: AgentState;
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
  readonly state: AgentState;
  readonly trust: StateTrust | null;
} {
  const trust = ORDER.find((name) => witnesses[name] !== 'unknown') ?? null;
  const state = trust === null ? 'unknown' : witnesses[trust];
  if (witnesses.dialog && state !== 'waiting') return { state: 'waiting', trust: 'screen' };
  return { state, trust };
}

/** A braille pattern as the first character: the spinner that several CLIs put into the title while they work. */
const BRAILLE_SPINNER = /^[\u2801-\u28ff]/u;

/** What a pane's title says: Claude Code and Codex spin in braille, Claude rests at `✳`, Gemini CLI uses `◇ ✦ ✋`. */
export function stateOfTitle(title: string): AgentState {
  if (BRAILLE_SPINNER.test(title) || title.startsWith('✦')) return 'working';
  if (title.startsWith('✋')) return 'waiting';
  if (title.startsWith('✳') || title.startsWith('◇')) return 'idle';
  return 'unknown';
}
