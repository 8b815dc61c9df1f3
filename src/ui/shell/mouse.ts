/** The mouse on the Shell screen: marks requests, and explains the marked one. Pure. */

import { type Cell, type Spot, within } from '../kit/mouse/spot.ts';
import type { ShellAction } from './keys.ts';
import { done, type ShellFacts, type ShellModel, type ShellOutcome } from './model.ts';
import { shellCommands } from './shell-commands.ts';
import { markedIndex, runningStatus } from './state.ts';
import { requestsRegion } from './view.ts';

/** What is in a cell of the screen area. */
export function shellSpot(state: ShellModel, facts: ShellFacts, cell: Cell): Spot<ShellOutcome> | null {
  const status = runningStatus(facts.shell);
  if (status === null) return null;
  const run = (action: ShellAction) => shellCommands[action]?.(state, facts) ?? done(state);
  const wheel = (rows: number) => run(rows > 0 ? 'move/down' : 'move/up');
  const at = within(requestsRegion(state, status), cell);
  const index = at === null || at.y < 0 ? -1 : state.shell.top + at.y;
  const request = status.recent[index];
  if (request === undefined) return { wheel };
  const isAgain = index === markedIndex(state.shell, status.recent);
  return {
    wheel,
    press: () =>
      isAgain
        ? run('shell/explain')
        : done({ ...state, shell: { ...state.shell, marked: index === 0 ? null : request.id } }),
  };
}
