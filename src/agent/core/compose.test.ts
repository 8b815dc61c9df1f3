import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, compose, reviewsOf, testEdit, textOf } from '../../../test/helpers/agent-proposals.ts';
import type { EditFault, ProposedEdit } from '../../protocol/agent.ts';
import { lineTable } from '../../review/core/line-table.ts';
import { sha256 } from '../../review/files/hash.ts';
import { composeEdits, PROPOSAL_MAX_CHARACTERS } from './compose.ts';

const NOTE = 'one\ntwo\nthree\nfour\n';
const files = { 'note.md': NOTE };

function proposedText(
  given: Readonly<Record<string, string>>,
  edits: readonly ProposedEdit[],
): string | null {
  const composed = compose(given, edits);
  if (!composed.ok) throw new Error(composed.faults.map((fault) => fault.message).join('\n'));
  return textOf(composed.files[0]?.proposed.bytes);
}

function faultsOf(
  given: Readonly<Record<string, string>>,
  edits: readonly ProposedEdit[],
): readonly EditFault[] {
  const composed = compose(given, edits);
  if (composed.ok) throw new Error('no fault');
  return composed.faults;
}

const at = (
  operation: ProposedEdit['operation'],
  start: number,
  end: number | undefined,
  text: string,
  more: Partial<ProposedEdit> = {},
): Parameters<typeof testEdit>[1] => ({
  file_path: 'note.md',
  operation,
  start_line: start,
  ...(end === undefined ? {} : { end_line: end }),
  new_text: text,
  ...more,
});

describe('an edit that fits', () => {
  it.each([
    ['replace', NOTE, at('replace', 2, 3, 'zwei\n'), 'one\nzwei\nfour\n'],
    ['replace without a line end', NOTE, at('replace', 2, 2, 'zwei'), 'one\nzwei\nthree\nfour\n'],
    [
      'insert before the first line',
      NOTE,
      at('insert', 1, undefined, 'zero'),
      'zero\none\ntwo\nthree\nfour\n',
    ],
    ['insert after the last line', NOTE, at('insert', 5, undefined, 'five\n'), `${NOTE}five\n`],
    ['delete', NOTE, at('delete', 1, 2, ''), 'three\nfour\n'],
    ['delete everything', NOTE, at('delete', 1, 4, ''), ''],
    ['insert into an empty file', '', at('insert', 1, undefined, 'x\n'), 'x\n'],
    ['CRLF stays CRLF', 'a\r\nb\r\n', at('replace', 2, 2, 'B\nC\n'), 'a\r\nB\r\nC\r\n'],
    ['LF stays LF if the model writes CRLF', 'a\nb\n', at('replace', 2, 2, 'B\r\nC'), 'a\nB\nC\n'],
    ['mixed: as the removed line', 'a\r\nb\nc\r\n', at('replace', 2, 2, 'B'), 'a\r\nB\nc\r\n'],
    ['mixed: as the previous line', 'a\r\nb\nc\r\n', at('insert', 2, undefined, 'x'), 'a\r\nx\r\nb\nc\r\n'],
    ['an open end stays open', 'a\nb', at('replace', 2, 2, 'B\n'), 'a\nB'],
    ['an open end moves to the new last line', 'a\nb', at('insert', 3, undefined, 'c\n'), 'a\nb\nc'],
    ['an open CRLF end', 'a\r\nb', at('insert', 3, undefined, 'c'), 'a\r\nb\r\nc'],
    ['a BOM stays first: replace', '\uFEFFa\nb\n', at('replace', 1, 1, 'A'), '\uFEFFA\nb\n'],
    ['a BOM stays first: insert', '\uFEFFa\nb\n', at('insert', 1, undefined, '0'), '\uFEFF0\na\nb\n'],
    ['a BOM stays first: delete', '\uFEFFa\nb\n', at('delete', 1, 1, ''), '\uFEFFb\n'],
    ['a BOM in the new text is dropped', 'a\n', at('replace', 1, 1, '\uFEFFA'), 'A\n'],
    [
      'a lone CR and U+2028 are content',
      'a\rb\nc\u2028d\n',
      at('replace', 2, 2, 'c\u2028D'),
      'a\rb\nc\u2028D\n',
    ],
  ])('%s', (_, text, edit, expected) => {
    const given = { 'note.md': text };
    expect(proposedText(given, [testEdit(given, edit)])).toBe(expected);
  });

  it('makes a new file by an insert at line 1', () => {
    const composed = compose({}, [
      testEdit({}, { file_path: 'new/a.md', operation: 'insert', start_line: 1, new_text: '# A' }),
    ]);
    expect(composed.ok && composed.files[0]).toMatchObject({
      change: 'create',
      path: 'new/a.md',
      base: null,
    });
    expect(composed.ok && textOf(composed.files[0]?.proposed.bytes)).toBe('# A\n');
  });

  it('renames and edits in one proposal', () => {
    const edits = [
      testEdit(files, {
        edit_id: 'r',
        file_path: './note.md',
        operation: 'rename_file',
        new_path: 'notes/n.md',
        expected_hash: `sha256:${sha256([bytesOf(NOTE)])}`,
      }),
      testEdit(files, at('replace', 1, 1, 'ONE')),
    ];
    const composed = compose(files, edits);
    expect(composed.ok && composed.files[0]).toMatchObject({
      change: 'rename',
      newPath: 'notes/n.md',
      fileEditIds: ['r'],
    });
  });
});

