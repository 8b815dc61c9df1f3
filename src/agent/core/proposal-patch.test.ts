import { describe, expect, it } from 'vitest';
import { compose, reviewsOf, testEdit, textOf } from '../../../test/helpers/agent-proposals.ts';
import type { ProposedEdit } from '../../protocol/agent.ts';

const NOTE = `${Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\n')}\n`;

async function review(files: Record<string, string>, edits: readonly ProposedEdit[]) {
  const composed = compose(files, edits);
  if (!composed.ok) throw new Error(composed.faults[0]?.message);
  return reviewsOf(composed.files);
}

const replace = (files: Record<string, string>, id: string, line: number, text: string, path = 'n.md') =>
  testEdit(files, {
    edit_id: id,
    file_path: path,
    operation: 'replace',
    start_line: line,
    end_line: line,
    new_text: text,
  });

describe('a proposal as a patch that the review reads', () => {
  it('a new file, its text and its absence', async () => {
    const [made] = await review({}, [
      testEdit(
        {},
        { file_path: 'a b/ü "q".md', operation: 'insert', start_line: 1, new_text: '# T\n\x1b[31mred\n' },
      ),
    ]);
    expect(made?.changes.map((change) => change.kind)).toEqual(['create']);
    expect(textOf(made?.image()?.bytes)).toBe('# T\n\x1b[31mred\n');
    const gone = made?.decide(new Set([made.changes[0]?.id ?? '']), 'reject');
    expect(gone?.ok === true && gone.value.image()).toBe(null);
  });

  it.each([
    ['text', 'x\ny'],
    ['empty', ''],
  ])('a deleted file: %s', async (_, text) => {
    const files = { 'n.md': text };
    const [gone] = await review(files, [testEdit(files, { file_path: 'n.md', operation: 'delete_file' })]);
    expect(gone?.changes.map((change) => change.kind)).toEqual(['delete']);
    expect(gone?.image()).toBe(null);
    const kept = gone?.decide(new Set([gone.changes[0]?.id ?? '']), 'reject');
    expect(kept?.ok === true && textOf(kept.value.image()?.bytes)).toBe(text);
  });

  it('a move and an edit are two decisions', async () => {
    const files = { 'n.md': NOTE };
    const [moved] = await review(files, [
      testEdit(files, { edit_id: 'r', file_path: 'n.md', operation: 'rename_file', new_path: 'new/n 2.md' }),
      replace(files, 'e', 3, 'LINE 3'),
    ]);
    expect(moved?.changes.map((change) => change.kind)).toEqual(['rename', 'text']);
    expect(moved?.path()).toBe('new/n 2.md');
    const stays = moved?.decide(new Set([moved.changes[0]?.id ?? '']), 'reject');
    expect(stays?.ok === true && stays.value.path()).toBe('n.md');
    expect(stays?.ok === true && textOf(stays.value.image()?.bytes)).toContain('LINE 3');
  });

  it('adjacent edits are separate hunks, each removed alone', async () => {
    const files = { 'n.md': NOTE };
    const [one] = await review(
      files,
      [4, 5, 6].map((line) => replace(files, `e${line}`, line, `LINE ${line}`)),
    );
    expect(one?.changes.length).toBe(3);
    const out = one?.decide(new Set([one.changes[1]?.id ?? '']), 'reject');
    expect(out?.ok === true && textOf(out.value.image()?.bytes)).toBe(
      NOTE.replace('line 4\n', 'LINE 4\n').replace('line 6\n', 'LINE 6\n'),
    );
  });

  it('the same edit of equal lines has two names', async () => {
    const files = { 'n.md': 'same\nother\nsame\n' };
    const [one] = await review(files, [replace(files, 'a', 1, 'new'), replace(files, 'b', 3, 'new')]);
    const ids = one?.changes.map((change) => change.id) ?? [];
    expect(new Set(ids).size).toBe(2);
    const out = one?.decide(new Set([ids[1] ?? '']), 'reject');
    expect(out?.ok === true && textOf(out.value.image()?.bytes)).toBe('new\nother\nsame\n');
  });
});
