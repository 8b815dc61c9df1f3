/**
 * The host's event log as events of the suggestion protocol. Each reader pulls at its own pace from a sequence number:
 * nothing is lost or repeated across broken connections and changes of leader. Caches translated entries.
 */
import { errorMessage } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import type { EventBody } from '../../protocol/event.ts';
import { SEQ_FACTOR } from '../../protocol/suggestion-wire.ts';
import { encodeAgentEvent } from '../agent/encode.ts';
import type { EncodedEvent, ServedSession } from '../port.ts';
import { encodeChange, encodePublished, encodeTouched } from './encode.ts';
import { ask, type SuggestionHost } from './port.ts';

/** Limit of cached translated entries. */
const KEPT_ENTRIES = 256;
/** Limit of their total length in characters; a longer one is translated again for late readers. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

export interface FeedEvent {
  readonly seq: number;
  readonly json: string;
  /** The working copy of the event; null: it concerns everybody. */
  readonly target: string | null;
  readonly author: string | null;
}

export interface FeedStep {
  readonly events: readonly FeedEvent[];
  /** The position to continue from. */
  readonly next: number;
  /** Some events in between are no longer stored. */
  readonly gap: boolean;
}

const NO_EVENTS = { events: [], characters: 0 };

interface Translated {
  readonly events: readonly FeedEvent[];
  readonly characters: number;
}

export class EventFeed {
  /** Shared by all readers that are notified of events. */
  readonly slices = new Slices();
  readonly #host: SuggestionHost;
  readonly #onDefect: (message: string) => void;
  readonly #kept = new Map<number, Promise<Translated>>();
  #keptCharacters = 0;
  readonly #listeners = new Set<() => void>();
  /** The newest entry of the log. */
  #headEntry: number;
  readonly #session: ServedSession;

  constructor(host: SuggestionHost, onDefect: (message: string) => void) {
    this.#host = host;
    this.#onDefect = onDefect;
    this.#headEntry = host.store.events.head();
    const sink = {
      send: () => undefined,
      sendEvent: (event: EncodedEvent) => this.#onEvent(event),
      unsentBytes: () => 0,
      end: () => undefined,
    };
    this.#session = host.openSession(sink, () => undefined);
    this.#session.receive({ subscribe: null });
  }

  /** The number after which all events are new. */
  head(): number {
    return endOf(this.#headEntry);
  }

  /** Whether everything after `since` is still stored. */
  knows(since: number): boolean {
    const entry = Math.floor(since / SEQ_FACTOR);
    return entry <= this.#headEntry && entry >= this.#host.store.events.oldest() - 1;
  }

  /** The next entry of the log after `since`; null if there is none yet. */
  async next(since: number): Promise<FeedStep | null> {
    const first = nextEntry(since);
    const entry = await this.#entryFrom(first);
    if (entry === null) return null;
    const events = entry.translated.events.filter((event) => event.seq > since);
    return { events, next: endOf(entry.seq), gap: entry.seq > first };
  }

  /** Calls `listener` after each new entry; returns a function that ends it. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#session.close();
  }

  #onEvent(event: EncodedEvent): void {
    this.#headEntry = event.seq;
    void this.#keep(event);
    for (const listener of this.#listeners) listener();
  }

  async #entryFrom(first: number): Promise<{ seq: number; translated: Translated } | null> {
    const known = this.#kept.get(first);
    if (known !== undefined) return { seq: first, translated: await known };
    if (first > this.#headEntry) return null;
    const [event] = this.#host.store.events.after(first - 1, 1);
    return event === undefined ? null : { seq: event.seq, translated: await this.#keep(event) };
  }

  #keep(event: EncodedEvent): Promise<Translated> {
    const known = this.#kept.get(event.seq);
    if (known !== undefined) return known;
    const made = this.#translate(event).catch((thrown) => {
      this.#onDefect(`Event ${event.seq} was left out because of a defect: ${errorMessage(thrown)}`);
      return NO_EVENTS;
    });
    this.#kept.set(event.seq, made);
    void made.then(({ characters }) => {
      this.#keptCharacters += characters;
      return this.#forget();
    });
    return made;
  }

  async #forget(): Promise<void> {
    for (const [seq, made] of this.#kept) {
      if (this.#kept.size <= KEPT_ENTRIES && this.#keptCharacters <= KEPT_CHARACTERS) return;
      this.#kept.delete(seq);
      this.#keptCharacters -= (await made).characters;
    }
  }

  async #translate(event: EncodedEvent): Promise<Translated> {
    // Drafts and prompts are private and long: they are not even parsed.
    if (!/^\{"type":"(?:review|agent)\//.test(event.json)) return NO_EVENTS;
    const body = JSON.parse(event.json) as EventBody;
    const { target, author } = aboutOf(body);
    const addressed =
      body.type === 'review/touched'
        ? encodeTouched(body)
        : (await this.#messages(body)).map((message) => ({ author, message }));
    const events: FeedEvent[] = [];
    for (const [index, { message, ...to }] of addressed.entries()) {
      await this.slices.pause();
      const seq = event.seq * SEQ_FACTOR + index;
      events.push({ seq, json: JSON.stringify({ ...message, seq, ts: event.ts }), target, ...to });
    }
    return { events, characters: events.reduce((sum, { json }) => sum + json.length, 0) };
  }

  async #messages(body: EventBody): Promise<Record<string, unknown>[]> {
    switch (body.type) {
      case 'review/published': {
        const shown = await ask(this.#host, 'review/show', { suggestion: body.suggestion.id });
        // The record of an old suggestion may be deleted; its event is still sent.
        await this.slices.pause();
        const suggestion = shown.ok ? shown.value : { ...body.suggestion, hunks: [], notes: [] };
        return encodePublished(suggestion);
      }
      case 'review/changed':
      case 'review/reported':
        return encodeChange(body);
      case 'agent/event':
      case 'agent/session':
        return encodeAgentEvent(body);
      default:
        return [];
    }
  }
}

function aboutOf(body: EventBody): { readonly target: string | null; readonly author: string | null } {
  if (body.type === 'review/reported') return { target: null, author: body.report.author };
  if (body.type === 'agent/event' || body.type === 'agent/session')
    return { target: body.root, author: body.author };
  if (body.type === 'review/touched') return { target: body.target, author: null };
  if (body.type !== 'review/published' && body.type !== 'review/changed')
    return { target: null, author: null };
  return { target: body.suggestion.target, author: body.suggestion.author };
}

/** The last number that an entry of the log can have. */
const endOf = (entry: number): number => entry * SEQ_FACTOR + SEQ_FACTOR - 1;

/** The entry that holds the next event: the same one when a reader stopped inside it. */
function nextEntry(since: number): number {
  const entry = Math.floor(since / SEQ_FACTOR);
  return since % SEQ_FACTOR === SEQ_FACTOR - 1 ? entry + 1 : Math.max(1, entry);
}
