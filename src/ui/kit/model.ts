/** The shape of a screen's commands: what the screen knows in, its next state and its effects out. Pure. */
import type { SpansOf } from '../../lib/text-layout.ts';
import type { Size } from './row.ts';

export type ScreenName = 'responses' | 'review' | 'agent' | 'shell';

export type Tone = 'info' | 'ok' | 'warn' | 'error';

/** One line above the footer. */
export interface Toast {
  readonly tone: Tone;
  readonly text: string;
  /** When it disappears by itself, ms since the epoch; null: it stays until the next one. */
  readonly until: number | null;
  /** A key was pressed since: it keeps to one row and out of the way. */
  readonly isFolded: boolean;
}

/** The state that every screen sees beside its own. `O` is what can lie over it. */
export interface CommonModel<O> {
  readonly size: Size;
  readonly screen: ScreenName;
  readonly overlay: O | null;
  readonly toast: Toast | null;
  /** The work under way, in words; shown with its age. */
  readonly busy: { readonly what: string; readonly since: number } | null;
}

/** Actions whose keys any screen may name. */
type NamedAction =
  | 'app/help'
  | 'confirm/other'
  | 'app/panes'
  | 'screen/responses'
  | 'screen/review'
  | 'screen/agent'
  | 'screen/shell';

/** Facts while a key is handled, for every screen. `A` are the screen's own actions. */
export interface CommonFacts<A extends string> {
  /** ms since the epoch. */
  readonly now: number;
  /** The key of an action, where `contexts` are active, for people; null when it has none. */
  readonly keyOf: (action: A | NamedAction, contexts?: readonly string[]) => string | null;
  /** The cached layout of lines at a width. */
  readonly spansAt: (width: number) => SpansOf;
}

/** Text for the clipboard; `what` names it in the message. */
export interface CopyEffect {
  readonly kind: 'copy';
  readonly text: string;
  readonly what: string;
}

/** The next state, and what to do. */
export interface Outcome<M, E> {
  readonly state: M;
  readonly effects: readonly E[];
}

export type Handler<M, F, E> = (state: M, facts: F) => Outcome<M, E>;

/** The commands of one context. */
export type Handlers<A extends string, M, F, E> = Partial<Readonly<Record<A, Handler<M, F, E>>>>;

/** Runs an action where `contexts` are active; null when none of them has it. */
export function runIn<A extends string, M, F, E>(
  tables: Partial<Readonly<Record<string, Handlers<A, M, F, E>>>>,
  contexts: readonly string[],
  action: A,
): Handler<M, F, E> | null {
  for (const context of contexts) {
    const handler = tables[context]?.[action];
    if (handler !== undefined) return handler;
  }
  return null;
}
