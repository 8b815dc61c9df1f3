/** A session of an AI CLI as it is listed: `copane sessions`, and the list of sessions of the companion. Types only. */
import type { SessionRef } from './turn-range.ts';

export interface PastSession {
  readonly session: SessionRef;
  /** The first line of its first prompt that is kept; empty when there is none. */
  readonly title: string;
  /** When it was written last, ms since the epoch. */
  readonly changedAt: number;
  /** Turns with an answer. */
  readonly answers: number;
  /** The match; null in a list without a search. */
  readonly found: FoundTurn | null;
}

/** The newest turn of a session with all the words. */
export interface FoundTurn {
  readonly turn: string;
  readonly line: string;
  /** Turns of this session with all the words. */
  readonly count: number;
}
