import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../protocol/draft.ts';
import { type History, record, redo, UNDO_MAX_STEPS, undo } from './history.ts';
import { EMPTY_DRAFT, noteLine } from './model.ts';

const CURSOR = { line: 0, offset: 0 };
const draftOf = (count: number): Draft => ({
  ...EMPTY_DRAFT,
  lines: Array.from({ length: count }, (_, at) => noteLine(at, `${at}`)),
});

describe('history', () => {
  it('keeps the newest steps up to its limit', () => {
    const fill = (steps: number) => {
      let history: History = { past: [], future: [] };
      for (let step = 0; step < steps; step += 1) {
        history = record(
          history,
          { draft: draftOf(0), cursor: CURSOR },
          { draft: draftOf(1), cursor: CURSOR },
        );
      }
      return history.past.length;
    };
    expect(fill(UNDO_MAX_STEPS)).toBe(UNDO_MAX_STEPS);
    expect(fill(UNDO_MAX_STEPS + 1)).toBe(UNDO_MAX_STEPS);
  });

  it('keeps only the lines that a step changed', () => {
    const before = draftOf(20_000);
    const after = {
      ...before,
      lines: before.lines.toSpliced(5, 1, noteLine(99_999, 'x'), noteLine(100_000, 'y')),
    };
    const history = record(
      { past: [], future: [] },
      { draft: before, cursor: CURSOR },
      { draft: after, cursor: CURSOR },
    );
    expect(history.past[0]?.before).toHaveLength(1);
    expect(history.past[0]?.after).toHaveLength(2);
    const back = undo(history, after);
    expect(back?.moment.draft.lines).toEqual(before.lines);
    expect(back && redo(back.history, back.moment.draft)?.moment.draft.lines).toEqual(after.lines);
  });

  it('is the same object if nothing stored changed', () => {
    const history: History = { past: [], future: [] };
    const moment = { draft: draftOf(1), cursor: CURSOR };
    expect(record(history, moment, { ...moment, cursor: { line: 0, offset: 1 } })).toBe(history);
    expect(undo(history, moment.draft)).toBeNull();
    expect(redo(history, moment.draft)).toBeNull();
  });
});
