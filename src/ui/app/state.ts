/** The state of the surface: what is open, where the cursor is, what was said last. Data from outside is not in it. */

import type { RollbackResult } from '../../protocol/commands/agent.ts';
import type { NoteContext } from '../../protocol/draft.ts';
import type { LineRange } from '../../protocol/review.ts';
import type { CodeBlock } from '../../responses/core/code-blocks.ts';
import type { ResponseDiff } from '../../responses/core/response-diff.ts';
import type { RollbackRequest } from '../agent/port.ts';
import { type AgentState, INITIAL_AGENT } from '../agent/state.ts';
import type { Context } from '../kit/keys/binding.ts';
import type { Chord } from '../kit/keys/key.ts';
import type { CursorCell, Row, Size } from '../kit/row.ts';
import type { DraftState } from '../responses/draft-state.ts';
import { INITIAL_DRAFT } from '../responses/draft-state.ts';
import { INITIAL_RESPONSES, type ResponsesState } from '../responses/state.ts';
import { INITIAL_REVIEW, type ReviewState } from '../review/state.ts';
import { INITIAL_SHELL, type ShellState } from '../shell/state.ts';
import type { Effect } from './effect.ts';

export type ScreenName = 'responses' | 'review' | 'agent' | 'shell';

export type Tone = 'info' | 'ok' | 'warn' | 'error';

/** One line above the footer. */
export interface Toast {
  readonly tone: Tone;
  readonly text: string;
  /** When it goes away by itself, ms since the epoch; null stays until the next one. */
  readonly until: number | null;
  /** A key was pressed since: it keeps to one row and out of the way. */
  readonly isFolded: boolean;
}

/** What lies over the screen; one at a time, and it gets the keys. */
export type Overlay =
  | { readonly kind: 'help'; readonly top: number; readonly contexts: readonly Context[] }
  | {
      readonly kind: 'diff';
      readonly title: string;
      readonly diff: ResponseDiff;
      readonly top: number;
    }
  | {
      readonly kind: 'palette';
      readonly query: string;
      readonly cursor: number;
      readonly contexts: readonly Context[];
    }
  | { readonly kind: 'panes'; readonly cursor: number }
  | { readonly kind: 'code'; readonly blocks: readonly CodeBlock[]; readonly cursor: number }
  | {
      readonly kind: 'preview';
      readonly cursor: number;
      readonly top: number;
      /** Lines of the draft about which the human said yes. */
      readonly chosen: readonly number[];
      /** Only these lines of the draft; null means all. */
      readonly range: { readonly first: number; readonly last: number } | null;
    }
  | { readonly kind: 'confirm'; readonly question: string; readonly effects: readonly Effect[] }
  /** With `save` the line is the file into which this text goes, with `context` one that becomes a row; else a search. */
  | {
      readonly kind: 'prompt';
      readonly query: string;
      readonly save?: string;
      readonly context?: true;
    }
  | { readonly kind: 'checkpoints'; readonly cursor: number }
  | { readonly kind: 'rollback-scope'; readonly checkpoint: string; readonly cursor: number }
  /** `response`: the one that could be added, `selection`: lines of it. */
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
  /** A comment on a hunk; with `lines` on those lines of the whole hunk. `where` says it in words. */
  | {
      readonly kind: 'comment';
      readonly hunk: string;
      readonly lines: LineRange | null;
      readonly where: string;
      readonly editor: DraftState;
    }
  | {
      readonly kind: 'answer';
      readonly dialog: string;
      readonly options: readonly { readonly key: string; readonly label: string }[];
      readonly cursor: number;
    };

export interface AppState {
  readonly size: Size;
  readonly screen: ScreenName;
  /** The keys of a chord so far. */
  readonly chord: Chord;
  readonly overlay: Overlay | null;
  readonly toast: Toast | null;
  readonly responses: ResponsesState;
  readonly draft: DraftState;
  readonly review: ReviewState;
  readonly agent: AgentState;
  readonly shell: ShellState;
  readonly noteContext: NoteContext;
  /** What is under way, for people; shown with its age. */
  readonly busy: { readonly what: string; readonly since: number } | null;
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
    draft: INITIAL_DRAFT,
    review: INITIAL_REVIEW,
    agent: INITIAL_AGENT,
    shell: INITIAL_SHELL,
    noteContext,
    busy: null,
  };
}

/** Rows, and where the terminal's cursor stands among them. */
export interface Picture {
  readonly rows: readonly Row[];
  readonly cursor: CursorCell | null;
}

/** The whole screen: exactly the rows of the terminal. `[from, to)` of them are the screen area, the rest is chrome. */
export interface Frame extends Picture {
  readonly area: { readonly from: number; readonly to: number };
}
