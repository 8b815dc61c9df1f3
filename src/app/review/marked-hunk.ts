/** The data for the selected hunk: conflict, context, modified text, the rest of a long diff. Drops late answers. */

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../protocol/client.ts';
import type { Hunk, HunkLine, Inspection, Surroundings } from '../../protocol/review.ts';
import type { ReviewView } from '../../ui/review/port.ts';
import { sameConflict } from './suggestion-records.ts';

/** Lines read beyond those requested, so that the next key press shows them at once. */
const CONTEXT_AHEAD_LINES = 20;
const CONTEXT_MAX_LINES = 1_000;

export interface MarkedPlace {
  readonly suggestion: string | null;
  readonly hunk: string | null;
  /** How many lines are shown above and below it. */
  readonly context: number;
}

export interface MarkedHunkPort {
  readonly client: Client;
  readonly place: () => MarkedPlace;
  readonly view: () => ReviewView;
  readonly publish: (change: Partial<ReviewView>) => void;
  /** Receives hunks of which more was read. */
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
    if (isDeepStrictEqual(known.get(hunk), around ?? undefined)) return known;
    const next = new Map(known);
    if (around === null) next.delete(hunk);
    else next.set(hunk, around);
    return next;
  }

  #modified(hunk: string, texts: Inspection['modified']): ReviewView['modified'] {
    const known = this.#port.view().modified;
    if (texts === null) return null;
    const next = { hunk, texts };
    return isDeepStrictEqual(known, next) ? known : next;
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
    const complete = await completeHunk(client, suggestion, rest);
    if (complete !== null && place().suggestion === suggestion) take([complete]);
  }
}

const PAGE_LINES = 5_000;
/** A longer line is truncated, since a page must fit into a message. */
const LINE_MAX_BYTES = 1_024;
/** A hunk with more lines stays truncated. */
const HUNK_MAX_LINES = 500_000;

const SIGNS: Readonly<Record<HunkLine['op'], string>> = { context: ' ', removed: '-', added: '+' };

async function readLines(client: Client, suggestion: string, hunk: string): Promise<Lines | null> {
  const lines: HunkLine[] = [];
  let total = 1;
  for (let first = 1; first <= Math.min(total, HUNK_MAX_LINES); first += PAGE_LINES) {
    const wanted = { first, count: PAGE_LINES, maxLineBytes: LINE_MAX_BYTES };
    const page = await client.request('review/lines', { suggestion, hunk, ...wanted });
    // A hunk that can only be decided as a whole has no lines.
    if (!page.ok || page.value.total === 0) return null;
    total = page.value.total;
    for (const line of page.value.lines) lines.push(line);
  }
  return { lines, isComplete: lines.length >= total };
}

interface Lines {
  readonly lines: readonly HunkLine[];
  readonly isComplete: boolean;
}

/** The hunk with all its lines; marked incomplete if a line was truncated. Null if it cannot be read. */
async function completeHunk(client: Client, suggestion: string, hunk: Hunk): Promise<Hunk | null> {
  const header = hunk.diff.slice(0, hunk.diff.indexOf('\n') + 1);
  const read = await readLines(client, suggestion, hunk.id);
  if (read === null) return null;
  const diffComplete =
    header.startsWith('@@') && read.isComplete && read.lines.every((line) => line.cutFrom === null);
  return { ...hunk, diff: header + read.lines.filter(isShown).map(diffLine).join(''), diffComplete };
}

/** Lines that other parts of the hunk add are left out of a part. */
const isShown = ({ own, op }: HunkLine): boolean => own || op !== 'added';

/** Lines that other parts remove are context in a part. */
function diffLine({ op, text, ending, own }: HunkLine): string {
  const sign = !own && op === 'removed' ? ' ' : SIGNS[op];
  const end = { lf: '\n', crlf: '\r\n', none: '\n\\ No newline at end of file\n' }[ending];
  return `${sign}${text}${end}`;
}
