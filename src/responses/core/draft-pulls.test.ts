import { describe, expect, it } from 'vitest';
import {
  at,
  INSERT,
  NEWLINE,
  NORMAL,
  note,
  pullAction,
  pulled,
  run,
  show,
  type,
  UNDO,
} from '../../../test/helpers/draft-script.ts';
import { type Draft, draftSchema } from '../../protocol/draft.ts';
import { type DraftAction, type DraftState, draftText, EMPTY_DRAFT, openDraft } from './draft.ts';

function check(state: DraftState, actions: readonly DraftAction[], expected: readonly string[]): void {
  expect(show(run(state, ...actions))).toEqual(expected);
}

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

    it('replaces the older one', () => {
      check(pulled(['a', 'b']), [newest(['x', 'y'])], ['|^x', '|y']);
    });

    it('leaves unsent notes, below a quote of the line they were under', () => {
      const state = run(
        pulled(['# Plan', 'do it', '', 'then that']),
        at(1),
        ...note('why?'),
        at(4),
        ...note('no'),
      );
      check(state, [newest(['x'])], ['> do it', 'why?', '', '> then that', 'no', '|^x']);
    });

    it('leaves text above the older one, and its edited lines', () => {
      const begun = run(openDraft(), INSERT, type('first'), NORMAL, pullAction(['a', 'b']));
      const state = run(begun, at(2), INSERT, type('!'), NORMAL);
      check(state, [newest(['x'])], ['first', '~!b', '|^x']);
    });

    it('is one undo step', () => {
      const state = run(pulled(['a', 'b']), at(0), ...note('n'));
      const { lines, pulls } = run(state, newest(['x']), UNDO).draft;
      expect({ lines, pulls }).toEqual({ lines: state.draft.lines, pulls: state.draft.pulls });
    });

    it('quotes once, however often newer responses come', () => {
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

  it('again with a longer last line keeps the note under it', () => {
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

  it('of some lines stays beside other parts, and is replaced by the whole response', () => {
    const part: DraftAction = { type: 'draft/pull-part', turnId: 't', first: 1, lines: ['b', 'c'] };
    const state = run(openDraft(), part, ...note('n'));
    check(state, [part], ['|b', '^n', '|c']);
    check(state, [{ ...part, first: 7, lines: ['h'] }], ['|b', 'n', '|^h', '|c']);
    check(state, [pullAction(['a', 'b', 'c', 'd'])], ['|a', '|b', '^n', '|c', '|d']);
  });

  it('as plain text becomes notes', () => {
    check(pulled(['a']), [{ type: 'draft/pull-plain', lines: ['x', 'y'] }], ['|a', 'x', '^y']);
  });

  it('is cleared except for edited lines and notes', () => {
    const state = run(pulled(['a', 'b', 'c']), ...note('n'), at(2), INSERT, type('!'), NORMAL);
    check(state, [{ type: 'draft/clear-pulled' }], ['n', '~^!b']);
    expect(run(openDraft(), { type: 'draft/clear-pulled' }).draft).toBe(EMPTY_DRAFT);
  });
});

describe('from outside', () => {
  it('appended text becomes notes at the end; cursor and mode stay', () => {
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

  it('asks if an editor removed a note or the equal response line', () => {
    const twins = run(pulled(['same']), { type: 'draft/paste', text: 'same' });
    expect(
      show(run(twins, { type: 'draft/merge-text', text: 'same' })).map((line) => line.replace('^', '')),
    ).toEqual(['~same']);
  });
});
