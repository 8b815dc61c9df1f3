/** Reads what turns of a session changed, from the session file and from the looks during the turns. */
import { RecentMap } from '../lib/recent-map.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { sideBySide } from '../lib/side-by-side.ts';
import { isAlive } from '../platform/process-state.ts';
import { readRegular } from '../platform/regular-file.ts';
import type { NotKept, ObservedSide, SeenSpan } from '../protocol/changes.ts';
import type { SessionRef } from '../protocol/turn-range.ts';
import type { TranscriptRef, TranscriptSession } from '../responses/transcripts/port.ts';
import { createTranscriptReaders } from '../responses/transcripts/registry.ts';
import { displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import type { Blobs } from '../review/records/records.ts';
import type { SeenFile, SeenSide, SeenStep } from './core/attribute.ts';
import { withOurSteps } from './core/our-steps.ts';
import { type SeenChanges, type SeenTurns, seenChanges } from './core/seen-changes.ts';
import { settleEnds, unprovenFiles } from './core/settle-ends.ts';
import { FILE_TEXT_MAX_BYTES, type RecordedTurn } from './core/turn-edits.ts';
import { withRealPaths } from './real-paths.ts';
import { recordedTurns } from './recorded/registry.ts';
import { coveredFiles } from './snapshots/covered.ts';

/** The session files that are kept open for the next request. */
const SESSIONS_MAX = 4;
/** How many texts are read in parallel: most of the time is waiting. */
const READS_AT_ONCE = 8;
/** How many of a session's newest turns can be requested. */
const TURNS_MAX = 2_000;

export interface TurnReaderOptions {
  readonly seen: (session: SessionRef, turns: readonly string[]) => Promise<SeenSpan>;
  readonly blobs: Pick<Blobs, 'get'>;
}

/** The changes of turns, and the working tree in which they were seen; null if there was no look. */
export interface TurnsRead extends SeenChanges {
  /** Another AI worked in the same working tree. */
  readonly isShared: boolean;
  readonly root: string | null;
  readonly turns: readonly RecordedTurn[];
}

/** The turns between two ids; null: from the first, or up to the newest. */
export interface TurnRange {
  readonly from: string | null;
  readonly to: string | null;
}

/** Given the ids of turns, oldest first: the indexes of the first and the last wanted turn. */
export type PickTurns = (ids: readonly string[]) => Result<readonly [first: number, last: number]>;

interface SessionTurns {
  readonly ids: readonly string[];
  readonly recorded: readonly RecordedTurn[];
}

export class TurnReader {
  readonly #options: TurnReaderOptions;
  readonly #sessions = new RecentMap<string, TranscriptSession>(SESSIONS_MAX);
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: TurnReaderOptions) {
    this.#options = options;
  }

  /** The changes of a range of turns, as one difference for each file. */
  range(session: SessionRef, { from, to }: TurnRange): Promise<Result<TurnsRead>> {
    return this.some(session, TURNS_MAX, (ids) => {
      const first = from === null ? 0 : ids.indexOf(from);
      const last = to === null ? ids.length - 1 : ids.indexOf(to);
      if (first < 0 || last < first) return fail('not_found', 'This turn is no longer in the session.');
      return ok([first, last]);
    });
  }

  /** The changes of consecutive turns among the newest ones, as one difference for each file. */
  async some(session: SessionRef, newest: number, pick: PickTurns): Promise<Result<TurnsRead>> {
    const turns = await this.#turnsOf(session, newest);
    if (!turns.ok) return turns;
    const picked = pick(turns.value.ids);
    return picked.ok ? ok(await this.#read(session, turns.value, ...picked.value)) : picked;
  }

  /** A value for each of the newest turns, oldest first; `tell` reads the changes only if it needs them. */
  async each<T>(
    session: SessionRef,
    newest: number,
    tell: (turn: RecordedTurn, read: () => Promise<TurnsRead>) => Promise<T>,
  ): Promise<Result<readonly T[]>> {
    const turns = await this.#turnsOf(session, newest);
    if (!turns.ok) return turns;
    const { recorded } = turns.value;
    const start = Math.max(0, recorded.length - newest);
    const results: T[] = [];
    for (const [i, turn] of recorded.slice(start).entries())
      results.push(await tell(turn, () => this.#read(session, turns.value, start + i, start + i)));
    return ok(results);
  }

  /** One read at a time: two concurrent reads of a session would each get half. */
  #turnsOf(session: SessionRef, newest: number): Promise<Result<SessionTurns>> {
    const next = this.#queue.then(() => this.#readTurns(session, newest));
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #readTurns(session: SessionRef, newest: number): Promise<Result<SessionTurns>> {
    const opened = this.#session(session);
    const snapshot = await opened?.read({ turns: newest });
    if (snapshot == null) return unknown(opened?.failure() ?? `${session.path} cannot be read`);
    const recorded = await recordedTurns(snapshot, asRef(session), newest);
    if (recorded === null) return unknown(`copane reads no edits of ${session.cli}`);
    const byId = new Map(
      (await proven(await withRealPaths(recorded), session)).map((turn) => [turn.turnId, turn]),
    );
    const newestTurns = snapshot.turns.slice(-newest);
    return ok({
      ids: newestTurns.map(({ id }) => id),
      recorded: newestTurns.map(({ id, startedAt }) => ({ ...(byId.get(id) ?? nothing(id)), startedAt })),
    });
  }

  #session(session: SessionRef): TranscriptSession | undefined {
    const key = `${session.path}\0${session.sessionId}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const opened = createTranscriptReaders({ isAlive })
      .get(session.cli)
      ?.open(asRef(session), { withTools: true });
    if (opened !== undefined) this.#sessions.set(key, opened);
    return opened;
  }

  async #read(
    session: SessionRef,
    { ids, recorded }: SessionTurns,
    first: number,
    last: number,
  ): Promise<TurnsRead> {
    const turns = recorded.slice(first, last + 1);
    const span = await this.#options.seen(session, ids.slice(first, last + 1));
    const { root } = span;
    const isShared = span.others.length > 0;
    const seen = root === null ? null : await this.#seen(root, span, turns);
    return { root, turns, isShared, ...seenChanges(turns, seen) };
  }

  /** The actions of other AIs in the same working tree, according to their sessions. */
  async #others({ others }: SeenSpan): Promise<readonly RecordedTurn[]> {
    const turns: RecordedTurn[] = [];
    for (const { session, turns: ids } of others) {
      const read = await this.#turnsOf(session, TURNS_MAX);
      const wanted = new Set(ids);
      if (read.ok) turns.push(...read.value.recorded.filter(({ turnId }) => wanted.has(turnId)));
    }
    return turns;
  }

  async #seen(root: string, span: SeenSpan, turns: readonly RecordedTurn[]): Promise<SeenTurns> {
    const files = new Map<string, SeenStep[]>();
    const texts = await this.#texts(span);
    let { gap } = span;
    for (const look of span.looks) {
      gap ??= look.note;
      for (const { path: name, before, after, changedAt, readAt } of look.files) {
        const shown = displayBytes(name);
        if (utf8Bytes(shown) !== name) {
          gap ??= `the name of ${shown} is not UTF-8, and it is left out`;
          continue;
        }
        const steps = files.get(shown) ?? [];
        files.set(shown, steps);
        steps.push({
          before: sideOf(before, texts),
          after: sideOf(after, texts),
          changedAt,
          since: look.since ?? null,
          seenAt: readAt ?? look.at,
          isBetween: look.isBetween,
          ...(look.isOurs === undefined ? {} : { isOurs: look.isOurs }),
        });
      }
    }
    const seen = [...files].flatMap(([name, all]): SeenFile[] => {
      const steps = withOurSteps(all);
      return steps.length === 0 ? [] : [{ path: `${root}/${name}`, steps }];
    });
    const isSeen = new Set(seen.map(({ path }) => path));
    const unseen = turns
      .flatMap(({ edits }) => edits.map(({ path }) => path))
      .filter((file) => !isSeen.has(file));
    const unchanged = gap === null ? await coveredFiles(root, [...new Set(unseen)]) : new Set<string>();
    return { files: seen, unchanged, gap, until: span.until, others: await this.#others(span) };
  }

  /** The contents of the files at these looks, by blob id; each is read once. */
  async #texts({ looks }: SeenSpan): Promise<ReadonlyMap<string, Uint8Array>> {
    const sides = looks.flatMap(({ files }) => files.flatMap(({ before, after }) => [before, after]));
    const texts = new Map<string, Uint8Array>();
    await sideBySide([...new Set(sides.flatMap((side) => side?.blob ?? []))], READS_AT_ONCE, async (name) => {
      const bytes = await this.#options.blobs.get(name);
      if (bytes.ok) texts.set(name, bytes.value);
    });
    return texts;
  }
}

function sideOf(side: ObservedSide | null, texts: ReadonlyMap<string, Uint8Array>): SeenSide {
  if (side === null) return null;
  const { mode, blob, notKept } = side;
  const bytes = blob === null ? undefined : texts.get(blob);
  return bytes === undefined
    ? { mode, bytes: null, why: NOT_KEPT_WORDS[notKept ?? 'unknown'] }
    : { mode, bytes };
}

const NOT_KEPT_WORDS: Readonly<Record<NotKept, string>> = {
  large: 'it is larger than a snapshot keeps',
  many: 'more files changed at once than a snapshot keeps',
  filter: 'it is under a filter of the repository, and its bytes are not kept',
  unknown: 'what it held before is not known',
};

const unknown = (why: string) =>
  fail(
    'not_found',
    `changes of this session are not known: ${why}`,
    'For all changes since the last commit: git diff',
  );

/** Gemini CLI keeps CRLF in a file that has it. */
async function proven(turns: readonly RecordedTurn[], { cli }: SessionRef): Promise<readonly RecordedTurn[]> {
  const disk = new Map<string, Uint8Array>();
  for (const file of unprovenFiles(turns)) {
    const bytes = await readRegular(file, { maxBytes: FILE_TEXT_MAX_BYTES }).catch(() => null);
    if (bytes !== null) disk.set(file, bytes);
  }
  return settleEnds(turns, disk, cli === 'gemini');
}

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
