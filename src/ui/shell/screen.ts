/** The Shell screen as the application joins it. */
import type { Screen } from '../kit/screen.ts';
import type { ShellAction } from './keys.ts';
import type { ShellEffect, ShellFacts, ShellModel, ShellOverlay } from './model.ts';
import { shellSpot } from './mouse.ts';
import { settleShell } from './moves.ts';
import { shellCommands } from './shell-commands.ts';
import { runningStatus } from './state.ts';
import { planShell } from './view.ts';

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
    // An empty screen shows a line that makes it fill: only there is copying worth a place in the footer.
    copy: (_, { shell }) => {
      const status = runningStatus(shell);
      return status !== null && status.requests === 0 && status.recent.length === 0;
    },
  },
  overlays: { kinds: [], contextOf: ({ kind }) => kind, extentOf: () => null, view: () => null },
};
