/** The plans of the desk, and the facts that they are made from. */
import type { CommandInput } from '../../protocol/command.ts';
import type { IntentResult, Sync } from '../../protocol/intent.ts';
import type { LineRange } from '../../protocol/review.ts';
import type { Desk, InFlight, Reviewer } from './desk.ts';

export type Decision = Omit<CommandInput<'review/decide'>, 'suggestion'>;

/** A request to the review engine. */
export type DeskCommand =
  | (Decision & {
      readonly kind: 'decide';
      /** The revision at which the reviewer said yes: refused when someone else has decided since. */
      readonly confirmed: number | null;
    })
  /** Of the step `step` as it is then known; null: of these hunks, whatever steps they were decided in. */
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

/** An action, planned. */
export interface DeskAct extends InFlight {
  readonly kind: 'act';
  /** The desk as it will be; the mark as it is at once. */
  readonly desk: Desk;
  readonly mark: string | null;
  readonly command: DeskCommand;
  /** The hunk that was meant; null for many. */
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
  /** Names the action. */
  readonly id: string;
  /** The revision at which the reviewer said yes to the question; null: not asked yet. */
  readonly confirmed: number | null;
  readonly nameOf: (client: string | null) => string;
  /** Places where the three-way merge of the conflicting hunk clashes; null: not known, or no merge is possible. */
  readonly mergeConflicts: number | null;
  /** What was done last with what was accepted; null or left out: nothing can be committed. */
  readonly lastSync?: Sync | null;
  /** Hunks that are marked as seen; left out: none. */
  readonly viewed?: ReadonlySet<string> | undefined;
}
