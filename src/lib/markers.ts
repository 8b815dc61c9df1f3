/** Prompt markers: two whole lines around a prompt that let copane find its answer on the screen of any program. */
import { squeeze } from './squeeze.ts';

const PROMPT_PREFIX = '### PROMPT ';
const END_MARKER = '### END PROMPT';
const STAMP = String.raw`\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}`;
const PROMPT_MARKER_LENGTH = `${PROMPT_PREFIX}YYYY-MM-DD HH:MM:SS`.length;

/** What an AI CLI draws to the left of a prompt: quote signs, prompt signs, box sides, bars, each with its spaces. */
const GUTTER = /^\s*(?:[>❯›»│┃║|▌▍▎▏┊╎]\s*){0,3}/;
const RIGHT_SIDE = /\s*[│┃║|▐]?\s*$/;

/** Most rows of a wrapped marker: the longer marker at a width of ten columns. */
const WRAPPED_MARKER_MAX_LINES = 4;
/** Columns that a CLI may leave empty at its right edge when it breaks a line: padding, border, scroll bar. */
const WRAP_MARGIN_COLUMNS = 6;

/** Both markers on one line, as lazy-llm writes a short prompt; Claude Code removes the first hashes. */
const ONE_LINE = new RegExp(`^(?:### )?PROMPT (${STAMP})\\b(.*)${END_MARKER}$`);
/** Claude Code renders Markdown and removes the hashes. The words count only with or after a time stamp. */
const BARE_PROMPT = new RegExp(`^PROMPT (${STAMP})$`);
const BARE_END = 'END PROMPT';
const WHOLE_PROMPT = new RegExp(`^${PROMPT_PREFIX}(${STAMP})$`);
/** The same without white space, for markers joined from broken rows. */
const SQUEEZED_PROMPT = /^###PROMPT(\d{4}-\d{2}-\d{2})(\d{2}:\d{2}:\d{2})$/;
const SQUEEZED_PROMPT_START = '###PROMPT';
const SQUEEZED_STAMP_SHAPE = 'dddd-dd-dddd:dd:dd';
const SQUEEZED_END = '###ENDPROMPT';

/** A marker in a list of lines. It takes `count` lines from `line` on: more than one if a CLI wrapped it. */
export interface Marker {
  readonly kind: 'prompt' | 'end';
  readonly line: number;
  readonly count: number;
  /** `YYYY-MM-DD HH:MM:SS`; null for the closing marker. */
  readonly stamp: string | null;
}

export interface FindMarkersOptions {
  /** Width of the pane: rows are joined only if the marker did not fit. If unknown, wherever they match. */
  readonly width?: number;
}

