/** When a followed pane's turns begin and end, told from one look at it after the other. Pure. */

/** What one look at the pane tells. */
export interface TurnFacts {
  /** Of the AI CLI; null while it is not known. */
  readonly session: string | null;
  readonly newest: { readonly id: string; readonly isOver: boolean } | null;
  /** The AI is at work, or asks something in the middle of it. */
  readonly busy: boolean;
}

/** What is known after a look. */
export interface TurnWatch {
  readonly session: string | null;
  /** The turn that goes on; its id is null until the session file has it. */
  readonly open: { readonly turn: string | null } | null;
  /** The newest turn that is over. */
  readonly over: string | null;
}

/** Something to look at the files for. */
export interface TurnMoment {
  readonly session: string;
  /** Null: a turn begins that has no name yet, or none does and the files are looked at for the next one. */
  readonly turn: string | null;
  readonly moment: 'begin' | 'end';
  /** It had begun before it was seen. */
  readonly late: boolean;
  /** It began with the look before, when it had no name yet. */
  readonly isNamed: boolean;
}

export const UNWATCHED: TurnWatch = { session: null, open: null, over: null };

interface Step {
  readonly watch: TurnWatch;
  readonly moments: readonly TurnMoment[];
}

/** What the look means. The same watch again means that nothing began or ended. */
export function watchTurn(watch: TurnWatch, facts: TurnFacts): Step {
  const { session, newest, busy } = facts;
  if (session === null) return { watch, moments: [] };
  if (session !== watch.session) return begin(session, facts);
  const { open, over } = watch;
  const moment = (turn: string | null, kind: TurnMoment['moment']) => ({
    session,
    turn,
    moment: kind,
    late: false,
    isNamed: open !== null && open.turn === null,
  });
  const id = newest?.id ?? null;
  if (open === null) {
    if (id !== null && id !== over) {
      // Prompt and answer came between two looks.
      const moments =
        newest?.isOver === true && !busy ? ([moment(id, 'end')] as const) : [moment(id, 'begin')];
      return { watch: { ...watch, ...after(id, newest?.isOver === true && !busy, over) }, moments };
    }
    if (!busy) return { watch, moments: [] };
    return { watch: { ...watch, open: { turn: null } }, moments: [moment(null, 'begin')] };
  }
  if (open.turn === null && id !== null && id !== over)
    return { watch: { ...watch, open: { turn: id } }, moments: [moment(id, 'begin')] };
  if (open.turn !== null && id !== open.turn && id !== null)
    return {
      watch: { ...watch, open: { turn: id }, over: open.turn },
      moments: [moment(open.turn, 'end'), moment(id, 'begin')],
    };
  if (busy || newest?.isOver === false) return { watch, moments: [] };
  // Work that began without a prompt of its own belongs to the turn before it.
  const moments = id === null ? [] : [moment(id, 'end')];
  return { watch: { ...watch, open: null, over: id }, moments };
}

const after = (id: string, isOver: boolean, over: string | null) =>
  isOver ? { open: null, over: id } : { open: { turn: id }, over };

/** A session that was not followed: a turn that is at work began earlier, and one that is over needs no look. */
function begin(session: string, { newest, busy }: TurnFacts): Step {
  const isOver = newest === null || (newest.isOver && !busy);
  const turn = isOver ? null : newest.id;
  return {
    watch: { session, open: isOver ? null : { turn }, over: isOver ? (newest?.id ?? null) : null },
    moments: [{ session, turn, moment: 'begin', late: turn !== null, isNamed: false }],
  };
}
