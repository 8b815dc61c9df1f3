/** How much each turn of the followed session changed, and whether anybody has looked at the newest of it. */
import type { Client } from '../../protocol/client.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import type { TurnChangesView } from '../../ui/responses/port.ts';

/** Turns whose figures are shown. */
const TURNS_SHOWN = 30;

export const NO_CHANGES: TurnChangesView = { session: null, figures: new Map(), unseen: 0 };

/** The name under which it is kept that the changes of a turn were looked at. */
const markOf = ({ cli, sessionId }: SessionRef, turn: string) => `turn ${cli}:${sessionId} ${turn}`;

/** The present facts of a session; null when they cannot be read. */
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

/** Somebody looks at the changes of a turn. */
export async function markLooked(
  client: Pick<Client, 'request'>,
  session: SessionRef,
  turn: string,
): Promise<void> {
  await client.request('review/mark-viewed', { hunks: [markOf(session, turn)], viewed: true });
}
