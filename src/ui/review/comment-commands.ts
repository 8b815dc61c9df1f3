/**
 * Commands of the comment box: begin a comment on a hunk or on lines of it, write, make it. What was begun and left
 * is kept for the next time.
 */
import { COMMENT_MAX_LENGTH } from '../../protocol/limits.ts';
import type { LineRange } from '../../protocol/review.ts';
import {
  type DraftAction,
  type DraftState,
  draftText,
  openDraft,
  reduceDraft,
} from '../../responses/core/draft.ts';
import { done, type Facts, type Handler, type Handlers, type Outcome, say } from '../app/handler.ts';
import type { AppState, Overlay } from '../app/state.ts';
import { INSERT_EDITS } from '../responses/insert-commands.ts';
import { onFrame } from './acting.ts';
import type { ReviewFrame } from './frame.ts';
import type { HunkDoc } from './hunk-doc.ts';
import { inWholeHunk, selectedLines } from './line-commands.ts';
import { changeReview } from './moves.ts';
import { placeWords } from './remarks.ts';
import { linesAt } from './segment.ts';

type CommentOverlay = Extract<Overlay, { kind: 'comment' }>;

/** On the line under the cursor; on its header, and in the list of files, on the whole hunk. */
export const startComment: Handler = onFrame((state, facts, frame) => {
  const { segment, row, layout } = frame;
  const indices = state.review.focus === 'diff' ? linesAt(segment, row - segment.start, layout.sides) : [];
  const bodies = indices.map((index) => segment.doc.lines[index]?.body ?? 0).filter((body) => body > 0);
  const [first] = bodies;
  return begin(state, facts, frame, first === undefined ? null : { first, last: bodies.at(-1) ?? first });
});

/** On the lines that are selected. */
export const startCommentOnLines: Handler = onFrame((state, facts, frame) => {
  const { anchor } = state.review;
  const lines = anchor === null ? null : selectedLines(frame, anchor);
  if (lines === null) return say(state, facts, 'info', 'No line of the hunk is selected');
  return begin(changeReview(state, { anchor: null }), facts, frame, lines);
});

function begin(state: AppState, facts: Facts, frame: ReviewFrame, shown: LineRange | null): Outcome {
  const { hunk, doc } = frame.segment;
  const lines = shown === null ? null : inWholeHunk(facts, hunk, shown);
  if (typeof lines === 'string') return say(state, facts, 'info', lines);
  const where = shown === null ? `the hunk, ${hunk.file}` : `${wordsOf(doc, shown)} of ${hunk.file}`;
  const editor = editorOf(state.review.begun[hunk.id] ?? '');
  return done({ ...state, overlay: { kind: 'comment', hunk: hunk.id, lines, where, editor } });
}

/** The lines as the file counts them. */
function wordsOf(doc: HunkDoc, { first, last }: LineRange): string {
  const lines = doc.lines.filter(({ body }) => body >= first && body <= last);
  const side = lines.some(({ after }) => after !== null) ? 'new' : 'old';
  const numbers = lines.flatMap((line) => (side === 'new' ? line.after : line.before) ?? []);
  return placeWords({ side, first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0 });
}

/** The text in insert mode, the cursor at its end. */
export function editorOf(text: string): DraftState {
  const empty = reduceDraft(openDraft(), { type: 'draft/open', side: 'below' });
  return text === '' ? empty : reduceDraft(empty, { type: 'draft/paste', text });
}

/** The state with the comment's text changed. */
export function changeComment(state: AppState, action: DraftAction): AppState {
  const { overlay } = state;
  if (overlay?.kind !== 'comment') return state;
  const editor = reduceDraft(overlay.editor, action);
  return editor === overlay.editor ? state : { ...state, overlay: { ...overlay, editor } };
}

const onComment =
  (run: (state: AppState, facts: Facts, overlay: CommentOverlay, text: string) => Outcome): Handler =>
  (state, facts) => {
    const { overlay } = state;
    return overlay?.kind === 'comment'
      ? run(state, facts, overlay, draftText(overlay.editor.draft))
      : done(state);
  };

/** The comment goes out. */
const make = onComment((state, facts, { hunk, lines }, text) => {
  const comment = text.trim();
  const { suggestion } = state.review;
  const closed: AppState = { ...keep(state, hunk, ''), overlay: null };
  if (comment === '' || suggestion === null) return say(closed, facts, 'info', 'No comment was made');
  if (comment.length > COMMENT_MAX_LENGTH)
    return say(
      state,
      facts,
      'warn',
      `A comment has at most ${COMMENT_MAX_LENGTH} characters; this has ${comment.length}`,
    );
  const act = { kind: 'comment', hunk, comment, lines } as const;
  return done(closed, { kind: 'review', suggestion, act, what: 'Commenting', hunks: [] });
});

const leave = onComment((state, facts, { hunk }, text) => {
  const closed: AppState = { ...keep(state, hunk, text), overlay: null };
  return text.trim() === ''
    ? done(closed)
    : say(closed, facts, 'info', 'The comment is not made; its text is kept for the next time');
});

function keep(state: AppState, hunk: string, text: string): AppState {
  const { [hunk]: _, ...others } = state.review.begun;
  return changeReview(state, { begun: text.trim() === '' ? others : { ...others, [hunk]: text } });
}

const edits = Object.fromEntries(
  Object.entries(INSERT_EDITS).map(([name, action]): [string, Handler] => [
    name,
    (state) => done(changeComment(state, action)),
  ]),
);

export const commentCommands: Handlers = {
  ...edits,
  'insert/up': (state) => done(changeComment(state, { type: 'draft/move', motion: 'up' })),
  'insert/down': (state) => done(changeComment(state, { type: 'draft/move', motion: 'down' })),
  'comment/newline': (state) => done(changeComment(state, { type: 'draft/newline' })),
  'comment/make': make,
  'comment/leave': leave,
  'comment/edit': onComment((state, _facts, _overlay, text) => done(state, { kind: 'edit-comment', text })),
};
