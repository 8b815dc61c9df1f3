/**
 * The data for the selected hunk alone: its conflict, its context, its modified text, and the rest of a long diff.
 * Requests it and passes it on; an answer for another hunk is dropped.
 */
import path from 'node:path';
import type { Client } from '../../protocol/client.ts';
import type { Hunk, Inspection, Surroundings } from '../../protocol/review.ts';
import type { ReviewView } from '../../ui/review/port.ts';
import { sameConflict } from './suggestion-records.ts';
import { readWholeHunk } from './whole-hunk.ts';

/** Lines read beyond those requested, so that the next key press shows them at once. */
const CONTEXT_AHEAD_LINES = 20;
const CONTEXT_MAX_LINES = 1_000;

export interface MarkedPlace {
  readonly suggestion: string | null;
  readonly hunk: string | null;
  /** Lines shown above and below it. */
  readonly context: number;
}

export interface MarkedHunkPort {
  readonly client: Client;
  readonly place: () => MarkedPlace;
  readonly view: () => ReviewView;
  readonly publish: (change: Partial<ReviewView>) => void;
  /** Receives hunks that were read further. */
  readonly take: (hunks: readonly Hunk[]) => void;
  /** Watches a file; returns a function that stops this. */
  readonly watch: (file: string, onChange: () => Promise<void>) => () => void;
  /** The file of the selected hunk (by the name in its hunks) has changed. */
  readonly onFileChange: (file: string) => void;
}

export class MarkedHunk {
  readonly #port: MarkedHunkPort;
  /** The watched file of the selected hunk: its content decides whether the hunk fits. */
  #watched: { readonly file: string; readonly stop: () => void } | null = null;
  /** Hunks of the open suggestion that were read as far as possible. */
  readonly #completed = new Set<string>();

  constructor(port: MarkedHunkPort) {
    this.#port = port;
  }

  /** Call it when another suggestion is opened. */
  reset(): void {
    this.#completed.clear();
  }

  close(): void {
    this.#watched?.stop();
  }

  /** Reads what is missing. */
  async read(): Promise<void> {
    const { suggestion, hunk } = this.#port.place();
    if (suggestion === null || hunk === null) return;
    this.#watch(hunk);
    await this.#readConflict(suggestion, hunk);
    await this.#inspect(suggestion, hunk);
    await this.#readRest(suggestion);
  }

  #find(id: string | null): Hunk | undefined {
    return this.#port.view().open?.hunks.find((hunk) => hunk.id === id);
  }

  #watch(hunk: string): void {
    const { open } = this.#port.view();
    const marked = this.#find(hunk);
    if (open === null || marked === undefined) return;
    const file = path.join(open.target, marked.file);
    if (this.#watched?.file === file) return;
    this.#watched?.stop();
    const stop = this.#port.watch(file, async () => this.#port.onFileChange(marked.file));
    this.#watched = { file, stop };
  }

  async #readConflict(suggestion: string, hunk: string): Promise<void> {
    const { client, place, view, publish } = this.#port;
    if (this.#find(hunk)?.status !== 'conflict') return publish({ conflict: null });
    const sides = await client.request('review/conflict', { suggestion, hunk });
    if (place().hunk !== hunk) return;
    if (!sides.ok) return publish({ problem: sides.error, conflict: null });
    publish({ conflict: sameConflict(view().conflict, hunk, sides.value) });
  }

  /** Reads the context, if requested, and both texts of a modified hunk. */
  async #inspect(suggestion: string, hunk: string): Promise<void> {
    const { client, place, publish } = this.#port;
    const { context } = place();
    const isModified = this.#find(hunk)?.status === 'modified';
    if (!isModified) publish({ modified: null });
    if (context === 0 && !isModified) return;
    const lines = Math.min(CONTEXT_MAX_LINES, context === 0 ? 0 : context + CONTEXT_AHEAD_LINES);
    const seen = await client.request('review/inspect', { suggestion, hunk, above: lines, below: lines });
    if (place().suggestion !== suggestion || !seen.ok) return;
    if (context > 0) publish({ around: this.#around(hunk, seen.value.around) });
    if (isModified && place().hunk === hunk) publish({ modified: this.#modified(hunk, seen.value.modified) });
  }

  #around(hunk: string, around: Surroundings | null): ReviewView['around'] {
    const known = this.#port.view().around;
    if (JSON.stringify(known.get(hunk)) === JSON.stringify(around ?? undefined)) return known;
    const next = new Map(known);
    if (around === null) next.delete(hunk);
    else next.set(hunk, around);
    return next;
  }

  #modified(hunk: string, texts: Inspection['modified']): ReviewView['modified'] {
    const known = this.#port.view().modified;
    if (texts === null) return null;
    const isSame =
      known?.hunk === hunk &&
      known.texts.suggested === texts.suggested &&
      known.texts.result === texts.result;
    return isSame ? known : { hunk, texts };
  }

  /** Reads what did not fit into one answer: the hunks of the selected file, then the selected hunk page by page. */
  async #readRest(suggestion: string): Promise<void> {
    const { client, place, take } = this.#port;
    const marked = this.#find(place().hunk);
    if (marked === undefined || marked.diffComplete || this.#completed.has(marked.id)) return;
    const shown = await client.request('review/show', { suggestion, file: marked.file });
    if (!shown.ok || place().suggestion !== suggestion) return;
    take(shown.value.hunks.filter((one) => one.diff.length > 0));
    const rest = shown.value.hunks.find(({ id }) => id === marked.id);
    if (rest === undefined || rest.diffComplete) return;
    this.#completed.add(marked.id);
    const whole = await readWholeHunk(client, suggestion, rest);
    if (whole !== null && place().suggestion === suggestion) take([whole]);
  }
}
