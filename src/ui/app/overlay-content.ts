/** What help and palette show: computed from the key table where it is moved in and where it is drawn. */
import type { BoundAction } from '../kit/keys/keymap.ts';
import { actionsIn } from '../kit/keys/keymap.ts';
import type { Row } from '../kit/row.ts';
import type { Facts } from './handler.ts';
import { planHelp } from './overlay-view.ts';
import type { Overlay } from './state.ts';

/** All rows of the help. */
export function helpRowsOf(
  overlay: Extract<Overlay, { kind: 'help' }>,
  facts: Pick<Facts, 'keymap'>,
  columns: number,
): readonly Row[] {
  return planHelp(facts.keymap, overlay.contexts, columns);
}

/** The commands that match what was typed: every word must occur in help or name. */
export function paletteActions(
  overlay: Extract<Overlay, { kind: 'palette' }>,
  facts: Pick<Facts, 'keymap'>,
): readonly BoundAction[] {
  const words = overlay.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return actionsIn(facts.keymap, overlay.contexts).filter((action) => {
    const text = `${action.help} ${action.action}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
