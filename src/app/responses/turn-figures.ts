/** How much each turn of the followed session changed, and whether the user has seen the newest changes. */
import type { Client } from '../../protocol/client.ts';
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
  const newest = turns.at(-1);
  if (newest === undefined || newest.files === 0) return { session, figures, unseen: 0 };
  const mark = markOf(session, newest.turn);
  const seen = await client.request('review/viewed', { hunks: [mark] });
  const isSeen = seen.ok && seen.value.hunks.includes(mark);
  return { session, figures, unseen: isSeen ? 0 : newest.files };
}

/** Marks the changes of a turn as seen. */
export async function markLooked(
  client: Pick<Client, 'request'>,
  session: SessionRef,
  turn: string,
): Promise<void> {
  await client.request('review/mark-viewed', { hunks: [markOf(session, turn)], viewed: true });
}
