/** What the Responses screen's handlers see, and what they may request. */
import type { Result } from '../../lib/result.ts';
import type { Dialog } from '../../protocol/dialog.ts';
import type { NoteContext } from '../../protocol/draft.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { AnswerRequest } from '../../responses/core/answer.ts';
import type { CodeBlock } from '../../responses/core/code-blocks.ts';
import type { ResponseDiff } from '../../responses/core/response-diff.ts';
import type { EditorState } from '../kit/editor.ts';
import type { CommonFacts, CommonModel, CopyEffect, Handler, Handlers, Outcome } from '../kit/model.ts';
import type { Confirm, OverlayAction, Prompt } from '../kit/overlay.ts';
import type { SystemPort } from '../kit/ports.ts';
import { type EffectContext, screenEnds } from '../kit/screen-ends.ts';
import type { CodeStyles } from './code-colors.ts';
import type { DiffRows } from './diff-rows.ts';
import type { ResponsesAction } from './keys.ts';
import type { ReadOutgoing } from './outgoing.ts';
import type { ResponsesPort, ResponsesView } from './port.ts';
import type { ReadingDoc } from './reading-doc.ts';
import type { LinesOf, ReadingDocs } from './reading-docs.ts';
import type { ResponsesState } from './state.ts';

export interface ResponsesModel extends CommonModel<ResponsesOverlay> {
  readonly responses: ResponsesState;
  readonly draft: EditorState;
  readonly noteContext: NoteContext;
}

export type ResponsesOverlay =
  | {
      readonly kind: 'diff';
      readonly title: string;
      readonly diff: ResponseDiff;
      readonly top: number;
    }
  | { readonly kind: 'code'; readonly blocks: readonly CodeBlock[]; readonly cursor: number }
  | {
      readonly kind: 'sessions';
      readonly sessions: readonly PastSession[];
      readonly cursor: number;
      /** The words that all of them contain; null: no search. */
      readonly words: string | null;
    }
  | {
      readonly kind: 'preview';
      readonly cursor: number;
      readonly top: number;
      /** Draft lines that the user agreed to send. */
      readonly chosen: readonly number[];
      /** Only these draft lines; null: all. */
      readonly range: { readonly first: number; readonly last: number } | null;
      /** Interrupts an AI at work. */
      readonly steers: boolean;
    }
  | {
      readonly kind: 'answer';
      /** The dialog that was read; null until the AI has drawn it. */
      readonly seen: Dialog | null;
      /** The answer that Enter gives; null until one is chosen. */
      readonly mark: number | null;
      readonly top: number;
    }
  /** A search, perhaps in all sessions; the name of a file to save; or the text of an answer. */
  | Prompt<
      'search' | 'sessions' | { readonly save: string } | { readonly answer: Omit<AnswerRequest, 'words'> }
    >
  | Confirm<ResponsesEffect>;

export interface ResponsesFacts extends CommonFacts<ResponsesAction> {
  readonly view: ResponsesView;
  readonly docs: ReadingDocs;
  /** The syntax of a response's code, as far as known. */
  readonly codeStyles: (doc: ReadingDoc) => CodeStyles;
  readonly linesOf: LinesOf;
  /** The stored draft is on the screen. */
  readonly isDraftLoaded: boolean;
  /** Reads what a draft would send, once. */
  readonly readOutgoing: ReadOutgoing;
  readonly diffRows: DiffRows;
  /** The user's setting: sending notes also removes the pulled lines from the draft. */
  readonly clearOnSend: boolean;
}

export type ResponsesEffect =
  | CopyEffect
  /** Into a new file of the project. */
  | { readonly kind: 'save'; readonly name: string; readonly text: string }
  /** Offers an answer's diff for the Review screen. */
  | { readonly kind: 'offer-patch'; readonly patch: string }
  | { readonly kind: 'edit-response'; readonly text: string; readonly line: number }
  | { readonly kind: 'edit-draft'; readonly text: string; readonly line: number }
  /** `lineIds`: the draft lines being sent. */
  | {
      readonly kind: 'send';
      readonly text: string;
      readonly lineIds: readonly number[];
      /** To the AI CLI as usual, as an interruption of its work, or as the answer to its question about a plan. */
      readonly to: 'composer' | 'busy-composer' | 'plan';
    }
  | { readonly kind: 'press-enter'; readonly entryId: string }
  | { readonly kind: 'answer'; readonly wanted: AnswerRequest }
  /** Reviews what the turn (`onward`: and all later ones) changed, on the Review screen. */
  | { readonly kind: 'review-turn'; readonly turn: Turn; readonly onward: boolean }
  | { readonly kind: 'open-suggestion'; readonly suggestion: string }
  | { readonly kind: 'list-sessions'; readonly words: string | null }
  /** `null`: returns to the AI pane. */
  | { readonly kind: 'open-session'; readonly session: PastSession | null }
  | { readonly kind: 'refresh' };

export type ResponsesEffectContext = EffectContext<
  ResponsesModel,
  ResponsesFacts,
  ResponsesEffect,
  {
    readonly responses: ResponsesPort;
    readonly system: SystemPort;
    /** Offers a patch for review; returns its number of hunks. */
    readonly offerPatch: (patch: string) => Promise<Result<number>>;
  }
>;

export type ResponsesOutcome = Outcome<ResponsesModel, ResponsesEffect>;
export type ResponsesHandler = Handler<ResponsesModel, ResponsesFacts, ResponsesEffect>;
export type ResponsesHandlers = Handlers<
  ResponsesAction | OverlayAction,
  ResponsesModel,
  ResponsesFacts,
  ResponsesEffect
>;

export const { done, say, sayFailure, track } = screenEnds<ResponsesModel, ResponsesFacts, ResponsesEffect>();
