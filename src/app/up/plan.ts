/** Decides what `copane up` does: which tmux commands, in which order. Pure. The AI pane keeps at least 80 columns. */

import { createHash } from 'node:crypto';
import path from 'node:path';

/** The fewest columns an AI CLI gets beside the companion. */
const AI_MIN_COLUMNS = 80;
/** The least width for side by side: 80 for the AI, a border, 44 for the companion. */
const SIDE_BY_SIDE_COLUMNS = 125;
const BELOW_SHARE = 0.4;
/** The most columns the companion takes; the AI gets the rest. */
const COMPANION_MAX_COLUMNS = 90;
const COMPANION_MIN = { columns: 40, rows: 12 };
/** The fewest rows an AI CLI keeps above the companion: its input box and the end of an answer. */
const AI_MIN_ROWS = 10;

export interface Cells {
  readonly columns: number;
  readonly rows: number;
}

/** Where the companion goes: beside the AI, below it, or in its own window if the space is too small for both. */
export type Placement =
  | { readonly side: 'right'; readonly columns: number }
  | { readonly side: 'below'; readonly rows: number }
  | { readonly side: 'window' };

/** The placement in an AI pane of that size. */
export function placeCompanion({ columns, rows }: Cells): Placement {
  if (columns >= SIDE_BY_SIDE_COLUMNS) {
    const wanted = Math.min(COMPANION_MAX_COLUMNS, Math.floor(columns * 0.42));
    return { side: 'right', columns: Math.min(wanted, columns - 1 - AI_MIN_COLUMNS) };
  }
  const fits = columns >= COMPANION_MIN.columns && rows >= COMPANION_MIN.rows + 1 + AI_MIN_ROWS;
  if (!fits) return { side: 'window' };
  return { side: 'below', rows: Math.max(COMPANION_MIN.rows, Math.floor(rows * BELOW_SHARE)) };
}

/** Whether a companion of that size is useful. */
export function isOfUse({ columns, rows }: Cells): boolean {
  return columns >= COMPANION_MIN.columns && rows >= COMPANION_MIN.rows;
}

/** The arguments of the tmux command that moves a companion from its own window to beside a pane. */
export function joinArguments(companion: string, beside: string, placement: Placement): string[] | null {
  if (placement.side === 'window') return null;
  const size =
    placement.side === 'right' ? ['-h', '-l', `${placement.columns}`] : ['-v', '-l', `${placement.rows}`];
  return ['join-pane', '-d', '-s', companion, '-t', beside, ...size];
}

export interface NewPane {
  /** `%N` of the pane beside it; if it gets its own window, that comes after `window`. */
  readonly beside: string;
  readonly window: string;
  readonly placement: Placement;
  readonly folder: string;
  readonly command: readonly string[];
}

export const WINDOW_NAME = 'copane';

/** A folder as a tmux argument: tmux expands `#`. */
export const folderArgument = (folder: string) => folder.replaceAll('#', '##');

/** The arguments of the tmux command that opens the companion and prints the id of the new pane. */
export function openArguments({ beside, window, placement, folder, command }: NewPane): string[] {
  const print = ['-P', '-F', '#{pane_id}'];
  const run = ['-c', folderArgument(folder), ...command];
  switch (placement.side) {
    case 'right':
      return ['split-window', '-d', ...print, '-t', beside, '-h', '-l', `${placement.columns}`, ...run];
    case 'below':
      return ['split-window', '-d', ...print, '-t', beside, '-v', '-l', `${placement.rows}`, ...run];
    case 'window':
      return ['new-window', '-d', '-a', ...print, '-t', window, '-n', WINDOW_NAME, ...run];
  }
}

/** The arguments that open an AI pane left of the companion, or above it. `companion`: the size to share, or null. */
export function openAiArguments(
  { beside, window, folder, command }: Omit<NewPane, 'placement'>,
  companion: Cells | null,
): string[] {
  const print = ['-P', '-F', '#{pane_id}'];
  const run = ['-c', folderArgument(folder), ...command];
  const { columns, rows } = companion ?? { columns: 0, rows: 0 };
  const placement = placeCompanion({ columns, rows });
  if (placement.side === 'window') return ['new-window', '-a', ...print, '-t', window, ...run];
  const share =
    placement.side === 'right'
      ? ['-h', '-l', `${columns - 1 - placement.columns}`]
      : ['-v', '-l', `${rows - 1 - placement.rows}`];
  return ['split-window', '-b', ...print, '-t', beside, ...share, ...run];
}

export interface LayoutPane {
  readonly paneId: string;
  /** The role it was opened with; empty for a user's pane. */
  readonly made: string;
  readonly isAi: boolean;
  /** Whether it runs the companion, whoever started it. */
  readonly isCompanion: boolean;
  /** Whether its program has ended: tmux keeps the pane, or only a shell waits there. */
  readonly hasEnded: boolean;
}

/** What `copane up` has to do in an existing session. */
export interface Repair {
  readonly ai: { readonly do: 'keep' | 'restart'; readonly paneId: string } | { readonly do: 'open' };
  /** `%N` of the companion; null to open one. */
  readonly companion: string | null;
}

/** Compares the session with the layout. */
export function planRepair(panes: readonly LayoutPane[]): Repair {
  const companion = panes.find((pane) => pane.isCompanion && !pane.hasEnded)?.paneId ?? null;
  const candidates = panes.filter(({ made, isAi, isCompanion }) => (made === 'ai' || isAi) && !isCompanion);
  const running = candidates.find(({ hasEnded }) => !hasEnded);
  const ended = candidates.find(({ made, hasEnded }) => made === 'ai' && hasEnded);
  if (running !== undefined) return { ai: { do: 'keep', paneId: running.paneId }, companion };
  if (ended !== undefined) return { ai: { do: 'restart', paneId: ended.paneId }, companion };
  return { ai: { do: 'open' }, companion };
}

const POPUP_PERCENT = '90%';

/** The arguments of `display-popup` that show the companion over the window of a pane; it closes with that window. */
export function popupArguments({ beside, folder, command }: Omit<NewPane, 'placement' | 'window'>): string[] {
  const size = ['-w', POPUP_PERCENT, '-h', POPUP_PERCENT];
  return ['display-popup', '-E', '-t', beside, ...size, '-d', folderArgument(folder), ...command];
}

export interface SessionFact {
  readonly name: string;
  readonly path: string;
}

/** The session name of a folder: `copane-<folder>` in tmux's characters, with a path hash if the name is taken. */
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

/** The program of the AI pane. */
export type AiChoice =
  | { readonly kind: 'run'; readonly argv: readonly string[] }
  /** Several are installed: ask the user. */
  | { readonly kind: 'ask'; readonly among: readonly string[] }
  /** None is installed: the tour. */
  | { readonly kind: 'tour' };

/** The AI CLI to start: the requested one, or the installed one. The first one if the user cannot be asked. */
export function chooseAi(asked: readonly string[], installed: readonly string[], canAsk: boolean): AiChoice {
  if (asked.length > 0) return { kind: 'run', argv: asked };
  const [first, ...others] = installed;
  if (first === undefined) return { kind: 'tour' };
  return others.length > 0 && canAsk ? { kind: 'ask', among: installed } : { kind: 'run', argv: [first] };
}

/** The command of the AI pane. When the AI CLI ends, the pane stays as a shell, with the answer in view. */
export function aiPaneCommand(argv: readonly string[]): string[] {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it, not JavaScript.
  return ['sh', '-c', '"$@"; exec "${SHELL:-sh}"', 'copane', ...argv];
}
