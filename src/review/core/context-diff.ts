/** Converts a context diff (`diff -c`) to a unified one. Text has one character per byte. Pure. */
import { append } from '../../lib/append.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { ByteString } from './bytes.ts';

const SEPARATOR = /^\*{15}(.*)$/;
const OLD_RANGE = /^\*\*\* (\d+)(?:,(\d+))? \*{4}/;
const NEW_RANGE = /^--- (\d+)(?:,(\d+))? -{4}/;
const OLD_LINE = /^[-! ] |^[-! ]$/;
const NEW_LINE = /^[+! ] |^[+! ]$/;

/** The unified diff of all files in the text; keeps prose between them. */
export function unifiedOfContext(text: ByteString): Result<ByteString> {
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (/^\*\*\* \S/.test(line) && /^--- \S/.test(next) && !OLD_RANGE.test(line)) {
      out.push(`--- ${line.slice(4)}`, `+++ ${next.slice(4)}`);
      at += 2;
    } else if (SEPARATOR.test(line)) {
      const hunk = readHunk(lines, at);
      if (!hunk.ok) return hunk;
      append(out, hunk.value.unified);
      at = hunk.value.end;
    } else {
      out.push(line);
      at += 1;
    }
  }
  return ok(out.join('\n'));
}

interface Side {
  readonly lines: readonly string[];
  readonly end: number;
}

function readHunk(
  lines: readonly string[],
  separator: number,
): Result<{ readonly unified: readonly string[]; readonly end: number }> {
  const section = SEPARATOR.exec(lines[separator] ?? '')?.[1] ?? '';
  const old = OLD_RANGE.exec(lines[separator + 1] ?? '');
  if (old === null) return unreadable(separator + 1, 'the line with *** and the old numbers is missing');
  const before = readSide(lines, separator + 2, OLD_LINE);
  const updated = NEW_RANGE.exec(lines[before.end] ?? '');
  if (updated === null) return unreadable(before.end, 'the line with --- and the new numbers is missing');
  const after = readSide(lines, before.end + 1, NEW_LINE);
  const body = merge(before.lines, after.lines);
  if (body === null) return unreadable(separator, 'its two halves do not have the same context');
  const counts = [' -', ' +'].map((signs) => body.filter((line) => signs.includes(line[0] ?? '')).length);
  const range = (start: string | undefined, count = 0) => `${start ?? 0},${count}`;
  const header = `@@ -${range(old[1], counts[0])} +${range(updated[1], counts[1])} @@${section}`;
  return ok({ unified: [header, ...body], end: after.end });
}

const unreadable = (line: number, why: string) =>
  fail('invalid', `Line ${line + 1}: this part of the context diff cannot be read: ${why}.`);

function readSide(lines: readonly string[], from: number, shape: RegExp): Side {
  let end = from;
  while (end < lines.length && (shape.test(lines[end] ?? '') || lines[end]?.startsWith('\\') === true))
    end += 1;
  return { lines: lines.slice(from, end), end };
}

/** Both halves as one body; a half without changes may be omitted. Null if they contradict each other. */
function merge(old: readonly string[], updated: readonly string[]): readonly string[] | null {
  const context = (half: readonly string[]) => half.filter((line) => line.startsWith(' ') || line === '');
  const before = old.length > 0 ? old : context(updated);
  const after = updated.length > 0 ? updated : context(old);
  const body: string[] = [];
  let [a, b] = [0, 0];
  const textOf = (line = '') => line.slice(2);
  while (a < before.length || b < after.length) {
    const [one, other] = [before[a], after[b]];
    if (one?.startsWith('\\') || other?.startsWith('\\')) {
      body.push(one?.startsWith('\\') ? one : (other ?? ''));
      if (one?.startsWith('\\')) a += 1;
      if (other?.startsWith('\\')) b += 1;
    } else if (one !== undefined && /^[-!]/.test(one)) {
      body.push(`-${textOf(one)}`);
      a += 1;
    } else if (other !== undefined && /^[+!]/.test(other)) {
      body.push(`+${textOf(other)}`);
      b += 1;
    } else {
      if (one === undefined || textOf(one) !== textOf(other)) return null;
      body.push(` ${textOf(one)}`);
      [a, b] = [a + 1, b + 1];
    }
  }
  return body;
}
