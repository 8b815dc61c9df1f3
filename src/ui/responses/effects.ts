/** Runs the Responses screen's effects and turns their results into a state change and a message. */
import type { OutboxEntry } from '../../protocol/outbox.ts';
import { draftText } from '../../responses/core/draft.ts';
import { reportDelivery } from './delivery-report.ts';
import { changeDraft, withoutSent } from './draft-commands.ts';
import {
  done,
  type ResponsesEffect,
  type ResponsesEffectContext,
  type ResponsesFacts,
  type ResponsesModel,
  type ResponsesOutcome,
  say,
  track,
} from './model.ts';
import type { ResponsesPort } from './port.ts';
import { openSessions } from './sessions.ts';
import { selectedTurn } from './state.ts';

/** Starts an effect; a defect in a port is rethrown and ends the process. */
export function runResponsesEffect(
  effect: Exclude<ResponsesEffect, { kind: 'copy' | 'open-suggestion' }>,
  context: ResponsesEffectContext,
): Promise<void> {
  const { responses, system, offerPatch } = context.ports;
  switch (effect.kind) {
    case 'refresh':
      return track(context, 'Looking at the AI pane', responses.refresh(), (state, facts) =>
        say(state, facts, 'ok', 'Refreshed'),
      );
    case 'list-sessions':
      return track(
        context,
        'Reading the sessions of this project',
        responses.sessions(effect.words),
        (state, facts, sessions) => openSessions(state, facts, sessions, effect.words),
      );
    case 'open-session':
      return track(context, 'Reading the session', responses.openSession(effect.session), (state) => {
        const turnId = effect.session?.found?.turn ?? null;
        return done({ ...state, responses: { ...state.responses, focus: 'list', turnId, listTop: 0 } });
      });
    case 'save':
      return track(context, 'Saving', system.save(effect.name, effect.text), (state, facts, file) =>
        say(state, facts, 'ok', `Saved as ${file}`),
      );
    case 'offer-patch':
      return track(context, 'Offering', offerPatch(effect.patch), (state, facts, hunks) => {
        const size = hunks === 1 ? '1 hunk' : `${hunks} hunks`;
        return say(state, facts, 'ok', `Offered for review (${size}): 2 shows it`);
      });
    case 'review-turn':
      return track(
        context,
        'Reading what it changed',
        responses.reviewTurn(effect.turn, effect.onward),
        (state, facts, suggestion) => {
          const open = { kind: 'open-suggestion', suggestion } as const;
          if (!effect.onward) return done(state, open);
          const words = 'Nothing is taken back yet: reject one hunk, or all of them; undo puts them in again';
          return say(state, facts, 'info', words, open);
        },
      );
    case 'answer': {
      const answered = responses.answerDialog(effect.wanted);
      return track(context, 'Answering', answered, (state, facts) => say(state, facts, 'ok', 'Answered'));
    }
    case 'press-enter':
      return track(context, 'Pressing Enter', responses.pressEnter(effect.entryId), reportDelivery);
    case 'send':
      return track(context, 'Sending', sendTo[effect.to](responses, effect.text), (state, facts, entry) =>
        reportDelivery(afterSend(state, facts, effect.lineIds, entry), facts, entry),
      ).then(() => context.apply((state) => done(withoutSending(state, effect.lineIds))));
    case 'edit-response':
      return edit(effect, context, afterEditOfResponse(effect.text));
    case 'edit-draft':
      return edit(effect, context, afterEditOfDraft(effect.text));
  }
}

const sendTo = {
  composer: (port: ResponsesPort, text: string) => port.send(text),
  'busy-composer': (port: ResponsesPort, text: string) => port.send(text, 'steer'),
  plan: (port: ResponsesPort, text: string) => port.replyToPlan(text),
} as const;

/** Clears lines that arrived or did not leave; others may still be pending. */
function withoutSending(state: ResponsesModel, settled: readonly number[]): ResponsesModel {
  const { sending } = state.responses;
  if (sending === null) return state;
  const lineIds = sending.lineIds.filter((id) => !settled.includes(id));
  return { ...state, responses: { ...state.responses, sending: { ...sending, lineIds } } };
}

const NOT_SENT: ReadonlySet<OutboxEntry['state']> = new Set(['refused', 'abandoned']);

/** Shows the newest turn, where the answer will appear, unless another is being read. */
function afterSend(
  state: ResponsesModel,
  facts: ResponsesFacts,
  lineIds: readonly number[],
  entry: OutboxEntry,
): ResponsesModel {
  if (NOT_SENT.has(entry.state)) return state;
  const cleared = withoutSent(state, lineIds, facts.clearOnSend);
  const { focus } = cleared.responses;
  if (focus === 'reading' && !isAnswered(state, facts)) return cleared;
  // An empty draft would stand where the answer comes.
  const isDone = cleared.draft.mode === 'normal' && draftText(cleared.draft.draft) === '';
  const left = focus === 'draft' && isDone ? ({ lower: 'reading', isDraftOpen: null } as const) : {};
  const next = focus === 'draft' && !isDone ? focus : 'list';
  return { ...cleared, responses: { ...cleared.responses, ...left, focus: next, turnId: null } };
}

/** Whether the sent notes were between the lines of the response in view. */
function isAnswered({ responses, draft }: ResponsesModel, { docs, view }: ResponsesFacts): boolean {
  const turn = selectedTurn(responses, view.turns);
  return turn !== null && docs(turn, 'read', draft.draft) !== docs(turn);
}

type AfterEdit = (state: ResponsesModel, facts: ResponsesFacts, text: string) => ResponsesOutcome;

function afterEditOfResponse(before: string): AfterEdit {
  return (state, facts, text) =>
    text === before
      ? done(state)
      : say(state, facts, 'info', 'The response itself was not changed; pull it into the draft to edit it.');
}

function afterEditOfDraft(before: string): AfterEdit {
  return (state, facts, text) =>
    text === before
      ? say(state, facts, 'info', 'Nothing was changed')
      : say(
          changeDraft(state, { type: 'draft/merge-text', text }),
          facts,
          'ok',
          'Draft updated from the editor; u undoes it',
        );
}

function edit(
  effect: { readonly text: string; readonly line: number },
  context: ResponsesEffectContext,
  after: AfterEdit,
): Promise<void> {
  const edited = context.handOver(() => context.ports.system.edit(effect.text, effect.line));
  return track(context, null, edited, after);
}
