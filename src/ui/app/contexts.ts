/** Which contexts of the key table are active, narrowest first. Pure. */
import type { AppFacts } from './model.ts';
import { SCREENS, screenOf } from './screens.ts';
import type { AppState, Overlay } from './state.ts';

/** A key goes to the overlay first, then to the focused pane, the screen, the application. */
export function contextsOf(state: AppState, facts: AppFacts): readonly string[] {
  const { overlay } = state;
  if (overlay === null) return SCREENS[state.screen].contextsOf(state, facts);
  return [screenOf(state)?.overlayContext(state) ?? overlayContext(overlay)];
}

function overlayContext({ kind }: Overlay): string {
  switch (kind) {
    case 'help':
      return 'panel';
    case 'palette':
      return 'filter';
    case 'panes':
      return 'menu';
    default:
      return kind;
  }
}