describe('an edit that does not fit is refused with a message to act on', () => {
  const e = (edit: Parameters<typeof testEdit>[1]) => testEdit(files, edit);
  it.each<[string, EditFault['code'], RegExp, readonly ProposedEdit[]]>([
    ['end out of range', 'out_of_range', /lines 3-9 .*has 4 lines/, [e(at('replace', 3, 9, 'x'))]],
    [
      'insert out of range',
      'out_of_range',
      /to append, insert at line 5/,
      [e(at('insert', 9, undefined, 'x'))],
    ],
    [
      'wrong hash',
      'wrong_hash',
      /lines 2-3 of note.md are not what you saw.*Read lines 2-3 again/,
      [e(at('replace', 2, 3, 'x', { expected_hash: `sha256:${'0'.repeat(64)}` }))],
    ],
    [
      'a file that the model thought was new',
      'exists',
      /exists and you have not seen line 1/,
      [testEdit({}, at('insert', 1, undefined, 'x'))],
    ],
    ['end before start', 'invalid', /end_line 1 lies before start_line 2/, [e(at('replace', 2, 1, 'x'))]],
    ['delete with text', 'invalid', /delete takes no new_text/, [e(at('delete', 1, 1, 'x'))]],
    ['insert of nothing', 'invalid', /insert needs a new_text/, [e(at('insert', 1, undefined, ''))]],
    ['NUL', 'not_text', /NUL/, [e(at('replace', 1, 1, 'a\0b'))]],
    ['nothing changes', 'no_change', /read like that already/, [e(at('replace', 1, 1, 'one'))]],
    [
      'missing file',
      'missing',
      /gone.md does not exist/,
      [testEdit({ 'gone.md': 'x\n' }, at('replace', 1, 1, 'y', { file_path: 'gone.md' }))],
    ],
    [
      'overlap',
      'overlap',
      /it overlaps e1 \(lines 1-2\)/,
      [e(at('replace', 1, 2, 'x')), e(at('delete', 2, 3, '', { edit_id: 'e2' }))],
    ],
    [
      'insert inside removed lines',
      'overlap',
      /it overlaps e1/,
      [e(at('replace', 1, 3, 'x')), e(at('insert', 2, undefined, 'y', { edit_id: 'e2' }))],
    ],
    [
      'two inserts at one place',
      'overlap',
      /inserts before line 2 too/,
      [e(at('insert', 2, undefined, 'x')), e(at('insert', 2, undefined, 'y', { edit_id: 'e2' }))],
    ],
    [
      'the same id twice',
      'invalid',
      /stands twice/,
      [e(at('replace', 1, 1, 'x')), e(at('replace', 2, 2, 'y'))],
    ],
    [
      'edit of a deleted file',
      'overlap',
      /e1 deletes note.md/,
      [e({ file_path: 'note.md', operation: 'delete_file' }), e(at('replace', 1, 1, 'y', { edit_id: 'e2' }))],
    ],
    [
      'parent folder',
      'outside_root',
      /leaves the root/,
      [testEdit({}, at('insert', 1, undefined, 'x', { file_path: '../evil.md' }))],
    ],
    [
      'absolute',
      'outside_root',
      /absolute/,
      [testEdit({}, at('insert', 1, undefined, 'x', { file_path: '/etc/passwd' }))],
    ],
    [
      'hook',
      'protected',
      /version control/,
      [testEdit({}, at('insert', 1, undefined, 'x', { file_path: '.git/hooks/pre-commit' }))],
    ],
    [
      'hook in disguise',
      'protected',
      /version control/,
      [testEdit({}, at('insert', 1, undefined, 'x', { file_path: 'a/.GIT./hooks/x' }))],
    ],
    [
      'rename onto a file',
      'exists',
      /other.md exists already/,
      [
        testEdit(
          { ...files, 'other.md': 'o\n' },
          { file_path: 'note.md', operation: 'rename_file', new_path: 'other.md' },
        ),
      ],
    ],
    [
      'rename into a hook',
      'protected',
      /version control/,
      [e({ file_path: 'note.md', operation: 'rename_file', new_path: '.git/hooks/x' })],
    ],
  ])('%s', (_, code, message, edits) => {
    const given = { ...files, 'other.md': 'o\n' };
    const [fault] = faultsOf(given, edits);
    expect(fault?.code).toBe(code);
    expect(fault?.message).toMatch(message);
  });

  it.each([
    ['not_text', 'is not valid UTF-8'],
    ['outside_root', 'lies behind a link'],
  ] as const)('what the reader refuses: %s', (code, why) => {
    const composed = composeEdits([testEdit(files, at('replace', 1, 1, 'x'))], {
      files: new Map([['note.md', { kind: 'refused', code, why }]]),
      hash: sha256,
    });
    expect(composed).toMatchObject({ ok: false, faults: [{ code, message: `e1: note.md ${why}` }] });
  });

  it('refuses more text than one proposal may have, and accepts exactly that much', () => {
    const insert = (length: number) =>
      testEdit({}, at('insert', 1, undefined, 'x'.repeat(length), { file_path: 'new.md' }));
    expect(compose({}, [insert(PROPOSAL_MAX_CHARACTERS)]).ok).toBe(true);
    expect(faultsOf({}, [insert(PROPOSAL_MAX_CHARACTERS + 1)])).toMatchObject([{ code: 'invalid' }]);
  });

  it('reports all faults at once', () => {
    const edits = [
      e(at('replace', 8, 9, 'x')),
      testEdit({}, at('insert', 1, undefined, 'x', { file_path: '../a', edit_id: 'e2' })),
    ];
    expect(faultsOf(files, edits).map((fault) => fault.code)).toEqual(['out_of_range', 'outside_root']);
  });
});

