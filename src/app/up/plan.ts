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
/** Share of the companion's rows when it lies below. */
const BELOW_SHARE = 0.4;
/** Most columns that the companion asks for: beyond, the AI gets the rest. */
const COMPANION_MAX_COLUMNS = 90;
/** Smallest size at which the companion is of use. */
const COMPANION_MIN = { columns: 40, rows: 12 };
/** Fewest rows that an AI CLI keeps above the companion: its input box and the end of an answer. */
const AI_MIN_ROWS = 10;

/** A size in cells. */
export interface Cells {
  readonly columns: number;
  readonly rows: number;
}

/** Where the companion goes: columns beside the AI, rows below it, or a window of its own where neither would be of use. */
export type Placement =
  | { readonly side: 'right'; readonly columns: number }
  | { readonly side: 'below'; readonly rows: number }
  | { readonly side: 'window' };

/** Placement in an AI pane of that size. */
export function placeCompanion({ columns, rows }: Cells): Placement {
  if (columns >= SIDE_BY_SIDE_COLUMNS) {
    const wanted = Math.min(COMPANION_MAX_COLUMNS, Math.floor(columns * 0.42));
    return { side: 'right', columns: Math.min(wanted, columns - 1 - AI_MIN_COLUMNS) };
  }
  const fits = columns >= COMPANION_MIN.columns && rows >= COMPANION_MIN.rows + 1 + AI_MIN_ROWS;
  if (!fits) return { side: 'window' };
  return { side: 'below', rows: Math.max(COMPANION_MIN.rows, Math.floor(rows * BELOW_SHARE)) };
}

/** Whether a companion of that size shows what it has to show. */
export function isOfUse({ columns, rows }: Cells): boolean {
  return columns >= COMPANION_MIN.columns && rows >= COMPANION_MIN.rows;
}

/** The arguments of the tmux command that moves a companion with a window of its own beside a pane of another one. */
export function joinArguments(companion: string, beside: string, placement: Placement): string[] | null {
  if (placement.side === 'window') return null;
  const size =
    placement.side === 'right' ? ['-h', '-l', `${placement.columns}`] : ['-v', '-l', `${placement.rows}`];
  return ['join-pane', '-d', '-s', companion, '-t', beside, ...size];
}

/** Where a new pane goes, and what runs in it. */
export interface NewPane {
  /** `%N` of the pane that it goes beside, and the window behind which a window of its own comes. */
  readonly beside: string;
  readonly window: string;
  readonly placement: Placement;
  readonly folder: string;
  readonly command: readonly string[];
}

/** The name of a window that the companion has to itself. */
export const WINDOW_NAME = 'copane';

/** A folder as tmux takes it: it expands `#` in one. */
export const folderArgument = (folder: string) => folder.replaceAll('#', '##');

/** The arguments of the tmux command that opens the companion; prints the new pane's id. */
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

/**
 * The arguments that open an AI pane to the left of the companion that is there, or above it; it takes the keyboard.
 * `companion` is the size that both will share; null: a window of its own.
 */
export function openAiArguments(
  { beside, window, folder, command }: Omit<NewPane, 'placement'>,
  companion: Cells | null,
): string[] {
  const print = ['-P', '-F', '#{pane_id}'];
  const run = ['-c', folderArgument(folder), ...command];
  const { columns, rows } = companion ?? { columns: 0, rows: 0 };
  const placement = placeCompanion({ columns, rows });
  switch (placement.side) {
    case 'right':
      return [
        'split-window',
        '-b',
        ...print,
        '-t',
        beside,
        '-h',
        '-l',
        `${columns - 1 - placement.columns}`,
        ...run,
      ];
    case 'below':
      return [
        'split-window',
        '-b',
        ...print,
        '-t',
        beside,
        '-v',
        '-l',
        `${rows - 1 - placement.rows}`,
        ...run,
      ];
    case 'window':
      return ['new-window', '-a', ...print, '-t', window, ...run];
  }
}

/** A pane of the session of `copane up`. */
export interface LayoutPane {
  readonly paneId: string;
  /** The part of the layout that it was opened as; empty for a pane of the user's. */
  readonly made: string;
  /** A known AI CLI runs there, or it is marked as an AI pane. */
  readonly isAi: boolean;
  /** The companion runs there, whoever started it. */
  readonly isCompanion: boolean;
  /** Its program has ended: tmux keeps the pane, or a shell waits there and nothing else runs. */
  readonly hasEnded: boolean;
}

/** What `copane up` has to do in a session that is there. */
export interface Repair {
  /** The AI pane is there, its program is started anew in it, or it is opened. */
  readonly ai: { readonly do: 'keep' | 'restart'; readonly paneId: string } | { readonly do: 'open' };
  /** `%N` of the companion; null: it is opened. */
  readonly companion: string | null;
}

/** What is missing of the layout. */
export function planRepair(panes: readonly LayoutPane[]): Repair {
  const companion = panes.find((pane) => pane.isCompanion && !pane.hasEnded)?.paneId ?? null;
  const candidates = panes.filter(({ made, isAi, isCompanion }) => (made === 'ai' || isAi) && !isCompanion);
  const running = candidates.find(({ hasEnded }) => !hasEnded);
  const ended = candidates.find(({ made, hasEnded }) => made === 'ai' && hasEnded);
  if (running !== undefined) return { ai: { do: 'keep', paneId: running.paneId }, companion };
  if (ended !== undefined) return { ai: { do: 'restart', paneId: ended.paneId }, companion };
  return { ai: { do: 'open' }, companion };
}

/** Share of the window that the companion takes as a popup. */
const POPUP_PERCENT = '90%';

/** The arguments of `display-popup` that show the companion over the window of a pane; the popup goes with it. */
export function popupArguments({ beside, folder, command }: Omit<NewPane, 'placement' | 'window'>): string[] {
  const size = ['-w', POPUP_PERCENT, '-h', POPUP_PERCENT];
  return ['display-popup', '-E', '-t', beside, ...size, '-d', folderArgument(folder), ...command];
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
