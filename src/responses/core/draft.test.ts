import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import {
  at,
  INSERT,
  NEWLINE,
  NORMAL,
  note,
  pulled,
  REDO,
  run,
  show,
  type,
  UNDO,
  VISUAL,
} from '../../../test/helpers/draft-script.ts';
import { countDraftNotes, type DraftAction, type DraftState, extractDraftNotes, openDraft } from './draft.ts';

const JOIN: DraftAction = { type: 'draft/join' };

function check(state: DraftState, actions: readonly DraftAction[], expected: readonly string[]): void {
  expect(show(run(state, ...actions))).toEqual(expected);
}

describe('typing', () => {
  it.each<[string, DraftState, readonly DraftAction[], readonly string[]]>([
    ['starts a note in an empty draft', openDraft(), [INSERT, type('hi'), NEWLINE, type('x')], ['hi', 'x^']],
    [
      'opens a note below',
      pulled(),
      [{ type: 'draft/open', side: 'below' }, type('n')],
      ['|one two', 'n^', '|', '|three'],
    ],
    [
      'opens a note above',
      pulled(),
      [{ type: 'draft/open', side: 'above' }, type('n')],
      ['n^', '|one two', '|', '|three'],
    ],
    ['marks an edited response line', pulled(), [INSERT, type('x')], ['~x^one two', '|', '|three']],
    [
      'turns a blank response line into a note',
      pulled(),
      [at(1), INSERT, type('x')],
      ['|one two', 'x^', '|three'],
    ],
    [
      'unmarks a line that equals the pulled one again',
      pulled(),
      [INSERT, type('x'), { type: 'draft/erase', what: 'character-back' }],
      ['|^one two', '|', '|three'],
    ],
    [
      'turns an emptied response line into a note',
      pulled(['ab']),
      [{ type: 'draft/delete-characters', count: 9 }, INSERT, type('mine')],
      ['mine^'],
    ],
    [
      'changes a whole line',
      pulled(),
      [{ type: 'draft/change-line' }, type('mine')],
      ['mine^', '|', '|three'],
    ],
  ])('%s', (_name, state, actions, expected) => check(state, actions, expected));

  it.each<[string, readonly DraftAction[], readonly string[]]>([
    [
      'in the middle leaves two response lines',
      [at(0, 4), INSERT, NEWLINE],
      ['|one ', '|^two', '|', '|three'],
    ],
    [
      'at the end opens a note',
      [{ type: 'draft/insert', at: 'line-end' }, NEWLINE],
      ['|one two', '^', '|', '|three'],
    ],
    ['at the start opens a note above', [INSERT, NEWLINE], ['', '|^one two', '|', '|three']],
  ])('Enter %s', (_name, actions, expected) => check(pulled(), actions, expected));

  it.each<[string, readonly string[], readonly string[]]>([
    ['character-back', ['ab 👩‍👩‍👧'], ['ab ^']],
    ['word-back', ['a foo.bar'], ['a foo.^']],
    ['blank-word-back', ['a foo.bar'], ['a ^']],
    ['to-line-start', ['a foo.bar'], ['^']],
  ])('erases %s', (what, [text = ''], expected) => {
    const state = run(openDraft(), INSERT, type(text));
    check(state, [{ type: 'draft/erase', what } as DraftAction], expected);
  });

  it('restores erased text', () => {
    const state = run(openDraft(), INSERT, type('a foo'), { type: 'draft/erase', what: 'word-back' });
    check(state, [{ type: 'draft/yank-killed' }, { type: 'draft/yank-killed' }], ['a foofoo^']);
  });

  it('joins lines at their edges, and asks about mixed ones', () => {
    const back: DraftAction = { type: 'draft/erase', what: 'character-back' };
    check(pulled(['a', 'b']), [at(1), INSERT, back], ['|a^b']);
    check(run(pulled(['a', 'b']), ...note('n')), [at(2), INSERT, back], ['|a', '~n^b']);
    check(pulled(['a', 'b']), [INSERT, back], ['|^a', '|b']);
  });
});

describe('lines', () => {
  it.each<[string, readonly DraftAction[], readonly string[]]>([
    ['J of two response lines gives one', [JOIN], ['|a^ b', '|c']],
    ['J with a note gives a changed line', [...note('n'), at(0), JOIN], ['~a^ n', '|b', '|c']],
    ['J with a blank note keeps the tag', [...note(''), at(0), JOIN], ['|^a', '|b', '|c']],
    ['dd removes the tag, too', [{ type: 'draft/delete-lines' }], ['|^b', '|c']],
    [
      'ddp moves line and tag',
      [{ type: 'draft/delete-lines' }, { type: 'draft/put', side: 'below' }],
      ['|b', '|^a', '|c'],
    ],
    [
      'yyp copies line and tag',
      [{ type: 'draft/copy-lines' }, { type: 'draft/put', side: 'below' }],
      ['|a', '|^a', '|b', '|c'],
    ],
    ['2dd deletes two', [{ type: 'draft/delete-lines', count: 2 }], ['|^c']],
    ['a count is limited at the end', [{ type: 'draft/delete-lines', count: 99 }], []],
    [
      'a selection is deleted',
      [VISUAL, { type: 'draft/move', motion: 'down' }, { type: 'draft/delete-lines' }],
      ['|^c'],
    ],
    ['a selection is joined', [VISUAL, { type: 'draft/move', motion: 'last-line' }, JOIN], ['|a b^ c']],
    ['x deletes a character', [{ type: 'draft/delete-characters' }], ['~^', '|b', '|c']],
    [
      'notes are removed by index',
      [...note('n'), { type: 'draft/remove-lines', indices: [1] }],
      ['|a', '|^b', '|c'],
    ],
  ])('%s', (_name, actions, expected) => check(pulled(['a', 'b', 'c']), actions, expected));
});