/** Edits of separate whole lines, and which of them are accepted. */
const scenario = fc
  .record({
    lines: fc.array(fc.constantFrom('a', 'b', 'c', '', 'same', 'same', 'long line of text'), {
      minLength: 1,
      maxLength: 30,
    }),
    gaps: fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
    kinds: fc.array(fc.constantFrom('replace', 'insert', 'delete'), { minLength: 8, maxLength: 8 }),
    spans: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
    texts: fc.array(fc.array(fc.constantFrom('x', 'y', 'same', '', 'a'), { minLength: 1, maxLength: 4 }), {
      minLength: 8,
      maxLength: 8,
    }),
    taken: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  })
  .map(({ lines, gaps, kinds, spans, texts, taken }) => {
    const edits: {
      start: number;
      end: number;
      text: string[];
      taken: boolean;
      kind: 'replace' | 'insert' | 'delete';
    }[] = [];
    let line = 0;
    gaps.forEach((gap, i) => {
      const kind = (kinds[i] ?? 'replace') as 'replace' | 'insert' | 'delete';
      // At least one line apart: two insertions at the same place are refused.
      const start = line + gap + (i === 0 ? 0 : 1);
      const end = kind === 'insert' ? start : Math.min(lines.length, start + (spans[i] ?? 1));
      if (start > lines.length || (kind !== 'insert' && start >= end)) return;
      const text = kind === 'delete' ? [] : (texts[i] ?? ['x']);
      if (kind === 'replace' && text.join('\n') === lines.slice(start, end).join('\n')) return;
      edits.push({ start, end, text, taken: taken[i] ?? true, kind });
      line = end;
    });
    return { lines, edits };
  })
  .filter(({ edits }) => edits.length > 0);

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** The plain definition: splice the lines from the last edit to the first. */
function reference({ lines, edits }: Scenario, wanted: (edit: Scenario['edits'][number]) => boolean): string {
  const out: string[] = [...lines];
  for (const edit of [...edits].reverse())
    if (wanted(edit)) out.splice(edit.start, edit.end - edit.start, ...edit.text);
  return out.map((line) => `${line}\n`).join('');
}

