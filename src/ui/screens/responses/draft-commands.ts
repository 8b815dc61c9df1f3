import type { AppState } from '../../commands/app-state.ts';
import { done, type Facts, type Handlers, type Outcome } from '../../commands/handler.ts';
import { focusOn } from './state.ts';
export function moveDraftTo(state: AppState, _f: Facts, _l: number): AppState {
  return state;
}
export function typeInDraft(state: AppState, _t: string, _h: string, _f: Facts): Outcome {
  return done(state);
}
export function settleDraft(state: AppState, _f: Facts): AppState {
  return state;
}
export function afterSend(state: AppState, _i: readonly number[]): AppState {
  return state;
}
export function replaceDraftText(state: AppState, _t: string): AppState {
  return state;
}
export const draftCommands: Handlers = {
  'focus/back': (state, facts) =>
    done({ ...state, responses: focusOn(state.responses, 'list', facts.view.turns) }),
};
export const draftVisualCommands: Handlers = {};
