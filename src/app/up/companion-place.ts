/** Where a companion opened from some pane goes, and which AI pane it follows. */
import { ok, type Result } from '../../lib/result.ts';
import { isAiPane, type PaneListing, type Panes } from '../../tmux/panes.ts';
import type { CompanionPlace } from './up.ts';

/** Beside the AI pane if it is in view, else beside the calling pane (`here`, one of `listed`). */
export async function companionPlace(
  panes: Panes,
  here: PaneListing,
  listed: readonly PaneListing[],
): Promise<Result<Pick<CompanionPlace, 'beside' | 'follows'>>> {
  const found = await targetOf(panes, here, listed);
  if (!found.ok) return found;
  const ai = found.value;
  const isInView = ai !== null && ai.facts.windowId === here.facts.windowId;
  const beside = isInView ? ai : here;
  return ok({ beside: beside.facts.identity.paneId, follows: ai?.facts.identity.paneId ?? null });
}

/** The AI pane: the calling pane if it is one, else the default one. Null: the companion asks the user. */
async function targetOf(
  panes: Panes,
  here: PaneListing,
  listed: readonly PaneListing[],
): Promise<Result<PaneListing | null>> {
  if (isAiPane(here)) return ok(here);
  const resolved = await panes.resolve(null, listed);
  if (!resolved.ok) return resolved;
  return ok(resolved.value.kind === 'found' ? resolved.value.pane : null);
}
