/** Runs effects through the ports and turns what came of them into a change of state and a line for the reader. */
import type { Result } from '../../lib/result.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { UiPorts } from '../ports.ts';
import { changeDraft, withoutSent } from '../screens/responses/draft-commands.ts';
import type { AppState } from './app-state.ts';
import type { Effect } from './effect.ts';
import { done, type Facts, type Outcome, say } from './handler.ts';

export interface EffectContext {
  readonly ports: UiPorts;
  readonly host: {
    readonly quit: () => void;
    readonly redraw: () => void;
    readonly handOver: <T>(run: () => Promise<T>) => Promise<T>;
  };
  /** Applies a change to the state as it is then. */
  readonly apply: (change: (state: AppState, facts: Facts) => Outcome) => void;
}

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
    case 'refresh':
      void track(context, 'Looking at the AI pane', ports.responses.refresh(), (state, facts) =>
        say(state, facts, 'ok', 'Looked again'),
      );
      return;
    case 'copy':
      void track(context, 'Copying', ports.system.copy(effect.text), (state, facts, where) =>
        say(state, facts, 'ok', `Copied ${effect.what} ${where}`),
      );
      return;
    case 'answer':
      void track(
        context,
        'Answering',
        ports.responses.answerDialog(effect.option, effect.dialog),
        (state, facts) => say(state, facts, 'ok', 'Answered'),
      );
      return;
    case 'press-enter':
      void track(context, 'Pressing Enter', ports.responses.pressEnter(effect.entryId), reportDelivery);
      return;
    case 'send':
      void track(context, 'Sending', ports.responses.send(effect.text), (state, facts, entry) =>
        reportDelivery(
          NOT_SENT.has(entry.state)
            ? state
            : expectingAnswer(withoutSent(state, effect.lineIds, facts.clearOnSend)),
          facts,
          entry,
        ),
      );
      return;
    case 'edit-response':
      void edit(effect, context, (state, facts, text) =>
        text === effect.text
          ? done(state)
          : say(
              state,
              facts,
              'info',
              'The response itself was not changed; pull it into the draft to edit it.',
            ),
      );
      return;
    case 'edit-draft':
      void edit(effect, context, (state, facts, text) =>
        text === effect.text
          ? say(state, facts, 'info', 'Nothing was changed')
          : say(
              changeDraft(state, { type: 'draft/merge-text', text }),
              facts,
              'ok',
              'Draft taken over from the editor; u undoes it',
            ),
      );
      return;
  }
}

async function edit(
  effect: { readonly text: string; readonly line: number },
  context: EffectContext,
  after: (state: AppState, facts: Facts, text: string) => Outcome,
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

/** Shows that something is under way until it settles. */
async function track<T>(
  context: EffectContext,
  what: string,
  work: Promise<Result<T>>,
  after: (state: AppState, facts: Facts, value: T) => Outcome,
): Promise<void> {
  context.apply((state, facts) => done({ ...state, busy: { what, since: facts.now } }));
  const result = await work;
  context.apply((state, facts) => {
    const settled: AppState = { ...state, busy: null };
    return result.ok ? after(settled, facts, result.value) : sayFailure(settled, facts, result);
  });
}

function sayFailure(state: AppState, facts: Facts, result: Result<unknown>): Outcome {
  if (result.ok) return done(state);
  const { message, hint } = result.error;
  return say(state, facts, 'error', hint === undefined ? message : `${message}. ${hint}`);
}

/** The answer is what comes next: the newest turn is shown, unless another one is being read. */
function expectingAnswer(state: AppState): AppState {
  if (state.responses.focus === 'reading') return state;
  return { ...state, responses: { ...state.responses, turnId: null } };
}

/** Notes whose prompt ended so stay in the draft. */
const NOT_SENT: ReadonlySet<OutboxEntry['state']> = new Set(['refused', 'abandoned']);

/** One line about what became of a prompt. */
function reportDelivery(state: AppState, facts: Facts, entry: OutboxEntry): Outcome {
  const why = entry.reason === null ? '' : `: ${entry.reason}`;
  switch (entry.state) {
    case 'delivered':
      return say(state, facts, 'ok', 'Delivered');
    case 'queued':
      return say(state, facts, 'ok', 'The AI is busy and holds it for later');
    case 'recorded':
    case 'pasted':
    case 'submitted':
      return say(state, facts, 'info', 'Sent, waiting for a sign of it');
    case 'staged':
      return say(
        state,
        facts,
        'warn',
        `It stands in the AI's composer; Enter did not take${why}. g Enter presses it again`,
      );
    case 'unconfirmed':
      return say(state, facts, 'warn', `Sent, but no sign of it was seen${why}`);
    case 'refused':
      return say(state, facts, 'error', `Not sent${why}`);
    case 'abandoned':
      return say(state, facts, 'info', 'Given up');
  }
}
