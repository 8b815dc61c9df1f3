/** Adds notes that the AI has not received to the draft and shows it, so that they are read before being sent. Pure. */
import { draftText } from '../../responses/core/draft.ts';
import { sortNotes } from '../../responses/core/sort-notes.ts';
import { turnNotes } from '../../review/core/review-notes.ts';
import { changeDraft } from '../responses/draft-commands.ts';
import { focusOn } from '../responses/state.ts';
import { type AppFacts, type AppOutcome, done, say } from './model.ts';
import { onResponses } from './screens.ts';
import type { AppEffect, AppState } from './state.ts';

/** The change of the state that this effect asks for. */
export function toDraft(effect: Extract<AppEffect, { kind: 'to-draft' }>) {
  const notes = turnNotes(effect.hunks);
  return (state: AppState, facts: AppFacts): AppOutcome => {
    if (notes.length === 0)
      return say(state, facts, 'info', 'Nothing was taken back, and no comment was made');
    const { turns, deliveries, past } = facts.view;
    const places = { draft: draftText(state.draft.draft), turns: past === null ? turns : [], deliveries };
    const { fresh, sent } = sortNotes(notes, places, effect.since);
    if (fresh.length === 0 && sent.length > 0 && effect.again === undefined) {
      const question = 'These reasons have already been sent. Send them again?';
      const effects = [{ ...effect, again: true as const }];
      return done({ ...state, overlay: { kind: 'confirm', question, effects, enter: 'no' } });
    }
    const text = [...fresh, ...(effect.again === true ? sent : [])].join('\n\n');
    const noted = onResponses((responses, { view }) => ({
      state: {
        ...(text === '' ? responses : changeDraft(responses, { type: 'draft/append', text })),
        responses: focusOn(responses.responses, 'draft', view.turns),
      },
      effects: [],
    }))(state, facts);
    const words =
      text === '' ? 'Your reasons are already in the draft' : 'Your reasons are now notes in the draft';
    const left = text !== '' && sent.length > 0 && effect.again === undefined;
    const rest = left ? '; what was sent already is not among them' : '';
    return say({ ...noted.state, screen: 'responses' }, facts, 'ok', `${words}${rest}`);
  };
}
