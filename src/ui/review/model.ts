/** What the handlers of the Review screen see, and what they may ask for. */
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { Intent } from '../../protocol/intent.ts';
import type { Hunk, LineRange } from '../../protocol/review.ts';
import type { EditorState } from '../kit/editor.ts';
import type { CommonFacts, CommonModel, CopyEffect, Handler, Handlers, Outcome } from '../kit/model.ts';
import type { Confirm, OverlayAction, Prompt } from '../kit/overlay.ts';
import type { SystemPort } from '../kit/ports.ts';
import { type EffectContext, screenEnds } from '../kit/screen-ends.ts';
import type { ReviewDocs } from './docs.ts';
import type { ColorsOf } from './hunk-doc.ts';
import type { ReviewAction } from './keys.ts';
import type { ReviewLook, ReviewPort, ReviewView, ScopeWish } from './port.ts';
import type { ReviewState } from './state.ts';

export interface ReviewModel extends CommonModel<ReviewOverlay> {
  readonly review: ReviewState;
}

export type ReviewOverlay =
  /** A comment on a hunk; with `lines` on those lines, as they are shown. `where` says it in words. */
  | {
      readonly kind: 'comment';
      readonly hunk: string;
      readonly lines: LineRange | null;
      readonly where: string;
      readonly editor: EditorState;
    }
  | { readonly kind: 'start-review'; readonly cursor: number }
  | Prompt<'search' | 'range' | 'commit'>
  | Confirm<ReviewEffect>;

export interface ReviewFacts extends CommonFacts<ReviewAction> {
  readonly review: ReviewView;
  /** The cached layout of suggestions. */
  readonly reviewDocs: ReviewDocs;
  /** Syntax colours of a hunk, as far as they are known. */
  readonly colorsOf: ColorsOf;
}

export type ReviewEffect =
  | CopyEffect
  /** `hunks` show already what is expected of them. */
  | {
      readonly kind: 'review';
      readonly suggestion: string;
      readonly intent: Intent;
      /** The revision at which the reviewer said yes to the question; null: not asked yet. */
      readonly confirmed: number | null;
      readonly what: string;
      readonly hunks: readonly string[];
    }
  | {
      readonly kind: 'edit-hunk';
      readonly suggestion: string;
      readonly hunk: string;
      readonly as: 'text' | 'diff';
      readonly text: string;
      readonly line: number;
      readonly name: string;
    }
  /** The comment that is being written, in $EDITOR. */
  | { readonly kind: 'edit-comment'; readonly text: string }
  /** The file of a hunk, in $EDITOR; `offset` lines below the first that the hunk changes. */
  | {
      readonly kind: 'edit-file';
      readonly suggestion: string;
      readonly hunk: string;
      readonly offset: number;
    }
  | { readonly kind: 'mark-seen'; readonly hunks: readonly string[]; readonly isSeen: boolean }
  /** Takes the user's own changes in, and opens the review of them. */
  | { readonly kind: 'start-review'; readonly source: SuggestionSource; readonly name: string }
  /** Wrapping and sides, for the next start. */
  | { readonly kind: 'keep-look'; readonly look: ReviewLook }
  /** What the newest answer of the followed AI pane changed. */
  | { readonly kind: 'review-newest' }
  /** `isQuiet`: nobody asked for it, so nothing is said about it. */
  | { readonly kind: 'review-refresh'; readonly isQuiet: boolean }
  | { readonly kind: 'review-reopen' }
  /** Reasons for the end of the draft; `again`: those, too, that stand there or went out since that turn. */
  | {
      readonly kind: 'to-draft';
      readonly hunks: readonly Hunk[];
      readonly since: string | null;
      readonly again?: true;
    }
  /** The first of these that there is: a scope without a change is passed over. */
  | { readonly kind: 'review-scope'; readonly scopes: readonly ScopeWish[] }
  /** Writes what is decided on proposals to the files of a project. */
  | { readonly kind: 'save-project'; readonly root: string };

export type ReviewEffectContext = EffectContext<
  ReviewModel,
  ReviewFacts,
  ReviewEffect,
  { readonly review: ReviewPort; readonly system: SystemPort }
>;

export type ReviewOutcome = Outcome<ReviewModel, ReviewEffect>;
export type ReviewHandler = Handler<ReviewModel, ReviewFacts, ReviewEffect>;
export type ReviewHandlers = Handlers<ReviewAction | OverlayAction, ReviewModel, ReviewFacts, ReviewEffect>;

export const { done, say, sayFailure, track } = screenEnds<ReviewModel, ReviewFacts, ReviewEffect>();
