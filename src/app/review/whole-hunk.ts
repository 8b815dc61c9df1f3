/** Reads a hunk that is too long for one answer, page by page, and writes its diff as it would have come. */
import type { Client } from '../../protocol/client.ts';
import type { Hunk, HunkLine } from '../../protocol/review.ts';

/** Lines of one page. */
const PAGE_LINES = 5_000;
/** A longer line is cut: nobody reads it, and a page must fit into a message. */
const LINE_MAX_BYTES = 1_024;
/** A hunk of more lines stays cut. */
const HUNK_MAX_LINES = 500_000;

const SIGNS: Readonly<Record<HunkLine['op'], string>> = { context: ' ', removed: '-', added: '+' };

/** The hunk with all its lines; not complete where one was cut. Null when it cannot be read. */
export async function readWholeHunk(client: Client, suggestion: string, hunk: Hunk): Promise<Hunk | null> {
  const header = hunk.diff.slice(0, hunk.diff.indexOf('\n') + 1);
  const parts = [header];
  let isComplete = header.startsWith('@@');
  for (let first = 1, total = 1; first <= Math.min(total, HUNK_MAX_LINES); first += PAGE_LINES) {
    const page = await client.request('review/lines', {
      suggestion,
      hunk: hunk.id,
      first,
      count: PAGE_LINES,
      maxLineBytes: LINE_MAX_BYTES,
    });
    if (!page.ok) return null;
    total = page.value.total;
    if (total > HUNK_MAX_LINES) isComplete = false;
    for (const line of page.value.lines) {
      if (line.cutFrom !== null) isComplete = false;
      parts.push(diffLine(line));
    }
  }
  return { ...hunk, diff: parts.join(''), diffComplete: isComplete };
}

/** Of a part of a hunk, what other parts add is left out and what they remove is context. */
function diffLine({ op, text, ending, own }: HunkLine): string {
  if (!own && op === 'added') return '';
  const sign = !own && op === 'removed' ? ' ' : SIGNS[op];
  const end = { lf: '\n', crlf: '\r\n', none: '\n\\ No newline at end of file\n' }[ending];
  return `${sign}${text}${end}`;
}
