/**
 * What the screens need from the world: data to look at and callbacks to ask with. Small ports that belong to
 * the surface; the composition gives them life, `test/helpers/ui-fakes.ts` gives them a demo.
 */
import type { Failure, Result } from '../../lib/result.ts';
import type { StoredDraft } from '../../protocol/commands/draft.ts';
import type { Draft, DraftKey } from '../../protocol/draft.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { AgentState, AiPane } from '../../protocol/pane.ts';
import type {
  Conflict,
  Hunk,
  Inspection,
  LineRange,
  Suggestion,
  SuggestionSummary,
  Surroundings,
} from '../../protocol/review.ts';
import type { ShellStatus } from '../../protocol/shell.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { AgentPort } from '../agent/port.ts';

/** What the followed AI pane is doing. */
interface PaneStatus {
  readonly state: AgentState;
  /** Since when, ms since the epoch; null when it is not known. */
  readonly since: number | null;
  /** The question that the AI asks, its options included; null when none is open. */
  readonly dialog: string | null;
  /** The AI holds a message of ours for later. */
  readonly queued: boolean;
}

/** Everything that the Responses screen shows. A new object for every change; unchanged parts keep their identity. */
export interface ResponsesView {
  readonly panes: readonly AiPane[];
  /** Key of the followed pane (`paneKey`); null when there is none. */
  readonly selected: string | null;
  /** Newest first. */
  readonly turns: readonly Turn[];
  /** Prompts on their way or lately sent, newest first. */
  readonly deliveries: readonly OutboxEntry[];
  readonly status: PaneStatus;
  /** Why there are no turns, or why they may be old; null when all is well. */
  readonly problem: Failure | null;
  /** The first look at the panes, or at the pane just chosen, is not over: nothing to show says nothing yet. */
  readonly isLooking: boolean;
}

export interface ResponsesPort {
  readonly getSnapshot: () => ResponsesView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Follows another pane. */
  readonly selectPane: (key: string) => void;
  /** Types the text into the followed pane and submits it; the delivery's state then shows in `deliveries`. */
  readonly send: (text: string) => Promise<Result<OutboxEntry>>;
  /** Presses Enter for a prompt that stands in the composer. */
  readonly pressEnter: (entryId: string) => Promise<Result<OutboxEntry>>;
  /** Answers the open question; refused when the dialog is no longer the one in `dialog`. */
  readonly answerDialog: (option: string, dialog: string) => Promise<Result<void>>;
  /** Looks at the pane and its transcript again, now. */
  readonly refresh: () => Promise<Result<void>>;
}

export interface DraftPort {
  /** Which draft: the project folder and the AI pane; changes with the followed pane. */
  readonly keyOf: (view: ResponsesView) => DraftKey;
  readonly load: (key: DraftKey) => Promise<Result<StoredDraft>>;
  /** Refused (`refused`) when `baseRevision` is not the newest. */
  readonly save: (key: DraftKey, draft: Draft, baseRevision: number) => Promise<Result<StoredDraft>>;
  /** Somebody else changed a draft. */
  readonly onExternalChange: (listener: (draft: StoredDraft) => void) => () => void;
}

/** Everything that the Review screen shows. A new object for every change; unchanged hunks keep their identity. */
export interface ReviewView {
  /** What waits for a decision, newest first. */
  readonly suggestions: readonly SuggestionSummary[];
  /** The suggestion that is followed, with its hunks; null before it is read. */
  readonly open: Suggestion | null;
  /** What stands against the marked hunk; null while it has a place or before it is read. */
  readonly conflict: { readonly hunk: string; readonly sides: Conflict } | null;
  /** Both texts of the marked hunk, where it was modified; null for others and before they are read. */
  readonly modified: { readonly hunk: string; readonly texts: NonNullable<Inspection['modified']> } | null;
  /** What stands around hunks, as far as it was asked for. */
  readonly around: ReadonlyMap<string, Surroundings>;
  /** Hunks of the open suggestion that the reader has seen. */
  readonly viewed: ReadonlySet<string>;
  /** Where the marked hunk lies in the one that it was split from; null for a whole one and before it is read. */
  readonly part: PartOfHunk | null;
  /** Why there is nothing to see, or why it may be old. */
  readonly problem: Failure | null;
  readonly isLooking: boolean;
  /** Only the first hunks of the open suggestion are read yet. */
  readonly isReading: boolean;
}

/** The lines of a part, counted from 1 as those of the whole hunk. */
export interface PartOfHunk {
  readonly hunk: string;
  /** For each line that is shown. */
  readonly numbers: readonly number[];
  /** Changed lines that belong to other parts. */
  readonly others: readonly number[];
}

/** What a reviewer can do to a suggestion. `hunk` is an id; with `decide`, `undo` and `redo` also `all`. */
export type ReviewAct =
  | {
      readonly kind: 'decide';
      readonly hunk: string;
      readonly action: 'accept' | 'reject';
      readonly lines?: LineRange;
      /** With `all`: only this file. */
      readonly file?: string;
      /** With `all`: refused when somebody decided since this revision. */
      readonly revision?: number;
    }
  | {
      readonly kind: 'modify';
      readonly hunk: string;
      readonly modified:
        | { readonly kind: 'text' | 'diff'; readonly text: string }
        | { readonly kind: 'merge' };
    }
  | { readonly kind: 'undo' | 'redo' | 'join'; readonly hunk: string }
  | { readonly kind: 'split'; readonly hunk: string; readonly lines: LineRange }
  | {
      readonly kind: 'comment';
      readonly hunk: string;
      readonly comment: string;
      /** Null: about all of the hunk. */
      readonly lines: LineRange | null;
    }
  | { readonly kind: 'finish'; readonly how: 'finalize' | 'discard' };

