/** What the Review screen needs: suggestions as they are, what a reviewer can do to them, and colours for code. */
import type { Failure, Result } from '../../lib/result.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { Intent, IntentPaint, IntentResult } from '../../protocol/intent.ts';
import type {
  Conflict,
  FileTexts,
  Inspection,
  Suggestion,
  SuggestionSummary,
  Surroundings,
} from '../../protocol/review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';

/** Everything that the Review screen shows. A new object for every change; unchanged hunks keep their identity. */
export interface ReviewView {
  /** What waits for a decision, newest first. */
  readonly suggestions: readonly SuggestionSummary[];
  /** The folder that the reader works in; null where every suggestion is as near. */
  readonly project: string | null;
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
  /** Why there is nothing to show, or why it may be outdated. */
  readonly problem: Failure | null;
  readonly isLooking: boolean;
  /** Only the first hunks of the open suggestion are read yet. */
  readonly isReading: boolean;
}

/** What a reviewer wants, on its way to the desk. */
export interface ReviewRequest {
  readonly intent: Intent;
  /** The revision at which the reviewer said yes to the desk's question; null: not asked yet. */
  readonly confirmed: number | null;
  /** Told how it will look, before it is written. */
  readonly onPaint: (paint: IntentPaint) => void;
}

/** How the reader has chosen to look at diffs. */
export interface ReviewLook {
  /** Null: by width. */
  readonly sides: 'one' | 'two' | null;
  /** Long lines continue in the next row. */
  readonly isWrapped: boolean;
}

/** Keeps it for the next start. */
export interface KeptLook {
  readonly read: () => ReviewLook;
  readonly keep: (look: ReviewLook) => void;
}

/** Another scope of the work that an open review shows. */
export interface ScopeWish {
  /** The review that is left: its decisions go on. */
  readonly left: string;
  readonly target: string;
  /** Null: all since the last commit. */
  readonly turns: TurnRange | null;
  readonly label: string;
}

export interface ReviewPort {
  /** Left out: every start has the usual look. */
  readonly look?: KeptLook | undefined;
  readonly getSnapshot: () => ReviewView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps this suggestion read, and for this hunk its conflict and so many lines around. The same place again costs nothing. */
  readonly follow: (suggestion: string | null, hunk: string | null, context: number) => void;
  /** Where the hunk is in the target's files now: absolute path, and line from 1 of its first change. */
  readonly locate: (
    suggestion: string,
    hunk: string,
  ) => Promise<Result<{ readonly file: string; readonly line: number }>>;
  /** The whole text of a hunk's file before and after the suggestion. */
  readonly texts: (suggestion: string, hunk: string) => Promise<Result<FileTexts>>;
  /** Marks hunks as seen, or not; the view shows it at once. */
  readonly markViewed: (hunks: readonly string[], viewed: boolean) => Promise<Result<void>>;
  /** Hands an intent to the reviewer's desk; the view shows what came of it before this settles. */
  readonly intend: (suggestion: string, request: ReviewRequest) => Promise<Result<IntentResult>>;
  /** Offers a patch for review in the followed pane's project. Gives how many hunks it has. */
  readonly offer: (patch: string) => Promise<Result<number>>;
  /** Opens the changes of turns, or with null all since the last commit, for review; gives the id of the suggestion. */
  readonly openScope: (scope: ScopeWish) => Promise<Result<string>>;
  readonly reopenLast: () => Promise<Result<SuggestionSummary>>;
  /** Reads everything again. */
  readonly refresh: () => Promise<Result<void>>;
  /** Takes the user's own changes in; returns the suggestion that they became. */
  readonly begin: (source: SuggestionSource, name: string) => Promise<Result<SuggestionSummary>>;
}

export type { ColoredLine, ColorKind, ColorPort, ColorWish } from '../kit/color-port.ts';
