/** The mouse on the Shell screen: it marks requests; one that is marked already is explained. Pure. */

import { contextsOf } from '../app/contexts.ts';
import { done, type Facts } from '../app/handler.ts';
import type { AppState } from '../app/state.ts';
import { type Cell, type Spot, within } from '../kit/mouse/spot.ts';
import { requestsRegion } from './screen.ts';
import { markedIndex, runningStatus } from './state.ts';

/** What stands in a cell of the screen area. */
export function shellSpot(state: AppState, facts: Facts, cell: Cell): Spot | null {
  const status = runningStatus(facts.shell);
  if (status === null) return null;
  const contexts = contextsOf(state, facts.view);
  const wheel = (rows: number) => facts.run(state, rows > 0 ? 'move/down' : 'move/up', contexts);
  const at = within(requestsRegion(state, status), cell);
  const index = at === null || at.y < 0 ? -1 : state.shell.top + at.y;
  const request = status.recent[index];
  if (request === undefined) return { wheel };
  const isAgain = index === markedIndex(state.shell, status.recent);
  return {
    wheel,
    press: () =>
      isAgain
        ? facts.run(state, 'shell/explain', contexts)
        : done({ ...state, shell: { ...state.shell, marked: index === 0 ? null : request.id } }),
  };
}
