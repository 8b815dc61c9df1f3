/** Short notation for drafts in tests: actions by name, and the draft as lines with their tags. */
import { type DraftAction, type DraftState, openDraft, reduceDraft } from '../../src/responses/core/draft.ts';

/** `|` response, `~` changed, else a note; `^` before the character at the cursor. */
export const show = ({ draft, cursor }: DraftState) =>
  draft.lines.map((line, index) => {
    const sign = line.tag === 'note' ? '' : line.changed ? '~' : '|';
    const text =
      index === cursor.line
        ? `${line.text.slice(0, cursor.offset)}^${line.text.slice(cursor.offset)}`
        : line.text;
    return sign + text;
  });

export const run = (state: DraftState, ...actions: readonly DraftAction[]) =>
  actions.reduce(reduceDraft, state);
const RESPONSE = ['one two', '', 'three'];
export const pullAction = (lines: readonly string[] = RESPONSE, turnId = 't'): DraftAction => ({
  type: 'draft/pull',
  turnId,
  lines,
});
export const pulled = (lines: readonly string[] = RESPONSE) => run(openDraft(), pullAction(lines));
export const at = (line: number, offset = 0): DraftAction => ({
  type: 'draft/cursor',
  cursor: { line, offset },
});
export const type = (text: string): DraftAction => ({ type: 'draft/type', text });
export const note = (text: string): readonly DraftAction[] => [
  { type: 'draft/open', side: 'below' },
  type(text),
  NORMAL,
];
export const NORMAL: DraftAction = { type: 'draft/mode', mode: 'normal' };
export const INSERT: DraftAction = { type: 'draft/insert', at: 'cursor' };
export const VISUAL: DraftAction = { type: 'draft/mode', mode: 'visual' };
export const UNDO: DraftAction = { type: 'draft/undo' };
export const REDO: DraftAction = { type: 'draft/redo' };
export const NEWLINE: DraftAction = { type: 'draft/newline' };
