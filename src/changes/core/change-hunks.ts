/** Turns a line-by-line difference into hunks, and hunks into a unified diff. Pure. */
import { type ByteString, fromLatin1 } from '../../review/core/bytes.ts';
import { rangeText } from '../../review/core/format-diff.ts';
import type { ScriptLine } from './known-lines.ts';
import type { ChangeHunk, HunkOrigin } from './turn-edits.ts';

const CONTEXT_LINES = 3;
/** The origin of a run of lines with several authors: if some may be yours, the run is not the AI's. */
const STRONGEST_FIRST: readonly HunkOrigin[] = ['unknown', 'tool', 'command', 'yours'];

/** A run of changed lines: `[from, to)` of the script. */
interface Run {
  readonly from: number;
  to: number;
  readonly origin: HunkOrigin;
}

/** The hunks of a difference. Neighbours of different origin are separate hunks and share the context between them. */
export function hunksOf(script: readonly ScriptLine[]): readonly ChangeHunk[] {
  const runs = runsOf(script);
  const hunks: ChangeHunk[] = [];
  let [cursor, oldLine, newLine] = [0, 1, 1];
  const advance = (to: number) => {
    for (; cursor < to; cursor += 1) {
      if (script[cursor]?.op !== '+') oldLine += 1;
      if (script[cursor]?.op !== '-') newLine += 1;
    }
  };
  let floor = 0;
  runs.forEach((run, index) => {
    const from = contextBefore(script, run.from, floor);
    const to = contextAfter(script, run.to, runs[index + 1]?.from ?? script.length);
    advance(from);
    const lines = script.slice(from, to);
    const oldLines = lines.filter(({ op }) => op !== '+').length;
    const newLines = lines.filter(({ op }) => op !== '-').length;
    hunks.push({
      oldStart: oldLines === 0 ? oldLine - 1 : oldLine,
      newStart: newLines === 0 ? newLine - 1 : newLine,
      oldLines,
      newLines,
      lines: lines.map(({ op, text }) => `${op}${text ?? ''}`),
      origin: run.origin,
    });
    floor = to;
  });
  return hunks;
}

function runsOf(script: readonly ScriptLine[]): readonly Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < script.length; at += 1) {
    if (script[at]?.op === ' ') continue;
    let to = at;
    while (to < script.length && script[to]?.op !== ' ') to += 1;
    const authors = new Set(script.slice(at, to).map(({ by }) => by));
    const origin = STRONGEST_FIRST.find((author) => authors.has(author)) ?? 'unknown';
    const last = runs.at(-1);
    const isNear = last !== undefined && at - last.to <= 2 * CONTEXT_LINES && isKnown(script, last.to, at);
    if (isNear && last.origin === origin) last.to = to;
    else runs.push({ from: at, to, origin });
    at = to;
  }
  return runs;
}

function isKnown(script: readonly ScriptLine[], from: number, to: number): boolean {
  return script.slice(from, to).every(({ text }) => text !== null);
}

function contextBefore(script: readonly ScriptLine[], from: number, floor: number): number {
  let at = from;
  while (at > floor && from - at < CONTEXT_LINES && script[at - 1]?.text !== null) at -= 1;
  return at;
}

function contextAfter(script: readonly ScriptLine[], to: number, ceiling: number): number {
  let at = to;
  while (at < ceiling && at - to < CONTEXT_LINES && script[at]?.text !== null) at += 1;
  return at;
}

/** Counts the lines that hunks add and remove. */
export function countLines(hunks: readonly ChangeHunk[]): {
  readonly added: number;
  readonly removed: number;
} {
  let [added, removed] = [0, 0];
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line[0] === '+') added += 1;
      else if (line[0] === '-') removed += 1;
    }
  }
  return { added, removed };
}

/** The hunks as the body of a unified diff. Adjacent hunks are joined: a patch cannot share context between hunks. */
export function hunksText(hunks: readonly ChangeHunk[]): Uint8Array {
  return fromLatin1(joinTouching(hunks).map(hunkText).join(''));
}

function joinTouching(hunks: readonly ChangeHunk[]): readonly ChangeHunk[] {
  const joined: ChangeHunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last === undefined || nextOld(last) !== (hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart)) {
      joined.push(hunk);
      continue;
    }
    joined[joined.length - 1] = {
      ...last,
      oldLines: last.oldLines + hunk.oldLines,
      newLines: last.newLines + hunk.newLines,
      lines: [...last.lines, ...hunk.lines],
    };
  }
  return joined;
}

function nextOld({ oldStart, oldLines }: ChangeHunk): number {
  return oldLines === 0 ? oldStart + 1 : oldStart + oldLines;
}

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: ChangeHunk): ByteString {
  const body = lines.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`));
  return `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@\n${body.join('')}`;
}
