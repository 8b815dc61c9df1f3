/** Commands of the comment box: start on a hunk or on lines, write, send. Keeps an abandoned text for the next time. */
import { COMMENT_MAX_LENGTH } from '../../protocol/limits.ts';
import type { LineRange } from '../../protocol/review.ts';
import { type DraftAction, draftText, reduceDraft } from '../../responses/core/draft.ts';
import { editorOf, insertCommandsBy } from '../kit/editor.ts';
import { onFrame } from './acting.ts';
import type { ReviewFrame } from './frame.ts';
import type { HunkDoc } from './hunk-doc.ts';
import { commentedLine, linesIn, selectedLines } from './line-commands.ts';
import {
  done,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewHandlers,
  type ReviewModel,
  type ReviewOutcome,
  type ReviewOverlay,
  say,
} from './model.ts';
import { changeReview, moveToHunk } from './moves.ts';
import { placeWords } from './remarks.ts';
import { hunkToExplain } from './state.ts';

type CommentOverlay = Extract<ReviewOverlay, { kind: 'comment' }>;

/** On the cursor's line, even around the hunk; on a header or in the list of files, on the whole hunk. */
export const startComment: ReviewHandler = onFrame((state, _facts, frame) => {
  const at = frame.row - frame.segment.start;
  const { sides } = frame.layout;
  const lines = linesIn(frame, { first: at, last: at }, { of: commentedLine, sides });
  return begin(state, frame, state.review.focus === 'diff' ? lines : null);
});

export const startCommentOnLines: ReviewHandler = onFrame((state, facts, frame) => {
  const { anchor } = state.review;
  const lines = anchor === null ? null : selectedLines(frame, anchor, commentedLine);
  if (lines === null) return say(state, facts, 'info', 'No line is selected');
  return begin(changeReview(state, { anchor: null }), frame, lines);
});

/** On the hunk rejected last, which the cursor has left. */
export const sayWhy: ReviewHandler = (state, facts) => {
  const hunk = hunkToExplain(state, facts.review);
  if (hunk === null) return say(state, facts, 'info', 'No hunk was just rejected');
  return startComment(moveToHunk(state, hunk.id), facts);
};

function begin(state: ReviewModel, frame: ReviewFrame, shown: LineRange | null): ReviewOutcome {
  const { hunk, doc } = frame.segment;
  const where = shown === null ? `the hunk, ${hunk.file}` : `${wordsOf(doc, shown)} of ${hunk.file}`;
  const editor = editorOf(state.review.begun[hunk.id] ?? '');
  // What was said of another key is not true in the box.
  return done({
    ...state,
    toast: null,
    overlay: { kind: 'comment', hunk: hunk.id, lines: shown, where, editor },
  });
}

/** The lines in file numbers. */
function wordsOf(doc: HunkDoc, { first, last }: LineRange): string {
  const lines = doc.lines.slice(doc.own.from + first - 1, doc.own.from + last);
  const side = lines.some(({ after }) => after !== null) ? 'new' : 'old';
  const numbers = lines.flatMap((line) => (side === 'new' ? line.after : line.before) ?? []);
  return placeWords({ side, first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0 });
}

/** The state with the comment's text changed. */
export function changeComment(state: ReviewModel, action: DraftAction): ReviewModel {
  const { overlay } = state;
  if (overlay?.kind !== 'comment') return state;
  const editor = reduceDraft(overlay.editor, action);
  return editor === overlay.editor ? state : { ...state, overlay: { ...overlay, editor } };
}

const onComment =
  (
    run: (state: ReviewModel, facts: ReviewFacts, overlay: CommentOverlay, text: string) => ReviewOutcome,
  ): ReviewHandler =>
  (state, facts) => {
    const { overlay } = state;
    return overlay?.kind === 'comment'
      ? run(state, facts, overlay, draftText(overlay.editor.draft))
      : done(state);
  };

/** Sends the comment. */
const make = onComment((state, facts, { hunk, lines }, text) => {
  const comment = text.trim();
  const { suggestion } = state.review;
  const closed: ReviewModel = { ...keep(state, hunk, ''), overlay: null };
  const { saying } = state.review;
  if (comment === '' || suggestion === null) return say(closed, facts, 'info', 'No comment was made');
  if (comment.length > COMMENT_MAX_LENGTH)
    return say(
      state,
      facts,
      'warn',
      `A comment has at most ${COMMENT_MAX_LENGTH} characters; this has ${comment.length}`,
    );
  const intent = { kind: 'comment', hunk, seen: null, text: comment, lines } as const;
  const what = 'Commenting';
  const sent = changeReview(closed, { saying: { ...saying, count: saying.count + 1 } });
  return done(sent, { kind: 'review', suggestion, intent, confirmed: null, what, hunks: [] });
});

const leave = onComment((state, facts, { hunk }, text) => {
  const closed: ReviewModel = { ...keep(state, hunk, text), overlay: null };
  return text.trim() === ''
    ? done(closed)
    : say(closed, facts, 'info', 'No comment was made; its text is kept for next time');
});

function keep(state: ReviewModel, hunk: string, text: string): ReviewModel {
  const { [hunk]: _, ...others } = state.review.begun;
  return changeReview(state, { begun: text.trim() === '' ? others : { ...others, [hunk]: text } });
}

export const commentCommands: ReviewHandlers = {
  ...insertCommandsBy(
    (action): ReviewHandler =>
      (state) =>
        done(changeComment(state, action)),
  ),
  'insert/up': (state) => done(changeComment(state, { type: 'draft/move', motion: 'up' })),
  'insert/down': (state) => done(changeComment(state, { type: 'draft/move', motion: 'down' })),
  'comment/newline': (state) => done(changeComment(state, { type: 'draft/newline' })),
  'comment/make': make,
  'comment/leave': leave,
  'comment/edit': onComment((state, _facts, _overlay, text) => done(state, { kind: 'edit-comment', text })),
};
