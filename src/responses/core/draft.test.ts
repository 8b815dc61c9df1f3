import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import {
  at,
  INSERT,
  NEWLINE,
  NORMAL,
  note,
  pullAction,
  pulled,
  REDO,
  run,
  show,
  type,
  UNDO,
  VISUAL,
} from '../../../test/helpers/draft-script.ts';
import { type Draft, draftSchema } from '../../protocol/draft.ts';
import {
  countDraftNotes,
  type DraftAction,
  type DraftState,
  draftText,
  EMPTY_DRAFT,
  extractDraftNotes,
  openDraft,
} from './draft.ts';

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
      'makes a blank response line a note',
      pulled(),
      [at(1), INSERT, type('x')],
      ['|one two', 'x^', '|three'],
    ],
    [
      'unmarks a line that is as pulled again',
      pulled(),
      [INSERT, type('x'), { type: 'draft/erase', what: 'character-back' }],
      ['|^one two', '|', '|three'],
    ],
    [
      'makes an emptied response line a note',
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

  it('brings back what was erased', () => {
    const state = run(openDraft(), INSERT, type('a foo'), { type: 'draft/erase', what: 'word-back' });
    check(state, [{ type: 'draft/yank-killed' }, { type: 'draft/yank-killed' }], ['a foofoo^']);
  });

  it('joins lines at their edges, and asks about what becomes mixed', () => {
    const back: DraftAction = { type: 'draft/erase', what: 'character-back' };
    check(pulled(['a', 'b']), [at(1), INSERT, back], ['|a^b']);
    check(run(pulled(['a', 'b']), ...note('n')), [at(2), INSERT, back], ['|a', '~n^b']);
    check(pulled(['a', 'b']), [INSERT, back], ['|^a', '|b']);
  });
});

describe('lines', () => {
  it.each<[string, readonly DraftAction[], readonly string[]]>([
    ['J of two response lines is one', [JOIN], ['|a^ b', '|c']],
    ['J with a note is changed', [...note('n'), at(0), JOIN], ['~a^ n', '|b', '|c']],
    ['J with a blank note keeps the tag', [...note(''), at(0), JOIN], ['|^a', '|b', '|c']],
    ['dd takes the tag along', [{ type: 'draft/delete-lines' }], ['|^b', '|c']],
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
    ['a count is cut at the end', [{ type: 'draft/delete-lines', count: 99 }], []],
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
    ['outside insert mode is notes below', [paste('x\r\ny\n')], ['|ab', 'x', '^y', '|c']],
    ['of one line in a response line is an edit', [at(0, 1), INSERT, paste('x')], ['~ax^b', '|c']],
    [
      'of lines in a response line splits it around notes',
      [at(0, 1), INSERT, paste('x\ny')],
      ['|a', 'x', 'y^', '|b', '|c'],
    ],
    [
      'of lines at its end stands below',
      [{ type: 'draft/insert', at: 'line-end' }, paste('x\ny\n')],
      ['|ab', 'x', 'y^', '|c'],
    ],
    [
      'of lines in a note goes on in it',
      [...note('12'), at(1, 1), INSERT, paste('x\ny')],
      ['|ab', '1x', 'y^2', '|c'],
    ],
    ['equal to a response line is a note', [paste('ab')], ['|ab', '^ab', '|c']],
  ])('%s', (_name, actions, expected) => check(pulled(['ab', 'c']), actions, expected));
});

