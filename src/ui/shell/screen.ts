/** The Shell screen's interface to the application. */

import { listTop } from '../kit/list.ts';
import type { Screen } from '../kit/screen.ts';
import type { ShellAction } from './keys.ts';
import type { ShellEffect, ShellFacts, ShellModel, ShellOverlay } from './model.ts';
import { shellSpot } from './mouse.ts';
import { shellCommands } from './shell-commands.ts';
import { markedIndex, runningStatus } from './state.ts';
import { planShell, requestsInView } from './view.ts';

const hasRequests = (_: ShellModel, { shell }: ShellFacts) => (runningStatus(shell)?.recent.length ?? 0) > 0;

export const shellScreen: Screen<ShellAction, ShellModel, ShellFacts, ShellEffect, ShellOverlay> = {
  tables: { shell: shellCommands },
  contextsOf: () => ['shell', 'app'],
  plan: planShell,
  settle: settleShell,
  spotAt: shellSpot,
  typeText: () => null,
  back: (state) => ({ ...state, screen: 'responses' }),
  leave: (state) => state,
  modeOf: () => null,
  isUseful: {
    'shell/explain': hasRequests,
    'shell/forget': hasRequests,
    // An empty screen shows a line that would fill it: only there does copying deserve a place in the footer.
    copy: (_, { shell }) => {
      const status = runningStatus(shell);
      return status !== null && status.requests === 0 && status.recent.length === 0;
    },
  },
  overlays: { kinds: [], contextOf: ({ kind }) => kind, extentOf: () => null, view: () => null },
};

/** The state with the mark in view; the same object if it was. */
function settleShell(state: ShellModel, facts: ShellFacts): ShellModel {
  const status = runningStatus(facts.shell);
  if (state.screen !== 'shell' || status === null) return state;
  const { recent } = status;
  const height = requestsInView(state, status);
  const top = listTop(state.shell.top, markedIndex(state.shell, recent), recent.length, height);
  return top === state.shell.top ? state : { ...state, shell: { ...state.shell, top } };
}
