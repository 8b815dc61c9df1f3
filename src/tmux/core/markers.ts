/**
 * The whole-line markers around a prompt, and how to find them again on a screen: behind the gutter of the AI
 * CLI, and also when it broke the line at its own width. The same words inside prose are no marker.
 */
import { widthOf } from '../../lib/width.ts';

const CLOSE = '### END PROMPT';
const OPEN = '### PROMPT ';

/** With white space taken out, so that a marker broken over rows reads the same. */
const OPEN_PACKED = /^###PROMPT(\d{4}-\d{2}-\d{2})(\d{2}:\d{2}:\d{2})$/;
const CLOSE_PACKED = '###ENDPROMPT';

/** What AI CLIs draw left of a line of the prompt. */
const GUTTER = /^[\s>❯›»│┃┆╎║▌▎▏|]+/u;
/** The right edge of an input box. */
const RIGHT_EDGE = /[\s│┃║|]+$/u;
/** Columns that gutter, padding and border may take from the width at which a CLI breaks its lines. */
const WRAP_SLACK_CELLS = 8;
/** An opening marker broken at three columns; narrower panes are not read. */
const MAX_MARKER_ROWS = 10;

/** `YYYY-MM-DD HH:MM:SS` in local time. */
export function formatStamp(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The prompt between its markers; the closing one stands after the text, so a pull begins behind the user's own words. */
export function formatMarked(text: string, stamp: string): string {
  return `${OPEN}${stamp}\n\n${text}\n\n${CLOSE}`;
}

export type MarkerPolicy = 'auto' | 'always' | 'never';

/** `/goal`, `!ls`, `#note`, `@file` at the very start would be taken as a command or open a menu. */
const COMMAND_LIKE = /^[/!#@\\?]/;

/** `auto`: only where no transcript can prove the delivery, or where the first character would run as a command. */
export function wantsMarkers(policy: MarkerPolicy, text: string, hasTranscript: boolean): boolean {
  if (policy !== 'auto') return policy === 'always';
  return !hasTranscript || COMMAND_LIKE.test(text);
}

/** The human's text of a marked prompt; the text itself when it bears no markers. */
export function stripMarkers(text: string): string {
  const lines = text.split('\n');
  const first = lines[0] ?? '';
  const last = lines.at(-1) ?? '';
  const marked = lines.length >= 5 && first.startsWith(OPEN) && markerOf(first) && last === CLOSE;
  return marked ? lines.slice(2, -2).join('\n') : text;
}

/** A marker on rows `start` to `end` (inclusive). */
export type Marker =
  | { readonly kind: 'open'; readonly stamp: string; readonly start: number; readonly end: number }
  | { readonly kind: 'close'; readonly start: number; readonly end: number };

/** A row without gutter and right edge. */
export function stripGutter(row: string): string {
  return row.replace(GUTTER, '').replace(RIGHT_EDGE, '');
}

/** Text without white space: what is left equal when a program wraps and indents. */
export function pack(text: string): string {
  return text.replace(/\s+/gu, '');
}

type MarkerWord = { readonly kind: 'open'; readonly stamp: string } | { readonly kind: 'close' };

function markerOf(line: string): MarkerWord | null {
  const packed = pack(line);
  if (packed === CLOSE_PACKED) return { kind: 'close' };
  const open = OPEN_PACKED.exec(packed);
  return open === null ? null : { kind: 'open', stamp: `${open[1]} ${open[2]}` };
}

/** A row that could be the first piece of a broken marker. */
function beginsMarker(packed: string): boolean {
  return packed.length > 0 && ('###PROMPT'.startsWith(packed) || packed.startsWith('###PROMPT'))
    ? true
    : packed.length > 0 && CLOSE_PACKED.startsWith(packed);
}

/** The CLI broke `row` at `width`: the next word did not fit any more. */
function isFull(row: string, next: string, width: number): boolean {
  const word = next.split(/\s/u)[0] ?? '';
  return widthOf(row.trimEnd()) + 1 + widthOf(word) > width - WRAP_SLACK_CELLS;
}

function markerAt(rows: readonly string[], start: number, width: number | null): Marker | null {
  const first = stripGutter(rows[start] ?? '');
  if (!first.startsWith('#')) return null;
  const whole = /^### (?:END PROMPT|PROMPT \d)/.test(first) ? markerOf(first) : null;
  if (whole !== null) return { ...whole, start, end: start };
  if (width === null) return null;
  let joined = pack(first);
  for (let end = start + 1; end < Math.min(rows.length, start + MAX_MARKER_ROWS); end++) {
    const piece = stripGutter(rows[end] ?? '');
    if (!beginsMarker(joined) || piece === '' || !isFull(rows[end - 1] ?? '', piece, width)) return null;
    joined += pack(piece);
    const marker = markerOf(joined);
    if (marker !== null) return { ...marker, start, end };
  }
  return null;
}

/** All markers in `rows`, top to bottom. `width` is the pane's; without it, broken markers are not looked for. */
export function findMarkers(rows: readonly string[], width: number | null = null): readonly Marker[] {
  const markers: Marker[] = [];
  for (let row = 0; row < rows.length; row++) {
    const marker = markerAt(rows, row, width);
    if (marker === null) continue;
    markers.push(marker);
    row = marker.end;
  }
  return markers;
}

/** A turn read off the screen by its markers. Rows are as captured: chrome is the business of the screen rules. */
export interface MarkedTurn {
  readonly stamp: string;
  readonly prompt: readonly string[];
  /** What follows the last closing marker of the turn, up to the next prompt; null while that marker is not there. */
  readonly response: readonly string[] | null;
}

/** The turns between markers, oldest first. A closing marker whose opening one has scrolled away makes a turn without stamp. */
export function markedTurns(rows: readonly string[], width: number | null = null): readonly MarkedTurn[] {
  const turns: MarkedTurn[] = [];
  const markers = findMarkers(rows, width);
  let at = 0;
  while (at < markers.length) {
    const head = markers[at];
    if (head === undefined) break;
    const next = markers.findIndex((marker, index) => index > at && marker.kind === 'open');
    const until = next === -1 ? markers.length : next;
    const close = markers.slice(at, until).findLast((marker) => marker.kind === 'close');
    const promptFrom = head.kind === 'open' ? head.end + 1 : head.start;
    const limit = markers[until]?.start ?? rows.length;
    turns.push({
      stamp: head.kind === 'open' ? head.stamp : '',
      prompt: trimBlank(rows.slice(promptFrom, close?.start ?? limit)),
      response: close === undefined ? null : rows.slice(close.end + 1, limit),
    });
    at = until;
  }
  return turns;
}

function trimBlank(rows: readonly string[]): readonly string[] {
  const first = rows.findIndex((row) => row.trim() !== '');
  const last = rows.findLastIndex((row) => row.trim() !== '');
  return first === -1 ? [] : rows.slice(first, last + 1);
}
