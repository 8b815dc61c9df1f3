import type { AppState } from './commands/app-state.ts';
import type { Facts, Outcome } from './commands/handler.ts';
import type { ClockPort, DraftPort, ResponsesView } from './ports.ts';
export interface DraftSync {
  readonly start: () => () => void;
  readonly onState: (s: AppState, v: ResponsesView) => void;
  readonly stop: () => Promise<void>;
}
export function createDraftSync(_o: {
  port: DraftPort;
  clock: ClockPort;
  apply: (c: (s: AppState, f: Facts) => Outcome) => void;
}): DraftSync {
  return { start: () => () => {}, onState: () => {}, stop: async () => {} };
}
