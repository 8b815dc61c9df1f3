/** Reads a hunk that is too long for one answer, page by page, and assembles its diff. */
import type { Client } from '../../protocol/client.ts';
import type { Hunk, HunkLine } from '../../protocol/review.ts';

const PAGE_LINES = 5_000;
/** A longer line is truncated, since a page must fit into a message. */
const LINE_MAX_BYTES = 1_024;
/** A hunk with more lines stays truncated. */
const HUNK_MAX_LINES = 500_000;

const SIGNS: Readonly<Record<HunkLine['op'], string>> = { context: ' ', removed: '-', added: '+' };

/** Every line of the hunk up to the limit; null if they cannot be read. */
async function readLines(client: Client, suggestion: string, hunk: string): Promise<Lines | null> {
  const lines: HunkLine[] = [];
  let total = 1;
  for (let first = 1; first <= Math.min(total, HUNK_MAX_LINES); first += PAGE_LINES) {
    const wanted = { first, count: PAGE_LINES, maxLineBytes: LINE_MAX_BYTES };
    const page = await client.request('review/lines', { suggestion, hunk, ...wanted });
    if (!page.ok) return null;
    total = page.value.total;
    for (const line of page.value.lines) lines.push(line);
  }
  return { lines, isWhole: lines.length >= total };
}

interface Lines {
  readonly lines: readonly HunkLine[];
  readonly isWhole: boolean;
}

/** The hunk with all its lines; marked incomplete if a line was truncated. Null if it cannot be read. */
export async function readWholeHunk(client: Client, suggestion: string, hunk: Hunk): Promise<Hunk | null> {
  const header = hunk.diff.slice(0, hunk.diff.indexOf('\n') + 1);
  const read = await readLines(client, suggestion, hunk.id);
  if (read === null) return null;
  const diffComplete =
    header.startsWith('@@') && read.isWhole && read.lines.every((line) => line.cutFrom === null);
  return { ...hunk, diff: header + read.lines.filter(isShown).map(diffLine).join(''), diffComplete };
}

/** Lines that other parts of the hunk add are left out of a part. */
function isShown({ own, op }: HunkLine): boolean {
  return own || op !== 'added';
}

/** Lines that other parts remove are context in a part. */
function diffLine({ op, text, ending, own }: HunkLine): string {
  const sign = !own && op === 'removed' ? ' ' : SIGNS[op];
  const end = { lf: '\n', crlf: '\r\n', none: '\n\\ No newline at end of file\n' }[ending];
  return `${sign}${text}${end}`;
}
