/** Plays a recorded companion session (`COPANE_RECORD_SESSION`) against the surface's core: returns its last frame. */
import { readFileSync } from 'node:fs';
import type { RecordedEvent } from '../../src/app/tui/record-session.ts';
import type { UiPorts } from '../../src/ui/app/ports.ts';
import { markdownLines } from '../../src/ui/responses/markdown-lines.ts';
import { driveUi, type UiDriver } from './ui-driver.ts';
import { testClock } from './ui-fakes.ts';

type Listener = (...args: readonly unknown[]) => unknown;
type EventOf<K extends RecordedEvent['is']> = Extract<RecordedEvent, { is: K }>;

function withoutTags(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('$map' in value) return new Map(value.$map as [unknown, unknown][]);
  return '$set' in value ? new Set(value.$set as unknown[]) : value;
}

/** The events of a recording. */
export function readRecording(file: string): readonly RecordedEvent[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line, withoutTags) as RecordedEvent);
}

const isValue = (event: RecordedEvent): event is EventOf<'value'> => event.is === 'value';

/** Ports that return the recorded values at the recorded times. */
class RecordedPorts {
  readonly #events: readonly RecordedEvent[];
  readonly #values = new Map<string, unknown>();
  readonly #calls = new Map<string, PromiseWithResolvers<unknown>[]>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #async: ReadonlySet<string>;

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events;
    this.#async = new Set(events.flatMap((event) => (event.is === 'done' ? [event.of] : [])));
  }

  /** Objects with the recorded members, such as `review.look.read`. */
  ports(members: readonly string[]): object {
    const root: Record<string, unknown> = {};
    for (const of of members) {
      const path = of.split('.');
      const method = path.pop() as string;
      let port = root;
      for (const name of path) {
        port[name] ??= {};
        port = port[name] as Record<string, unknown>;
      }
      port[method] = (...args: readonly unknown[]) => this.#call(of, args);
    }
    return root;
  }

  apply(event: EventOf<'value' | 'done' | 'told'>): void {
    if (isValue(event)) this.#values.set(event.of, event.value);
    else if (event.is === 'done') this.#promise(event.of, event.call).resolve(event.value);
    else for (const listener of this.#listeners.get(event.of) ?? []) listener(...event.args);
  }

  #call(of: string, args: readonly unknown[]): unknown {
    const listener = args.find((arg) => typeof arg === 'function') as Listener | undefined;
    if (listener !== undefined) {
      const all = this.#listeners.get(of) ?? new Set();
      this.#listeners.set(of, all.add(listener));
      return () => all.delete(listener);
    }
    if (this.#async.has(of)) return this.#promise(of, this.#count(of)).promise;
    // Read before its line has come: the first recorded value was already there.
    if (!this.#values.has(of))
      this.#values.set(of, this.#events.filter(isValue).find((event) => event.of === of)?.value);
    return this.#values.get(of);
  }

  readonly #made = new Map<string, number>();
  #count(of: string): number {
    const call = this.#made.get(of) ?? 0;
    this.#made.set(of, call + 1);
    return call;
  }

  #promise(of: string, call: number): PromiseWithResolvers<unknown> {
    const all = this.#calls.get(of) ?? [];
    this.#calls.set(of, all);
    all[call] ??= Promise.withResolvers();
    return all[call];
  }
}

export interface Replayed {
  readonly ui: UiDriver;
  /** The frame at the end of the recording, as the companion drew it. */
  readonly recorded: readonly string[];
}

/** Plays all events; the surface is then in the companion's state. */
export async function replaySession(events: readonly RecordedEvent[]): Promise<Replayed> {
  const [start] = events;
  if (start?.is !== 'start') throw new Error('the recording has no start');
  const clock = testClock(start.at);
  const recorded = new RecordedPorts(events);
  const ports = recorded.ports(start.members);
  const ui = await driveUi({ ports: { ...ports, clock } as unknown as UiPorts }, { size: start.size });
  ui.controller.readBy(markdownLines);
  let lines: readonly string[] = [];
  for (const [at, event] of events.entries()) {
    clock.advance(Math.max(0, event.at - clock.now()));
    // Requests caused by this event are recorded after it.
    for (let next = at + 1; events[next] !== undefined; next++) {
      const value = events[next] as RecordedEvent;
      if (!isValue(value)) break;
      recorded.apply(value);
    }
    if (event.is === 'keys') await ui.type(event.bytes);
    else if (event.is === 'size') ui.controller.resize(event.size);
    else if (event.is === 'frame') lines = event.lines;
    else if (event.is === 'told' || event.is === 'done') recorded.apply(event);
    await ui.settle();
  }
  return { ui, recorded: lines };
}
