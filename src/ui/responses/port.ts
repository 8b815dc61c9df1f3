/** What the Responses screen needs: the followed pane's turns and deliveries, what can be asked of it, and the store of drafts. */

import type { MarkerPolicy } from '../../lib/marker-policy.ts';
import type { Failure, Result } from '../../lib/result.ts';
import type { TurnFigures } from '../../protocol/commands/changes.ts';
import type { StoredDraft } from '../../protocol/commands/draft.ts';
import type { Dialog } from '../../protocol/dialog.ts';
import type { Draft, DraftKey } from '../../protocol/draft.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { AiPane, AiState } from '../../protocol/pane.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import type { AnswerWish } from '../../responses/core/answer.ts';
import type { Preview } from '../../responses/core/preview.ts';

export interface PaneStatus {
  readonly state: AiState;
  /** Since when, ms since the epoch; null when it is not known. */
  readonly since: number | null;
  /** What the AI asks, and the answers to it; null when nothing is. */
  readonly dialog: Dialog | null;
  /** What it writes now and its session file does not have yet; null for nothing. */
  readonly writing: Preview | null;
  /** The AI holds a message of ours for later. */
  readonly queued: boolean;
}

export interface TurnChangesView {
  /** The session that it is about; null before it is known, and where the screen is read. */
  readonly session: SessionRef | null;
  /** By turn, as far as they were asked for. */
  readonly figures: ReadonlyMap<string, TurnFigures>;
  /** Files of the newest turn that nobody has looked at. */
  readonly unseen: number;
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
  readonly changes: TurnChangesView;
  /** The earlier session whose turns these are; null: they are those of the followed pane. */
  readonly past: PastSession | null;
  /** Why there are no turns, or why they may be old; null when all is well. */
  readonly problem: Failure | null;
  /** When a prompt goes out between marker lines. */
  readonly markers: { readonly policy: MarkerPolicy; readonly hasTranscript: boolean };
  /** The first look at the panes, or at the pane just chosen, is not over: nothing to show says nothing yet. */
  readonly isLooking: boolean;
}

export interface ResponsesPort {
  readonly getSnapshot: () => ResponsesView;
  readonly subscribe: (listener: () => void) => () => void;
  readonly selectPane: (key: string) => void;
  /** Types the text into the followed pane and submits it, by default after what the AI does now; the delivery's state then shows in `deliveries`. */
  readonly send: (text: string, whenBusy?: 'queue' | 'steer') => Promise<Result<OutboxEntry>>;
  /** Presses Enter for a prompt that stands in the composer. */
  readonly pressEnter: (entryId: string) => Promise<Result<OutboxEntry>>;
  /** Answers the open question; refused when the dialog is no longer the one that was read. */
  readonly answerDialog: (wish: AnswerWish) => Promise<Result<void>>;
  /** Gives the text to the AI that asks to approve a plan, as what is to change in it. */
  readonly replyToPlan: (text: string) => Promise<Result<OutboxEntry>>;
  /** Opens a review of what a turn changed, `onward`: it and all later ones; gives its id. */
  readonly reviewTurn: (turn: Turn, onward: boolean) => Promise<Result<string>>;
  /** The sessions of the project, of every AI CLI, newest first; with words, those that have all of them in a turn. */
  readonly sessions: (words: string | null) => Promise<Result<readonly PastSession[]>>;
  /** Shows the turns of that session; null: those of the followed pane again. */
  readonly openSession: (session: PastSession | null) => Promise<Result<void>>;
  /** Looks at the pane and its transcript again, now. */
  readonly refresh: () => Promise<Result<void>>;
}

export interface DraftPort {
  /** Which draft: the project folder and the AI pane; changes with the followed pane. */
  readonly keyOf: (view: ResponsesView) => DraftKey;
  readonly load: (key: DraftKey) => Promise<Result<StoredDraft>>;
  /** Refused (`refused`) when `baseRevision` is not the newest. */
  readonly save: (key: DraftKey, draft: Draft, baseRevision: number) => Promise<Result<StoredDraft>>;
  /** Someone else changed a draft. */
  readonly onExternalChange: (listener: (draft: StoredDraft) => void) => () => void;
}

/** One string for a pane identity, equal for the same pane. */
export function paneKey(identity: AiPane['identity']): string {
  return `${identity.socketPath}#${identity.serverPid}#${identity.paneId}#${identity.panePid}`;
}
