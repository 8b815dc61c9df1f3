/** Reads the hunks of one file's unified diff. Trusts line numbers and counts. Pure. */
import { latin1 } from '../../review/core/bytes.ts';
import type { EditHunk } from './turn-edits.ts';

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_NEWLINE = '\\ ';

/** Null for a text that contradicts its headers. Lines before the first hunk are skipped. */
export function unifiedHunks(diff: string): readonly EditHunk[] | null {
  const lines = latin1(new TextEncoder().encode(diff)).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hunks: EditHunk[] = [];
  for (let at = 0; at < lines.length; ) {
    const header = HEADER.exec(lines[at++] ?? '');
    if (header === null) continue;
    const [oldStart, oldCount, newStart, newCount] = header.slice(1).map((part) => Number(part ?? 1));
    const body: string[] = [];
    let [old, updated] = [oldCount ?? 1, newCount ?? 1];
    while (at < lines.length && (old > 0 || updated > 0 || lines[at]?.startsWith(NO_NEWLINE))) {
      const line = lines[at++] ?? '';
      const last = body.at(-1);
      if (line.startsWith(NO_NEWLINE)) {
        if (last !== undefined) body[body.length - 1] = last.slice(0, -1);
        continue;
      }
      const marker = line[0] ?? ' ';
      if (!' -+'.includes(marker)) return null;
      if (marker !== '+') old -= 1;
      if (marker !== '-') updated -= 1;
      body.push(`${line === '' ? ' ' : line}\n`);
    }
    if (old !== 0 || updated !== 0) return null;
    hunks.push({ oldStart: oldStart ?? 0, newStart: newStart ?? 0, lines: body });
  }
  return hunks;
}
