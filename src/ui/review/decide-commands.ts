/** Commands that decide on whole hunks: accept, reject, modify, undo, finish. */
import type { Hunk } from '../../protocol/review.ts';
import { DISCARD_QUESTION } from '../../review/desk/plan.ts';
import { ask, GERUNDS, intend, intending, onAllHunks, onFrame, onHunk } from './acting.ts';
import { sayWhy, startComment } from './comment-commands.ts';
import {
  done,
  type ReviewEffect,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewHandlers,
  type ReviewModel,
  type ReviewOutcome,
  say,
} from './model.ts';
import { editableText } from './modify.ts';
import { changeReview } from './moves.ts';
import { linesAt } from './segment.ts';
import { listedSuggestions, markedIndex } from './state.ts';

/** One key decides on everything that a row represents. */
const decide = (kind: 'accept' | 'reject'): ReviewHandler =>
  onFrame((state, facts, frame) => {
    if (frame.layout.oneRow !== null) return decideFile(kind)(state, facts);
    const rejected = kind === 'reject' ? frame.segment.hunk.id : null;
    return intend(changeReview(state, { rejected }), facts, frame, {
      intent: { kind, ...onHunk(state, frame), lines: null },
      what: `${GERUNDS[kind]} the hunk`,
    });
  });

/** Only a save writes an agent's proposal to the files. */
const save = onFrame((state, facts, frame) => {
  const { write, target } = frame.suggestion;
  if (write !== 'on-save') return say(state, facts, 'info', 'Decisions here are written to disk at once');
  return done(state, { kind: 'save-project', root: target });
});

const decideFile = (action: 'accept' | 'reject'): ReviewHandler =>
  onAllHunks((state, facts, frame) =>
    intend(state, facts, frame, {
      intent: { kind: `${action}_file`, ...onHunk(state, frame) },
      what: `${GERUNDS[action]} ${frame.file.name}`,
    }),
  );

const onSuggestion = (kind: SuggestionIntent, what: string): ReviewHandler =>
  onAllHunks((state, facts, frame) => intend(state, facts, frame, { intent: { kind }, what }));

type SuggestionIntent = 'accept_all' | 'reject_all' | 'undo_all';

const modify = (as: 'text' | 'diff'): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { hunk } = frame.segment;
    const { doc } = frame.segment;
    if (frame.layout.oneRow !== null)
      return say(
        state,
        facts,
        'info',
        `${facts.keyOf('review/fold') ?? 'the palette'} unfolds the file first`,
      );
    const [index = 0] = linesAt(frame.segment, frame.row - frame.segment.start, frame.layout.sides);
    if (!hunk.diffComplete) return say(state, facts, 'warn', partlyReadWords(hunk));
    const edited =
      as === 'text'
        ? editableText(hunk, doc, index, facts.review.conflict, madeText(state, facts, hunk))
        : { ok: true as const, value: { text: hunk.diff, line: Math.max(0, index - doc.own.from) + 2 } };
    if (!edited.ok) {
      const { message, hint } = edited.error;
      return say(state, facts, 'warn', `${message}. ${hint ?? ''}`);
    }
    return done(state, {
      kind: 'edit-hunk',
      suggestion: frame.suggestion.id,
      hunk: hunk.id,
      as,
      name: as === 'text' ? hunk.file : 'hunk.diff',
      ...edited.value,
    });
  });

/** The reader's version of the hunk: from a moment ago here, or earlier as read back. */
function madeText(state: ReviewModel, facts: ReviewFacts, hunk: Hunk): string | undefined {
  const { modified } = facts.review;
  const stored = modified?.hunk === hunk.id && modified.texts.isOwnRegion ? modified.texts.result : undefined;
  return state.review.edited[hunk.id] ?? stored;
}

function partlyReadWords({ kind }: Hunk): string {
  return kind === 'text'
    ? 'This hunk is not fully loaded, or has lines too long to edit here; accept or reject it'
    : `This ${kind} is not fully loaded yet`;
}

/** The host's desk knows what to undo, and where. */
const undo = onFrame((state, _facts, frame) =>
  done(state, intending(frame, { kind: 'undo', ...onHunk(state, frame) }, 'Taking back')),
);

const redo = onFrame((state, _facts, frame) =>
  done(state, intending(frame, { kind: 'redo' }, 'Doing it again')),
);

const discard: ReviewHandler = (state, facts) => {
  const { review } = state;
  const marked = listedSuggestions(review, facts.review)[markedIndex(review, facts.review)];
  const id = review.suggestion ?? marked?.id;
  if (id === undefined) return say(state, facts, 'info', 'No suggestion is open');
  const revision = facts.review.suggestions.find((one) => one.id === id)?.revision ?? 0;
  const discarding: ReviewEffect = {
    kind: 'review',
    suggestion: id,
    intent: { kind: 'discard' },
    confirmed: revision,
    what: 'Discarding',
    hunks: [],
  };
  return ask(state, DISCARD_QUESTION, [discarding], 'no');
};

/** The message comes first, then the question. */
const commit: ReviewHandler = onAllHunks((state) => {
  const { of, text } = state.review.commitMessage;
  const query = of === state.review.suggestion ? text : '';
  return done({ ...state, overlay: { kind: 'prompt', query, sign: 'Commit message: ', purpose: 'commit' } });
});

export function commitWith(state: ReviewModel, facts: ReviewFacts, query: string): ReviewOutcome {
  const message = query.trim();
  if (message === '') return say(state, facts, 'info', 'No message was given: nothing is committed');
  const what = 'Committing';
  return onAllHunks((now, known, frame) =>
    intend(now, known, frame, { intent: { kind: 'commit', message }, what }),
  )(changeReview(state, { commitMessage: { of: state.review.suggestion, text: message } }), facts);
}

/** Accepted changes stay. */
export const finish: ReviewHandler = onAllHunks((state, facts, frame) =>
  intend(state, facts, frame, { intent: { kind: 'finish', sync: 'keep' }, what: 'Completing' }),
);

export const decideCommands: ReviewHandlers = {
  'review/accept': decide('accept'),
  'review/reject': decide('reject'),
  'review/modify': modify('text'),
  'review/modify-diff': modify('diff'),
  'review/comment': startComment,
  'review/say-why': sayWhy,
  'review/accept-file': decideFile('accept'),
  'review/reject-file': decideFile('reject'),
  'review/accept-all': onSuggestion('accept_all', 'Accepting what is open'),
  'review/reject-all': onSuggestion('reject_all', 'Rejecting what is open'),
  'review/undo-all': onSuggestion('undo_all', 'Undoing every decision'),
  'review/commit': commit,
  'review/discard': discard,
  'agent/save': save,
  'edit/undo': undo,
  'edit/redo': redo,
};
