/** What the Agent screen's handlers see, and what they may request. */
import type { RollbackResult } from '../../protocol/commands/agent.ts';
import type { CommonFacts, CommonModel, CopyEffect, Handler, Handlers, Outcome } from '../kit/model.ts';
import type { OverlayAction, Prompt } from '../kit/overlay.ts';
import { type EffectContext, screenEnds } from '../kit/screen-ends.ts';
import type { LayChat } from './chat-rows.ts';
import type { ChatEntries } from './entries.ts';
import type { AgentAction } from './keys.ts';
import type { AgentAct, AgentPort, AgentView, RollbackRequest } from './port.ts';
import type { AgentState } from './state.ts';

export interface AgentModel extends CommonModel<AgentOverlay> {
  readonly agent: AgentState;
}

export type AgentOverlay =
  | { readonly kind: 'checkpoints'; readonly cursor: number }
  /** The answers that a question offers. */
  | {
      readonly kind: 'agent-answer';
      readonly job: string;
      readonly question: string;
      readonly cursor: number;
    }
  | { readonly kind: 'rollback-scope'; readonly checkpoint: string; readonly cursor: number }
  /** `response`: the one that can be added; `selection`: lines of it. */
  | {
      readonly kind: 'add-context';
      readonly cursor: number;
      readonly response: string | null;
      readonly selection: string | null;
    }
  | {
      readonly kind: 'rollback';
      readonly to: RollbackRequest;
      readonly result: RollbackResult;
      readonly top: number;
    }
  /** The name of a file to add as a context row. */
  | Prompt<'context'>;

export interface AgentFacts extends CommonFacts<AgentAction> {
  readonly agent: AgentView;
  /** The conversation, read once per change, and its cached layout. */
  readonly chatEntries: ChatEntries;
  readonly layChat: LayChat;
  /** Sources of a context row on screen 1: the marked response, and its selected lines. */
  readonly responseInView: () => { readonly response: string | null; readonly selection: string | null };
}

export type AgentEffect =
  | CopyEffect
  /** `text`: what to put back in the box if it cannot be sent. */
  | { readonly kind: 'agent'; readonly act: AgentAct; readonly what: string; readonly text?: string }
  | { readonly kind: 'agent-complete'; readonly prefix: string }
  /** A file's outline for the user. */
  | { readonly kind: 'agent-map'; readonly path: string; readonly text: string }
  /** The diff of a job's proposal, shown below an entry. */
  | { readonly kind: 'agent-diff'; readonly job: string; readonly below: string }
  | { readonly kind: 'agent-preview'; readonly to: RollbackRequest }
  | {
      readonly kind: 'agent-row';
      readonly of: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' };
    }
  /** Opens a proposal's hunks on the Review screen, where all hunks are decided. */
  | { readonly kind: 'open-suggestion'; readonly suggestion: string };

export type AgentEffectContext = EffectContext<
  AgentModel,
  AgentFacts,
  AgentEffect,
  { readonly agent: AgentPort }
>;

export type AgentOutcome = Outcome<AgentModel, AgentEffect>;
export type AgentHandler = Handler<AgentModel, AgentFacts, AgentEffect>;
export type AgentHandlers = Handlers<AgentAction | OverlayAction, AgentModel, AgentFacts, AgentEffect>;

export const { done, say, sayFailure, track } = screenEnds<AgentModel, AgentFacts, AgentEffect>();
