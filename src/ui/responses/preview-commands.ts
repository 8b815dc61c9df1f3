/** The preview's commands: choose what to send, and send it. Only Enter here sends. */
import type { NoteContext } from '../../protocol/draft.ts';
import { planRefusal } from '../../responses/core/dialog.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOverlay,
  say,
} from './model.ts';
import { offersSteering, openQuestion, outgoingOf, previewExtent, question, sendingOf } from './preview.ts';

type Preview = Extract<ResponsesOverlay, { kind: 'preview' }>;

const CONTEXTS: readonly NoteContext[] = ['bare', 'quote', 'line'];

/** The next note context, wrapping around. */
export function nextNoteContext(context: NoteContext): NoteContext {
  return CONTEXTS[(CONTEXTS.indexOf(context) + 1) % CONTEXTS.length] ?? 'bare';
}

/** Opens the preview of the whole draft or a range of lines. */
export function openPreview(state: ResponsesModel, range: Preview['range']): ResponsesModel {
  return { ...state, overlay: { kind: 'preview', cursor: 0, top: 0, chosen: [], range, steers: false } };
}

const inPreview =
  (
    change: (overlay: Preview, state: ResponsesModel, facts: ResponsesFacts) => ReturnType<ResponsesHandler>,
  ): ResponsesHandler =>
  (state, facts) =>
    state.overlay?.kind === 'preview' ? change(state.overlay, state, facts) : done(state);

/** Moves the mark among open decisions, or scrolls the message if there are none. */
const move = (rows: MoveRows): ResponsesHandler =>
  inPreview((overlay, state, facts) => {
    const { open } = outgoingOf(overlay, state, facts);
    const [step, { total, page }] = [rows(2, 2), previewExtent(overlay, state, facts)];
    if (open.length > 0 && Math.abs(step) === 1) {
      const cursor = Math.max(0, Math.min(overlay.cursor + step, open.length - 1));
      return done({ ...state, overlay: { ...overlay, cursor } });
    }
    const top = Math.max(0, Math.min(overlay.top + rows(page, total), total - page));
    return done({ ...state, overlay: { ...overlay, top } });
  });

export const previewCommands: ResponsesHandlers = {
  ...moveCommands(move, 2),
  'preview/close': (state) => done({ ...state, overlay: null }),
  'note/context': (state) => done({ ...state, noteContext: nextNoteContext(state.noteContext) }),
  'preview/toggle': inPreview((overlay, state, facts) => {
    const item = outgoingOf(overlay, state, facts).open[overlay.cursor];
    if (item === undefined) return done(state);
    const chosen = overlay.chosen.includes(item.line)
      ? overlay.chosen.filter((line) => line !== item.line)
      : [...overlay.chosen, item.line];
    return done({ ...state, overlay: { ...overlay, chosen } });
  }),
  'preview/steer': inPreview((overlay, state) =>
    done({ ...state, overlay: { ...overlay, steers: !overlay.steers } }),
  ),
  'preview/send': inPreview((overlay, state, facts) => {
    const { message, lineIds } = outgoingOf(overlay, state, facts);
    if (!message.ok) return say(state, facts, 'warn', message.error.message);
    if (facts.view.selected === null) {
      return say(
        state,
        facts,
        'warn',
        'No AI pane is followed, so nothing was sent. Press Esc, then t to choose one.',
      );
    }
    const asked = openQuestion(facts);
    if (asked !== null) {
      const words = `Not sent, kept in the draft. ${question(asked, facts)}`;
      return say({ ...state, overlay: null }, facts, 'warn', words);
    }
    const steers = overlay.steers && offersSteering(facts);
    const to =
      planRefusal(facts.view.status.dialog) !== null ? 'plan' : steers ? 'busy-composer' : 'composer';
    const sending = { pane: facts.view.selected, lineIds: [...sendingOf(state, facts), ...lineIds] };
    const next = { ...state, overlay: null, responses: { ...state.responses, sending } };
    return done(next, { kind: 'send', text: message.value.text, lineIds, to });
  }),
};
