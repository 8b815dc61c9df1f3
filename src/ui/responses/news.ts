/** What to tell the reader when the data changed: a delivery progressed, the AI asks, a response arrived. Pure. */
import type { OutboxEntry } from '../../protocol/outbox.ts';
import { reportDelivery } from './delivery-report.ts';
import { withoutSent } from './draft-commands.ts';
import { done, type ResponsesFacts, type ResponsesModel, type ResponsesOutcome, say } from './model.ts';
import type { ResponsesView } from './port.ts';
import { ALL_NOTES, outgoingOf, question } from './preview.ts';

/** The state with news in the view since `before`. */
export function showNews(
  was: ResponsesModel,
  before: ResponsesView,
  facts: ResponsesFacts,
): ResponsesOutcome {
  const { view } = facts;
  if (view === before) return done(was);
  const state = withoutOldQuestion(was, before, facts);
  const moved = movedDelivery(before.deliveries, view.deliveries);
  if (moved !== null && state.busy === null) {
    return reportDelivery(withoutArrived(state, facts, moved), facts, moved);
  }
  if (view.selected !== before.selected) return done(state);
  if (view.status.dialog !== null && before.status.dialog === null) {
    return say(state, facts, 'warn', question(view.status.dialog, facts));
  }
  const isNew = view.turns[0]?.id !== before.turns[0]?.id && before.turns.length > 0;
  const { focus, turnId } = state.responses;
  if (!isNew || turnId === null) return done(state);
  const news = 'A new response has arrived';
  if (focus !== 'draft') return say(state, facts, 'info', `${news}: it is at the top of the list`);
  // A new response pushes nothing away from someone in the draft, and `p` should pull the newest.
  return say({ ...state, responses: { ...state.responses, turnId: null } }, facts, 'info', news);
}

/** A prompt arrived late: its notes, kept in the draft until this was known, must not be sent again. */
function withoutArrived(
  state: ResponsesModel,
  facts: ResponsesFacts,
  { state: now, text, marked }: OutboxEntry,
): ResponsesModel {
  const { message, lineIds } = outgoingOf(ALL_NOTES, state, facts);
  if (now !== 'delivered' || !message.ok) return state;
  const notes = message.value.text;
  const isThis = marked ? text.includes(`\n${notes}\n`) : text === notes;
  return isThis ? withoutSent(state, lineIds, facts.clearOnSend) : state;
}

/** An answered question is no longer news. */
function withoutOldQuestion(
  state: ResponsesModel,
  before: ResponsesView,
  facts: ResponsesFacts,
): ResponsesModel {
  const { dialog } = before.status;
  const isOver = dialog !== null && facts.view.status.dialog === null;
  return isOver && state.toast?.text === question(dialog, facts) ? { ...state, toast: null } : state;
}

/** A known prompt whose state has changed. */
function movedDelivery(before: readonly OutboxEntry[], after: readonly OutboxEntry[]): OutboxEntry | null {
  if (before === after) return null;
  const known = new Map(before.map((entry) => [entry.id, entry.state]));
  return after.find((entry) => known.has(entry.id) && known.get(entry.id) !== entry.state) ?? null;
}