describe('pull', () => {
  it('goes below the cursor', () => {
    check(
      run(openDraft(), INSERT, type('a'), NEWLINE, type('b'), NORMAL, at(0)),
      [pullAction(['r'])],
      ['a', '|^r', 'b'],
    );
  });

  it('of nothing changes nothing', () => {
    const state = pulled();
    expect(run(state, pullAction([]), pullAction(['', '  '], 'u'))).toBe(state);
  });

  describe('of a newer response', () => {
    const newest = (lines: readonly string[], turnId = 'u'): DraftAction => ({
      type: 'draft/pull',
      turnId,
      lines,
      newest: true,
    });

    it('takes the place of the older one', () => {
      check(pulled(['a', 'b']), [newest(['x', 'y'])], ['|^x', '|y']);
    });

    it('leaves notes that were not sent, below a quote of the line they stood under', () => {
      const state = run(
        pulled(['# Plan', 'do it', '', 'then that']),
        at(1),
        ...note('why?'),
        at(4),
        ...note('no'),
      );
      check(state, [newest(['x'])], ['> do it', 'why?', '', '> then that', 'no', '|^x']);
    });

    it('leaves what was written above the older one, and lines of it that were edited', () => {
      const begun = run(openDraft(), INSERT, type('first'), NORMAL, pullAction(['a', 'b']));
      const state = run(begun, at(2), INSERT, type('!'), NORMAL);
      check(state, [newest(['x'])], ['first', '~!b', '|^x']);
    });

    it('is one step for undo', () => {
      const state = run(pulled(['a', 'b']), at(0), ...note('n'));
      const { lines, pulls } = run(state, newest(['x']), UNDO).draft;
      expect({ lines, pulls }).toEqual({ lines: state.draft.lines, pulls: state.draft.pulls });
    });

    it('quotes once, however often newer ones come', () => {
      const state = run(pulled(['a b c']), ...note('n'), newest(['x']));
      check(state, [newest(['y'], 'v')], ['> a b c', 'n', '|^y']);
    });
  });

  it('again replaces the response and keeps every note under its line', () => {
    const state = run(
      pulled(['a', 'b', 'c']),
      ...note('under a'),
      at(2),
      ...note('under b'),
      at(4),
      ...note('under c'),
    );
    check(
      state,
      [pullAction(['a', 'new', 'b', 'c', 'd'])],
      ['|a', 'under a', '|new', '|b', 'under b', '|c', 'under ^c', '|d'],
    );
  });

  it('again of a grown last line keeps the note under it', () => {
    const state = run(pulled(['a', 'the ca']), at(1), ...note('why?'));
    check(state, [pullAction(['a', 'the cause', 'is'])], ['|a', '|the cause', 'why^?', '|is']);
  });

  it('again with other text keeps notes in order, and edited lines', () => {
    const state = run(
      pulled(['a', 'b', 'c']),
      INSERT,
      type('my '),
      NORMAL,
      at(1),
      ...note('n'),
      at(3),
      ...note('m'),
    );
    check(state, [pullAction(['x', 'y'])], ['~my a', '|x', '|y', 'n', '^m']);
  });

  it('again after all its lines were deleted goes below the cursor', () => {
    const state = run(pulled(['a']), ...note('n'), at(0), { type: 'draft/delete-lines' });
    check(state, [pullAction(['a', 'b'])], ['n', '|^a', '|b']);
  });

  it('of another turn leaves the first', () => {
    check(pulled(['a', 'b']), [pullAction(['x'], 'u')], ['|a', '|^x', '|b']);
  });

  it('of some lines stands beside other parts, and gives way to the whole', () => {
    const part: DraftAction = { type: 'draft/pull-part', turnId: 't', first: 1, lines: ['b', 'c'] };
    const state = run(openDraft(), part, ...note('n'));
    check(state, [part], ['|b', '^n', '|c']);
    check(state, [{ ...part, first: 7, lines: ['h'] }], ['|b', 'n', '|^h', '|c']);
    check(state, [pullAction(['a', 'b', 'c', 'd'])], ['|a', '|b', '^n', '|c', '|d']);
  });

  it('as plain text is notes', () => {
    check(pulled(['a']), [{ type: 'draft/pull-plain', lines: ['x', 'y'] }], ['|a', 'x', '^y']);
  });

  it('is cleared but for edited lines and notes', () => {
    const state = run(pulled(['a', 'b', 'c']), ...note('n'), at(2), INSERT, type('!'), NORMAL);
    check(state, [{ type: 'draft/clear-pulled' }], ['n', '~^!b']);
    expect(run(openDraft(), { type: 'draft/clear-pulled' }).draft).toBe(EMPTY_DRAFT);
  });
});

