/** Asks a configured model one question: the agent's, else that of the completions. Loads its code on first use. */

import type { AgentProvider } from '../../agent/providers/provider.ts';
import type { AskModel, ModelWords } from '../../completion/command-writer.ts';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';
import { keysFileOf } from '../agent/configured-agent.ts';
import { liveConfig } from '../config/live-config.ts';

type Side = 'local' | 'remote';

/** The user sees that it is waiting, and can cancel at any time. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Room for a command with some text around it. */
const ANSWER_MAX_CHARS = 16 * 1024;
/** How long an unused model stays in memory. */
const IDLE_MS = 10 * 60_000;

const NOT_CONFIGURED = fail(
  'not_found',
  'No model is configured.',
  'Set agent_remote_model, or agent_mode to "local" and agent_local_model, in config.jsonc.',
);

/** Creates the function that asks; `close` frees the model. */
export function createAskModel(env: Env): { readonly ask: AskModel; readonly close: () => void } {
  const paths = copanePaths(env);
  const config = liveConfig(paths.configFile, env);
  const keysFile = keysFileOf(paths);
  let kept: { readonly key: string; readonly provider: AgentProvider } | null = null;
  const close = () => {
    kept?.provider.close?.();
    kept = null;
  };
  const providerOf = async (side: Side, models: Config): Promise<Result<AgentProvider>> => {
    const key = JSON.stringify([side, models]);
    if (kept?.key === key) return ok(kept.provider);
    const { createProvider } = await import('../../agent/providers/models.ts');
    const { dataDir } = paths;
    const made = await createProvider(side, {
      models,
      env,
      keysFile,
      dataDir,
      now: Date.now,
      idleMs: IDLE_MS,
    });
    if (!made.ok) return made;
    close();
    kept = { key, provider: made.value };
    return made;
  };
  const ask: AskModel = async (question, signal) => {
    const models = modelsFor(config());
    let outcome: Result<ModelWords> = NOT_CONFIGURED;
    for (const side of sidesOf(models)) {
      const provider = await providerOf(side, models);
      outcome = provider.ok ? await askOnce(provider.value, question, signal) : provider;
      if (outcome.ok || signal.aborted) break;
    }
    return outcome;
  };
  return {
    ask: (question, signal) =>
      ask(question, signal).catch((thrown: unknown) =>
        fail('internal', `The model could not be asked: ${errorMessage(thrown)}`),
      ),
    close,
  };
}

/** The configuration with the completions' model if the agent has none. Tools are not needed here. */
function modelsFor(config: Config): Config {
  const plain = { ...config, agent_local_tools: 'native', agent_remote_tools: 'native' } as const;
  const { completion_model: kind, completion_model_url: url, completion_model_name: name } = config;
  if (sidesOf(config).length > 0 || kind === 'none') return plain;
  const shared = { ...plain, agent_mode: 'local', agent_local_key: config.completion_model_key } as const;
  // For a model file, the URL is where it can be downloaded.
  if (kind === 'gguf') return { ...shared, agent_local_model: name, agent_local_url: null };
  const base = url?.replace(/\/+$/, '').replace(/\/chat\/completions$/, '') ?? null;
  if (kind === 'openai') return { ...shared, agent_local_model: name, agent_local_url: base };
  const server = base === null || base.endsWith('/v1') ? base : `${base}/v1`;
  return { ...shared, agent_local_model: name ?? 'default', agent_local_url: server };
}

/** The models to ask, in order. An ACP agent works on files and writes no command lines. */
function sidesOf(config: Config): readonly Side[] {
  const { agent_mode: mode, agent_local_model: local, agent_remote_model: remote } = config;
  const wanted: readonly Side[] =
    mode === 'local' || mode === 'remote'
      ? [mode]
      : mode === 'acp' || config.hybrid_fallback
        ? ['local', 'remote']
        : ['local'];
  return wanted.filter((side) => (side === 'local' ? local : remote) !== null);
}

async function askOnce(
  provider: AgentProvider,
  { system, text }: Parameters<AskModel>[0],
  outer: AbortSignal,
): Promise<Result<ModelWords>> {
  const time = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const long = new AbortController();
  let chars = 0;
  const step = await provider.runStep(
    { system, messages: [{ role: 'user', text }], tools: [] },
    {
      signal: AbortSignal.any([outer, time, long.signal]),
      onDelta: (piece) => {
        chars += piece.length;
        if (chars > ANSWER_MAX_CHARS) long.abort();
      },
    },
  );
  const { model } = provider;
  if (long.signal.aborted) return fail('refused', `${model} does not stop talking.`);
  if (!step.ok && time.aborted)
    return fail('refused', `${model} gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s.`);
  if (!step.ok) return fail('refused', `${model}: ${step.error.message}`);
  if (step.value.isCut === true) return fail('refused', `The answer of ${model} was cut off.`);
  return ok({ text: step.value.assistantMessage, model });
}
