import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, image, reviewsOf, testEdit, textOf } from '../../../test/helpers/agent-proposals.ts';
import type { ProposedEdit } from '../../protocol/agent.ts';
import type { FileReview } from '../../review/core/file-review.ts';
import type { FileImage } from '../../review/core/file-state.ts';
import { changeKey, FoldMemo, type Included, type StackFile, type StackLayer, stackTexts } from './stack.ts';

/** Project folders in memory with a log of layers; each is proposed on the text that results from those below. */
class TestStack {
  readonly files = new Map<string, StackFile>();
  readonly layers: StackLayer[] = [];

  constructor(texts: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(texts))
      this.files.set(path, { base: image(path, text), from: 0 });
  }

  async propose(
    edits: (files: Record<string, string>) => readonly ProposedEdit[],
    origin: StackLayer['origin'] = 'agent',
  ) {
    const files = this.texts('working');
    const composed = compose(files, edits(files));
    if (!composed.ok) throw new Error(composed.faults[0]?.message);
    for (const file of composed.files)
      for (const path of [file.path, file.newPath ?? file.path])
        if (!this.files.has(path)) this.files.set(path, { base: null, from: 0 });
    const seq = this.layers.length + 1;
    this.layers.push({ seq, id: `L${seq}`, origin, ended: false, files: await reviewsOf(composed.files) });
    if (origin === 'disk') this.decide(seq, () => true, 'accept');
  }

  decide(seq: number, which: (review: FileReview, index: number) => boolean, action: 'accept' | 'reject') {
    const layer = this.layers[seq - 1];
    if (layer === undefined) throw new Error('no layer');
    const files = layer.files.map((review) => {
      const ids = new Set(review.changes.filter((_, i) => which(review, i)).map((change) => change.id));
      const decided = review.decide(ids, action);
      if (!decided.ok) throw new Error(decided.error.message);
      return decided.value;
    });
    this.layers[seq - 1] = { ...layer, files };
  }

  conflicts(included: Included): string[] {
    return [...stackTexts(this.files, this.layers, included).conflicts.values()];
  }

  readonly #memos = { working: new FoldMemo(), saved: new FoldMemo() };

  texts(included: Included): Record<string, string> {
    const { tree, conflicts } = stackTexts(this.files, this.layers, included);
    // Cached results equal recomputed ones.
    const again = stackTexts(this.files, this.layers, included, this.#memos[included]);
    expect([...again.tree]).toEqual([...tree]);
    expect(again.conflicts).toEqual(conflicts);
    const there = [...tree].filter((entry): entry is [string, FileImage] => entry[1] !== null);
    return Object.fromEntries(there.map(([path, found]) => [path, textOf(found.bytes) ?? '']));
  }
}

const NOTE = 'one\ntwo\nthree\nfour\nfive\n';
const replace = (files: Record<string, string>, line: number, text: string, path = 'n.md'): ProposedEdit =>
  testEdit(files, {
    edit_id: `e${line}`,
    file_path: path,
    operation: 'replace',
    start_line: line,
    end_line: line,
    new_text: text,
  });

describe('proposed, decided and saved changes', () => {
  it('are in the working text at once, in the saved text after acceptance', async () => {
    const stack = new TestStack({ 'n.md': NOTE });
    await stack.propose((files) => [replace(files, 1, 'ONE'), replace(files, 3, 'THREE')]);
    expect(stack.texts('working')).toEqual({ 'n.md': 'ONE\ntwo\nTHREE\nfour\nfive\n' });
    expect(stack.texts('saved')).toEqual({ 'n.md': NOTE });
    stack.decide(1, (_, i) => i === 0, 'accept');
    stack.decide(1, (_, i) => i === 1, 'reject');
    expect(stack.texts('working')).toEqual({ 'n.md': 'ONE\ntwo\nthree\nfour\nfive\n' });
    expect(stack.texts('saved')).toEqual(stack.texts('working'));
  });

  it('undecided changes of an ended proposal are in no text', async () => {
    const stack = new TestStack({ 'n.md': NOTE });
    await stack.propose((files) => [replace(files, 1, 'ONE')]);
    const [layer] = stack.layers;
    if (layer !== undefined) stack.layers[0] = { ...layer, ended: true };
    expect(stack.texts('working')).toEqual({ 'n.md': NOTE });
  });
});

