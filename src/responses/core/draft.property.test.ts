/** Random actions on the draft: no text of the user is lost, no text of the AI becomes a note, undo reverts all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DraftLine, draftSchema } from '../../protocol/draft.ts';
import { graphemeStops } from './draft/cursor.ts';
import {
  type DraftAction,
  type DraftState,
  draftText,
  extractDraftNotes,
  openDraft,
  reduceDraft,
} from './draft.ts';

const small = fc.integer({ min: 0, max: 12 });
const aiLine = fc
  .array(fc.constantFrom('ai-flush', 'ai-the', 'ai-漢字', 'ai-end'), { maxLength: 4 })
  .map((words) => words.join(' '));
const response = fc.array(aiLine, { maxLength: 8 });
/** Words that the AI never writes; each typed text is one of them. */
const ownText = fc.constantFrom('«why»', '«no 👩‍👩‍👧»', '«e\u0301»', '«see below»');
const motion = fc.constantFrom(
  ...([
    'left',
    'right',
    'up',
    'down',
    'word',
    'word-back',
    'word-end',
    'line-end',
    'first-line',
    'last-line',
    'paragraph',
  ] as const),
);
const side = fc.constantFrom('above' as const, 'below' as const);

/** Actions that remove no text. */
const keeping = fc.oneof<fc.Arbitrary<DraftAction>[]>(
  fc.record({ type: fc.constant('draft/move' as const), motion, count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    type: fc.constant('draft/cursor' as const),
    cursor: fc.record({ line: small, offset: small }),
  }),
  fc.record({
    type: fc.constant('draft/mode' as const),
    mode: fc.constantFrom('normal', 'insert', 'visual'),
  }),
  fc.record({
    type: fc.constant('draft/insert' as const),
    at: fc.constantFrom('cursor', 'after', 'line-start', 'line-end'),
  }),
  fc.record({ type: fc.constant('draft/open' as const), side }),
  fc.constant<DraftAction>({ type: 'draft/join' }),
  fc.record({ type: fc.constant('draft/copy-lines' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('draft/put' as const), side }),
  fc.record({ type: fc.constant('draft/pull' as const), turnId: fc.constantFrom('t', 'u'), lines: response }),
  fc.record({
    type: fc.constant('draft/pull-part' as const),
    turnId: fc.constantFrom('t', 'u'),
    first: small,
    lines: response,
  }),
  fc.constant<DraftAction>({ type: 'draft/clear-pulled' }),
);
/** The user's text, inserted where it splits no other text of the user. */
const writing = fc.oneof<fc.Arbitrary<DraftAction>[]>(
  fc.record({ type: fc.constant('draft/append' as const), text: ownText }),
  fc.record({
    type: fc.constant('draft/paste' as const),
    text: fc.array(ownText, { minLength: 1 }).map((lines) => lines.join('\n')),
  }),
);
/** Actions that create mixed lines, and then remove response lines. */
const inResponse = fc.oneof<fc.Arbitrary<DraftAction>[]>(
  fc.record({ type: fc.constant('draft/insert' as const), at: fc.constantFrom('cursor', 'line-end') }),
  fc.record({ type: fc.constant('draft/paste' as const), text: ownText }),
  fc.record({ type: fc.constant('draft/pull' as const), turnId: fc.constant('t'), lines: response }),
  fc.constant<DraftAction>({ type: 'draft/join' }),
  fc.constant<DraftAction>({ type: 'draft/clear-pulled' }),
);
const typing = fc.oneof<fc.Arbitrary<DraftAction>[]>(
  fc.record({
    type: fc.constant('draft/type' as const),
    text: fc.constantFrom('x', '漢', '👩‍👩‍👧', 'word '),
  }),
  fc.constant<DraftAction>({ type: 'draft/newline' }),
  fc.record({
    type: fc.constant('draft/erase' as const),
    what: fc.constantFrom(
      'character-back',
      'character',
      'word-back',
      'blank-word-back',
      'to-line-start',
      'to-line-end',
    ),
  }),
  fc.constant<DraftAction>({ type: 'draft/yank-killed' }),
);
const taking = fc.oneof<fc.Arbitrary<DraftAction>[]>(
  fc.record({ type: fc.constant('draft/delete-lines' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('draft/delete-characters' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.constant<DraftAction>({ type: 'draft/change-line' }),
  fc.record({ type: fc.constant('draft/remove-lines' as const), indices: fc.array(small, { maxLength: 3 }) }),
  fc.record({
    type: fc.constant('draft/merge-text' as const),
    text: fc.array(fc.oneof(aiLine, ownText)).map((lines) => lines.join('\n')),
  }),
);

const RUNS = { numRuns: 500 };
const actions = (...from: readonly fc.Arbitrary<DraftAction>[]) =>
  fc.array(fc.oneof(...from), { maxLength: 25 });
const ownWords = (lines: readonly DraftLine[]) =>
  lines.flatMap((line) => line.text.match(/«[^»]*»/g) ?? []).sort();

function checkShape(state: DraftState): void {
  const { draft, cursor, mode, anchor } = state;
  expect(draftSchema.safeParse(draft).success).toBe(true);
  expect(new Set(draft.lines.map((line) => line.id)).size).toBe(draft.lines.length);
  expect(Math.max(0, ...draft.lines.map((line) => line.id))).toBeLessThan(draft.nextLineId);
  expect(cursor.line).toBeLessThanOrEqual(Math.max(0, draft.lines.length - 1));
  expect(graphemeStops(draft.lines[cursor.line]?.text ?? '')).toContain(cursor.offset);
  expect(anchor === null).toBe(mode !== 'visual');
  for (const line of draft.lines) {
    if (line.tag === 'note') expect(line).toMatchObject({ changed: false, origin: null });
  }
}

describe('the draft under random actions', () => {
  it('stays valid: cursor on a character, unique ids, stored data valid', () => {
    fc.assert(
      fc.property(actions(keeping, writing, typing, taking), (program) => {
        let state = openDraft();
        for (const action of program) {
          state = reduceDraft(state, action);
          checkShape(state);
        }
      }),
      { seed: 51, ...RUNS },
    );
  });

  it('is undone to its first state by undo, and redone to its last', () => {
    fc.assert(
      fc.property(actions(keeping, writing, typing, taking), (program) => {
        const end = reduceDraft(program.reduce(reduceDraft, openDraft()), {
          type: 'draft/mode',
          mode: 'normal',
        });
        const back = Array.from(program).reduce((state) => reduceDraft(state, { type: 'draft/undo' }), end);
        expect(back.draft.lines).toEqual([]);
        const again = Array.from(program).reduce((state) => reduceDraft(state, { type: 'draft/redo' }), back);
        expect(again.draft).toEqual(end.draft);
      }),
      { seed: 52, ...RUNS },
    );
  });

  it('keeps every word of the user that was not deleted, and sends it', () => {
    const puts = (action: DraftAction) =>
      action.type === 'draft/put' || action.type === 'draft/append' || action.type === 'draft/paste';
    fc.assert(
      fc.property(response, actions(keeping, writing, inResponse), (lines, program) => {
        let state = reduceDraft(openDraft(), { type: 'draft/pull', turnId: 't', lines });
        for (const action of program) {
          const next = reduceDraft(state, action);
          const [before, after] = [ownWords(state.draft.lines), ownWords(next.draft.lines)];
          if (puts(action)) expect(after.length).toBeGreaterThanOrEqual(before.length);
          else if (draftText(state.draft) !== draftText(next.draft)) expect(after).toEqual(before);
          state = next;
        }
        const { items, kinds } = extractDraftNotes(state.draft);
        expect(items.flatMap((item) => item.text.match(/«[^»]*»/g) ?? []).sort()).toEqual(
          ownWords(state.draft.lines),
        );
        state.draft.lines.forEach((line, index) => {
          if (/ai-/.test(line.text)) expect(kinds[index]).not.toBe('note');
        });
      }),
      { seed: 53, ...RUNS },
    );
  });
});
