/**
 * Decides what `copane up` does: which tmux calls, in which order. Pure; `up.ts` runs them.
 * The AI is never squeezed: it keeps at least 80 columns, or the companion goes below it.
 */

import { createHash } from 'node:crypto';
import path from 'node:path';

/** Fewest columns that an AI CLI gets beside the companion. */
const AI_MIN_COLUMNS = 80;
/** From here on both fit side by side: 80 for the AI, a border, 44 for the companion. */
const SIDE_BY_SIDE_COLUMNS = 125;
/** Share of the companion when it lies below. */
const BELOW_PERCENT = 40;
/** Most columns that the companion asks for: beyond, the AI gets the rest. */
const COMPANION_MAX_COLUMNS = 90;

/** Where the companion goes and how large it is: columns beside the AI, or per cent of the rows below it. */
export type Placement =
  | { readonly side: 'right'; readonly columns: number }
  | { readonly side: 'below'; readonly percent: number };

/** Placement in an AI pane of `columns`. */
export function placeCompanion(columns: number): Placement {
  if (columns < SIDE_BY_SIDE_COLUMNS) return { side: 'below', percent: BELOW_PERCENT };
  const wanted = Math.min(COMPANION_MAX_COLUMNS, Math.floor(columns * 0.42));
  return { side: 'right', columns: Math.min(wanted, columns - 1 - AI_MIN_COLUMNS) };
}

/** The arguments of `split-window` that put the companion beside `paneId`; prints the new pane's id. */
export function splitArguments(
  paneId: string,
  placement: Placement,
  cwd: string,
  companion: readonly string[],
): string[] {
  const size =
    placement.side === 'right'
      ? ['-h', '-l', String(placement.columns)]
      : ['-v', '-l', `${placement.percent}%`];
  return ['split-window', '-d', '-P', '-F', '#{pane_id}', '-t', paneId, ...size, '-c', cwd, ...companion];
}

/** Share of the window that the companion takes as a popup. */
const POPUP_PERCENT = '90%';

/** The arguments of `display-popup` that show the companion over the window of `paneId`; the popup goes with it. */
export function popupArguments(paneId: string, cwd: string, companion: readonly string[]): string[] {
  const size = ['-w', POPUP_PERCENT, '-h', POPUP_PERCENT];
  return ['display-popup', '-E', '-t', paneId, ...size, '-d', cwd, ...companion];
}

/** An existing session, as `list-sessions` tells. */
export interface SessionFact {
  readonly name: string;
  readonly path: string;
}

/**
 * The session name of a folder: `copane-<folder>`, in the characters that tmux keeps (`.` and `:` are its own
 * separators). A name that another folder took already gets a short hash of this one's path.
 */
export function sessionNameFor(
  folder: string,
  sessions: readonly SessionFact[],
): { readonly name: string; readonly exists: boolean } {
  const base = path.basename(folder).replace(/[^\p{L}\p{N}_-]/gu, '_') || 'root';
  const plain = `copane-${base}`;
  const hashed = `${plain}-${createHash('sha256').update(folder).digest('hex').slice(0, 6)}`;
  for (const name of [plain, hashed]) {
    const taken = sessions.find((session) => session.name === name);
    if (taken === undefined) return { name, exists: false };
    if (taken.path === folder) return { name, exists: true };
  }
  return { name: hashed, exists: true };
}

/** AI CLIs that `copane up` can start, in the order in which it offers them. */
export const STARTABLE_CLIS = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider'] as const;

/** What runs in the AI pane. */
export type AiChoice =
  | { readonly kind: 'run'; readonly argv: readonly string[] }
  /** Several are installed: the user is asked. */
  | { readonly kind: 'ask'; readonly among: readonly string[] }
  /** None is installed: the scripted one, labelled as such. */
  | { readonly kind: 'tour' };

/** The AI CLI to start: the one that was asked for, else the installed one. Without a terminal nobody can be asked: the first. */
export function chooseAi(asked: readonly string[], installed: readonly string[], canAsk: boolean): AiChoice {
  if (asked.length > 0) return { kind: 'run', argv: asked };
  const [first, ...others] = installed;
  if (first === undefined) return { kind: 'tour' };
  return others.length > 0 && canAsk ? { kind: 'ask', among: installed } : { kind: 'run', argv: [first] };
}

/**
 * The command of the AI pane. When the AI CLI ends, the pane stays as a shell in the same folder: an answer that
 * was just read must not vanish with it. The script is fixed; what runs comes as its arguments.
 */
export function aiPaneCommand(argv: readonly string[]): string[] {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it, not JavaScript.
  return ['sh', '-c', '"$@"; exec "${SHELL:-sh}"', 'copane', ...argv];
}
