/** How much each turn of the followed session changed, and which of these changes the user has not looked at. */
import type { Client } from '../../protocol/client.ts';
import type { TurnFigures } from '../../protocol/commands/changes.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import type { TurnChangesView } from '../../ui/responses/port.ts';

/** How many turns show figures. */
const TURNS_SHOWN = 30;

export const NO_CHANGES: TurnChangesView = { session: null, figures: new Map(), unseen: 0 };

/** The key under which a turn's changes are marked as seen. */
const markOf = ({ cli, sessionId }: SessionRef, turn: string) => `turn ${cli}:${sessionId} ${turn}`;

/** The current figures of a session; null if they cannot be read. */
export async function readFigures(
  client: Pick<Client, 'request'>,
  session: SessionRef,
): Promise<TurnChangesView | null> {
  const listed = await client.request('changes/list', { session, turns: TURNS_SHOWN });
  if (!listed.ok) return null;
  const { turns } = listed.value;
  const figures = new Map(turns.map((one) => [one.turn, one]));
  const changed = turns.filter(({ files }) => files > 0);
  const viewed = await client.request('review/viewed', {
    hunks: changed.map(({ turn }) => markOf(session, turn)),
  });
  const marks = new Set(viewed.ok ? viewed.value.hunks : []);
  return { session, figures, unseen: unseenFiles(changed, ({ turn }) => marks.has(markOf(session, turn))) };
}

/** Files of the turns that nobody has looked at. Turns before the first look count only if there are no newer ones. */
function unseenFiles(changed: readonly TurnFigures[], isSeen: (turn: TurnFigures) => boolean): number {
  const first = changed.findIndex(isSeen);
  const since = first === -1 ? changed.slice(-1) : changed.slice(first + 1);
  return since.filter((turn) => !isSeen(turn)).reduce((sum, { files }) => sum + files, 0);
}

/** Marks the changes of these turns as seen. */
export async function markLooked(
  client: Pick<Client, 'request'>,
  session: SessionRef,
  turns: readonly string[],
): Promise<void> {
  const hunks = turns.map((turn) => markOf(session, turn));
  await client.request('review/mark-viewed', { hunks, viewed: true });
}
