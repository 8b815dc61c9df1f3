/** Reads what turns of a session changed: out of the session file, and out of what was seen while they went on. */
import { fail, ok, type Result } from '../lib/result.ts';
import { isAlive } from '../platform/process-state.ts';
import type { NotKept, ObservedSide, TurnMark } from '../protocol/changes.ts';
import type { SessionRef } from '../protocol/turn-range.ts';
import type { TranscriptRef, TranscriptSession } from '../responses/transcripts/port.ts';
import { createTranscriptReaders } from '../responses/transcripts/registry.ts';
import { displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import type { Blobs } from '../review/records/records.ts';
import type { StoredObservation } from '../store/observation-table.ts';
import type { SeenFile, SeenSide, SeenStep } from './core/attribute.ts';
import { type SeenChanges, type SeenTurns, seenChanges } from './core/seen-changes.ts';
import type { RecordedTurn } from './core/turn-edits.ts';
import { isBetween, spanOf } from './core/turn-span.ts';
import { recordedTurns } from './recorded/registry.ts';

/** Session files that are kept open for the next question. */
const SESSIONS_MAX = 4;
/** Newest turns of a session that can be asked for. */
const TURNS_MAX = 2_000;

/** Where looks and turns are kept. */
export interface SeenRecords {
  /** The last look at a working tree at which something had changed; 0 for none. */
  head(root: string): number;
  turns(session: string): ReadonlyMap<string, TurnMark>;
  between(root: string, from: number, to: number): readonly StoredObservation[];
  isWhole(from: number, to: number): boolean;
}

export interface TurnReaderOptions {
  readonly records: SeenRecords;
  readonly blobs: Pick<Blobs, 'get'>;
}

/** What turns changed, and the working tree in which that was seen; null where nobody looked. */
export interface TurnsRead extends SeenChanges {
  readonly root: string | null;
}

/** The turns from one to another; null: from the first, up to the newest. */
export interface TurnRange {
  readonly from: string | null;
  readonly to: string | null;
}

interface SessionTurns {
  readonly ids: readonly string[];
  readonly recorded: readonly RecordedTurn[];
}

/** One string for a session, as its turns are kept under. */
export const sessionKey = ({ cli, sessionId }: SessionRef) => `${cli}:${sessionId}`;

export class TurnReader {
  readonly #options: TurnReaderOptions;
  readonly #sessions = new Map<string, TranscriptSession>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: TurnReaderOptions) {
    this.#options = options;
  }

  /** The changes of a range of turns, as one difference for each file. */
  async range(session: SessionRef, { from, to }: TurnRange): Promise<Result<TurnsRead>> {
    const turns = await this.#turnsOf(session, TURNS_MAX);
    if (!turns.ok) return turns;
    const { ids } = turns.value;
    const first = from === null ? 0 : ids.indexOf(from);
    const last = to === null ? ids.length - 1 : ids.indexOf(to);
    if (first < 0 || last < first) return fail('not_found', 'This turn is not in the session any more.');
    return ok(await this.#read(session, turns.value, first, last));
  }

  /** The changes of each of the newest turns by itself, oldest first. */
  async each(
    session: SessionRef,
    newest: number,
  ): Promise<Result<readonly (TurnsRead & { readonly turn: string })[]>> {
    const turns = await this.#turnsOf(session, newest);
    if (!turns.ok) return turns;
    const { ids } = turns.value;
    const start = Math.max(0, ids.length - newest);
    const read: (TurnsRead & { readonly turn: string })[] = [];
    for (const [i, turn] of ids.slice(start).entries())
      read.push({ turn, ...(await this.#read(session, turns.value, start + i, start + i)) });
    return ok(read);
  }

  /** One reading at a time: a session that is read twice at once gives two halves. */
  #turnsOf(session: SessionRef, newest: number): Promise<Result<SessionTurns>> {
    const next = this.#queue.then(() => this.#readTurns(session, newest));
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #readTurns(session: SessionRef, newest: number): Promise<Result<SessionTurns>> {
    const snapshot = await this.#session(session)?.read({ turns: newest });
    if (snapshot == null) return fail('not_found', `The session file ${session.path} cannot be read.`);
    const recorded = (await recordedTurns(snapshot, asRef(session), newest)) ?? [];
    const byId = new Map(recorded.map((turn) => [turn.turnId, turn]));
    const ids = snapshot.turns.slice(-newest).map(({ id }) => id);
    return ok({ ids, recorded: ids.map((id) => byId.get(id) ?? nothing(id)) });
  }

  #session(session: SessionRef): TranscriptSession | undefined {
    const key = `${session.path}\0${session.sessionId}`;
    const known = this.#sessions.get(key);
    this.#sessions.delete(key);
    const opened =
      known ??
      createTranscriptReaders({ isAlive }).get(session.cli)?.open(asRef(session), { withTools: true });
    if (opened === undefined) return undefined;
    this.#sessions.set(key, opened);
    for (const one of this.#sessions.keys()) {
      if (this.#sessions.size <= SESSIONS_MAX) break;
      this.#sessions.delete(one);
    }
    return opened;
  }

  async #read(
    session: SessionRef,
    { ids, recorded }: SessionTurns,
    first: number,
    last: number,
  ): Promise<TurnsRead> {
    const { records } = this.#options;
    const known = records.turns(sessionKey(session));
    const marks = ids.slice(first, last + 1).map((id) => known.get(id) ?? null);
    const span = spanOf(marks, { head: (root) => records.head(root), all: known.values() });
    const turns = recorded.slice(first, last + 1);
    if (!('root' in span)) return { root: null, ...seenChanges(turns, null) };
    const isWhole = records.isWhole(span.from, span.to);
    const looks = records.between(span.root, span.from, span.to);
    const seen = await this.#seen(span.root, looks, marks);
    const gap = isWhole ? (span.gap ?? seen.gap) : 'the snapshots of that time are not kept any more';
    return { root: span.root, ...seenChanges(turns, { files: seen.files, gap }) };
  }

  async #seen(
    root: string,
    looks: readonly StoredObservation[],
    marks: readonly (TurnMark | null)[],
  ): Promise<SeenTurns> {
    const files = new Map<string, SeenStep[]>();
    let gap: string | null = null;
    for (const look of looks) {
      gap ??= look.note;
      const between = isBetween(look, marks);
      for (const { path: name, before, after, changedAt } of look.files) {
        const shown = displayBytes(name);
        if (utf8Bytes(shown) !== name) {
          gap ??= `the name of ${shown} is no UTF-8, and it is left out`;
          continue;
        }
        const steps = files.get(shown) ?? [];
        files.set(shown, steps);
        steps.push({
          before: await this.#side(before),
          after: await this.#side(after),
          changedAt,
          seenAt: look.at,
          isBetween: between,
        });
      }
    }
    const seen = [...files].map(([name, steps]): SeenFile => ({ path: `${root}/${name}`, steps }));
    return { files: seen, gap };
  }

  async #side(side: ObservedSide | null): Promise<SeenSide> {
    if (side === null) return null;
    const { mode, blob, notKept } = side;
    const bytes = blob === null ? null : await this.#options.blobs.get(blob);
    if (bytes?.ok === true) return { mode, bytes: bytes.value };
    return { mode, bytes: null, why: NOT_KEPT_WORDS[notKept ?? 'unknown'] };
  }
}

const NOT_KEPT_WORDS: Readonly<Record<NotKept, string>> = {
  large: 'it is larger than a snapshot keeps',
  many: 'more files changed at once than a snapshot keeps',
  filter: 'it is under a filter of the repository, and its bytes are not kept',
  unknown: 'what it held before is not known',
};

const asRef = ({ cli, path, sessionId }: SessionRef): TranscriptRef => ({
  cli,
  path,
  sessionId,
  tie: 'hook',
  modifiedAt: 0,
});

const nothing = (turnId: string): RecordedTurn => ({
  turnId,
  edits: [],
  commands: [],
  interrupted: false,
  rewound: false,
});
