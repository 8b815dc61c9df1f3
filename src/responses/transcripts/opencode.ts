/** opencode's sessions, from its database or older folders. Queries only after changes, as many messages as needed. */

import path from 'node:path';
import { isSameTurn } from '../core/turn.ts';
import { fileAt, homeOf, MAX_CANDIDATES, namesIn, spellingsOf } from './files.ts';
import type { Reading } from './jsonl-session.ts';
import {
  type OpencodePage,
  type OpencodeStore,
  openOpencodeStore,
  type PageOptions,
  storeFailure,
} from './opencode-store.ts';
import { readOpencode } from './opencode-turns.ts';
import type {
  TranscriptPlace,
  TranscriptReader,
  TranscriptReadOptions,
  TranscriptRef,
  TranscriptSession,
  TranscriptSnapshot,
} from './port.ts';
import { MAX_TURNS } from './turn-builder.ts';

/** Messages queried first after a change; doubled while they hold too few turns. */
const FIRST_PAGE_MESSAGES = 64;
/** Most messages of one session in memory. */
const MAX_PAGE_MESSAGES = 16_384;

/** The reader of opencode's sessions. */
export function createOpencodeReader({ oldestFirst = false } = {}): TranscriptReader {
  return {
    cli: 'opencode',
    find: findSessions,
    trouble: findTrouble,
    open: (ref, options) => new OpencodeSession(ref, { ...options, oldestFirst }),
  };
}

/** The database of each release channel, and the older folder. */
async function storePaths(place: TranscriptPlace): Promise<readonly string[]> {
  const data = place.env.XDG_DATA_HOME || path.join(homeOf(place.env), '.local/share');
  const root = path.join(data, 'opencode');
  const databases = (await namesIn(root)).filter((name) => /^opencode(-[\w.]+)?\.db$/.test(name));
  return [...databases.map((name) => path.join(root, name)), path.join(root, 'storage')];
}

async function findSessions(place: TranscriptPlace): Promise<readonly TranscriptRef[]> {
  const folders = await spellingsOf(place.cwd);
  const { limit = MAX_CANDIDATES } = place;
  const refs: TranscriptRef[] = [];
  for (const file of await storePaths(place)) {
    const sessions = await openOpencodeStore(file)
      .sessions(folders, limit)
      .catch(() => []);
    for (const { id, modifiedAt, bornAt } of sessions)
      refs.push({ cli: 'opencode', path: file, sessionId: id, tie: 'folder', modifiedAt, bornAt });
  }
  return refs.sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, limit);
}

/** A store that exists but cannot be read. */
async function findTrouble(place: TranscriptPlace): Promise<string | null> {
  const folders = await spellingsOf(place.cwd);
  for (const file of await storePaths(place)) {
    try {
      await openOpencodeStore(file).sessions(folders, 1);
    } catch (thrown) {
      return storeFailure(thrown);
    }
  }
  return null;
}

class OpencodeSession implements TranscriptSession {
  readonly ref: TranscriptRef;
  readonly #store: OpencodeStore;
  readonly #options: PageOptions;
  #version: string | null = null;
  /** The newest page, joined with all earlier ones. */
  #page: OpencodePage | null = null;
  #snapshot: TranscriptSnapshot | null = null;
  #failure: string | null = null;

  constructor(ref: TranscriptRef, options: PageOptions) {
    this.ref = ref;
    this.#options = options;
    this.#store = openOpencodeStore(ref.path);
  }

  failure(): string | null {
    return this.#failure;
  }

  async read(options: TranscriptReadOptions = {}): Promise<TranscriptSnapshot | null> {
    const wanted = Math.min(options.turns ?? 1, MAX_TURNS);
    try {
      const version = await this.#store.version(this.ref.sessionId);
      if (version === null) return this.#lose(await this.#absence());
      const known = this.#snapshot;
      const isEnough = known !== null && (known.complete || known.turns.length >= wanted);
      if (isEnough && version === this.#version) return known;
      const next = await this.#ask(wanted);
      this.#version = version;
      this.#failure = null;
      if (known === null || this.#options.withTools || !isSame(known, next)) this.#snapshot = next;
      return this.#snapshot;
    } catch (thrown) {
      return this.#lose(storeFailure(thrown));
    }
  }

  async #ask(wanted: number): Promise<TranscriptSnapshot> {
    let limit = FIRST_PAGE_MESSAGES;
    let page = joinPages(this.#page, await this.#store.page(this.ref.sessionId, limit, this.#options));
    for (;;) {
      const reading = readOpencode(page.messages, page.revert, page.complete);
      const isLast = page.complete || page.messages.length >= MAX_PAGE_MESSAGES;
      if (isLast || reading.turns.length >= wanted || this.#options.oldestFirst) {
        this.#page = page;
        return toSnapshot(page, reading);
      }
      limit = Math.max(limit, page.messages.length) * 2;
      page = await this.#store.page(this.ref.sessionId, limit, this.#options);
    }
  }

  async #absence(): Promise<string> {
    const file = await fileAt(this.ref.path);
    return file === null ? `${this.ref.path} cannot be read` : 'the session has no messages';
  }

  #lose(reason: string): null {
    this.#version = null;
    this.#page = null;
    this.#snapshot = null;
    this.#failure = reason;
    return null;
  }
}

function toSnapshot(page: OpencodePage, reading: Reading): TranscriptSnapshot {
  return {
    turns: reading.turns,
    complete: page.complete && reading.turns.length < MAX_TURNS,
    state: reading.state,
    queued: reading.queued,
    facts: reading.facts,
    asked: reading.asked,
    problems: page.corrupt > 0 ? [`${page.corrupt} messages are not JSON and were left out`] : [],
  };
}

/** `newest` after the older messages of `known`, if they overlap. `newest` says what was undone. */
function joinPages(known: OpencodePage | null, newest: OpencodePage): OpencodePage {
  const first = newest.messages[0]?.id;
  const at = known === null || newest.complete ? -1 : known.messages.findIndex(({ id }) => id === first);
  if (known === null || at < 0) return newest;
  const messages = [...known.messages.slice(0, at), ...newest.messages];
  const kept = messages.slice(-MAX_PAGE_MESSAGES);
  return { ...newest, messages: kept, complete: known.complete && kept.length === messages.length };
}

/** The database changes with any of its sessions: an unchanged session keeps its object. */
function isSame(a: TranscriptSnapshot, b: TranscriptSnapshot): boolean {
  const isEqual =
    a.complete === b.complete &&
    a.state === b.state &&
    a.problems.join() === b.problems.join() &&
    a.queued.length === b.queued.length &&
    a.queued.every((text, at) => text === b.queued[at]);
  return (
    isEqual &&
    a.turns.length === b.turns.length &&
    a.turns.every((turn, at) => isSameTurn(turn, b.turns[at] ?? null))
  );
}
