/** Pulled responses in the draft. A second pull replaces their lines; the user's text stays under its line. */
import { alignSequences, Interner } from '../../../lib/sequence-diff.ts';
import type { Draft, DraftLine, DraftPull } from '../../../protocol/draft.ts';
import { shortQuote } from '../compose.ts';
import { type DraftChange, type DraftState, noteLine, splice } from './model.ts';

/** Separates the turn from the lines in the id of a partial pull. */
const PART_SEPARATOR = '#';

/** The id for a pull of the lines `first` to `last` (from 0) of a turn. */
export function partId(turnId: string, first: number, last: number): string {
  return `${turnId}${PART_SEPARATOR}${first + 1}-${last + 1}`;
}

export const turnOfPull = (pullId: string): string => pullId.replace(/#\d+-\d+$/, '');

export interface Pull {
  readonly id: string;
  readonly lines: readonly string[];
  /** No response in the draft is newer: it replaces those of other turns. */
  readonly isNewest: boolean;
}

/** Pulls a response: replaces its earlier pull (or parts of the same turn), or else inserts it below the cursor. */
export function pull(before: DraftState, { id: pullId, lines, isNewest }: Pull): DraftChange | null {
  if (lines.every((line) => line.trim() === '')) return null;
  const state = isNewest ? withoutOlder(before, turnOfPull(pullId)) : before;
  const { draft } = state;
  const old = draft.pulls.filter(({ turnId }) => turnId === pullId || turnOfPull(turnId) === pullId);
  const fresh = lines.map((text, row) => responseLine(draft.nextLineId + row, text, { turnId: pullId, row }));
  const kept = draft.pulls.filter((each) => !old.includes(each));
  const renewal = new Renewal(draft, old, fresh);
  const isFirst = !draft.lines.some(renewal.isOld);
  const at = draft.lines.length === 0 ? 0 : state.cursor.line + 1;
  const renewed = isFirst ? splice(renewal.lines, at, 0, fresh) : renewal.run();
  return {
    lines: renewed,
    pulls: [...kept, { turnId: pullId, lines: [...lines] }],
    nextLineId: draft.nextLineId + fresh.length,
    cursor: isFirst ? { line: at, offset: 0 } : renewal.cursorIn(renewed, state),
  };
}

/** The draft without other turns' responses. Notes among them stay below a quote of their line; edited lines stay. */
function withoutOlder(state: DraftState, turnId: string): DraftState {
  const { draft } = state;
  const isOlder = ({ origin }: DraftLine) => origin !== null && turnOfPull(origin.turnId) !== turnId;
  if (!draft.lines.some((line) => isPlain(line) && isOlder(line))) return state;
  const lines: DraftLine[] = [];
  let nextLineId = draft.nextLineId;
  const addNote = (text: string) => lines.push(noteLine(nextLineId++, text));
  let above: DraftLine | null = null;
  let isQuoted = false;
  for (const line of draft.lines) {
    if (line.tag === 'response') {
      if (line.text.trim() !== '') [above, isQuoted] = [isOlder(line) ? line : null, false];
      if (!isPlain(line) || !isOlder(line)) lines.push(line);
    } else if (above === null || isQuoted) lines.push(line);
    else if (line.text.trim() !== '') {
      if (lines.length > 0 && lines.at(-1)?.text !== '') addNote('');
      addNote(`> ${quoteOf(draft, above)}`);
      lines.push(line);
      isQuoted = true;
    }
  }
  const kept = { lines, pulls: usedPulls(lines, draft.pulls), nextLineId };
  return { ...state, draft: kept, cursor: { line: Math.max(0, lines.length - 1), offset: 0 } };
}

/** What the user wrote or edited, for another draft: the text that stays when a newer response replaces all others. */
export function humanLines(state: DraftState): readonly string[] {
  const { lines } = withoutOlder(state, '').draft;
  return lines.filter((line) => !isPlain(line)).map(({ text }) => text);
}

function quoteOf({ pulls }: Draft, { text, origin }: DraftLine): string {
  return shortQuote(text, pulls.find(({ turnId }) => turnId === origin?.turnId)?.lines ?? []);
}

/** Removes every unedited response line. */
export function clearPulled(state: DraftState): DraftChange | null {
  const { draft, cursor } = state;
  const lines = draft.lines.filter((line) => !isPlain(line));
  if (lines.length === draft.lines.length) return null;
  const above = draft.lines.slice(0, cursor.line).filter((line) => !isPlain(line)).length;
  return { lines, pulls: usedPulls(lines, draft.pulls), cursor: { line: above, offset: 0 } };
}

const isPlain = (line: DraftLine): boolean => line.tag === 'response' && !line.changed;

function responseLine(id: number, text: string, origin: { turnId: string; row: number }): DraftLine {
  return { id, text, tag: 'response', changed: false, origin };
}

/** A repeated pull. Edited lines stay, below the new version of their line. */
class Renewal {
  /** The draft's lines; edited lines that referred to the old text refer to the new one. */
  readonly lines: readonly DraftLine[];
  readonly #fresh: readonly DraftLine[];
  /** By old pull: the new row for each of its rows. */
  readonly #rows: ReadonlyMap<string, readonly number[]>;

  constructor(draft: Draft, old: readonly DraftPull[], fresh: readonly DraftLine[]) {
    const texts = fresh.map((line) => line.text);
    this.#fresh = fresh;
    this.#rows = new Map(old.map(({ turnId, lines }) => [turnId, mapRows(lines, texts)]));
    this.lines = draft.lines.map((line) => {
      const row = this.#rowOf(line);
      if (row === null || isPlain(line)) return line;
      return { ...line, origin: fresh[row]?.origin ?? null };
    });
  }

  readonly isOld = (line: DraftLine): boolean => isPlain(line) && this.#rows.has(line.origin?.turnId ?? '');

  /** Walks the old block and puts each remaining line below the new row of its anchor. */
  run(): readonly DraftLine[] {
    const at = this.lines.findIndex(this.isOld);
    const end = this.#endOfBlock();
    const block: DraftLine[] = [];
    let [placed, anchor] = [0, -1];
    const placeTo = (row: number) => {
      // One by one: a long response has more lines than a call may have arguments.
      for (; placed <= row; placed += 1) block.push(...this.#fresh.slice(placed, placed + 1));
    };
    this.lines.slice(at, end).forEach((line) => {
      const row = this.isOld(line) ? this.#rowOf(line) : this.#ownRow(line);
      anchor = Math.max(anchor, row ?? -1);
      if (this.isOld(line)) return;
      placeTo(anchor);
      block.push(line);
    });
    // Text right below the block was written under its last line: new rows go below it.
    const tail = this.#below(end);
    placeTo(tail.length === 0 ? this.#fresh.length - 1 : anchor);
    const rest = this.#fresh.slice(placed);
    return [...this.lines.slice(0, at), ...block, ...tail, ...rest, ...this.lines.slice(end + tail.length)];
  }

  /** The cursor on the same line as before, or on the new version of that line. */
  cursorIn(lines: readonly DraftLine[], { draft, cursor }: DraftState): { line: number; offset: number } {
    const before = draft.lines[cursor.line];
    const row = before === undefined ? null : this.#rowOf(before);
    const id = before !== undefined && this.isOld(before) ? this.#fresh[row ?? 0]?.id : before?.id;
    return {
      line: Math.max(
        0,
        lines.findIndex((line) => line.id === id),
      ),
      offset: cursor.offset,
    };
  }

  /** After the last line of the response, including an edited line below the last whole one. */
  #endOfBlock(): number {
    const end = this.lines.findLastIndex(this.isOld) + 1;
    return end + this.#below(end).findLastIndex((line) => this.#ownRow(line) !== null) + 1;
  }

  #rowOf(line: DraftLine): number | null {
    const { origin } = line;
    return origin === null ? null : (this.#rows.get(origin.turnId)?.[origin.row] ?? null);
  }

  /** The new row of an edited line, which already refers to the new text. */
  #ownRow({ origin }: DraftLine): number | null {
    return origin !== null && origin.turnId === this.#fresh[0]?.origin?.turnId ? origin.row : null;
  }

  /** The lines from `end` up to the next response line; their anchor is the last line before. */
  #below(end: number): readonly DraftLine[] {
    const next = this.lines.findIndex((line, index) => index >= end && isPlain(line));
    return this.lines.slice(end, next < 0 ? undefined : next);
  }
}

/** The new row for each old row: equal lines in order; a row between two of them keeps its distance. */
function mapRows(old: readonly string[], fresh: readonly string[]): readonly number[] {
  const interner = new Interner();
  const partners = alignSequences(interner.idsOf(old), interner.idsOf(fresh));
  const bounds = new Int32Array(old.length);
  let bound = fresh.length;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    bounds[row] = bound;
    if ((partners[row] ?? -1) >= 0) bound = partners[row] ?? bound;
  }
  const rows: number[] = [];
  let last = -1;
  for (let row = 0; row < old.length; row += 1) {
    const partner = partners[row] ?? -1;
    last = partner >= 0 ? partner : Math.max(last, Math.min(last + 1, (bounds[row] ?? fresh.length) - 1));
    rows.push(last);
  }
  return rows;
}

/** The pulls in `old` that a line still refers to. */
function usedPulls(lines: readonly DraftLine[], old: readonly DraftPull[]): DraftPull[] {
  const used = new Set(lines.flatMap((line) => (line.origin === null ? [] : [line.origin.turnId])));
  return old.filter(({ turnId }) => used.has(turnId));
}
