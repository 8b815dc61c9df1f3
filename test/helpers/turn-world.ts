/** A working tree, AI sessions in it and copane's records of both: plays turns, and queries them as a host does. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Host } from '../../src/app/host/host.ts';
import { changeRecords } from '../../src/app/host/open-changes.ts';
import { createReviews } from '../../src/app/host/reviews.ts';
import { SILENT_LOG } from '../../src/app/log/log.ts';
import { ChangesService } from '../../src/changes/changes-service.ts';
import { CLOCK_TICK_MS, Observer } from '../../src/changes/snapshots/observer.ts';
import type { Result } from '../../src/lib/result.ts';
import { commands } from '../../src/protocol/command.ts';
import type { Suggestion } from '../../src/protocol/review.ts';
import type { SessionRef } from '../../src/protocol/turn-range.ts';
import { DEFAULT_SETTINGS } from '../../src/review/finishing/settings.ts';
import type { ReviewService } from '../../src/review/review-service.ts';
import { BlobStore } from '../../src/store/blobs.ts';
import type { Commit } from '../../src/store/sqlite.ts';
import { openStore, type Store, type StoreWriter } from '../../src/store/store.ts';
import { git } from './git-fixture.ts';
import { removeTree } from './remove-tree.ts';

export class TurnWorld {
  readonly root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-turns-')));
  readonly project = path.join(this.root, 'project');
  readonly stateDir = path.join(this.root, 'state');
  readonly observer: Observer;
  readonly service: ChangesService;
  readonly reviews: ReviewService;
  readonly #store: Store;

  /** `files`: of the first commit. */
  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(this.project);
    mkdirSync(this.stateDir, { mode: 0o700 });
    for (const [name, text] of Object.entries(files)) this.put(name, text);
    git(this.project, 'init', '-q');
    git(this.project, 'add', '.');
    git(this.project, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first');
    const opened = openStore({ stateDir: this.stateDir, now: Date.now });
    if (!opened.ok) throw new Error(opened.error.message);
    this.#store = opened.value;
    this.#store.beginEpoch({ pid: process.pid, startedAt: Date.now(), version: 'test', socketPath: '' });
    const { stateDir } = this;
    const blobs = new BlobStore(stateDir);
    this.observer = new Observer({ root: path.join(stateDir, 'snapshots'), blobs });
    const write: Host['write'] = (...change) => this.#write(...change);
    this.service = new ChangesService({
      observer: this.observer,
      blobs,
      now: Date.now,
      onTurn: (turn) => this.reviews.renew(turn),
      records: changeRecords({ store: this.#store, write }, Date.now),
    });
    const options = { store: this.#store, stateDir, now: Date.now, log: SILENT_LOG };
    this.reviews = createReviews(
      {
        ...options,
        settings: () => DEFAULT_SETTINGS,
        turns: (...wanted) => this.service.source(...wanted),
        onWritten: (...written) => this.service.wrote(...written),
      },
      (change, commit) => this.#write(change, commit),
    );
  }

  #write<T>(change: (writer: StoreWriter) => Result<T>, commit?: Commit): Result<T> {
    const outcome = this.#store.write(change, commit);
    if (!outcome.ok) return outcome;
    if (outcome.value.kind !== 'done') throw new Error('another leader');
    return outcome.value.result;
  }

  put(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.project, name)), { recursive: true });
    writeFileSync(path.join(this.project, name), text);
  }

  held(name: string): string {
    return readFileSync(path.join(this.project, name), 'utf8');
  }

  /** The first look, before any turn. */
  look(): Promise<unknown> {
    return this.#mark({ ref: null, turn: null, moment: 'begin', startedAt: null });
  }

  /** The review of one turn, by default the newest. */
  async review(session: PlayedSession, turn: number | 'all' = -1): Promise<Suggestion> {
    const id = turn === 'all' ? null : (session.turns.at(turn) ?? '');
    const source = { kind: 'turn', session: session.ref, from: id, to: id } as const;
    const wanted = commands['review/publish'].params.parse({ target: this.project, source });
    const opened = await this.reviews.publish(wanted);
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }

  /** Decides as a client that sends only this. */
  decide(wanted: object): ReturnType<ReviewService['decisions']['decide']> {
    return this.reviews.decisions.decide(commands['review/decide'].params.parse(wanted));
  }

  session(id: string): PlayedSession {
    return new PlayedSession(this, id, (wanted) => this.#mark(wanted));
  }

  async #mark({ ref, ...moment }: Marked): Promise<void> {
    const marked = await this.service.mark({
      folder: this.project,
      session: ref,
      since: null,
      late: false,
      ...moment,
    });
    if (!marked.ok) throw new Error(marked.error.message);
  }

  close(): void {
    this.#store.close();
    removeTree(this.root);
  }
}

