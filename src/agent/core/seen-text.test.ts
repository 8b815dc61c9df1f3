import { describe, expect, it } from 'vitest';
import { bytesOf, compose } from '../../../test/helpers/agent-proposals.ts';
import type { DraftEdit } from '../../protocol/agent.ts';
import { sha256 } from '../../review/files/hash.ts';
import { SeenText } from './seen-text.ts';

const NOTE = 'one\r\ntwo\nthree\nfour';
const edit = (fields: Partial<DraftEdit>): DraftEdit => ({
  file_path: 'n.md',
  operation: 'replace',
  new_text: 'x',
  ...fields,
});

function seen(...ranges: readonly (readonly [number, string])[]): SeenText {
  const text = new SeenText(sha256);
  for (const [startLine, lines] of ranges)
    text.saw({ path: 'n.md', startLine, bytes: bytesOf(lines), lineCount: 4 });
  return text;
}

describe('hashes of shown lines', () => {
  it.each<[string, Partial<DraftEdit>]>([
    ['replace', { start_line: 2, end_line: 3 }],
    ['delete', { operation: 'delete', new_text: '', start_line: 1, end_line: 1 }],
    ['insert between', { operation: 'insert', start_line: 2 }],
    ['insert at the front', { operation: 'insert', start_line: 1 }],
    ['insert at the end', { operation: 'insert', start_line: 5 }],
    ['delete the file', { operation: 'delete_file', new_text: '' }],
    ['rename it', { operation: 'rename_file', new_text: '', new_path: 'm.md' }],
  ])('%s: the check accepts it', (_, fields) => {
    const filled = seen([1, NOTE]).fill(edit(fields), 'e1');
    if (!filled.ok) throw new Error(filled.fault.message);
    expect(compose({ 'n.md': NOTE }, [filled.edit])).toMatchObject({ ok: true });
    expect(compose({ 'n.md': `${NOTE}!` }, [filled.edit]).ok).toBe(
      fields.operation !== 'delete_file' && fields.operation !== 'rename_file' && fields.start_line !== 5,
    );
  });

  it('are merged from several reads; the later one wins', () => {
    const text = seen([1, 'one\r\n'], [2, 'old\n'], [2, 'two\n'], [3, 'three\n']);
    const filled = text.fill(edit({ start_line: 1, end_line: 3 }), 'e1');
    expect(filled.ok && compose({ 'n.md': NOTE }, [filled.edit]).ok).toBe(true);
  });

  it('never uses a hash from the model', () => {
    const filled = seen([1, NOTE]).fill(
      edit({ start_line: 1, end_line: 1, expected_hash: `sha256:${'f'.repeat(64)}` }),
      'e1',
    );
    expect(filled.ok && filled.edit.expected_hash).toBe(`sha256:${sha256([bytesOf('one\r\n')])}`);
  });

  it('a new file has the hash of zero bytes', () => {
    const wanted = edit({ file_path: 'new.md', operation: 'insert', start_line: 1 });
    const filled = new SeenText(sha256).fill(wanted, 'e1');
    expect(filled.ok && compose({}, [filled.edit]).ok).toBe(true);
  });
});

describe('lines that were never shown', () => {
  it.each<[string, Partial<DraftEdit>, RegExp]>([
    ['some of the lines', { start_line: 1, end_line: 3 }, /not seen lines 2-3 of n.md: read 2-3 first/],
    ['one', { start_line: 3, end_line: 3 }, /not seen line 3 of n.md: read 3-3 first/],
    ['a neighbour of an insertion', { operation: 'insert', start_line: 2 }, /read 2-2 first/],
    ['another file', { file_path: 'other.md', start_line: 7, end_line: 8 }, /read 7-8 first/],
    [
      'a whole file of unknown length',
      { file_path: 'other.md', operation: 'delete_file', new_text: '' },
      /read 1-1 first/,
    ],
  ])('%s', (_, fields, message) => {
    const filled = seen([1, 'one\r\n']).fill(edit(fields), 'e1');
    expect(filled).toMatchObject({ ok: false, fault: { edit_id: 'e1', code: 'unseen' } });
    expect(!filled.ok && filled.fault.message).toMatch(message);
  });

  it('lines that were deleted since count as unseen', () => {
    const text = seen([1, NOTE]);
    text.saw({ path: 'n.md', startLine: 1, bytes: bytesOf('one\r\n'), lineCount: 1 });
    expect(text.fill(edit({ start_line: 2, end_line: 2 }), 'e1').ok).toBe(true);
    expect(
      compose({ 'n.md': 'one\r\n' }, [
        {
          ...edit({ start_line: 2, end_line: 2 }),
          edit_id: 'e',
          expected_hash: `sha256:${sha256([new Uint8Array(0)])}`,
        },
      ]),
    ).toMatchObject({
      ok: false,
      faults: [{ code: 'out_of_range' }],
    });
  });
});
