/** Commands of the Responses screen for any focus, and those that act on the focused pane. */
import { openAnswer } from './answer-commands.ts';
import type { Focus } from './layout.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  say,
} from './model.ts';
import { outgoingWords } from './preview.ts';
import { nextNoteContext, openPreview } from './preview-commands.ts';
import { focusOn } from './state.ts';

const ORDER: readonly Focus[] = ['list', 'reading', 'draft'];

const focusBy =
  (step: number): ResponsesHandler =>
  (state, facts) => {
    const at = ORDER.indexOf(state.responses.focus);
    const focus = ORDER[(at + step + ORDER.length) % ORDER.length] ?? 'list';
    return done(giveFocus(state, facts, focus));
  };

/** Moves the focus between list, response and draft. */
export function giveFocus(state: ResponsesModel, facts: ResponsesFacts, focus: Focus): ResponsesModel {
  const responses = focusOn(state.responses, focus, facts.view.turns);
  return responses === state.responses ? state : { ...state, responses };
}

export const responsesCommands: ResponsesHandlers = {
  'focus/next': focusBy(1),
  'focus/previous': focusBy(-1),
  'sessions/open': (state) => done(state, { kind: 'list-sessions', words: null }),
  'responses/refresh': (state) => done(state, { kind: 'refresh' }),
  'draft/send': (state, facts) => {
    const isEmpty = !state.draft.draft.lines.some(({ text }) => text.trim() !== '');
    const key = facts.keyOf('draft/note-below') ?? 'o';
    return isEmpty
      ? say(state, facts, 'info', `There is no note to send yet: ${key} writes one`)
      : done(openPreview(state, null));
  },
  'note/context': (state, facts) => {
    const next: ResponsesModel = { ...state, noteContext: nextNoteContext(state.noteContext) };
    return say(
      next,
      facts,
      'info',
      `Notes go out ${CONTEXT_WORDS[next.noteContext]}${outgoingWords(next, facts)}`,
    );
  },
  'pane/answer': (state, facts) => {
    const { dialog, state: doing } = facts.view.status;
    if (dialog === null && doing !== 'waiting')
      return say(state, facts, 'info', 'The AI is not asking anything');
    return done({ ...state, overlay: openAnswer(dialog) });
  },
  'delivery/press-enter': (state, facts) => {
    const staged = facts.view.deliveries.find((entry) => entry.state === 'staged');
    if (staged === undefined) return say(state, facts, 'info', 'The composer holds none of your prompts');
    const [line = ''] = staged.text.trim().split('\n');
    return done({
      ...state,
      overlay: {
        kind: 'confirm',
        question: `Press Enter in the AI pane for "${line}"?`,
        effects: [{ kind: 'press-enter', entryId: staged.id }],
      },
    });
  },
};

const CONTEXT_WORDS = {
  bare: 'as they are',
  quote: 'under a short quote of the line they answer',
  line: 'under the full line they answer',
} as const;
