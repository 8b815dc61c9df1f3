/** What the Review screen's handlers see, and what they may request. */
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
  /** A comment on a hunk; with `lines`, on those lines as shown. `where`: the same in words. */
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
  /** A hunk's syntax colours, as far as known. */
  readonly colorsOf: ColorsOf;
}

export type ReviewEffect =
  | CopyEffect
  /** `hunks` already show their expected status. */
  | {
      readonly kind: 'review';
      readonly suggestion: string;
      readonly intent: Intent;
      /** The revision at which the reviewer confirmed the question; null: not asked yet. */
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
  /** Edits the comment being written in $EDITOR. */
  | { readonly kind: 'edit-comment'; readonly text: string }
  /** Opens a hunk's file in $EDITOR, `offset` lines below its first changed line. */
  | {
      readonly kind: 'edit-file';
      readonly suggestion: string;
      readonly hunk: string;
      readonly offset: number;
    }
  | { readonly kind: 'mark-seen'; readonly hunks: readonly string[]; readonly isSeen: boolean }
  /** Publishes the user's own changes and opens their review. */
  | { readonly kind: 'start-review'; readonly source: SuggestionSource; readonly name: string }
  /** Stores wrapping and sides for the next start. */
  | { readonly kind: 'keep-look'; readonly look: ReviewLook }
  /** Reviews what the followed AI pane's newest answer changed. */
  | { readonly kind: 'review-newest' }
  /** `isQuiet`: nobody asked for it, so it shows no message. */
  | { readonly kind: 'review-refresh'; readonly isQuiet: boolean }
  | { readonly kind: 'review-reopen' }
  /** Adds reasons to the end of the draft; `again`: even those already there or sent since that turn. */
  | {
      readonly kind: 'to-draft';
      readonly hunks: readonly Hunk[];
      readonly since: string | null;
      readonly again?: true;
    }
  /** Opens the first of these scopes that has a change. */
  | { readonly kind: 'review-scope'; readonly scopes: readonly ScopeWish[] }
  /** Writes decided proposals to a project's files. */
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
