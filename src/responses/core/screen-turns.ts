/**
 * The turns in the captured text of a pane, by the prompt markers. Knows no AI CLI: what a program drew around
 * its answer is taken off elsewhere. A marker is all of its line; the phrase in an answer separates nothing.
 */
import {
  findMarkers,
  formatEndMarker,
  formatPromptMarker,
  gutterOf,
  type Marker,
  withoutGutter,
} from '../../lib/markers.ts';

/** One turn as it stands on the screen. */
export interface ScreenTurn {
  /** Differs between two turns of one reading and stays the same in the next: the stamp, numbered where it repeats. */
  readonly id: string;
  /** Of the opening marker; null when that has scrolled out of the history. */
  readonly stamp: string | null;
  /** The stamp as ms since the epoch, in local time. */
  readonly startedAt: number | null;
  /** The prompt as it was echoed, without the gutter; empty when its beginning is gone. */
  readonly prompt: string;
  /** The lines after the closing marker, untouched. Empty while the closing marker has not been seen. */
  readonly answer: readonly string[];
  /** Whether the closing marker was seen. */
  readonly closed: boolean;
}

/** How many first characters of two prompts with one stamp are compared to tell a redrawn prompt from another one. */
const SAME_PROMPT_CHARS = 24;

interface OpenTurn {
  readonly opening: Marker | null;
  closing: Marker | null;
}

export interface ScreenText {
  /** Width of the pane, when known. */
  readonly width?: number;
}

/**
 * Oldest first. A prompt that a CLI drew again (after a resize) is one turn, read where it was drawn last; a
 * marker of an older stamp inside a prompt is quoted text; the last closing marker of a turn is the one that counts.
 */
export function turnsFromScreen(lines: readonly string[], { width }: ScreenText = {}): readonly ScreenTurn[] {
  const markers = findMarkers(lines, width === undefined ? {} : { width });
  const turns: ScreenTurn[] = [];
  let open: OpenTurn | null = null;
  for (const marker of markers) {
    if (marker.kind === 'end') {
      open ??= { opening: null, closing: null };
      open.closing = marker;
    } else if (!belongsTo(open, marker)) {
      if (open !== null) turns.push(readTurn(lines, open, marker.line));
      open = { opening: marker, closing: null };
    }
  }
  if (open !== null) turns.push(readTurn(lines, open, lines.length));
  return numbered(latestDrawn(turns));
}

/** Whether an opening marker stands inside the prompt that is open: echoed twice, or quoted from an older one. */
function belongsTo(open: OpenTurn | null, marker: Marker): boolean {
  if (open === null || open.closing !== null || open.opening === null) return false;
  return (marker.stamp ?? '') <= (open.opening.stamp ?? '');
}

function readTurn(lines: readonly string[], { opening, closing }: OpenTurn, end: number): ScreenTurn {
  const stamp = opening?.stamp ?? null;
  const promptEnd = closing?.line ?? end;
  return {
    id: stamp ?? 'unknown',
    stamp,
    startedAt: stamp === null ? null : Date.parse(stamp.replace(' ', 'T')),
    prompt: opening === null ? '' : promptText(lines, opening, promptEnd),
    answer: closing === null ? [] : lines.slice(closing.line + closing.count, end),
    closed: closing !== null,
  };
}

/** The rows of the prompt; markers that a program echoed once more are left out. */
function promptText(lines: readonly string[], opening: Marker, end: number): string {
  const gutter = gutterOf(lines[opening.line] ?? '');
  const echoed = formatPromptMarker(opening.stamp ?? '');
  const rows = lines
    .slice(opening.line + opening.count, end)
    .map((line) => withoutGutter(line, gutter))
    .filter((row) => row !== echoed);
  const isEdge = (row: string) => row === '' || row === formatEndMarker();
  const [first, last] = [rows.findIndex((row) => row !== ''), rows.findLastIndex((row) => !isEdge(row))];
  // A quoted turn may end the prompt: its closing marker is not an echo of ours unless nothing opened before it.
  const isQuoteEnd = rows.slice(0, last + 1).some((row) => row.startsWith(formatPromptMarker('')));
  const until = isQuoteEnd ? rows.findLastIndex((row) => row !== '') : last;
  return first < 0 ? '' : rows.slice(first, until + 1).join('\n');
}

/** For each prompt the place where it was drawn last. */
function latestDrawn(turns: readonly ScreenTurn[]): readonly ScreenTurn[] {
  const latest: ScreenTurn[] = [];
  for (const turn of turns) {
    const before = latest.findIndex((other) => turn.stamp !== null && isSamePrompt(other, turn));
    if (before >= 0) latest.splice(before, 1);
    latest.push(turn);
  }
  return latest;
}

function isSamePrompt(a: ScreenTurn, b: ScreenTurn): boolean {
  const start = (turn: ScreenTurn) => turn.prompt.replace(/\s+/g, '').slice(0, SAME_PROMPT_CHARS);
  const [x, y] = [start(a), start(b)];
  return a.stamp === b.stamp && (x.startsWith(y) || y.startsWith(x));
}

function numbered(turns: readonly ScreenTurn[]): readonly ScreenTurn[] {
  const seen = new Map<string, number>();
  return turns.map((turn) => {
    const count = (seen.get(turn.id) ?? 0) + 1;
    seen.set(turn.id, count);
    return count === 1 ? turn : { ...turn, id: `${turn.id}#${count}` };
  });
}
