/** Where a companion goes that is opened from some pane, and which AI pane it follows. */
import { ok, type Result } from '../../lib/result.ts';
import { isAiPane, type PaneListing, type Panes } from '../../tmux/panes.ts';
import type { CompanionPlace } from './up.ts';

/** Beside the AI pane where it is in view, else beside the pane that we were called from (`here`, one of `listed`). */
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

/** The AI pane: where we were called from, when that is one; else the one that is meant. Null: the companion asks. */
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