const editsOf = ({ lines, edits }: Scenario) => {
  const given = { 'f.md': lines.map((line) => `${line}\n`).join('') };
  return {
    given,
    proposed: edits.map((edit, i) =>
      testEdit(given, {
        edit_id: `e${i}`,
        file_path: 'f.md',
        operation: edit.kind,
        start_line: edit.start + 1,
        ...(edit.kind === 'insert' ? {} : { end_line: edit.end }),
        new_text: edit.text.map((line) => `${line}\n`).join(''),
      }),
    ),
  };
};

describe('edits, hunks and replay agree with the plain definition', () => {
  it('all of them', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { given: project, proposed } = editsOf(given);
        expect(proposedText(project, proposed)).toBe(reference(given, () => true));
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('any selection, by rejecting the hunks of the others', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { given: project, proposed } = editsOf(given);
        const composed = compose(project, proposed);
        if (!composed.ok) throw new Error(composed.faults[0]?.message);
        const [review] = await reviewsOf(composed.files);
        const hunks = composed.files[0]?.hunks ?? [];
        expect(review?.changes.length).toBe(hunks.length);
        const rejected = new Set(
          hunks.flatMap((hunk, i) => {
            const edit = given.edits[Number(hunk.editIds[0]?.slice(1))];
            return edit?.taken === false ? [review?.changes[i]?.id ?? ''] : [];
          }),
        );
        const decided = review?.decide(rejected, 'reject');
        if (decided?.ok !== true) throw new Error('refused');
        expect(textOf(decided.value.image()?.bytes) ?? '').toBe(reference(given, (edit) => edit.taken));
        // And accepted again, whatever is next to them.
        const again = decided.value.decide(rejected, 'accept');
        if (!again.ok) throw new Error(again.error.message);
        expect(textOf(again.value.image()?.bytes) ?? '').toBe(reference(given, () => true));
      }),
      { seed: 8, numRuns: 400 },
    );
  });

  it('bytes that no edit names stay, whatever the line ends', () => {
    const line = fc.tuple(fc.constantFrom('a', 'ü', '漢字', ' '), fc.constantFrom('\n', '\r\n'));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 3, maxLength: 12 }),
        fc.boolean(),
        fc.boolean(),
        (made, bom, open) => {
          const all = made.map(([text, end]) => text + end).join('');
          const text = (bom ? '\uFEFF' : '') + (open ? all.replace(/\r?\n$/, '') : all);
          const table = lineTable(bytesOf(text));
          const given = { 'f.md': text };
          const edit = testEdit(given, {
            file_path: 'f.md',
            operation: 'replace',
            start_line: 2,
            end_line: 2,
            new_text: 'new',
          });
          const after = proposedText(given, [edit]) ?? '';
          const lines = (from: number, to: number) =>
            textOf(table.bytes.subarray(table.starts[from], table.starts[to])) ?? '';
          expect(after.startsWith(lines(0, 1))).toBe(true);
          expect(after.endsWith(lines(2, table.count))).toBe(true);
        },
      ),
      { seed: 8, numRuns: 300 },
    );
  });
});
