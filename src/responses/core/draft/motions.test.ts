import { describe, expect, it } from 'vitest';
import { at, INSERT, NEWLINE, NORMAL, run, type } from '../../../../test/helpers/draft-script.ts';
import { type DraftAction, openDraft } from '../draft.ts';

describe('motions', () => {
  const text = ['foo.bar  baz', '', '漢字 e\u0301x', '  last'];
  const state = run(openDraft(), { type: 'draft/append', text: text.join('\n') });
  it.each<[motion: string, from: readonly [number, number], to: readonly [number, number]]>([
    ['right', [0, 0], [0, 1]],
    ['right', [0, 11], [0, 11]],
    ['right', [2, 3], [2, 5]],
    ['left', [2, 5], [2, 3]],
    ['left', [0, 0], [0, 0]],
    ['word', [0, 0], [0, 3]],
    ['word', [0, 3], [0, 4]],
    ['word', [0, 4], [0, 9]],
    ['word', [0, 9], [1, 0]],
    ['word', [1, 0], [2, 0]],
    ['word-back', [2, 0], [1, 0]],
    ['word-back', [0, 9], [0, 4]],
    ['word-back', [3, 2], [2, 3]],
    ['word-end', [0, 0], [0, 2]],
    ['word-end', [0, 2], [0, 3]],
    ['word-end', [0, 11], [2, 1]],
    ['line-end', [0, 0], [0, 11]],
    ['line-start', [3, 4], [3, 0]],
    ['first-character', [3, 0], [3, 2]],
    ['last-line', [0, 5], [3, 5]],
    ['first-line', [3, 3], [0, 3]],
    ['paragraph', [0, 0], [1, 0]],
    ['paragraph-back', [3, 0], [1, 0]],
    ['paragraph', [2, 0], [3, 5]],
  ])('%s from %j', (motion, [line, offset], [toLine, toOffset]) => {
    const moved = run(state, at(line, offset), { type: 'draft/move', motion } as DraftAction);
    expect(moved.cursor).toEqual({ line: toLine, offset: toOffset });
  });

  it('keep the column over shorter lines, and the end after $', () => {
    const down: DraftAction = { type: 'draft/move', motion: 'down' };
    expect(run(state, at(0, 5), down, down, down).cursor).toEqual({ line: 3, offset: 5 });
    expect(run(state, { type: 'draft/move', motion: 'line-end' }, down, down).cursor).toEqual({
      line: 2,
      offset: 5,
    });
  });

  it('return the same object if they move nowhere', () => {
    const first = openDraft();
    expect(run(first, { type: 'draft/move', motion: 'left' }, at(0), NORMAL)).toBe(first);
  });

  it('move from line to line in insert mode', () => {
    const inserting = run(openDraft(), INSERT, type('ab'), NEWLINE, type('c'));
    const left: DraftAction = { type: 'draft/move', motion: 'left' };
    expect(run(inserting, left, left).cursor).toEqual({ line: 0, offset: 2 });
  });
});
