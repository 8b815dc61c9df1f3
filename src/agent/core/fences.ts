/** Finds code that a model wrote in its text: in fences, or in the blocks that show files to it. Pure; one pass. */

/** A whole file, a part of one, or a diff. */
export interface Fence {
  /** Null if it names none. */
  readonly file: string | null;
  readonly text: string;
  readonly isDiff: boolean;
  /** The lines of the file that it covers, from 1, if it states them. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Its place in the answer: lines `[start, end)` from 0, including the line of the path. */
  readonly start: number;
  readonly end: number;
}

/** A longer line is not a path. */
const PATH_LINE_MAX_CHARS = 300;
/** A line with only a path and its decoration. */
const PATH_LINE = /^#*\s*[*`]*(?:(?:file(?:name|path)?|path):\s*)?[*`]*([\w@./-]+\.\w+)[*`:]*$/i;
const INFO_PATH = /^\w*[:\s]([\w@./-]+\.\w+)$/;
const FENCE = /^ *(`{3,})([^`]*)$/;
const FILE_BLOCK = /^\s*<file path="([^"]+)"(?:[^>]*\blines="(\d+)-(\d+)")?[^>]*>\s*$/;

/** The fences of an answer; if some name a file (on the line above, or after the fence), only these. */
export function fencesInText(text: string): readonly Fence[] {
  const lines = text.split('\n');
  const found: Fence[] = [];
  let above = -1;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const isOpened = FENCE.test(line);
    const isAround = isOpened && FILE_BLOCK.test(lines[at + 1] ?? '');
    const one = isAround ? null : (blockAt(lines, at) ?? (isOpened ? fenceAt(lines, at, above) : null));
    // Its end is unclear or missing.
    if (one === 'unclear') break;
    if (one !== null) {
      found.push(one);
      at = one.end - 1;
      above = -1;
    } else if (line.trim() !== '') above = at;
  }
  const named = found.filter(({ file }) => file !== null);
  return named.length > 0 ? named : found;
}

/** The words of an answer around these fences. */
export function wordsAround(text: string, fences: readonly Fence[]): string {
  const lines = text.split('\n');
  const ends = [0, ...fences.map(({ end }) => end)];
  const said = ends.map((from, at) => lines.slice(from, fences[at]?.start).join('\n').trim());
  return said.filter(Boolean).join('\n\n');
}

/** The block `<file path="…" lines="a-b">` that begins here, with its surrounding fence. */
function blockAt(lines: readonly string[], at: number): Fence | 'unclear' | null {
  const [head, file = '', from, to] = FILE_BLOCK.exec(lines[at] ?? '') ?? [];
  if (head === undefined) return null;
  const close = lines.indexOf('</file>', at);
  if (close === -1) return 'unclear';
  const isFenced = FENCE.test(lines[at - 1] ?? '') && FENCE.test(lines[close + 1] ?? '');
  const range = from === undefined ? null : { from: Number(from), to: Number(to) };
  const [start, end] = isFenced ? [at - 1, close + 2] : [at, close + 1];
  return { file, text: lines.slice(at + 1, close).join('\n'), isDiff: false, range, start, end };
}

/** The fence that begins here. `above`: the last line before it that is not blank. */
function fenceAt(lines: readonly string[], at: number, above: number): Fence | 'unclear' {
  const [, marks = '', written = ''] = FENCE.exec(lines[at] ?? '') ?? [];
  const info = written.trim();
  const pathAbove = pathIn(lines[above] ?? '');
  const file = pathAbove ?? INFO_PATH.exec(info)?.[1] ?? null;
  const isMarkdown = /^(?:md|markdown|mdx)\b/i.test(info) || /\.(?:md|markdown|mdx)$/i.test(file ?? '');
  const close = closingOf(lines, at, { length: marks.length, isMarkdown });
  if (close === null) return 'unclear';
  const text = lines.slice(at + 1, close).join('\n');
  const start = pathAbove === null ? at : above;
  return { file, text, isDiff: /^(?:diff|patch)\b/.test(info), range: null, start, end: close + 1 };
}

const pathIn = (line: string): string | null =>
  line.length > PATH_LINE_MAX_CHARS ? null : (PATH_LINE.exec(line.trim())?.[1] ?? null);

/** The line that closes a fence; null if there is none, or if it may also open another fence inside Markdown. */
function closingOf(
  lines: readonly string[],
  opening: number,
  { length, isMarkdown }: { readonly length: number; readonly isMarkdown: boolean },
): number | null {
  let depth = 1;
  for (let at = opening + 1; at < lines.length; at += 1) {
    const [, marks = '', info = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    if (marks.length < length) continue;
    if (info.trim() !== '') depth += isMarkdown ? 1 : 0;
    else depth -= 1;
    if (depth === 0) return isMarkdown && isBareNext(lines, at, length) ? null : at;
  }
  return null;
}

/** Whether the next fence after line `at` has neither language nor file. */
function isBareNext(lines: readonly string[], at: number, length: number): boolean {
  let above = '';
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    const [, marks = '', info = ''] = FENCE.exec(line) ?? [];
    if (marks.length >= length) return info.trim() === '' && pathIn(above) === null;
    if (line.trim() !== '') above = line;
  }
  return false;
}
