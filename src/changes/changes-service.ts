/** The service for the changes of turns: scans working trees (a *look*) when turns begin and end. */
import path from 'node:path';
import { RecentMap } from '../lib/recent-map.ts';
import { ok, type Result } from '../lib/result.ts';
import type { Observation, ObservedFile, ObservedSide, SeenSpan, TurnMark } from '../protocol/changes.ts';
import type { CommandInput, CommandResult, CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { SessionRef, TurnRange } from '../protocol/turn-range.ts';
import { type ByteString, utf8Bytes } from '../review/core/bytes.ts';
import { type FileImage, modeOf } from '../review/core/file-state.ts';
import type { TurnOfSession } from '../review/publishing/turn-review.ts';
import type { Blobs } from '../review/records/records.ts';
import type { SourcedPatch } from '../review/sources/git-source.ts';
import { topOf } from '../review/vcs/repository-place.ts';
import type { RecordedTurn, TurnChanges } from './core/turn-edits.ts';
import { type SeenRecords, seenSpan, sessionKey } from './seen-span.ts';
import {
  CLOCK_TICK_MS,
  type Observer,
  SNAPSHOT_FILE_MAX_BYTES,
  type SnapshotBlobs,
} from './snapshots/observer.ts';
import { TurnReader } from './turn-reader.ts';
import { turnPatch } from './turn-source.ts';

export interface ChangeRecords extends SeenRecords {
  keepLook(root: string, seen: Observation): Result<unknown>;
  keepTurn(session: string, turn: string, mark: TurnMark): Result<unknown>;
}

export interface ChangesOptions {
  readonly blobs: SnapshotBlobs & Pick<Blobs, 'get'>;
  readonly records: ChangeRecords;
  readonly observer: Pick<Observer, 'look' | 'lookedAt' | 'sweep'>;
  readonly now: () => number;
  /** Called when more may be known about a turn. */
  readonly onTurn: (of: TurnOfSession) => Promise<Result<void>>;
}

/** How many looks may be stored between the start of a turn and its first mark, which is late on a busy machine. */
const LOOKS_AT_BEGIN = 20;
/** Turns whose figures are kept; `RecentMap` keeps between half of them and all. */
const COUNTS_MAX = 1_000;

export class ChangesService implements ServiceOf<CommandsBy<'changes'>> {
  readonly #options: ChangesOptions;
  /** Figures of finished turns; the key covers everything that they are computed from. */
  readonly #counts = new RecentMap<string, Figures>(COUNTS_MAX);
  readonly turns: TurnReader;

  constructor(options: ChangesOptions) {
    this.#options = options;
    const { blobs } = options;
    this.turns = new TurnReader({
      blobs,
      seen: async (session, turns) => this.#span(session, turns),
    });
  }

  /** Deletes data that no later look needs. */
  sweep(now: number, signal: AbortSignal): Promise<void> {
    return this.#options.observer.sweep(now, signal);
  }

  /** Looks at the working tree of a turn that begins, continues or ends. */
  async mark(input: CommandInput<'changes/mark'>): Promise<Result<CommandResult<'changes/mark'>>> {
    const marked = await this.#look(input);
    const { session, turn } = input;
    if (!marked.ok || session === null || turn === null) return marked;
    const told = await this.#options.onTurn({ session, turn });
    return told.ok ? marked : told;
  }

  async #look(input: CommandInput<'changes/mark'>): Promise<Result<CommandResult<'changes/mark'>>> {
    const { records, observer } = this.#options;
    let before: number | null = null;
    const looked = await observer.look(input.folder, (top, seen) => {
      before = records.head(top);
      return records.keepLook(top, seen);
    });
    if (!looked.ok) return looked.error.code === 'not_found' ? ok({ look: null }) : looked;
    const { top, first, startedAt } = looked.value;
    const look = records.head(top);
    if (input.turn === null || input.session === null) return ok({ look });
    const session = sessionKey(input.session);
    const known = records.turns(session).get(input.turn);
    // For a turn that ended before it was noticed, only a missed end is useful.
    if (input.moment === 'end' && input.late && known?.to !== null) return ok({ look });
    const from = input.since ?? (input.moment === 'begin' ? look : (before ?? look));
    const mark: TurnMark = {
      root: top,
      from: known?.from ?? this.#withFirst(top, from, input.startedAt),
      to: input.moment === 'end' ? look : null,
      ...(input.moment === 'end' ? { until: startedAt } : {}),
      late: known?.late ?? (input.late || first || this.#isBefore(input.startedAt, top, from)),
      of: input.session,
    };
    const kept = records.keepTurn(session, input.turn, mark);
    return kept.ok ? ok({ look }) : kept;
  }

  /** Whether the turn began before the first look at its files had finished. */
  #isBefore(startedAt: number | null, root: string, from: number): boolean {
    const [look] = startedAt === null ? [] : this.#options.records.between(root, from - 1, from);
    // Only the first look is stored even if nothing changed.
    const isFirst = look?.files.length === 0 && look.note === null;
    return isFirst && look.at > (startedAt ?? 0);
  }

  /**
   * The AI may write before the look at the start of its turn: everything written since the start belongs to the turn.
   * The first of these looks also sees what copane wrote just before, so those writes must be known.
   */
  #withFirst(root: string, from: number, startedAt: number | null): number {
    const looks = this.#options.records.between(root, from - LOOKS_AT_BEGIN, from);
    const since = looks.findIndex(({ files, isOurs }) =>
      files.some(({ changedAt }) => isOurs !== true && isSince(changedAt, startedAt)),
    );
    let first = since < 0 ? looks.length : since;
    while (looks[first - 1]?.isOurs === true) first -= 1;
    return (looks[first]?.seq ?? from + 1) - 1;
  }

  /** Records what copane wrote for a reviewer below a followed folder: no look may attribute it to someone else. */
  async wrote(
    folder: string,
    writes: readonly { readonly old: FileImage | null; readonly new: FileImage | null }[],
  ): Promise<Result<unknown>> {
    const { records, now } = this.#options;
    const root = foldersAbove(folder).find((each) => records.head(each) > 0);
    if (root === undefined) return ok(null);
    const below = utf8Bytes(path.relative(root, folder));
    const at = now();
    const files: ObservedFile[] = [];
    for (const write of writes) {
      // Looks do not store files of this size either.
      if ([write.old, write.new].some((image) => (image?.bytes.length ?? 0) > SNAPSHOT_FILE_MAX_BYTES))
        continue;
      const names = new Set([write.old, write.new].flatMap((image) => image?.path ?? []));
      for (const name of names) {
        const [before, after] = [await this.#side(write.old, name), await this.#side(write.new, name)];
        if (!before.ok) return before;
        if (!after.ok) return after;
        const full = below === '' ? name : `${below}/${name}`;
        files.push({ path: full, before: before.value, after: after.value, changedAt: at, readAt: at });
      }
    }
    return records.keepLook(root, { files, note: null, isOurs: true });
  }

  async #side(image: FileImage | null, name: ByteString): Promise<Result<ObservedSide | null>> {
    if (image === null || image.path !== name) return ok(null);
    const blob = await this.#options.blobs.put(image.bytes, 'ordered');
    return blob.ok ? ok({ mode: modeOf(image), blob: blob.value }) : blob;
  }

  /** What turns changed, as an in-place review of the working tree that contains `target`. */
  async source(range: TurnRange, target: string): Promise<Result<SourcedPatch>> {
    const read = await this.turns.range(range.session, range);
    if (!read.ok) return read;
    const { changes, files } = read.value;
    const root = read.value.root ?? topOf(target) ?? target;
    const who = read.value.turns.length === 1 ? 'This answer' : 'These answers';
    return turnPatch(root, files, { who, unknown: changes.unknown, isPlain: topOf(root) === null });
  }

  #span(session: SessionRef, turns: readonly string[]): SeenSpan {
    const { records, observer } = this.#options;
    return seenSpan(records, { session, turns, lookedAt: (root) => observer.lookedAt(root) });
  }

  /** The changes that looks found in files during these turns. */
  async seen({
    session,
    turns,
  }: CommandInput<'changes/seen'>): Promise<Result<CommandResult<'changes/seen'>>> {
    return ok(this.#span(session, turns));
  }

  /** The counts of files and lines that each of the newest turns changed. A finished turn is counted once. */
  async list({
    session,
    turns,
  }: CommandInput<'changes/list'>): Promise<Result<CommandResult<'changes/list'>>> {
    const marks = this.#options.records.turns(sessionKey(session));
    const read = await this.turns.each(session, turns, async (turn, changes) => {
      const mark = marks.get(turn.turnId);
      const stamp = mark === undefined || mark.to === null ? null : stampOf(session, turn, mark);
      const known = stamp === null ? undefined : this.#counts.get(stamp);
      if (known !== undefined) return known;
      const { isShared, changes: told } = await changes();
      const figures = figuresOf(turn.turnId, told);
      if (stamp !== null && !isShared) this.#counts.set(stamp, figures);
      return figures;
    });
    return read.ok ? ok({ turns: [...read.value] }) : read;
  }
}

const isSince = (changedAt: number | null, startedAt: number | null): boolean =>
  changedAt !== null && startedAt !== null && changedAt + CLOCK_TICK_MS > startedAt;

function foldersAbove(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

type Figures = CommandResult<'changes/list'>['turns'][number];

function figuresOf(turn: string, { files, added, removed, unknown }: TurnChanges): Figures {
  return { turn, files: files.length, added, removed, gap: unknown ?? null };
}

/** Everything that the figures of a turn are computed from. */
function stampOf(
  session: SessionRef,
  { turnId, edits, commands, rewound }: RecordedTurn,
  mark: TurnMark,
): string {
  const told = edits.map(({ path: file, order, at, outcome }) => [file, order, at, outcome]);
  return JSON.stringify([sessionKey(session), turnId, mark, told, commands, rewound]);
}