describe('undo', () => {
  it('takes an insert run as one step, text and tag together', () => {
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

  it('is the same object when there is nothing to undo', () => {
    const state = openDraft();
    expect(run(state, UNDO, REDO)).toBe(state);
  });

  it('forgets what was undone after a new change', () => {
    const state = run(openDraft(), INSERT, type('a'), NORMAL, UNDO, INSERT, type('b'), NORMAL, REDO);
    expect(show(state)).toEqual(['^b']);
  });
});

describe('from outside', () => {
  it('appended text is notes at the end, cursor and mode kept', () => {
    const state = run(pulled(['a', 'b']), INSERT);
    const next = run(state, { type: 'draft/append', text: 'x\ny\n' });
    expect(show(next)).toEqual(['|^a', '|b', 'x', 'y']);
    expect(next.mode).toBe('insert');
    expect(run(state, { type: 'draft/append', text: '' })).toBe(state);
  });

  it('a replaced draft can be undone', () => {
    const other: Draft = {
      lines: [{ id: 1, text: 'other', tag: 'note', changed: false, origin: null }],
      pulls: [],
      nextLineId: 2,
    };
    const state = run(openDraft(), INSERT, type('mine'), NORMAL, { type: 'draft/replace', draft: other });
    expect(show(state)).toEqual(['oth^er']);
    expect(draftText(run(state, UNDO).draft)).toBe('mine');
  });

  const draft = run(pulled(['alpha beta gamma', 'delta epsilon', 'zeta']), ...note('my note'));
  it.each<[string, string, readonly string[]]>([
    ['untouched', draftText(draft.draft), ['|alpha beta gamma', 'my note', '|delta epsilon', '|zeta']],
    [
      'with a new line',
      'alpha beta gamma\nmy note\nmore\ndelta epsilon\nzeta\n',
      ['|alpha beta gamma', 'my note', 'more', '|delta epsilon', '|zeta'],
    ],
    [
      'moved',
      'zeta\nalpha beta gamma\nmy note\ndelta epsilon',
      ['|zeta', '|alpha beta gamma', 'my note', '|delta epsilon'],
    ],
    [
      'with an edited response line',
      'alpha beta gamma!\nmy note\nzeta',
      ['~alpha beta gamma!', 'my note', '|zeta'],
    ],
    [
      'with an edited note',
      'alpha beta gamma\nmy other note\ndelta epsilon\nzeta',
      ['|alpha beta gamma', 'my other note', '|delta epsilon', '|zeta'],
    ],
    [
      'with a copied response line',
      'alpha beta gamma\nmy note\nzeta\ndelta epsilon\nzeta',
      ['|alpha beta gamma', 'my note', '~zeta', '|delta epsilon', '|zeta'],
    ],
    [
      'filled',
      'alpha\nbeta gamma\nmy note\ndelta\nepsilon zeta',
      ['|alpha', '|beta gamma', 'my note', '|delta', '|epsilon zeta'],
    ],
    ['emptied', '', []],
  ])('text from an editor keeps its tags: %s', (_name, text, expected) => {
    const merged = run(draft, { type: 'draft/merge-text', text });
    expect(show(merged).map((line) => line.replace('^', ''))).toEqual(expected);
    expect(draftSchema.parse(merged.draft)).toEqual(merged.draft);
  });

  it('unchanged text from an editor is the same object', () => {
    expect(run(draft, { type: 'draft/merge-text', text: `${draftText(draft.draft)}\n` })).toBe(draft);
  });

  it('asks when an editor took away a note or the equal response line', () => {
    const twins = run(pulled(['same']), { type: 'draft/paste', text: 'same' });
    expect(
      show(run(twins, { type: 'draft/merge-text', text: 'same' })).map((line) => line.replace('^', '')),
    ).toEqual(['~same']);
  });
});

describe('what goes out', () => {
  it('is by tag, with anchors', () => {
    const state = run(pulled(['a b c', 'd']), ...note('n'), at(2), INSERT, type('!'), NORMAL);
    const { items, kinds } = extractDraftNotes(state.draft);
    expect(kinds).toEqual(['response', 'note', 'changed']);
    expect(items.map((item) => [item.kind, item.text, item.anchor?.row])).toEqual([
      ['note', 'n', 0],
      ['changed', '!d', 0],
    ]);
  });

  it('is counted by notes, not by their lines', () => {
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
  it('a key in a draft of 20,000 lines costs little', () => {
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