interface Marked {
  readonly ref: SessionRef | null;
  readonly turn: string | null;
  readonly moment: 'begin' | 'end';
  readonly startedAt: number | null;
}

/** A session of pi, written as pi does. */
export class PlayedSession {
  readonly ref: SessionRef;
  readonly turns: string[] = [];
  readonly #world: TurnWorld;
  readonly #mark: (wanted: Marked) => Promise<void>;
  #ids = 0;
  #last: string | null = null;
  #startedAt = 0;

  constructor(world: TurnWorld, id: string, mark: (wanted: Marked) => Promise<void>) {
    this.#world = world;
    this.#mark = mark;
    this.ref = { cli: 'pi', path: path.join(world.root, `${id}.jsonl`), sessionId: id };
    this.#line({ type: 'session', version: 3, id, timestamp: new Date().toISOString(), cwd: world.project });
  }

  #line(record: object): void {
    appendFileSync(this.ref.path, `${JSON.stringify(record)}\n`);
  }

  #tell(message: object): string {
    this.#ids += 1;
    const id = `${this.ref.sessionId}-${this.#ids}`;
    this.#line({ type: 'message', id, parentId: this.#last, timestamp: new Date().toISOString(), message });
    this.#last = id;
    return id;
  }

  /** A person needs longer for a prompt than file timestamps are uncertain, unless it was sent `at` this time. */
  async begin(at: number | null = null): Promise<void> {
    if (at === null) this.#awaitTick(2 * CLOCK_TICK_MS);
    this.#startedAt = at ?? Date.now();
    this.turns.push(this.#tell({ role: 'user', content: 'Go on.' }));
    await this.look();
  }

  /** A look during the turn. */
  look(moment: Marked['moment'] = 'begin'): Promise<void> {
    return this.#mark({ ref: this.ref, turn: this.turns.at(-1) ?? null, moment, startedAt: this.#startedAt });
  }

  #begin(name: string, args: object): (details: object) => void {
    const id = `c${this.#ids}`;
    const call = { type: 'toolCall', id, name, arguments: args };
    this.#tell({ role: 'assistant', stopReason: 'toolUse', content: [call] });
    return (details) => {
      const result = { role: 'toolResult', toolCallId: id, toolName: name, isError: false };
      this.#tell({ ...result, content: [], details });
    };
  }

  /** The tool replaces the text of a file's line; `line` from 1. */
  edit(name: string, line: number, to: string): void {
    const lines = this.#world.held(name).split('\n');
    const old = lines[line - 1] ?? '';
    const args = { path: name, edits: [{ oldText: `${old}\n`, newText: `${to}\n` }] };
    const end = this.#begin('edit', args);
    lines[line - 1] = to;
    this.#world.put(name, lines.join('\n'));
    end({ patch: `--- a\n+++ b\n@@ -${line},1 +${line},1 @@\n-${old}\n+${to}\n` });
  }

  /** A command does this. */
  run(act: () => void): void {
    const end = this.#begin('bash', { command: 'run' });
    this.#awaitTick();
    act();
    end({});
  }

  /** A command during which all this happens. */
  async runs(act: () => Promise<unknown> | unknown): Promise<void> {
    const end = this.#begin('bash', { command: 'run' });
    this.#awaitTick();
    await act();
    end({});
  }

  /** A real command starts more slowly than the clock of file timestamps ticks. */
  #awaitTick(afterMs = 0): void {
    const probe = path.join(this.#world.root, 'tick');
    const wanted = Date.now() + afterMs;
    do writeFileSync(probe, '');
    while (statSync(probe).ctimeMs < wanted);
  }

  async end(): Promise<void> {
    this.#tell({ role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text: 'Done.' }] });
    await this.look('end');
  }

  /** What the newest turn changed, each hunk as `file: hand -old +new`. */
  async told(): Promise<readonly string[]> {
    const [turn = ''] = this.turns.slice(-1);
    const read = await this.#world.service.turns.range(this.ref, { from: turn, to: turn });
    if (!read.ok) throw new Error(read.error.message);
    return read.value.changes.files.flatMap(({ path: file, hunks }) =>
      hunks.map(({ origin, lines }) => {
        const changed = lines.filter((line) => line[0] !== ' ').map((line) => line.trimEnd());
        return `${path.relative(this.#world.project, file)}: ${origin} ${changed.join(' ')}`;
      }),
    );
  }
}
