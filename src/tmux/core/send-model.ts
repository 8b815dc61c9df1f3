/** The types of the send machine: request, states, events and effects. */
import type { Failure } from '../../lib/result.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import type { DeliveryState, OutboxEntry } from '../../protocol/outbox.ts';
import type { PaneIdentity } from '../../protocol/pane.ts';
import type { Baseline, Look } from './send-evidence.ts';

export type ProofKind = NonNullable<OutboxEntry['proof']>;

/** A transcript's or hook's report about the text. */
export type ProofSignal =
  | { readonly kind: 'delivered'; readonly by: 'transcript' | 'hook' }
  | { readonly kind: 'queued'; readonly by: 'transcript' | 'hook' };

export interface SendLimits {
  /** Codex treats an Enter within 120 ms of a burst as a newline. */
  readonly settleMinMs: number;
  /** A composer that has not shown the text by then may never show it. */
  readonly settleMaxMs: number;
  readonly lookEveryMs: number;
  /** A briefly busy program handles the first Enter late: a hasty second one could answer its next dialog. */
  readonly enterRepeatMs: number;
  readonly maxEnters: number;
  /** How long to wait for proof after the first Enter. */
  readonly confirmMs: number;
  /** How long a CLI without a visible input box may take to show one. */
  readonly composerWaitMs: number;
  /** How long a dialog, a draft or a mode must be visible before it stops a send. */
  readonly redrawMs: number;
  /** A transcript's report overrides "queued" on the screen if it comes within this time. */
  readonly queuedGraceMs: number;
}

export const DEFAULT_SEND_LIMITS: SendLimits = {
  settleMinMs: 150,
  settleMaxMs: 1000,
  lookEveryMs: 100,
  enterRepeatMs: 1500,
  maxEnters: 3,
  confirmMs: 6000,
  composerWaitMs: 2000,
  redrawMs: 250,
  queuedGraceMs: 400,
};

/** `queue`: after the current work, if the program has a key for that · `steer`: at once, interrupting it. */
export type WhenBusy = 'queue' | 'steer';

export interface SendRequest {
  readonly pane: PaneIdentity;
  /** The program in the pane when it was chosen. */
  readonly cli: CliId;
  readonly text: string;
  readonly marked: boolean;
  /** `type` goes key by key (slash commands), `paste` in one framed piece. */
  readonly how: 'paste' | 'type';
  readonly submit: boolean;
  /** For a busy CLI that can do both: hold the text until it is done, or interrupt. */
  readonly whenBusy: WhenBusy;
  /** A transcript or a hook will prove the delivery; weaker proof does not count. */
  readonly provable: boolean;
  readonly limits: SendLimits;
}

/** The next actions of the sender, in order; the last effect of a step is `look` or `finish`. */
export type SendEffect =
  /** Writes the outbox record, durably. */
  | { readonly kind: 'record' }
  | { readonly kind: 'save'; readonly state: DeliveryState; readonly outcome: SendOutcome | null }
  /** `thorough` also asks the process table who reads the keys. `since`: history size of the first look. */
  | {
      readonly kind: 'look';
      readonly afterMs: number;
      readonly thorough: boolean;
      readonly since: number | null;
    }
  /** Leaves copy mode and pastes, in one call; reports if the pane was replaced. */
  | { readonly kind: 'paste' }
  | { readonly kind: 'type' }
  /** Leaves copy mode and presses the submit keys, in a separate call. */
  | { readonly kind: 'enter'; readonly keys: readonly string[] }
  | { readonly kind: 'finish'; readonly outcome: SendOutcome };

export interface SendOutcome {
  readonly state: Extract<
    DeliveryState,
    'delivered' | 'queued' | 'staged' | 'unconfirmed' | 'refused' | 'abandoned'
  >;
  readonly proof: ProofKind | null;
  /** Why it was not delivered; null if it was done as requested. */
  readonly failure: Failure | null;
}

export type SendEvent =
  | {
      readonly kind: 'looked';
      readonly look: Look;
      readonly proof: ProofSignal | null;
      readonly nowMs: number;
    }
  /** An effect failed. `certain`: it had no effect; otherwise it may have happened. */
  | {
      readonly kind: 'failed';
      readonly effect: SendEffect['kind'];
      readonly failure: Failure;
      readonly certain: boolean;
      readonly nowMs: number;
    }
  | { readonly kind: 'aborted' };

export type SendState =
  | { readonly phase: 'inspecting'; readonly sinceMs: number | null }
  | {
      readonly phase: 'settling';
      readonly sinceMs: number;
      readonly baseline: Baseline;
      readonly busy: boolean;
      readonly typed: boolean;
    }
  | {
      readonly phase: 'confirming';
      readonly firstEnterMs: number;
      readonly lastEnterMs: number;
      readonly enters: number;
      readonly baseline: Baseline;
      readonly busy: boolean;
      /** The composer has shown the text. */
      readonly held: boolean;
      /** `wanted`: the text queued by Enter still has to be sent at once. */
      readonly steering: 'none' | 'wanted' | 'done';
      /** The rows below the text before Enter, for programs that hide their cursor. */
      readonly below: string | null;
    }
  | { readonly phase: 'done' };

export interface SendStep {
  readonly state: SendState;
  readonly effects: readonly SendEffect[];
}
