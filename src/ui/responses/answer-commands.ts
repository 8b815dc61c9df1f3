/**
 * Commands for the AI's question: read, mark, answer. Only what is on the screen can be marked, and Enter gives the marked
 * answer once. The mark goes, with a message, when its question or its answer changes, even while they are being drawn.
 */
import type { Dialog } from '../../protocol/dialog.ts';
import { isRedrawn, isSameAnswer } from '../../responses/core/dialog.ts';
import { areaOf } from '../kit/layout.ts';
import { moveCommands } from '../kit/moves.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { planAnswer } from './answer-view.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOutcome,
  type ResponsesOverlay,
  say,
} from './model.ts';

type Answer = Extract<ResponsesOverlay, { kind: 'answer' }>;

/** Rows do not depend on colours. */
const ROWS = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });

/** The AI's question, opened for reading; null: the AI asks, but has not drawn its question yet. */
export function openAnswer(seen: Dialog | null): Answer {
  return { kind: 'answer', seen, mark: null, top: 0 };
}

/** Follows the AI's question: a new one is read from its top, one that is gone closes, a redrawn one stays in place. */
export function settleAnswer(state: ResponsesModel, facts: ResponsesFacts): ResponsesModel {
  const { overlay } = state;
  const { dialog, state: doing } = facts.view.status;
  if (overlay?.kind !== 'answer' || (dialog === null && doing === 'waiting')) return state;
  const { seen, mark } = overlay;
  if (dialog !== null && dialog === seen) return state;
  const isRead = dialog !== null && seen !== null && isRedrawn(seen, dialog);
  const isKept = isRead && mark !== null && isSameAnswer(seen.seen, dialog.seen, mark);
  const redrawn = { ...overlay, seen: dialog, mark: isKept ? mark : null };
  const next = { ...state, overlay: isRead ? redrawn : dialog === null ? null : openAnswer(dialog) };
  if (mark === null || isKept) return next;
  const why =
    dialog === null ? 'The AI no longer asks this' : 'The question has changed: select its answer again';
  return say(next, facts, 'info', why).state;
}

interface Place {
  readonly overlay: Answer;
  readonly dialog: Dialog;
  readonly total: number;
  readonly page: number;
  readonly answers: readonly { readonly start: number; readonly end: number }[];
}

function placeOf(state: ResponsesModel, facts: ResponsesFacts): Place | null {
  const { overlay } = state;
  const { dialog } = facts.view.status;
  if (overlay?.kind !== 'answer' || dialog === null) return null;
  const area = areaOf(state.size);
  const { rows, answers } = planAnswer(dialog, overlay.mark, area.columns, ROWS);
  return { overlay, dialog, total: rows.length, page: Math.max(1, area.rows - 1), answers };
}

const inAnswer =
  (change: (place: Place) => Answer): ResponsesHandler =>
  (state, facts) => {
    const place = placeOf(state, facts);
    return place === null ? done(state) : done({ ...state, overlay: change(place) });
  };

function scrolled({ overlay, total, page }: Place, rows: number): Answer {
  return { ...overlay, top: Math.max(0, Math.min(overlay.top + rows, total - page)) };
}

/** Marks an answer and brings all of it into view. */
function marked({ overlay, page, answers }: Place, mark: number): Answer {
  const answer = answers[mark];
  if (answer === undefined) return overlay;
  const top = Math.min(Math.max(overlay.top, answer.end - page), answer.start);
  return { ...overlay, mark, top };
}

/** Down scrolls, and marks the next answer once the answers are in view. */
function down(place: Place): Answer {
  const { overlay, page, answers } = place;
  if (overlay.mark !== null) return marked(place, Math.min(overlay.mark + 1, answers.length - 1));
  const first = answers[0];
  return first !== undefined && first.end <= overlay.top + page ? marked(place, 0) : scrolled(place, 1);
}

function up(place: Place): Answer {
  const { overlay } = place;
  if (overlay.mark === null) return scrolled(place, -1);
  return overlay.mark === 0 ? { ...overlay, mark: null } : marked(place, overlay.mark - 1);
}

export const NOT_DRAWN = 'What it asks is not on its screen yet';

export const answerCommands: ResponsesHandlers = {
  ...moveCommands((rows) => inAnswer((place) => scrolled(place, rows(place.page, place.total)))),
  'move/down': inAnswer(down),
  'move/up': inAnswer(up),
  'move/first': inAnswer((place) => ({ ...place.overlay, mark: null, top: 0 })),
  'move/last': inAnswer((place) => marked(place, place.answers.length - 1)),
  'answer/cancel': (state) => done({ ...state, overlay: null }),
  'answer/choose': (state, facts) => {
    const place = placeOf(state, facts);
    return place === null ? say(state, facts, 'info', NOT_DRAWN) : choose(state, facts, place);
  },
};

const choose = (state: ResponsesModel, facts: ResponsesFacts, place: Place) => {
  const { overlay, dialog, page } = place;
  const option = overlay.mark === null ? undefined : dialog.options[overlay.mark];
  const answer = overlay.mark === null ? undefined : place.answers[overlay.mark];
  if (overlay.mark === null || option === undefined || answer === undefined)
    return say(state, facts, 'info', 'No answer is selected: press its number, then Enter');
  const isInView = answer.start >= overlay.top && answer.end <= overlay.top + page;
  if (!isInView) return done({ ...state, overlay: marked(place, overlay.mark) });
  const wanted = { seen: dialog.seen, option: overlay.mark };
  if (option.takesText) {
    return done({
      ...state,
      overlay: { kind: 'prompt', query: '', sign: 'Your words: ', purpose: { answer: wanted } },
    });
  }
  const given = { ...state, overlay: { ...overlay, mark: null } };
  return say(given, facts, 'info', `Answering "${option.label}"`, {
    kind: 'answer',
    wanted: { ...wanted, words: null },
  });
};

/** A digit marks the answer with that number. */
export function markByNumber(state: ResponsesModel, facts: ResponsesFacts, text: string): ResponsesOutcome {
  const place = placeOf(state, facts);
  if (!/^[1-9]$/.test(text)) return done(state);
  if (place === null) return say(state, facts, 'info', `${NOT_DRAWN}: press ${text} again when it is`);
  const mark = Number(text) - 1;
  if (place.answers[mark] === undefined) return say(state, facts, 'info', `There is no answer ${text}`);
  return done({ ...state, overlay: marked(place, mark) });
}
