/** What the application's handlers see: the whole state, and every screen's facts. */
import type { AgentFacts } from '../agent/model.ts';
import type { Keymap } from '../kit/keys/keymap.ts';
import type { Handler, Handlers, Outcome } from '../kit/model.ts';
import { screenEnds } from '../kit/screen-ends.ts';
import type { ResponsesFacts } from '../responses/model.ts';
import type { ReviewFacts } from '../review/model.ts';
import type { ShellFacts } from '../shell/model.ts';
import type { Action } from './key-table.ts';
import type { NoticeView } from './ports.ts';
import type { AppEffect, AppState } from './state.ts';

/** Facts for handling a key. */
export interface AppFacts
  extends Omit<ResponsesFacts, 'keyOf'>,
    Omit<ReviewFacts, 'keyOf'>,
    Omit<AgentFacts, 'keyOf' | 'responseInView'>,
    Omit<ShellFacts, 'keyOf'> {
  readonly notices: NoticeView;
  /** Names of AI CLIs that can be started in a new pane. */
  readonly startable: () => readonly string[];
  readonly keymap: Keymap<Action>;
  readonly keyOf: (action: Action, contexts?: readonly string[]) => string | null;
  /** Runs another command; the palette uses it for all of them. */
  readonly run: (state: AppState, action: Action, contexts: readonly string[]) => AppOutcome;
}

export type AppOutcome = Outcome<AppState, AppEffect>;
export type AppHandler = Handler<AppState, AppFacts, AppEffect>;
export type AppHandlers = Handlers<Action, AppState, AppFacts, AppEffect>;

export const { done, say, sayFailure, track } = screenEnds<AppState, AppFacts, AppEffect>();
