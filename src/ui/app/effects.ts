/** Runs effects through the ports and turns what came of them into a change of state and a line for the reader. */
import { assertNever } from '../../lib/result.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import { runAgentEffect } from '../agent/effects.ts';
import { reportDelivery } from '../responses/delivery-report.ts';
import { changeDraft, withoutSent } from '../responses/draft-commands.ts';
import { runReviewEffect } from '../review/effects.ts';
import { runShellEffect } from '../shell/effects.ts';
import type { Effect } from './effect.ts';
import { done, type Facts, type Outcome, say } from './handler.ts';
import type { AppState } from './state.ts';
import { type EffectContext, sayFailure, track } from './track.ts';

/** Starts an effect; a defect in a port reaches the process's own boundary. */
export function runEffect(effect: Effect, context: EffectContext): void {
  const { ports, host } = context;
  switch (effect.kind) {
    case 'quit':
      host.quit();
      return;
    case 'redraw':
      host.redraw();
      return;
    case 'select-pane':
      ports.responses.selectPane(effect.key);
      return;
    case 'suspend':
      void suspend(context);
      return;
    case 'edit-response':
      void edit(effect, context, afterEditOfResponse(effect.text));
      return;
    case 'review':
    case 'edit-hunk':
    case 'edit-comment':
    case 'edit-file':
    case 'mark-seen':
    case 'review-refresh':
      void runReviewEffect(effect, context);
      return;
    case 'agent':
    case 'agent-complete':
    case 'agent-preview':
    case 'agent-map':
    case 'agent-diff':
    case 'agent-row':
      void runAgentEffect(effect, context);
      return;
    case 'shell-private':
    case 'shell-forget':
      void runShellEffect(effect, context);
      return;
    case 'edit-draft':
      void edit(effect, context, afterEditOfDraft(effect.text));
      return;
    default:
      runTracked(effect, context);
  }
}

type TrackedEffect = Extract<
  Effect,
  { kind: 'refresh' | 'copy' | 'save' | 'offer-patch' | 'answer' | 'press-enter' | 'send' }
>;

/** Effects that take their time: what is under way is shown, then what came of it. */
function runTracked(effect: TrackedEffect, context: EffectContext): void {
  const { responses, review, system } = context.ports;
  switch (effect.kind) {
    case 'refresh':
      void track(context, 'Looking at the AI pane', responses.refresh(), (state, facts) =>
        say(state, facts, 'ok', 'Looked again'),
      );
      return;
    case 'copy':
      void track(context, 'Copying', system.copy(effect.text), (state, facts, where) =>
        say(state, facts, 'ok', `Copied ${effect.what} ${where}`),
      );
      return;
    case 'save':
      void track(context, 'Saving', system.save(effect.name, effect.text), (state, facts, file) =>
        say(state, facts, 'ok', `Saved as ${file}`),
      );
      return;
    case 'offer-patch':
      void track(context, 'Offering', review.offer(effect.patch), (state, facts, hunks) =>
        say(
          state,
          facts,
          'ok',
          `Offered for review (${hunks} ${hunks === 1 ? 'hunk' : 'hunks'}): 2 shows it`,
        ),
      );
      return;
    case 'answer':
      void track(context, 'Answering', responses.answerDialog(effect.option, effect.dialog), (state, facts) =>
        say(state, facts, 'ok', 'Answered'),
      );
      return;
    case 'press-enter':
      void track(context, 'Pressing Enter', responses.pressEnter(effect.entryId), reportDelivery);
      return;
    case 'send':
      void track(context, 'Sending', responses.send(effect.text), (state, facts, entry) =>
        reportDelivery(afterSend(state, facts, effect.lineIds, entry), facts, entry),
      );
      return;
    default:
      assertNever(effect);
  }
}

/** Notes whose prompt ended so stay in the draft. */
const NOT_SENT: ReadonlySet<OutboxEntry['state']> = new Set(['refused', 'abandoned']);

/** The answer is what comes next: the newest turn is shown, unless another one is being read. */
function afterSend(state: AppState, facts: Facts, lineIds: readonly number[], entry: OutboxEntry): AppState {
  if (NOT_SENT.has(entry.state)) return state;
  const cleared = withoutSent(state, lineIds, facts.clearOnSend);
  if (cleared.responses.focus === 'reading') return cleared;
  return { ...cleared, responses: { ...cleared.responses, turnId: null } };
}

type AfterEdit = (state: AppState, facts: Facts, text: string) => Outcome;

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
          'Draft taken over from the editor; u undoes it',
        );
}

async function edit(
  effect: { readonly text: string; readonly line: number },
  context: EffectContext,
  after: AfterEdit,
): Promise<void> {
  const { ports, host } = context;
  const result = await host.handOver(() => ports.system.edit(effect.text, effect.line));
  context.apply((state, facts) =>
    result.ok ? after(state, facts, result.value) : sayFailure(state, facts, result),
  );
}

async function suspend(context: EffectContext): Promise<void> {
  const { suspend: run } = context.ports.system;
  if (run === undefined) {
    context.apply((state, facts) => say(state, facts, 'info', 'There is no shell to go back to from here'));
    return;
  }
  await context.host.handOver(run);
}