describe('a change on a change', () => {
  it('does not fit without the lower one, says so, and comes back with it', async () => {
    const stack = new TestStack({ 'n.md': NOTE });
    await stack.propose((files) => [replace(files, 2, 'two\nnew')]);
    await stack.propose((files) => [replace(files, 3, 'newer'), replace(files, 5, 'FOUR')]);
    expect(stack.texts('working')['n.md']).toBe('one\ntwo\nnewer\nthree\nFOUR\nfive\n');
    stack.decide(1, () => true, 'reject');
    expect(stack.texts('working')['n.md']).toBe('one\ntwo\nthree\nFOUR\nfive\n');
    expect(stack.conflicts('working')).toEqual(['the lines it was made for are gone.']);
    stack.decide(1, () => true, 'accept');
    expect(stack.texts('working')['n.md']).toBe('one\ntwo\nnewer\nthree\nFOUR\nfive\n');
    expect(stack.conflicts('working')).toEqual([]);
    // The upper one is accepted, the lower one undecided: it cannot be saved yet.
    stack.decide(2, () => true, 'accept');
    stack.decide(1, () => true, 'reject');
    expect(stack.conflicts('saved').length).toBe(1);
  });

  it('in a file that is not created, or is deleted, does not fit', async () => {
    const stack = new TestStack({ 'n.md': NOTE });
    await stack.propose((files) => [
      testEdit(files, {
        edit_id: 'a',
        file_path: 'new.md',
        operation: 'insert',
        start_line: 1,
        new_text: 'a\nb\n',
      }),
      testEdit(files, { edit_id: 'r', file_path: 'n.md', operation: 'rename_file', new_path: 'm.md' }),
    ]);
    await stack.propose((files) => [replace(files, 2, 'B', 'new.md'), replace(files, 1, 'ONE', 'm.md')]);
    expect(stack.texts('working')).toEqual({ 'new.md': 'a\nB\n', 'm.md': NOTE.replace('one', 'ONE') });
    stack.decide(1, () => true, 'reject');
    expect(stack.texts('working')).toEqual({ 'n.md': NOTE });
    expect(stack.conflicts('working')).toEqual(Array(2).fill('the file no longer exists.'));
  });

  it('a deletion of a text that has changed since is left out', async () => {
    const stack = new TestStack({ 'n.md': NOTE });
    await stack.propose((files) => [replace(files, 1, 'ONE')]);
    await stack.propose((files) => [testEdit(files, { file_path: 'n.md', operation: 'delete_file' })]);
    expect(stack.texts('working')).toEqual({});
    stack.decide(1, () => true, 'reject');
    expect(stack.texts('working')).toEqual({ 'n.md': NOTE });
    expect(stack.conflicts('working')).toEqual(['the file has changed since this was made.']);
  });
});

describe("the user's own edits", () => {
  it('stay, and undecided changes on the same lines are dropped', async () => {
    const stack = new TestStack({ 'n.md': NOTE });
    await stack.propose((files) => [
      replace(files, 1, 'ONE'),
      replace(files, 3, 'THREE'),
      replace(files, 5, 'FIVE'),
    ]);
    stack.decide(1, (_, i) => i === 0, 'accept');
    // Read from disk: based on the saved text, not on the proposed one.
    const saved = stack.texts('saved');
    const composed = compose(saved, [replace(saved, 3, 'my three'), replace(saved, 2, 'my two')]);
    if (!composed.ok) throw new Error('faults');
    const mine = await reviewsOf(composed.files);
    stack.layers.push({ seq: 2, id: 'L2', origin: 'disk', ended: false, files: mine });
    stack.decide(2, () => true, 'accept');
    expect(stack.texts('saved')['n.md']).toBe('ONE\nmy two\nmy three\nfour\nfive\n');
    expect(stack.texts('working')['n.md']).toBe('ONE\nmy two\nmy three\nfour\nFIVE\n');
    expect(stack.conflicts('working')).toEqual(['you have edited its lines since.']);
  });
});

describe('replay agrees with the plain definition', () => {
  const layer = fc.array(fc.record({ line: fc.nat(29), count: fc.nat(3), rejected: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  it('over layers of edits of different lines, whatever is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(layer, { minLength: 1, maxLength: 12 }), async (given) => {
        const base = Array.from({ length: 30 }, (_, i) => `L${i}`);
        const taken = new Map<number, { text: string[]; rejected: boolean }>();
        const stack = new TestStack({ 'n.md': base.map((line) => `${line}\n`).join('') });
        for (const [depth, edits] of given.entries()) {
          const own = new Map(edits.filter(({ line }) => !taken.has(line)).map((edit) => [edit.line, edit]));
          if (own.size === 0) continue;
          const lines = [...own.keys()].sort((a, b) => a - b);
          for (const [line, { count, rejected }] of own) {
            taken.set(line, {
              rejected,
              text: Array.from({ length: count }, (_, i) => `${depth}-${line}-${i}`),
            });
          }
          await stack.propose((files) => {
            const now = (files['n.md'] ?? '').split('\n');
            return lines.map((line) => {
              const at = now.indexOf(`L${line}`) + 1;
              const text = taken.get(line)?.text ?? [];
              return testEdit(files, {
                edit_id: `e${line}`,
                file_path: 'n.md',
                operation: text.length === 0 ? 'delete' : 'replace',
                start_line: at,
                end_line: at,
                new_text: text.map((one) => `${one}\n`).join(''),
              });
            });
          });
          const seq = stack.layers.length;
          stack.decide(seq, (_, i) => taken.get(lines[i] ?? -1)?.rejected !== true, 'accept');
        }
        const plain = (wanted: (edit: { rejected: boolean }) => boolean) =>
          base
            .flatMap((line, i) => {
              const edit = taken.get(i);
              return edit === undefined || !wanted(edit) ? [line] : edit.text;
            })
            .map((line) => `${line}\n`)
            .join('');
        const text = (included: Included) => stack.texts(included)['n.md'] ?? '';
        expect(text('working')).toBe(plain(() => true));
        expect(text('saved')).toBe(plain((edit) => !edit.rejected));
        for (const seq of stack.layers.keys())
          stack.decide(
            seq + 1,
            (review, i) => review.state.changes.get(review.changes[i]?.id ?? '')?.decision !== 'accepted',
            'reject',
          );
        expect(text('working')).toBe(plain((edit) => !edit.rejected));
        expect(stack.conflicts('working')).toEqual([]);
        expect(stack.conflicts('saved')).toEqual([]);
      }),
      { seed: 32, numRuns: 120 },
    );
  });
});

it('names a change of a layer', () => {
  expect(changeKey('L', 'h')).toBe('L h');
});
