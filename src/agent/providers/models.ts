/** Makes providers from settings. Loads a provider's code when a job needs it, not before. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import type { AgentModels, ProviderKind } from '../../protocol/agent-models.ts';
import { jsonProtocol } from './json-protocol.ts';
import { keychainKey, storeCommand } from './keychain.ts';
import { findKey } from './keys.ts';
import type { AgentProvider } from './provider.ts';
import { withRetries } from './retry.ts';
import type { Side } from './routing.ts';
import type { ResultForm } from './sdk-prompt.ts';
import type { SdkModel } from './sdk-types.ts';
import { streamFetch } from './stream-fetch.ts';

export interface ModelContext {
  readonly models: AgentModels;
  readonly env: Env;
  readonly keysFile: string;
  /** The folder of models that copane loads itself. */
  readonly dataDir: string;
  readonly now: () => number;
  /** How long an unused model stays in memory; default: until it is closed. */
  readonly idleMs?: number;
}

/** One model, ready for requests. */
interface Target {
  readonly kind: ProviderKind;
  readonly url: string | null;
  readonly model: string;
  readonly key: string | null;
  readonly tools: 'native' | 'json';
  readonly contextTokens: number;
  readonly silenceMs: number;
}

const KEY_NAMES: Readonly<Record<ProviderKind, readonly string[]>> = {
  'openai-compatible': ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
};

const OPENAI_URL = 'https://api.openai.com/v1';
const LOCAL_URL = 'http://127.0.0.1:8080/v1';

/** Anthropic requires a number; the others have defaults. */
const ANTHROPIC_OUTPUT_TOKENS = 16_000;

/** The provider of one side, with retries. */
export async function createProvider(side: Side, context: ModelContext): Promise<Result<AgentProvider>> {
  if (side === 'local' && isFile(context.models)) return fileProvider(context);
  const target = await (side === 'local' ? localTarget(context) : remoteTarget(context));
  if (!target.ok) return target;
  const { kind, contextTokens, silenceMs, key, tools } = target.value;
  const { sdkProvider } = await import('./sdk-provider.ts');
  const { model, resultForm } = await loadModel(target.value);
  const plain = sdkProvider({
    name: side,
    model,
    resultForm,
    contextTokens,
    silenceMs,
    mayEnforceForm: kind === 'openai-compatible' && tools === 'json',
    maxOutputTokens: kind === 'anthropic' ? ANTHROPIC_OUTPUT_TOKENS : null,
    keys: key === null ? [] : [key],
    now: context.now,
  });
  const patient = withRetries(plain);
  return ok(tools === 'json' ? jsonProtocol(patient) : patient);
}

/** copane loads a GGUF file itself, unless a server for it is configured. */
function isFile({ agent_local_model: model, agent_local_url: url }: AgentModels): boolean {
  return url === null && model !== null && /\.gguf$/i.test(model);
}

async function fileProvider({ models, now, ...context }: ModelContext): Promise<Result<AgentProvider>> {
  const { createGguf } = await import('./gguf.ts');
  const made = createGguf({
    ...context,
    name: models.agent_local_model ?? '',
    contextTokens: models.agent_local_context_tokens,
    silenceMs: models.agent_local_timeout_ms,
    now,
  });
  return made.ok ? ok(jsonProtocol(made.value)) : made;
}

async function localTarget({ models, env, keysFile }: ModelContext): Promise<Result<Target>> {
  if (models.agent_local_model === null) return notConfigured('local');
  const names = models.agent_local_key === null ? [] : [models.agent_local_key];
  const key = await keyOf(names, env, keysFile);
  if (!key.ok) return key;
  return ok({
    kind: 'openai-compatible',
    url: models.agent_local_url ?? LOCAL_URL,
    model: models.agent_local_model,
    key: key.value,
    tools: models.agent_local_tools,
    contextTokens: models.agent_local_context_tokens,
    silenceMs: models.agent_local_timeout_ms,
  });
}

async function remoteTarget({ models, env, keysFile }: ModelContext): Promise<Result<Target>> {
  if (models.agent_remote_model === null) return notConfigured('remote');
  const kind = models.agent_remote_provider;
  // The customary keys are only for the providers' own addresses: another server would learn them.
  const customary = models.agent_remote_url === null ? KEY_NAMES[kind] : [];
  const names = models.agent_remote_key === null ? customary : [models.agent_remote_key];
  const key = await keyOf(names, env, keysFile);
  if (!key.ok) return key;
  return ok({
    kind,
    url: models.agent_remote_url ?? (kind === 'openai-compatible' ? OPENAI_URL : null),
    model: models.agent_remote_model,
    key: key.value,
    tools: models.agent_remote_tools,
    contextTokens: models.agent_remote_context_tokens,
    silenceMs: models.agent_remote_timeout_ms,
  });
}

function notConfigured(side: Side) {
  return fail(
    'not_found',
    `No ${side} model is configured.`,
    `Set agent_${side}_model in the configuration; "copane doctor" shows where it is and what is wrong with it.`,
  );
}

/** The first of these keys that exists. A user's own address may need none; a named key must exist. */
async function keyOf(names: readonly string[], env: Env, keysFile: string): Promise<Result<string | null>> {
  for (const name of names) {
    const key = findKey(name, env, keysFile);
    if (!key.ok || key.value !== null) return key;
  }
  let problem: string | null = null;
  for (const name of names) {
    const kept = await keychainKey(name, env);
    if (kept.key !== null) return ok(kept.key);
    problem ??= kept.problem;
  }
  const [name] = names;
  if (name === undefined) return ok(null);
  const keychain =
    problem === null
      ? `or keep it in the keychain: ${storeCommand(name)}`
      : `the keychain could not be asked (${problem})`;
  return fail(
    'not_found',
    `There is no key: ${names.join(' or ')} is not set.`,
    `Set it, or write it to ${keysFile}; ${keychain}.`,
  );
}

interface LoadedModel {
  readonly model: SdkModel;
  readonly resultForm: ResultForm;
}

/** Without a key, the SDK would look for one in the process's environment. */
const NO_KEY = 'none';

async function loadModel({ kind, url, model, key }: Target): Promise<LoadedModel> {
  const common = { fetch: streamFetch, ...(url === null ? {} : { baseURL: url }) };
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return { model: createAnthropic({ ...common, apiKey: key ?? NO_KEY })(model), resultForm: 'blocks' };
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return { model: createGoogle({ ...common, apiKey: key ?? NO_KEY })(model), resultForm: 'joined' };
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = {
        ...common,
        name: 'copane',
        baseURL: url ?? OPENAI_URL,
        includeUsage: true,
        supportsStructuredOutputs: true,
      };
      const create = createOpenAICompatible(key === null ? settings : { ...settings, apiKey: key });
      return { model: create(model), resultForm: 'joined' };
    }
  }
}
