/** The desk's plans, and the facts for making them. */
import type { CommandInput } from '../../protocol/command.ts';
import type { IntentResult, Sync } from '../../protocol/intent.ts';
import type { LineRange } from '../../protocol/review.ts';
import type { Desk, InFlight, Reviewer } from './desk.ts';

export type Decision = Omit<CommandInput<'review/decide'>, 'suggestion'>;

/** A request to the review engine. */
export type DeskCommand =
  | (Decision & {
      readonly kind: 'decide';
      /** The revision at which the reviewer confirmed: refused if someone else has decided since. */
      readonly confirmed: number | null;
    })
  /** The hunks of step `step` as known then; null: these hunks, whatever their steps. */
  | {
      readonly kind: 'step';
      readonly direction: 'undo' | 'redo';
      readonly step: string | null;
      readonly hunks: readonly string[];
    }
  | { readonly kind: 'step_all'; readonly direction: 'undo' | 'redo' }
  | {
      readonly kind: 'split';
      readonly hunk: string;
      readonly lines: LineRange | null;
      readonly at: number | null;
    }
  | { readonly kind: 'join'; readonly hunk: string }
  | {
      readonly kind: 'comment';
      readonly hunk: string;
      readonly text: string;
      readonly lines: LineRange | null;
    }
  | ({ readonly kind: 'finish' } & Omit<CommandInput<'review/finish'>, 'suggestion'>)
  | { readonly kind: 'reopen' };

/** A planned action. */
export interface DeskAct extends InFlight {
  readonly kind: 'act';
  /** The desk after it; its mark moves at once. */
  readonly desk: Desk;
  readonly mark: string | null;
  readonly command: DeskCommand;
  /** The intended hunk; null for many. */
  readonly hunk: string | null;
}

export type DeskPlan =
  | DeskAct
  | { readonly kind: 'say'; readonly mark: string | null; readonly words: string | null }
  | {
      readonly kind: 'refuse';
      readonly mark: string | null;
      readonly message: string;
      readonly hint: string | null;
    }
  | {
      readonly kind: 'ask';
      readonly mark: string | null;
      readonly question: string;
      readonly ways?: NonNullable<IntentResult['ways']>;
    };

export interface PlanFacts {
  readonly reviewer: Reviewer;
  /** Identifies the action. */
  readonly id: string;
  /** The revision at which the reviewer confirmed the question; null: not asked yet. */
  readonly confirmed: number | null;
  readonly nameOf: (client: string | null) => string;
  /** Conflicts in the three-way merge of the hunk; null: unknown, or it cannot be merged. */
  readonly mergeConflicts: number | null;
  /** The last choice for accepted changes; null or omitted: nothing can be committed. */
  readonly lastSync?: Sync | null;
  /** Hunks marked as seen; omitted: none. */
  readonly viewed?: ReadonlySet<string> | undefined;
}
