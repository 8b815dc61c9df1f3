/** The surface's state: what is open, the cursors, the last message. Does not contain outside data. */

import type { NoteContext } from '../../protocol/draft.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { AgentEffect, AgentModel, AgentOverlay } from '../agent/model.ts';
import { INITIAL_AGENT } from '../agent/state.ts';
import { EMPTY_EDITOR } from '../kit/editor.ts';
import type { Chord } from '../kit/keys/key.ts';
import type { CommonModel, CopyEffect } from '../kit/model.ts';
import type { Confirm, Prompt } from '../kit/overlay.ts';
import type { Size } from '../kit/row.ts';
import type { ResponsesEffect, ResponsesModel, ResponsesOverlay } from '../responses/model.ts';
import { INITIAL_RESPONSES } from '../responses/state.ts';
import type { ReviewEffect, ReviewModel, ReviewOverlay } from '../review/model.ts';
import { INITIAL_REVIEW } from '../review/state.ts';
import type { ShellEffect, ShellModel } from '../shell/model.ts';
import { INITIAL_SHELL } from '../shell/state.ts';

/** Effects as data. The controller runs them and applies their results. */
export type AppEffect =
  | CopyEffect
  | ResponsesEffect
  | ReviewEffect
  | AgentEffect
  | ShellEffect
  | { readonly kind: 'select-pane'; readonly key: string }
  | { readonly kind: 'start-ai'; readonly name: string }
  /** Opens that turn's review in place of the one that follows the newest change. */
  | { readonly kind: 'follow-turn'; readonly turn: Turn }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'quit' };

/** An overlay over any screen. `contexts`: those active below it. */
export type AppOverlay =
  | { readonly kind: 'help'; readonly top: number; readonly contexts: readonly string[] }
  | {
      readonly kind: 'palette';
      readonly query: string;
      readonly cursor: number;
      readonly contexts: readonly string[];
    }
  | {
      readonly kind: 'panes';
      readonly cursor: number;
      /** AI CLIs to start, listed below the existing panes. */
      readonly startable: readonly string[];
    };

/** Prompts in the line above the footer. */
export type AnyPrompt = Extract<ResponsesOverlay | ReviewOverlay | AgentOverlay, Prompt<unknown>>;

/** An overlay. There is at most one, and it receives the keys. */
export type Overlay =
  | AppOverlay
  | Exclude<ResponsesOverlay | ReviewOverlay | AgentOverlay, { kind: 'confirm' }>
  | Confirm<AppEffect>;

export interface AppState
  extends CommonModel<Overlay>,
    Pick<ResponsesModel, 'responses' | 'draft' | 'noteContext'>,
    Pick<ReviewModel, 'review'>,
    Pick<AgentModel, 'agent'>,
    Pick<ShellModel, 'shell'> {
  /** The keys of the chord so far. */
  readonly chord: Chord;
}

/** The state before the first key. */
export function initialAppState(size: Size, noteContext: NoteContext = 'bare'): AppState {
  return {
    size,
    screen: 'responses',
    chord: [],
    overlay: null,
    toast: null,
    responses: INITIAL_RESPONSES,
    draft: EMPTY_EDITOR,
    review: INITIAL_REVIEW,
    agent: INITIAL_AGENT,
    shell: INITIAL_SHELL,
    noteContext,
    busy: null,
  };
}
