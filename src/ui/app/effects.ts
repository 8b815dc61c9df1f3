/** Runs effects: the application's own through the ports, others through their screen. */

import type { Turn } from '../../protocol/turn.ts';
import { runAgentEffect } from '../agent/effects.ts';
import type { Outcome } from '../kit/model.ts';
import { runResponsesEffect } from '../responses/effects.ts';
import { paneKey } from '../responses/port.ts';
import { runReviewEffect } from '../review/effects.ts';
import type { ReviewModel } from '../review/model.ts';
import { changeReview, openReview } from '../review/moves.ts';
import { runShellEffect } from '../shell/effects.ts';
import { isFollowing } from './follow-turns.ts';
import { type AppFacts, type AppOutcome, done, say, track } from './model.ts';
import type { UiPorts } from './ports.ts';
import { onAgent, onResponses, onReview, onShell } from './screens.ts';
import type { AppEffect, AppState } from './state.ts';

/** The surface's services for effects. */
export interface EffectHost {
  readonly quit: () => void;
  readonly redraw: () => void;
  /** Gives the terminal to `run` and takes it back. */
  readonly handOver: <T>(run: () => Promise<T>) => Promise<T>;
}

export interface AppEffectContext {
  readonly ports: UiPorts;
  readonly host: EffectHost;
  readonly apply: (change: (state: AppState, facts: AppFacts) => AppOutcome) => void;
}

type Change<M, F, E> = (state: M, facts: F) => Outcome<M, E>;

/** The context for a screen's effects, whose changes apply to the screen's part of the state. */
function contextFor<M, F, E, P>(
  { host, apply }: AppEffectContext,
  ports: P,
  lift: (change: Change<M, F, E>) => (state: AppState, facts: AppFacts) => AppOutcome,
) {
  return { ports, handOver: host.handOver, apply: (change: Change<M, F, E>) => apply(lift(change)) };
}

/** Starts an effect, and settles with it; a defect in a port reaches the process's own boundary. */
export async function runEffect(effect: AppEffect, context: AppEffectContext): Promise<void> {
  const { ports, host } = context;
  switch (effect.kind) {
    case 'quit':
      return host.quit();
    case 'redraw':
      return host.redraw();
    case 'select-pane':
      return ports.responses.selectPane(effect.key);
    case 'start-ai':
      return startAi(effect.name, context);
    case 'suspend':
      return suspend(context);
    case 'copy':
      return track(context, 'Copying', ports.system.copy(effect.text), (state, facts, where) =>
        say(state, facts, 'ok', `Copied ${effect.what} ${where}`),
      );
    case 'open-suggestion':
      return openSuggestion(effect.suggestion, context);
    case 'to-draft': {
      // The first frame does not wait for it.
      const { toDraft } = await import('./to-draft.ts');
      return context.apply(toDraft(effect));
    }
    case 'follow-turn':
      return followTurn(effect.turn, context);
    case 'review-newest':
      return reviewNewest(context);
    case 'save-project': {
      const act = { kind: 'save-project', root: effect.root } as const;
      return runEffect({ kind: 'agent', act, what: 'Saving' }, context);
    }
    default:
      return runScreenEffect(effect, context);
  }
}

type ScreenEffect = Exclude<
  Parameters<
    typeof runReviewEffect | typeof runAgentEffect | typeof runShellEffect | typeof runResponsesEffect
  >[0],
  { kind: 'copy' }
>;

function runScreenEffect(effect: ScreenEffect, context: AppEffectContext): Promise<void> {
  const { agent, responses, review, shell, system } = context.ports;
  switch (effect.kind) {
    case 'review':
    case 'edit-hunk':
    case 'edit-comment':
    case 'edit-file':
    case 'mark-seen':
    case 'keep-look':
    case 'review-refresh':
    case 'start-review':
    case 'review-reopen':
    case 'review-scope':
      return runReviewEffect(effect, contextFor(context, { review, system }, onReview));
    case 'agent':
    case 'agent-complete':
    case 'agent-preview':
    case 'agent-map':
    case 'agent-diff':
    case 'agent-row':
      return runAgentEffect(effect, contextFor(context, { agent }, onAgent));
    case 'shell-private':
    case 'shell-forget':
      return runShellEffect(effect, contextFor(context, { shell }, onShell));
    default: {
      const offerPatch = (patch: string) => review.offer(patch);
      return runResponsesEffect(effect, contextFor(context, { responses, system, offerPatch }, onResponses));
    }
  }
}

async function reviewNewest(context: AppEffectContext): Promise<void> {
  const [turn] = context.ports.responses.getSnapshot().turns;
  if (turn !== undefined) return runEffect({ kind: 'review-turn', turn, onward: false }, context);
  context.apply((state, facts) => say(state, facts, 'info', 'No answer of an AI is known here'));
}

/** Opens that turn's review in place of the followed one, unless the reader has moved on. */
async function followTurn(turn: Turn, { ports, apply }: AppEffectContext): Promise<void> {
  const opened = await ports.responses.reviewTurn(turn, false);
  if (!opened.ok) return;
  apply((state, facts) => {
    if (!isFollowing(state)) return done(state);
    const show = (review: ReviewModel) =>
      changeReview(openReview(review, opened.value), { followed: new Set() });
    const shown = onReview((review) => ({ state: show(review), effects: [] }))(state, facts);
    return done(shown.state, { kind: 'review-refresh', isQuiet: true });
  });
}

/** Opens an agent's proposal on the Review screen. */
function openSuggestion(suggestion: string, { apply }: AppEffectContext): void {
  apply((state, facts) => {
    const shown = onReview((review) => ({ state: openReview(review, suggestion), effects: [] }))(
      state,
      facts,
    );
    return done({ ...shown.state, screen: 'review' }, { kind: 'review-refresh', isQuiet: true });
  });
}

/** Follows the new pane as soon as it is listed. */
async function startAi(name: string, context: AppEffectContext): Promise<void> {
  const { responses, system } = context.ports;
  const started = system.startAi(name).then(async (opened) => {
    if (opened.ok) await responses.refresh();
    return opened;
  });
  await track(context, `Starting ${name}`, started, (state, facts, paneId) => {
    const pane = facts.view.panes.find(({ identity }) => identity.paneId === paneId);
    return say(
      state,
      facts,
      'ok',
      `${name} starts in a new pane`,
      ...(pane === undefined ? [] : [{ kind: 'select-pane', key: paneKey(pane.identity) } as const]),
    );
  });
}

async function suspend(context: AppEffectContext): Promise<void> {
  const { suspend: run } = context.ports.system;
  const wasStopped = run !== undefined && (await context.host.handOver(run));
  if (!wasStopped)
    context.apply((state, facts) => say(state, facts, 'info', 'There is no shell to go back to from here'));
}
