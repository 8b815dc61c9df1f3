/** Runs what was asked of the agent and turns what came of it into a change of state and a line for the reader. */
import type { ContextRow } from '../../protocol/agent.ts';
import type { Effect } from '../app/effect.ts';
import { done, type Facts, type Outcome, say } from '../app/handler.ts';
import type { AppState } from '../app/state.ts';
import { type EffectContext, sayFailure, track } from '../app/track.ts';
import { editorOf } from '../review/comment-commands.ts';
import { showDiff } from './diff-card.ts';
import { changeAgent } from './moves.ts';
import { showPreview } from './rollback-commands.ts';
import { contextRows } from './state.ts';
import { offerFiles, showMap } from './write-commands.ts';

type AgentEffect = Extract<
  Effect,
  { kind: 'agent' | 'agent-complete' | 'agent-preview' | 'agent-row' | 'agent-map' | 'agent-diff' }
>;

/** Starts one; a defect in a port reaches the process's own boundary. */
export async function runAgentEffect(effect: AgentEffect, context: EffectContext): Promise<void> {
  const { agent } = context.ports;
  switch (effect.kind) {
    case 'agent':
      return act(effect, context);
    case 'agent-complete': {
      const files = await agent.completeFile(effect.prefix);
      // Without an answer the name is typed as it is.
      if (files.ok) context.apply((state, facts) => offerFiles(state, facts, effect.prefix, files.value));
      return;
    }
    case 'agent-preview':
      return track(
        context,
        'Looking what would change',
        agent.previewRollback(effect.to),
        (state, facts, result) => showPreview(state, facts, effect.to, result),
      );
    case 'agent-map':
      return map(effect, context);
    case 'agent-diff':
      return track(context, 'Reading the diff', agent.readDiff(effect.job), (state, facts, bundle) =>
        showDiff(state, facts, effect, bundle),
      );
    case 'agent-row':
      return track(context, 'Reading it', agent.readRow(effect.of), withRow);
  }
}

async function map(
  { path, text }: Extract<Effect, { kind: 'agent-map' }>,
  context: EffectContext,
): Promise<void> {
  const mapped = await context.ports.agent.mapFile(path);
  context.apply((state, facts) =>
    mapped.ok ? showMap(state, facts, mapped.value) : sayFailure(withText(state, text), facts, mapped),
  );
}

function withRow(state: AppState, facts: Facts, row: ContextRow): Outcome {
  const rows = [...contextRows(state.agent, facts.agent), row];
  return done(state, {
    kind: 'agent',
    act: { kind: 'context', session: state.agent.session, rows },
    what: 'Keeping the context',
  });
}

async function act(effect: Extract<AgentEffect, { kind: 'agent' }>, context: EffectContext): Promise<void> {
  const { agent } = context.ports;
  context.apply((state, facts) => done({ ...state, busy: { what: effect.what, since: facts.now } }));
  const result = await agent.act(effect.act);
  context.apply((state, facts) => {
    const settled: AppState = { ...state, busy: null };
    if (!result.ok) return sayFailure(withText(settled, effect.text), facts, result);
    const { words, begun } = result.value;
    const followed = followBegun(settled, begun);
    return words === '' ? done(followed) : say(followed, facts, 'ok', words);
  });
}

/** A session that was begun by this is the one in view. */
function followBegun(state: AppState, begun: string | null): AppState {
  const isWaiting = begun !== null && state.agent.session === null && state.agent.focus !== 'list';
  return isWaiting ? changeAgent(state, { session: begun, marked: begun }) : state;
}

/** What could not be sent is back in the box, unless something else stands there by now. */
function withText(state: AppState, text: string | undefined): AppState {
  const isEmpty = state.agent.editor.draft.lines.every((line) => line.text === '');
  return text === undefined || !isEmpty
    ? state
    : changeAgent(state, { editor: editorOf(text), focus: 'write' });
}
