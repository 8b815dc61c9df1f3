/** The form of a screen's commands: state and facts in, next state and effects out. Pure. */
import type { SpansOf } from '../../lib/text-layout.ts';
import type { Size } from './row.ts';

export type ScreenName = 'responses' | 'review' | 'agent' | 'shell';

export type Tone = 'info' | 'ok' | 'warn' | 'error';

/** A message above the footer. */
export interface Toast {
  readonly tone: Tone;
  readonly text: string;
  /** When it disappears by itself, ms since the epoch; null: with the next one. */
  readonly until: number | null;
  /** After a key press, it is reduced to one row out of the way. */
  readonly isFolded: boolean;
}

/** The state that all screens share. `O`: the possible overlays. */
export interface CommonModel<O> {
  readonly size: Size;
  readonly screen: ScreenName;
  readonly overlay: O | null;
  readonly toast: Toast | null;
  /** The work in progress, in words; shown with its age. */
  readonly busy: { readonly what: string; readonly since: number } | null;
}

/** Actions whose keys any screen may mention. */
type NamedAction =
  | 'app/help'
  | 'confirm/other'
  | 'app/panes'
  | 'screen/responses'
  | 'screen/review'
  | 'screen/agent'
  | 'screen/shell';

/** Facts for handling a key, for all screens. `A`: the screen's own actions. */
export interface CommonFacts<A extends string> {
  /** ms since the epoch. */
  readonly now: number;
  /** An action's key in `contexts`, for people; null if it has none. */
  readonly keyOf: (action: A | NamedAction, contexts?: readonly string[]) => string | null;
  /** The cached layout of lines at a width. */
  readonly spansAt: (width: number) => SpansOf;
}

/** Text for the clipboard; `what` describes it in the message. */
export interface CopyEffect {
  readonly kind: 'copy';
  readonly text: string;
  readonly what: string;
}

/** The next state and the effects to run. */
export interface Outcome<M, E> {
  readonly state: M;
  readonly effects: readonly E[];
}

export type Handler<M, F, E> = (state: M, facts: F) => Outcome<M, E>;

/** The commands of a context. */
export type Handlers<A extends string, M, F, E> = Partial<Readonly<Record<A, Handler<M, F, E>>>>;

/** Runs an action in `contexts`; null if none of them has it. */
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
