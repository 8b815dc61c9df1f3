/** The shape of a command: state and facts in, next state and effects out. Pure, like everything that implements it. */

import type { SpansOf } from '../../lib/text-layout.ts';
import type { LayChat } from '../agent/chat-rows.ts';
import type { ChatEntries } from '../agent/entries.ts';
import type { AgentView } from '../agent/port.ts';
import type { Context } from '../kit/keys/binding.ts';
import type { Keymap } from '../kit/keys/keymap.ts';
import type { DiffRows } from '../responses/diff-rows.ts';
import type { ReadOutgoing } from '../responses/outgoing.ts';
import type { LinesOf, ReadingDocs } from '../responses/reading-docs.ts';
import type { ColorBook } from '../review/color-book.ts';
import type { ReviewDocs } from '../review/docs.ts';
import type { Effect } from './effect.ts';
import type { Action } from './key-table.ts';
import type { NoticeView, ResponsesView, ReviewView, ShellView } from './ports.ts';
import type { AppState, Tone } from './state.ts';

/** What is so while a key is handled. */
export interface Facts {
  readonly view: ResponsesView;
  readonly review: ReviewView;
  readonly agent: AgentView;
  readonly shell: ShellView;
  readonly notices: NoticeView;
  /** ms since the epoch. */
  readonly now: number;
  readonly keymap: Keymap;
  readonly docs: ReadingDocs;
  readonly linesOf: LinesOf;
  /** The conversation of the agent, read once for each change, and its cached layout. */
  readonly chatEntries: ChatEntries;
  readonly layChat: LayChat;
  /** The cached layout of suggestions. */
  readonly reviewDocs: ReviewDocs;
  /** Syntax colours of a hunk, as far as they are known. */
  readonly colorsOf: ColorBook['of'];
  /** What would go out of a draft, read once. */
  readonly readOutgoing: ReadOutgoing;
  /** The cached rows of a comparison. */
  readonly diffRows: DiffRows;
  /** The cached layout of lines at a width. */
  readonly spansAt: (width: number) => SpansOf;
  /** The user's wish: pulled lines leave the draft with the notes that were sent. */
  readonly clearOnSend: boolean;
  /** Runs another command: how the palette reaches every one of them. */
  readonly run: (state: AppState, action: Action, contexts: readonly Context[]) => Outcome;
}

export interface Outcome {
  readonly state: AppState;
  readonly effects: readonly Effect[];
}

export type Handler = (state: AppState, facts: Facts) => Outcome;

/** The commands of one context. */
export type Handlers = Partial<Readonly<Record<Action, Handler>>>;

/** How long a toast stays, by tone. */
const TOAST_MS: Readonly<Record<Tone, number>> = { info: 4000, ok: 4000, warn: 8000, error: 12_000 };

/** The next state, and what to do. */
export function done(state: AppState, ...effects: readonly Effect[]): Outcome {
  return { state, effects };
}

/** The next state with a line for the reader. */
export function say(
  state: AppState,
  facts: { readonly now: number },
  tone: Tone,
  text: string,
  ...effects: readonly Effect[]
): Outcome {
  return done(
    { ...state, toast: { tone, text, until: facts.now + TOAST_MS[tone], isFolded: false } },
    ...effects,
  );
}
