/** Matches sessions with panes by the prompts sent there and their times, or by the screen. Needs no set-up. Pure. */
import type { Turn } from '../../protocol/turn.ts';
import { lowestShown, shownText } from '../core/shown-turn.ts';
import type { TranscriptRef, TranscriptSnapshot } from './port.ts';
import { matchSentText } from './sent-text.ts';

/** The newest turns of each candidate that may contain a prompt: a busy user sends more before we look. */
export const TIE_TURNS = 5;
/** How much the clocks of the file system and of the CLI may differ from ours. */
const CLOCK_SLACK_MS = 5_000;
/** Two sessions that accepted the same text within this time are distinguished by other prompts. */
const SAME_MOMENT_MS = 1_500;
/** A prompt whose record has no time counts as the most distant match. */
const UNTIMED_MS = Number.MAX_SAFE_INTEGER;

export interface SentText {
  readonly text: string;
  /** When its record was made, ms since the epoch: before the first byte was typed. */
  readonly at: number;
}

export interface TieCandidate {
  readonly ref: TranscriptRef;
  readonly snapshot: Pick<TranscriptSnapshot, 'turns' | 'queued'>;
  /** Of a session that another program may write, too. */
  readonly branches?: readonly (readonly Turn[])[];
}

/** A matched session, and when its newest accepted prompt was sent. */
export interface Tied {
  readonly ref: TranscriptRef;
  readonly at: number;
}

/** The session that accepted these prompts (newest first) soonest after the send; the first of equals, or null. */
export function tieBySent(candidates: readonly TieCandidate[], sent: readonly SentText[]): Tied | null {
  let left = candidates;
  let best: Tied | null = null;
  for (const prompt of sent) {
    const taken = left.flatMap((candidate) => {
      const delayMs = delayOf(candidate, prompt);
      return delayMs === null ? [] : [{ candidate, delayMs }];
    });
    if (taken.length === 0) continue;
    const soonest = taken.reduce((a, b) => (b.delayMs < a.delayMs ? b : a));
    const at: number = best?.at ?? prompt.at;
    best = { ref: { ...soonest.candidate.ref, tie: 'sent-text' }, at };
    const near = taken.filter(({ delayMs }) => delayMs - soonest.delayMs <= SAME_MOMENT_MS);
    if (near.length === 1) return best;
    left = near.map(({ candidate }) => candidate);
  }
  return best;
}

/**
 * The session whose newest turn is lowest on the screen, the first of equals; null if none is. An earlier turn counts
 * where another program may have continued the session, but not against an equal newest one: a fork repeats it.
 */
export function tieByScreen(
  candidates: readonly TieCandidate[],
  rows: readonly string[],
): TranscriptRef | null {
  const screen = shownText(rows);
  const newest = candidates.map(({ ref, snapshot }) => ({ ref, turns: snapshot.turns.slice(-1) }));
  const earlier = candidates.map(({ ref, branches = [] }) => ({ ref, turns: branches.flat() }));
  let best: { readonly ref: TranscriptRef; readonly at: number } | null = null;
  for (const { ref, turns } of [...newest, ...earlier]) {
    const at = Math.max(-1, ...turns.map((turn) => lowestShown(screen, turn)));
    if (at > (best?.at ?? -1)) best = { ref, at };
  }
  return best === null ? null : { ...best.ref, tie: 'screen' };
}

/**
 * The turns of one of several programs that write the same session: those that lead to the lowest turn on its screen,
 * or to `last`, its last turn so far; null if neither is known.
 */
export function turnsOfPane(
  branches: readonly (readonly Turn[])[],
  rows: readonly string[],
  last: string | null,
): readonly Turn[] | null {
  const screen = shownText(rows);
  let best: { readonly turns: readonly Turn[]; readonly at: number } | null = null;
  for (const branch of branches) {
    const shown = branch.map((turn) => lowestShown(screen, turn));
    const at = Math.max(-1, ...shown);
    if (at > (best?.at ?? -1)) best = { turns: branch.slice(0, shown.lastIndexOf(at) + 1), at };
  }
  if (best !== null) return best.turns;
  const known = branches.find((branch) => branch.some(({ id }) => id === last));
  return known?.slice(0, known.findIndex(({ id }) => id === last) + 1) ?? null;
}

/** How long after the send the session accepted the prompt; null if it did not. */
function delayOf({ snapshot }: TieCandidate, { text, at }: SentText): number | null {
  const turns = snapshot.turns
    .slice(-TIE_TURNS)
    .filter(({ startedAt }) => startedAt === null || startedAt >= at - CLOCK_SLACK_MS);
  const match = matchSentText({ turns, queued: snapshot.queued }, text);
  if (match === null) return null;
  if (match.kind === 'queued') return 0;
  const { startedAt } = match.turn;
  return startedAt === null ? UNTIMED_MS : Math.max(0, startedAt - at);
}
