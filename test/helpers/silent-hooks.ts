/** Panes whose AI CLIs have no hooks. */
import type { PaneHooks } from '../../src/app/responses/pane-hooks.ts';

export const silentHooks: PaneHooks = {
  bell: '/nonexistent/bell',
  sessionOf: async () => null,
  stateOf: async () => null,
  promptOf: async () => null,
  watchPrompt: async () => ({ poll: async () => false }),
};