/** `YYYY-MM-DD HH:MM:SS` in the zone of `at`'s own getters (local time). */
export function formatMarkerStamp(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export const formatPromptMarker = (stamp: string): string => PROMPT_PREFIX + stamp;

export const formatEndMarker = (): string => END_MARKER;

/** `text` and its markers as one paste. The closing one follows the text, so a pull never returns the prompt. */
export function wrapInMarkers(text: string, at: Date): string {
  return `${formatPromptMarker(formatMarkerStamp(at))}\n\n${text}\n\n${END_MARKER}`;
}

/** The pasted text between the markers of a prompt, with its stamp; null if `prompt` has no markers. */
export function stripMarkers(prompt: string): { readonly text: string; readonly stamp: string } | null {
  const lines = prompt.trim().split(/\r\n|\r|\n/);
  const stamp = WHOLE_PROMPT.exec(lines[0] ?? '')?.[1];
  if (stamp === undefined || lines.length < 2 || lines[lines.length - 1]?.trim() !== END_MARKER) return null;
  const from = lines[1] === '' ? 2 : 1;
  const to = lines.length - (lines.length - 2 >= from && lines[lines.length - 2] === '' ? 2 : 1);
  return { text: lines.slice(from, to).join('\n'), stamp };
}

/** All markers in `lines`, in order. Lines may be right-trimmed. A marker counts only if it fills its line or lines. */
export function findMarkers(lines: readonly string[], options: FindMarkersOptions = {}): readonly Marker[] {
  const found: Marker[] = [];
  let isBareOpen = false;
  for (let line = 0; line < lines.length; line += 1) {
    const body = bodyOf(lines[line] ?? '');
    const both = ONE_LINE.exec(body)?.[1];
    if (both !== undefined) {
      found.push(
        { kind: 'prompt', line, count: 1, stamp: both },
        { kind: 'end', line, count: 1, stamp: null },
      );
      continue;
    }
    const marker: Marker | null = markerAt(lines, line, options.width) ?? bareMarker(body, line, isBareOpen);
    if (marker === null) continue;
    found.push(marker);
    isBareOpen = marker.kind === 'prompt' && body.startsWith('PROMPT');
    line += marker.count - 1;
  }
  return found;
}

/** The prompt between both markers on one line; null for any other line. */
export const promptOnLine = (line: string): string | null => ONE_LINE.exec(bodyOf(line))?.[2]?.trim() ?? null;

/** Columns of the CLI's gutter at the left of `line`. */
export const gutterOf = (line: string): number => GUTTER.exec(line)?.[0].length ?? 0;

/** `line` without at most `gutter` columns of gutter, and without the right side of a box. */
export function withoutGutter(line: string, gutter: number): string {
  return line.slice(Math.min(gutter, gutterOf(line))).replace(RIGHT_SIDE, '');
}

function bareMarker(body: string, line: number, isOpen: boolean): Marker | null {
  const stamp = BARE_PROMPT.exec(body)?.[1];
  if (stamp !== undefined) return { kind: 'prompt', line, count: 1, stamp };
  return isOpen && body === BARE_END ? { kind: 'end', line, count: 1, stamp: null } : null;
}

function markerAt(lines: readonly string[], line: number, width: number | undefined): Marker | null {
  const raw = lines[line] ?? '';
  if (!raw.includes('###')) return null;
  const gutter = gutterOf(raw);
  const body = raw.slice(gutter).replace(RIGHT_SIDE, '');
  if (body === END_MARKER) return { kind: 'end', line, count: 1, stamp: null };
  const stamp = WHOLE_PROMPT.exec(body)?.[1];
  if (stamp !== undefined) return { kind: 'prompt', line, count: 1, stamp };
  return brokenMarkerAt(lines, line, { width, gutter, body });
}

interface FirstPiece {
  readonly width: number | undefined;
  readonly gutter: number;
  readonly body: string;
}

/** A marker that the CLI wrapped at its width: its pieces match the marker exactly, apart from white space. */
function brokenMarkerAt(lines: readonly string[], line: number, first: FirstPiece): Marker | null {
  if (!first.body.startsWith('###')) return null;
  let text = squeeze(first.body);
  for (let count = 1; count <= WRAPPED_MARKER_MAX_LINES; count += 1) {
    if (count > 1) {
      const piece = squeeze(bodyOf(lines[line + count - 1] ?? ''));
      if (piece === '') return null;
      text += piece;
    }
    const whole = SQUEEZED_PROMPT.exec(text);
    if (count > 1 && (whole !== null || text === SQUEEZED_END)) {
      const length = whole === null ? END_MARKER.length : PROMPT_MARKER_LENGTH;
      if (!mayHaveBroken(length, first)) return null;
      const stamp = whole === null ? null : `${whole[1]} ${whole[2]}`;
      return { kind: whole === null ? 'end' : 'prompt', line, count, stamp };
    }
    if (!isMarkerPrefix(text)) return null;
  }
  return null;
}

function mayHaveBroken(markerLength: number, { width, gutter }: FirstPiece): boolean {
  return width === undefined || gutter + markerLength + WRAP_MARGIN_COLUMNS > width;
}

const bodyOf = (line: string): string => line.replace(GUTTER, '').replace(RIGHT_SIDE, '');

/** Whether more rows could complete `text` as a marker. */
function isMarkerPrefix(text: string): boolean {
  if (SQUEEZED_END.startsWith(text) || SQUEEZED_PROMPT_START.startsWith(text)) return true;
  if (!text.startsWith(SQUEEZED_PROMPT_START)) return false;
  const shape = text.slice(SQUEEZED_PROMPT_START.length).replace(/\d/g, 'd');
  return SQUEEZED_STAMP_SHAPE.startsWith(shape);
}
