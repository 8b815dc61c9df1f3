/** What the Review screen needs: current suggestions, the reviewer's actions, and colours for code. */
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

/** Everything that the Review screen shows. Each change makes a new object; unchanged hunks stay the same. */
export interface ReviewView {
  /** Suggestions waiting for a decision, newest first. */
  readonly suggestions: readonly SuggestionSummary[];
  /** The reader's folder; null if all suggestions are equally close. */
  readonly project: string | null;
  /** The followed suggestion with its hunks; null before it is read. */
  readonly open: Suggestion | null;
  /** The marked hunk's conflict; null if it has none, or it is not read yet. */
  readonly conflict: { readonly hunk: string; readonly sides: Conflict } | null;
  /** Both texts of the marked hunk if it was modified; null otherwise, and before they are read. */
  readonly modified: { readonly hunk: string; readonly texts: NonNullable<Inspection['modified']> } | null;
  /** The lines around hunks, as far as requested. */
  readonly around: ReadonlyMap<string, Surroundings>;
  /** Hunks of the open suggestion that the reader has seen. */
  readonly viewed: ReadonlySet<string>;
  /** Why there is nothing to show, or it may be outdated. */
  readonly problem: Failure | null;
  readonly isLooking: boolean;
  /** Only the first hunks of the open suggestion are read so far. */
  readonly isReading: boolean;
}

/** A reviewer's intent on its way to the desk. */
export interface ReviewRequest {
  readonly intent: Intent;
  /** The revision at which the reviewer confirmed the desk's question; null: not asked yet. */
  readonly confirmed: number | null;
  /** Called with the expected result before anything is written. */
  readonly onPaint: (paint: IntentPaint) => void;
}

/** The reader's display settings for diffs. */
export interface ReviewLook {
  /** Null: depends on the width. */
  readonly sides: 'one' | 'two' | null;
  /** Long lines continue in the next row. */
  readonly isWrapped: boolean;
}

/** Stores them for the next start. */
export interface KeptLook {
  readonly read: () => ReviewLook;
  readonly keep: (look: ReviewLook) => void;
}

/** Another scope of the work in an open review. */
export interface ScopeWish {
  /** The review to leave: its decisions carry over. */
  readonly left: string;
  readonly target: string;
  /** Null: everything since the last commit. */
  readonly turns: TurnRange | null;
  readonly label: string;
}

export interface ReviewPort {
  /** Omitted: every start has the default display. */
  readonly look?: KeptLook | undefined;
  readonly getSnapshot: () => ReviewView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps this suggestion read, and this hunk's conflict and lines around. Repeating it costs nothing. */
  readonly follow: (suggestion: string | null, hunk: string | null, context: number) => void;
  /** The hunk's place in the target's current files: absolute path, and line from 1 of its first change. */
  readonly locate: (
    suggestion: string,
    hunk: string,
  ) => Promise<Result<{ readonly file: string; readonly line: number }>>;
  /** The whole text of a hunk's file before and after the suggestion. */
  readonly texts: (suggestion: string, hunk: string) => Promise<Result<FileTexts>>;
  /** Marks hunks as seen or not; the view shows it at once. */
  readonly markViewed: (hunks: readonly string[], viewed: boolean) => Promise<Result<void>>;
  /** Sends an intent to the reviewer's desk; the view shows the result before this settles. */
  readonly intend: (suggestion: string, request: ReviewRequest) => Promise<Result<IntentResult>>;
  /** Offers a patch for review in the followed pane's project. Returns its number of hunks. */
  readonly offer: (patch: string) => Promise<Result<number>>;
  /** Opens the changes of turns (null: all since the last commit) for review; returns the suggestion's id. */
  readonly openScope: (scope: ScopeWish) => Promise<Result<string>>;
  readonly reopenLast: () => Promise<Result<SuggestionSummary>>;
  /** Reloads everything. */
  readonly refresh: () => Promise<Result<void>>;
  /** Publishes the user's own changes; returns their suggestion. */
  readonly begin: (source: SuggestionSource, name: string) => Promise<Result<SuggestionSummary>>;
}

export type { ColoredLine, ColorKind, ColorPort, ColorRequest } from '../kit/color-port.ts';