describe('paste', () => {
  const paste = (text: string): DraftAction => ({ type: 'draft/paste', text });
  it.each<[string, readonly DraftAction[], readonly string[]]>([
    ['outside insert mode becomes notes below', [paste('x\r\ny\n')], ['|ab', 'x', '^y', '|c']],
    ['of one line in a response line is an edit', [at(0, 1), INSERT, paste('x')], ['~ax^b', '|c']],
    [
      'of lines in a response line splits it around notes',
      [at(0, 1), INSERT, paste('x\ny')],
      ['|a', 'x', 'y^', '|b', '|c'],
    ],
    [
      'of lines at its end goes below',
      [{ type: 'draft/insert', at: 'line-end' }, paste('x\ny\n')],
      ['|ab', 'x', 'y^', '|c'],
    ],
    [
      'of lines in a note continues in it',
      [...note('12'), at(1, 1), INSERT, paste('x\ny')],
      ['|ab', '1x', 'y^2', '|c'],
    ],
    ['equal to a response line is a note', [paste('ab')], ['|ab', '^ab', '|c']],
  ])('%s', (_name, actions, expected) => check(pulled(['ab', 'c']), actions, expected));
});

describe('undo', () => {
  it('treats an insert run as one step, text and tag together', () => {
    const state = run(
      pulled(['a']),
      { type: 'draft/open', side: 'below' },
      type('n'),
      NEWLINE,
      type('m'),
      NORMAL,
    );
    check(state, [UNDO], ['|^a']);
    check(state, [UNDO, REDO], ['|a', 'n', '^m']);
    check(state, [UNDO, UNDO], []);
  });

  it('restores the tag of a changed line and of a pull', () => {
    const state = run(pulled(['a']), INSERT, type('x'), NORMAL, { type: 'draft/clear-pulled' });
    check(state, [UNDO], ['|^a']);
    check(run(pulled(['a']), { type: 'draft/clear-pulled' }), [UNDO], ['|^a']);
    expect(run(pulled(['a']), { type: 'draft/clear-pulled' }, UNDO).draft.pulls).toEqual([
      { turnId: 't', lines: ['a'] },
    ]);
  });

  it('ends a run when the cursor is moved', () => {
    const state = run(openDraft(), INSERT, type('ab'), { type: 'draft/move', motion: 'left' }, type('x'));
    check(state, [UNDO], ['a^b']);
    check(state, [UNDO, UNDO], []);
  });

  it('is the same object if there is nothing to undo', () => {
    const state = openDraft();
    expect(run(state, UNDO, REDO)).toBe(state);
  });

  it('forgets undone changes after a new change', () => {
    const state = run(openDraft(), INSERT, type('a'), NORMAL, UNDO, INSERT, type('b'), NORMAL, REDO);
    expect(show(state)).toEqual(['^b']);
  });
});

describe('the outgoing message', () => {
  it('follows the tags, with anchors', () => {
    const state = run(pulled(['a b c', 'd']), ...note('n'), at(2), INSERT, type('!'), NORMAL);
    const { items, kinds } = extractDraftNotes(state.draft);
    expect(kinds).toEqual(['response', 'note', 'changed']);
    expect(items.map((item) => [item.kind, item.text, item.anchor?.row])).toEqual([
      ['note', 'n', 0],
      ['changed', '!d', 0],
    ]);
  });

  it('counts notes, not their lines', () => {
    const state = run(
      pulled(['a', '', 'b']),
      at(0),
      ...note('one'),
      ...note(''),
      ...note('two'),
      at(4),
      ...note('next'),
    );
    expect(show(state).map((line) => line.replace('^', ''))).toEqual([
      '|a',
      'one',
      '',
      'two',
      '|',
      'next',
      '|b',
    ]);
    expect(countDraftNotes(state.draft)).toBe(2);
  });
});

describe('speed', () => {
  it('a key press in a draft of 20,000 lines is cheap', () => {
    const long = pulled(Array.from({ length: 20_000 }, (_, row) => `row ${row} of the response`));
    let state = run(long, at(10_000), { type: 'draft/open', side: 'below' });
    const ms = cpuMsOf(() => {
      for (let key = 0; key < 200; key += 1) state = run(state, type('x'));
      for (let key = 0; key < 100; key += 1) state = run(state, NEWLINE);
      state = run(state, NORMAL);
      for (let key = 0; key < 100; key += 1) state = run(state, { type: 'draft/delete-lines' }, UNDO);
    });
    expect(ms / 500).toBeLessThan(2);
  });
});