export interface ReviewPort {
  readonly getSnapshot: () => ReviewView;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Keeps this suggestion read, and of this hunk what stands against it and so many lines around it. The same place
   * again costs nothing.
   */
  readonly follow: (suggestion: string | null, hunk: string | null, context: number) => void;
  /** Where the hunk is in the target's files now: absolute path, and line from 1 of its first change. */
  readonly locate: (
    suggestion: string,
    hunk: string,
  ) => Promise<Result<{ readonly file: string; readonly line: number }>>;
  /** Marks hunks as seen, or not; the view shows it at once. */
  readonly markViewed: (hunks: readonly string[], viewed: boolean) => Promise<Result<void>>;
  /** Does it; the view shows what came of it before this settles. Gives the hunks that it was about, as they now are. */
  readonly act: (suggestion: string, act: ReviewAct) => Promise<Result<readonly Hunk[]>>;
  /** Offers a patch for review in the followed pane's project. Gives how many hunks it has. */
  readonly offer: (patch: string) => Promise<Result<number>>;
  /** Reads everything anew. */
  readonly refresh: () => Promise<Result<void>>;
}

/** Everything that the Shell screen shows. A new object for every change. */
export interface ShellView {
  /** Null before it is known. */
  readonly shell: ShellStatus | null;
  /** Why it is not known, or may be old. */
  readonly problem: Failure | null;
}

export interface ShellPort {
  readonly getSnapshot: () => ShellView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps looking while it is true. The same again costs nothing. */
  readonly watch: (isShown: boolean) => void;
  /** For all shells. */
  readonly setPrivate: (on: boolean) => Promise<Result<void>>;
  readonly forget: (line: string) => Promise<Result<void>>;
}

export interface SystemPort {
  /** To the clipboard of the terminal (OSC 52) and the tmux buffer. Says where it went. */
  readonly copy: (text: string) => Promise<Result<string>>;
  /**
   * Opens the text in $EDITOR at the line (from 1) and gives it back edited. The terminal is handed over around it;
   * the editor colours by the ending of `name`.
   */
  readonly edit: (text: string, line: number, name?: string) => Promise<Result<string>>;
  /** Opens a file of the user's in $EDITOR at the line (from 1). The terminal is handed over around it. */
  readonly open: (file: string, line: number) => Promise<Result<void>>;
  /** Writes a new file of the followed pane's project; one that exists is never written over. Gives its path. */
  readonly save: (name: string, text: string) => Promise<Result<string>>;
  /** Puts the process into the background (Ctrl-Z); absent where there is no job control. */
  readonly suspend?: () => Promise<void>;
}

/** What a stretch of code is. */
export type ColorKind = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'type' | 'meta';

/** `[start, end)` of a line and what it is; stretches rise and do not overlap. */
export type ColoredLine = readonly (readonly [start: number, end: number, kind: ColorKind])[];

/** Texts of one file, which says what language they are in. */
export interface ColorWish {
  readonly file: string;
  readonly texts: readonly string[];
}

export interface ColorPort {
  /**
   * The lines of each text with their colours. `not_found`: the language is not known. Off the thread that draws;
   * given up when nobody waits any more.
   */
  readonly color: (
    wish: ColorWish,
    signal: AbortSignal,
  ) => Promise<Result<readonly (readonly ColoredLine[])[]>>;
}

/** What the user must know beside the screens. A new object for every change. */
export interface NoticeView {
  /** The suggestion server's port is open without tokens. */
  readonly openToAll: boolean;
  /** What is wrong as long as it is so: a port that is taken, a log that cannot be written. */
  readonly notices: readonly string[];
  /** What an author said last about its work; null when that is not to be shown. */
  readonly progress: AuthorWords | null;
  /** The error that an author told last. */
  readonly error: AuthorWords | null;
}

interface AuthorWords {
  readonly author: string | null;
  readonly message: string;
}

export interface NoticePort {
  readonly getSnapshot: () => NoticeView;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The clock and the timer of the surface. */
export interface ClockPort {
  /** ms since the epoch. */
  readonly now: () => number;
  readonly set: (run: () => void, delayMs: number) => unknown;
  readonly clear: (handle: unknown) => void;
}

export interface UiPorts {
  readonly agent: AgentPort;
  readonly responses: ResponsesPort;
  readonly draft: DraftPort;
  readonly review: ReviewPort;
  readonly shell: ShellPort;
  readonly system: SystemPort;
  /** Absent where nobody has anything to say. */
  readonly notices?: NoticePort;
  /** Absent where there is nothing to colour with. */
  readonly colors?: ColorPort;
  readonly clock: ClockPort;
}

/** One string for a pane identity, equal for the same pane. */
export function paneKey(identity: AiPane['identity']): string {
  return `${identity.socketPath}#${identity.serverPid}#${identity.paneId}#${identity.panePid}`;
}
