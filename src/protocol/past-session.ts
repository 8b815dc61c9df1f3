/** A session of an AI CLI as listed by `copane sessions` and the companion. Types only. */
import type { SessionRef } from './turn-range.ts';

export interface PastSession {
  readonly session: SessionRef;
  /** The first line of its first prompt; empty if there is none. */
  readonly title: string;
  /** When it was last written, ms since the epoch. */
  readonly changedAt: number;
  /** Number of turns with an answer, among the newest. */
  readonly answers: number;
  /** Older turns exist, which are not counted. */
  readonly more: boolean;
  /** The match; null in a list without a search. */
  readonly found: FoundTurn | null;
}

/** The newest turn of a session that has all the words. */
export interface FoundTurn {
  readonly turn: string;
  readonly line: string;
  /** Number of turns in this session that have all the words. */
  readonly count: number;
}
