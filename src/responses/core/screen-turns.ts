/** Finds the turns in a pane's captured text by the prompt markers, which are whole lines. Knows no AI CLI. */
import {
  findMarkers,
  formatEndMarker,
  formatPromptMarker,
  gutterOf,
  type Marker,
  promptOnLine,
  withoutGutter,
} from '../../lib/markers.ts';
import { squeeze } from '../../lib/squeeze.ts';

export interface ScreenTurn {
  /** Unique in a reading and stable across readings: the stamp, numbered if it repeats. */
  readonly id: string;
  /** The stamp of the opening marker; null if that has scrolled out of the history. */
  readonly stamp: string | null;
  /** The stamp as ms since the epoch, in local time. */
  readonly startedAt: number | null;
  /** The prompt as echoed, without the gutter; empty if its start is gone. */
  readonly prompt: string;
  /** The raw lines after the closing marker; empty until that is seen. */
  readonly answer: readonly string[];
  readonly closed: boolean;
}

/** How many first characters distinguish a redrawn prompt from another with the same stamp. */
const SAME_PROMPT_CHARS = 24;

interface OpenTurn {
  readonly opening: Marker | null;
  closing: Marker | null;
}

export interface ScreenText {
  /** The width of the pane, if known. */
  readonly width?: number;
}

/** Oldest first. A redrawn prompt is one turn, read at its last drawing; an older stamp inside a prompt is a quote. */
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

/** Whether an opening marker is part of the open prompt: echoed twice, or quoted from an older one. */
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

/** The rows of the prompt, without markers that a program echoed. */
function promptText(lines: readonly string[], opening: Marker, end: number): string {
  const onLine = promptOnLine(lines[opening.line] ?? '');
  if (onLine !== null) return onLine;
  const gutter = gutterOf(lines[opening.line] ?? '');
  const echoed = formatPromptMarker(opening.stamp ?? '');
  const rows = lines
    .slice(opening.line + opening.count, end)
    .map((line) => withoutGutter(line, gutter))
    .filter((row) => row !== echoed);
  const isEdge = (row: string) => row === '' || row === formatEndMarker();
  const [first, last] = [rows.findIndex((row) => row !== ''), rows.findLastIndex((row) => !isEdge(row))];
  // A quoted turn may end the prompt: its closing marker is only ours if nothing opened before it.
  const isQuoteEnd = rows.slice(0, last + 1).some((row) => row.startsWith(formatPromptMarker('')));
  const until = isQuoteEnd ? rows.findLastIndex((row) => row !== '') : last;
  return first < 0 ? '' : rows.slice(first, until + 1).join('\n');
}

/** The last drawing of each prompt. */
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
  const start = (turn: ScreenTurn) => squeeze(turn.prompt).slice(0, SAME_PROMPT_CHARS);
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
