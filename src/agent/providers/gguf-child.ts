/**
 * The process that holds the agent's GGUF model: a crash of native code ends it and nothing else. Answers one
 * question at a time, in JSON alone; ends itself when its parent is gone.
 */
import os from 'node:os';
import { errorMessage } from '../../lib/result.ts';
import type { FromGguf, GgufMessage, ToGguf } from './gguf-messages.ts';

/** What is used of node-llama-cpp. */
interface LlamaModule {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  LlamaChatSession: new (options: { contextSequence: unknown }) => ChatSession;
}
interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
}
interface Model {
  tokenize(text: string): ArrayLike<unknown>;
  createContext(options: Readonly<Record<string, unknown>>): Promise<{ getSequence(): unknown }>;
}
interface ChatSession {
  setChatHistory(history: readonly unknown[]): void;
  prompt(text: string, options: Readonly<Record<string, unknown>>): Promise<string>;
}

interface Loaded {
  readonly llama: Llama;
  readonly model: Model;
  readonly session: ChatSession;
  readonly contextTokens: number;
}

/** The threads wait for each other by spinning: with one that gets no core, an answer takes a hundred times as long. */
const THREADS = Math.max(1, Math.floor(os.availableParallelism() / 2));
/** The user's own work comes first. */
const NICENESS = 10;
/** What a chat template adds to each message, at most. */
const TEMPLATE_TOKENS = 16;

const tell = (message: FromGguf) => void process.send?.(message);

async function load(message: Extract<ToGguf, { kind: 'load' }>): Promise<Loaded> {
  const module = (await import(message.module)) as LlamaModule;
  const llama = await module.getLlama({
    build: 'never',
    gpu: 'auto',
    logLevel: 'disabled',
    skipDownload: true,
  });
  const model = await llama.loadModel({ modelPath: message.file });
  const context = await model.createContext({ contextSize: message.contextTokens, threads: THREADS });
  const session = new module.LlamaChatSession({ contextSequence: context.getSequence() });
  return { llama, model, session, contextTokens: message.contextTokens };
}

function historyItem({ role, text }: GgufMessage): unknown {
  return role === 'assistant' ? { type: 'model', response: [text] } : { type: role, text };
}

async function answer(
  loaded: Loaded,
  { messages, maxTokens, form }: Extract<ToGguf, { kind: 'ask' }>,
): Promise<void> {
  const tokensOf = (text: string) => loaded.model.tokenize(text).length;
  const tokens = messages.reduce((sum, { text }) => sum + tokensOf(text) + TEMPLATE_TOKENS, 0);
  // The runtime would forget the oldest messages without a word.
  if (tokens + maxTokens > loaded.contextTokens)
    return tell({ kind: 'overflow', tokens: tokens + maxTokens });
  loaded.session.setChatHistory(messages.slice(0, -1).map(historyItem));
  const text = await loaded.session.prompt(messages.at(-1)?.text ?? '', {
    maxTokens,
    temperature: 0,
    grammar: await loaded.llama.createGrammarForJsonSchema(form),
    onTextChunk: (piece: string) => tell({ kind: 'delta', text: piece }),
  });
  tell({ kind: 'answer', text, inputTokens: tokens, outputTokens: tokensOf(text) });
}

let loading: Promise<Loaded | null> = Promise.resolve(null);

async function hear(message: ToGguf): Promise<void> {
  if (message.kind === 'load') {
    loading = load(message);
    await loading;
    return tell({ kind: 'ready' });
  }
  const loaded = await loading;
  if (loaded !== null) await answer(loaded, message);
}

process.on('message', (message: ToGguf) => {
  hear(message).catch((thrown: unknown) => {
    tell({ kind: message.kind === 'load' ? 'failed' : 'error', message: errorMessage(thrown) });
  });
});
process.on('disconnect', () => process.exit(0));
os.setPriority(NICENESS);
