/** What the Responses screen needs: the followed pane's turns and deliveries, its requests, and the store of drafts. */

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
import type { AnswerRequest } from '../../responses/core/answer.ts';
import type { Preview } from '../../responses/core/preview.ts';

export interface PaneStatus {
  readonly state: AiState;
  /** Since when, ms since the epoch; null if unknown. */
  readonly since: number | null;
  /** The AI's question and the possible answers; null if there is none. */
  readonly dialog: Dialog | null;
  /** What it writes before its session file has it; null for nothing. */
  readonly writing: Preview | null;
}

export interface TurnChangesView {
  /** The session; null before it is known, and if the screen is read instead. */
  readonly session: SessionRef | null;
  /** By turn, as far as requested. */
  readonly figures: ReadonlyMap<string, TurnFigures>;
  /** Changed files of the turns that nobody has looked at. */
  readonly unseen: number;
}

/** Everything that the Responses screen shows. Each change makes a new object; unchanged parts stay the same. */
export interface ResponsesView {
  readonly panes: readonly AiPane[];
  /** Key of the followed pane (`paneKey`); null if there is none. */
  readonly selected: string | null;
  /** Newest first. */
  readonly turns: readonly Turn[];
  /** Prompts pending or recently sent, newest first. */
  readonly deliveries: readonly OutboxEntry[];
  readonly status: PaneStatus;
  readonly changes: TurnChangesView;
  /** The earlier session of these turns; null: the followed pane's. */
  readonly past: PastSession | null;
  /** Why there are no turns, or they may be outdated; null if all is well. */
  readonly problem: Failure | null;
  /** When a prompt is sent between marker lines. */
  readonly markers: { readonly policy: MarkerPolicy; readonly hasTranscript: boolean };
  /** The first look at the panes, or at a newly chosen one, is not finished: emptiness means nothing yet. */
  readonly isLooking: boolean;
}

export interface ResponsesPort {
  readonly getSnapshot: () => ResponsesView;
  readonly subscribe: (listener: () => void) => () => void;
  readonly selectPane: (key: string) => void;
  /** Types the text into the followed pane and submits it, by default after its current work. See `deliveries`. */
  readonly send: (text: string, whenBusy?: 'queue' | 'steer') => Promise<Result<OutboxEntry>>;
  /** Presses Enter for a prompt that is in the composer. */
  readonly pressEnter: (entryId: string) => Promise<Result<OutboxEntry>>;
  /** Answers the open question; refused if the dialog has changed since it was read. */
  readonly answerDialog: (wanted: AnswerRequest) => Promise<Result<void>>;
  /** Sends the text as requested changes to an AI that asks to approve a plan. */
  readonly replyToPlan: (text: string) => Promise<Result<OutboxEntry>>;
  /** Opens a review of a turn's changes (`onward`: and of all later ones); returns its id. */
  readonly reviewTurn: (turn: Turn, onward: boolean) => Promise<Result<string>>;
  /** The project's sessions of every AI CLI, newest first; with words, those that have all of them in one turn. */
  readonly sessions: (words: string | null) => Promise<Result<readonly PastSession[]>>;
  /** Shows that session's turns; null: the followed pane's again. */
  readonly openSession: (session: PastSession | null) => Promise<Result<void>>;
  /** Reads the pane and its transcript again now. */
  readonly refresh: () => Promise<Result<void>>;
}

export interface DraftPort {
  /** The key of the draft: project folder and AI pane, so it changes with the followed pane. */
  readonly keyOf: (view: ResponsesView) => DraftKey;
  readonly load: (key: DraftKey) => Promise<Result<StoredDraft>>;
  /** Refused (`refused`) if `baseRevision` is not the newest. */
  readonly save: (key: DraftKey, draft: Draft, baseRevision: number) => Promise<Result<StoredDraft>>;
  /** Someone else changed a draft. */
  readonly onExternalChange: (listener: (draft: StoredDraft) => void) => () => void;
}

/** A string that identifies a pane. */
export function paneKey(identity: AiPane['identity']): string {
  return `${identity.socketPath}#${identity.serverPid}#${identity.paneId}#${identity.panePid}`;
}
