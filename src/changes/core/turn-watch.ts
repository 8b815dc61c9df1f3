/** Decides when turns of a followed pane begin and end, from successive observations of it. Pure. */

/** One observation of the pane. */
export interface TurnFacts {
  /** The session of the AI CLI; null while it has none. */
  readonly session: string | null;
  readonly newest: NewestTurn | null;
  /** The AI is working, or asks something during its work. */
  readonly busy: boolean;
  /** ms since the epoch. */
  readonly now: number;
}

interface NewestTurn {
  readonly id: string;
  readonly isOver: boolean;
  /** ms since the epoch; null if the session has no times. */
  readonly startedAt: number | null;
  /** The previous turn; null for the first one of its session. */
  readonly previous: { readonly id: string; readonly startedAt: number | null } | null;
}

/** The state after a look. */
export interface TurnWatch {
  readonly session: string | null;
  /** The running turn; its id is null until the session file has it. */
  readonly open: { readonly turn: string | null } | null;
  /** The newest turn that has ended. */
  readonly over: string | null;
  /** When the files were last looked at; null: never. */
  readonly lookedAt: number | null;
}

/** A reason for a look at the files. */
export interface TurnMoment {
  /** Null: a turn begins that has no id yet, or the look is for the next turn. */
  readonly turn: string | null;
  readonly moment: 'begin' | 'end';
  /** It had begun, or ended, before it was noticed. */
  readonly late: boolean;
  /** It began at the previous look, when it had no id yet. */
  readonly isNamed: boolean;
}

export const UNWATCHED: TurnWatch = { session: null, open: null, over: null, lookedAt: null };

interface Step {
  readonly watch: TurnWatch;
  readonly moments: readonly TurnMoment[];
}

/** What the observation means. The same watch object means that nothing began or ended. */
export function watchTurn(watch: TurnWatch, facts: TurnFacts): Step {
  const { session } = facts;
  const isOther = session !== watch.session;
  // A pane whose session is no longer known keeps its state.
  if (watch.lookedAt !== null && session === null && isOther) return { watch, moments: [] };
  const step =
    watch.lookedAt !== null && (!isOther || isBornSince(watch, facts))
      ? goOn(isOther ? { ...watch, session, over: null, open: unnamed(watch) } : watch, facts)
      : begin(facts);
  return step.moments.length === 0 ? step : { ...step, watch: { ...step.watch, lookedAt: facts.now } };
}

const unnamed = ({ open }: TurnWatch) => (open?.turn === null ? open : null);

/** Whether only the newest turn of a session that has just appeared began after the last look. */
function isBornSince(watch: TurnWatch, { newest }: TurnFacts): boolean {
  if (newest === null || watch.lookedAt === null || isSkipped(watch, newest.previous)) return false;
  return newest.startedAt === null
    ? watch.session === null && newest.previous === null
    : newest.startedAt >= watch.lookedAt;
}

/** Whether a turn was not followed: its changes cannot be separated from those of the next one. */
function isSkipped({ open, over, lookedAt }: TurnWatch, previous: NewestTurn['previous']): boolean {
  if (previous === null || previous.id === over || previous.id === open?.turn) return false;
  return previous.startedAt === null || lookedAt === null || previous.startedAt >= lookedAt;
}

function goOn(watch: TurnWatch, { newest, busy }: TurnFacts): Step {
  const { open, over } = watch;
  const moment = (turn: string | null, kind: TurnMoment['moment']) => ({
    turn,
    moment: kind,
    late: turn === newest?.id && turn !== open?.turn && isSkipped(watch, newest.previous),
    isNamed: open !== null && open.turn === null,
  });
  const id = newest?.id ?? null;
  const isOver = newest?.isOver === true && !busy;
  if (open === null) {
    if (id !== null && id !== over) {
      // Prompt and answer may both have come between two observations.
      const next = isOver ? { open: null, over: id } : { open: { turn: id }, over };
      return { watch: { ...watch, ...next }, moments: [moment(id, isOver ? 'end' : 'begin')] };
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
  // Work that began without its own prompt belongs to the previous turn.
  const moments = id === null ? [] : [moment(id, 'end')];
  return { watch: { ...watch, open: null, over: id }, moments };
}

/** The session was not followed before: a running turn began earlier, and the end of a finished one may be missing. */
function begin({ session, newest, busy, now }: TurnFacts): Step {
  const isOver = newest === null || (newest.isOver && !busy);
  const turn = newest?.id ?? null;
  const open = isOver ? (busy ? { turn: null } : null) : { turn };
  return {
    watch: { session, open, over: isOver ? turn : null, lookedAt: now },
    moments: [
      { turn, moment: isOver && turn !== null ? 'end' : 'begin', late: turn !== null, isNamed: false },
    ],
  };
}
