/** Turns a change of a text into edits as models give them, for agents that write files themselves. Pure. */
import { alignSequences, editScript, Interner } from '../../lib/sequence-diff.ts';
import type { DraftEdit } from '../../protocol/agent.ts';

/** Edits that turn `before` into `after`, in order; lines count from 1 in `before`. Empty if they are equal. */
export function lineEdits(filePath: string, before: string, after: string): DraftEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const interner = new Interner();
  const partners = alignSequences(interner.idsOf(old), interner.idsOf(now));
  const edits: DraftEdit[] = [];
  let gap: Gap | null = null;
  for (const { kind, a, b } of editScript(old.length, now.length, partners)) {
    if (kind === 'same') {
      if (gap !== null) edits.push(editOf(filePath, gap, now));
      gap = null;
      continue;
    }
    gap ??= { from: a, to: a, newFrom: b, newTo: b };
    if (kind === 'removed') gap.to = a + 1;
    else gap.newTo = b + 1;
  }
  if (gap !== null) edits.push(editOf(filePath, gap, now));
  return edits;
}

/** Lines `[from, to)` of the old text that became `[newFrom, newTo)` of the new one; from 0. */
interface Gap {
  readonly from: number;
  to: number;
  readonly newFrom: number;
  newTo: number;
}

function editOf(file_path: string, { from, to, newFrom, newTo }: Gap, now: readonly string[]): DraftEdit {
  const new_text = now.slice(newFrom, newTo).join('');
  if (from === to) return { file_path, operation: 'insert', start_line: from + 1, new_text };
  const operation = new_text === '' ? 'delete' : 'replace';
  return { file_path, operation, start_line: from + 1, end_line: to, new_text };
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
