/** A hunk's lines for a screen: a window, with each line cut to what can be shown. */
import type { HunkLine } from '../../protocol/review.ts';
import { CR } from '../core/bytes.ts';
import type { Change } from '../core/change.ts';
import { ADDED, endsLine, type HunkBody, REMOVED } from '../core/hunk-body.ts';

export interface LineWindow {
  /** From 1. */
  readonly first: number;
  readonly count: number;
  readonly maxLineBytes: number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The lines of `change` in the window; none for a change without a hunk. */
export function hunkLines(change: Change, window: LineWindow): { lines: HunkLine[]; total: number } {
  const { body, hunk } = change;
  if (body === null || hunk === null) return { lines: [], total: 0 };
  const lines: HunkLine[] = [];
  let oldLine = Math.max(1, (hunk.oldStart ?? 1) + (hunk.oldCount === 0 ? 1 : 0));
  let newLine = Math.max(1, (hunk.newStart ?? 1) + (hunk.newCount === 0 ? 1 : 0));
  const end = Math.min(body.count, window.first - 1 + window.count);
  for (let i = 0; i < end; i += 1) {
    const op = body.op(i);
    if (i >= window.first - 1) {
      const numbers = { oldLine: op === ADDED ? null : oldLine, newLine: op === REMOVED ? null : newLine };
      const own = change.picked === null || change.picked.has(i);
      lines.push({ ...lineOf(body, i, window.maxLineBytes), ...numbers, own });
    }
    if (op !== ADDED) oldLine += 1;
    if (op !== REMOVED) newLine += 1;
  }
  return { lines, total: body.count };
}

function lineOf(
  body: HunkBody,
  i: number,
  maxBytes: number,
): Pick<HunkLine, 'op' | 'text' | 'cutFrom' | 'ending'> {
  const start = body.start(i);
  const end = body.end(i);
  const ending = !endsLine(body, i) ? 'none' : end - start >= 2 && body.bytes[end - 2] === CR ? 'crlf' : 'lf';
  const length = end - start - (ending === 'none' ? 0 : ending === 'crlf' ? 2 : 1);
  const op = body.op(i) === ADDED ? 'added' : body.op(i) === REMOVED ? 'removed' : 'context';
  const text = decoder.decode(body.bytes.subarray(start, start + Math.min(length, maxBytes)));
  return { op, text, cutFrom: length > maxBytes ? length : null, ending };
}
