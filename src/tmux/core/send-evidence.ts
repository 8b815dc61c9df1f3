/** Judges from one look at the pane what happened to our text. Only proof on the screen counts; doubt is `unknown`. */
import { findMarkers, gutterOf, type Marker, withoutGutter } from '../../lib/markers.ts';
import { squeeze } from '../../lib/squeeze.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import type { Foreground } from './cli-detect.ts';
import type { PaneFacts } from './formats.ts';

/** One look at the pane: the facts from tmux, the process table and the screen rules at one moment. */
export interface Look {
  /** Null if tmux lists no such pane any more. */
  readonly pane: PaneFacts | null;
  /** The reader of the keys; null if it was not looked up or cannot be known. */
  readonly foreground: Foreground | null;
  /** Longest line, in bytes, that the program's terminal accepts; null if the program reads keys itself. */
  readonly lineMaxBytes: number | null;
  readonly reading: ScreenReading;
  /** Rows that scrolled away since the first look, then the visible ones. */
  readonly rows: readonly string[];
  /** Row of the cursor in `rows`; null if unknown. */
  readonly cursorRow: number | null;
}

export interface SentText {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * `held`: the composer (or the line being typed) shows it · `fused`: the composer shows it together with other text ·
 * `above`: it was accepted and is above the composer · `absent`: the composer is empty and it is nowhere · `unknown`.
 */
export type Standing = 'held' | 'fused' | 'above' | 'absent' | 'unknown';

/** How much of the end identifies a text; a composer shows the end of a paste. */
const TAIL_CHARS = 60;
/** Fewer characters do not prove that the text is ours. */
const ENOUGH_CHARS = 20;
/** Fewest other characters in a composer that count as the user's, not as decoration. */
const FUSED_MIN_CHARS = 2;
/** The most rows over which a tail of `TAIL_CHARS` may wrap in a narrow pane. */
const MAX_TAIL_ROWS = 24;

const bare = (row: string): string => squeeze(withoutGutter(row, gutterOf(row)));

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The rows at which `tail` (packed) ends. */
function findTail(rows: readonly string[], tail: string): readonly Span[] {
  const spans: Span[] = [];
  if (tail === '') return spans;
  const packed = rows.map(bare);
  const lastChar = tail.at(-1) ?? '';
  for (let end = 0; end < packed.length; end++) {
    if (!packed[end]?.endsWith(lastChar)) continue;
    let joined = '';
    for (let start = end; start >= Math.max(0, end - MAX_TAIL_ROWS); start--) {
      joined = packed[start] + joined;
      if (joined.length < tail.length) continue;
      if (joined.endsWith(tail)) spans.push({ start, end });
      break;
    }
  }
  return spans;
}

const tailOf = (text: string): string => bare(text.slice(text.lastIndexOf('\n') + 1)).slice(-TAIL_CHARS);

/** The markers on the screen; only those after our own opening one (by its time stamp) if it is there. */
interface MarkersSeen {
  readonly markers: readonly Marker[];
  readonly ours: boolean;
}

function markersOf(sent: SentText, look: Look): MarkersSeen {
  const width = look.pane?.width;
  const markers = findMarkers(look.rows, width === undefined ? {} : { width });
  const stamp = findMarkers([sent.text.slice(0, sent.text.indexOf('\n'))])[0]?.stamp ?? null;
  const opening = markers.findLastIndex((each) => stamp !== null && each.stamp === stamp);
  return { markers: markers.slice(opening + 1), ours: opening !== -1 };
}

/** The rows that show the end of the text: its closing marker, or its last words. */
function spansOf(sent: SentText, look: Look): readonly Span[] {
  if (!sent.marked) return findTail(look.rows, tailOf(sent.text));
  return markersOf(sent, look)
    .markers.filter((each) => each.kind === 'end')
    .map(({ line, count }) => ({ start: line, end: line + count - 1 }));
}

/** The screen before we typed, so that an older equal text is not evidence. */
export interface Baseline {
  readonly count: number;
  readonly historySize: number;
  /** The rows of the screen, packed: text that was there before is decoration. */
  readonly rows: ReadonlySet<string>;
}

/** For a text that an earlier process typed. */
export const NO_BASELINE: Baseline = { count: 0, historySize: 0, rows: new Set() };

/** Taken at the look before the paste. */
export function baselineOf(sent: SentText, look: Look): Baseline {
  const rows = new Set(look.rows.map(bare).filter((row) => row !== ''));
  return { count: spansOf(sent, look).length, historySize: look.pane?.historySize ?? 0, rows };
}

function newestSpan(sent: SentText, look: Look, baseline: Baseline): Span | null {
  const spans = spansOf(sent, look);
  // Everything after our own opening marker is ours, whatever was there before.
  const isOurs = sent.marked && markersOf(sent, look).ours;
  return isOurs || spans.length > baseline.count ? (spans.at(-1) ?? null) : null;
}

function standingInComposer(sent: SentText, shown: string): Standing {
  const ours = squeeze(sent.text);
  const theirs = squeeze(shown);
  if (theirs === ours) return 'held';
  // A composer may show only the end. A few letters are not enough: the user may have begun another word.
  if (theirs.length >= ENOUGH_CHARS && ours.endsWith(theirs)) return 'held';
  if (theirs.includes(ours) && theirs.length >= ours.length + FUSED_MIN_CHARS) return 'fused';
  const tail = tailOf(sent.text);
  return tail.length >= ENOUGH_CHARS && theirs.includes(tail) ? 'held' : 'unknown';
}

function withoutDrawn(shown: string, baseline: Baseline): string {
  return shown
    .split('\n')
    .filter((line) => !baseline.rows.has(bare(line)))
    .join('\n');
}

/** What happened to our text. */
export function standingOf(sent: SentText, look: Look, baseline: Baseline): Standing {
  const { composer } = look.reading;
  if (composer.kind === 'pill') return 'held';
  if (composer.kind === 'draft') {
    const standing = standingInComposer(sent, composer.text);
    // A footer that was mistaken for part of the composer is not the user's text.
    if (standing === 'fused') return standingInComposer(sent, withoutDrawn(composer.text, baseline));
    if (standing !== 'unknown') return standing;
  }
  const span = newestSpan(sent, look, baseline);
  if (composer.kind === 'absent' && span !== null && look.cursorRow !== null) {
    if (look.cursorRow > span.end) return 'above';
    return look.cursorRow >= span.start ? 'held' : 'unknown';
  }
  if (span !== null) return 'above';
  return composer.kind === 'empty' ? 'absent' : 'unknown';
}

/** The rows below the end of our text: they change when a program that hides its cursor accepts the text. */
export function rowsBelow(sent: SentText, look: Look, baseline: Baseline): string | null {
  const span = newestSpan(sent, look, baseline);
  return span === null
    ? null
    : look.rows
        .slice(span.end + 1)
        .join('\n')
        .trimEnd();
}
