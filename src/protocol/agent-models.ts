/** The agent's models in the configuration: addresses, protocols, and which model replaces another. */
import * as z from 'zod';

const provider = z.enum(['openai-compatible', 'anthropic', 'google']);

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .nullable()
  .default(null);
const modelName = z.string().min(1).max(512).nullable().default(null);
const keyName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable, not the key itself')
  .nullable()
  .default(null);
const tokens = z.coerce.number().int().min(1_000).max(100_000_000);
const wait = z.coerce.number().int().min(1_000).max(3_600_000);
const tools = z.enum(['native', 'json']).default('native');

const TOOLS_WORDS = 'json: for a model without tool calls; it is told to answer in JSON instead.';
const KEY_WORDS =
  'The name of the environment variable, or of the entry of keys.json (mode 0600, beside this file), that holds the key.';

/** Configuration keys. They are flat, so that each has its own environment variable. */
export const agentModelsShape = {
  // Spelled out, because every start reads the configuration and the agent's schemas are slow to load.
  agent_mode: z
    .enum(['local', 'remote', 'hybrid_auto', 'acp'])
    .default('remote')
    .describe(
      'Which model the agent uses. hybrid_auto: the local one first, then the remote one when the local one fails in a way that the hybrid_ keys name. acp: the agent named by agent_acp_command.',
    ),
  agent_acp_command: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe(
      'An agent that speaks the Agent Client Protocol, as program and arguments: ["gemini", "--acp"], ["opencode", "acp"]. It works in a copy of the project; what it changes there is proposed. null: the first of Gemini CLI, opencode and the adapters of Claude Code, Codex and pi that is installed.',
    ),
  agent_remote_provider: provider
    .default('openai-compatible')
    .describe('The protocol of the remote model: OpenAI, OpenRouter and most others are openai-compatible.'),
  agent_remote_url: address.describe(
    "The address of the remote model, up to and including /v1. null: the provider's own address (openai-compatible: OpenAI's).",
  ),
  agent_remote_model: modelName.describe("The provider's name for the remote model."),
  agent_remote_key: keyName.describe(
    `${KEY_WORDS} null: OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY at the provider's own address, none at another.`,
  ),
  agent_remote_tools: tools.describe(TOOLS_WORDS),
  agent_remote_context_tokens: tokens.default(128_000).describe('The context size of the remote model.'),
  agent_remote_timeout_ms: wait
    .default(120_000)
    .describe('How long the remote model may stay silent before copane gives up.'),
  agent_local_url: address.describe(
    'The address of the local model, up to and including /v1: llama-server, Ollama, vLLM, LM Studio. null: http://127.0.0.1:8080/v1.',
  ),
  agent_local_model: modelName.describe(
    `The local model by the name that its server uses; or a GGUF file (path, or name in the models' folder), which copane loads itself where no agent_local_url is set: see "copane model".`,
  ),
  agent_local_key: keyName.describe(`${KEY_WORDS} null: none.`),
  agent_local_tools: tools.describe(TOOLS_WORDS),
  agent_local_context_tokens: tokens.default(32_000).describe('The context size of the local model.'),
  agent_local_timeout_ms: wait
    .default(300_000)
    .describe('How long the local model may stay silent before copane gives up.'),
  hybrid_fallback: z.boolean().default(true).describe('false: hybrid_auto never uses the remote model.'),
  hybrid_max_local_attempts: z.coerce
    .number()
    .int()
    .min(1)
    .max(10)
    .default(1)
    .describe('How many times the local model may try before the remote one does.'),
  hybrid_remote_on_schema_fail: z
    .boolean()
    .default(true)
    .describe('Use the remote model when the local one cannot produce a valid proposal.'),
  hybrid_remote_on_context_overflow: z
    .boolean()
    .default(true)
    .describe("Use the remote model when the job exceeds the local one's context."),
  hybrid_remote_on_timeout_ms: wait
    .nullable()
    .default(180_000)
    .describe('Use the remote model once the local one has worked this long. null: never.'),
  agent_skip_ignored: z
    .boolean()
    .default(true)
    .describe('Hide files that git ignores from the agent, unless you name them.'),
  agent_secret_files: z
    .array(z.string().min(1).max(1000))
    .max(200)
    .default([])
    .describe('Globs of more files with secrets; no model ever sees them.'),
} as const;

const agentModelsSchema = z.strictObject(agentModelsShape);

export type AgentModels = z.output<typeof agentModelsSchema>;
export type ProviderKind = z.output<typeof provider>;
