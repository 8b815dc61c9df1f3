/** What every process that holds a GGUF model does alike: it loads the model, takes little of the machine, ends with its parent. */
import os from 'node:os';
import type { LoadMessage } from './model-process.ts';

/** What is used of node-llama-cpp. */
interface LlamaModule {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  LlamaCompletion: new (options: { contextSequence: unknown }) => Completion;
  LlamaChatSession: new (options: { contextSequence: unknown }) => ChatSession;
  LlamaGrammar: new (llama: Llama, options: { grammar: string }) => unknown;
}
interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
}
interface Model {
  tokenize(text: string): ArrayLike<unknown>;
  createContext(options: Readonly<Record<string, unknown>>): Promise<{ getSequence(): unknown }>;
}
export interface Completion {
  generateCompletion(prompt: string, options: Readonly<Record<string, unknown>>): Promise<string>;
}
export interface ChatSession {
  setChatHistory(history: readonly unknown[]): void;
  prompt(text: string, options: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface LoadedModel {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly model: Model;
  /** The one sequence of its context: one question at a time. */
  readonly contextSequence: unknown;
}

/** The threads wait for each other by spinning: with one that gets no core, an answer takes a hundred times as long. */
const THREADS = Math.max(1, Math.floor(os.availableParallelism() / 2));
/** The user's own work comes first: the model takes what processor time is left over. */
const NICENESS = 10;

/** Loads the model; rejects with what node-llama-cpp says. */
export async function loadModel({ module: url, file, contextTokens }: LoadMessage): Promise<LoadedModel> {
  const module = (await import(url)) as LlamaModule;
  const llama = await module.getLlama({
    build: 'never',
    gpu: 'auto',
    logLevel: 'disabled',
    skipDownload: true,
  });
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({ contextSize: contextTokens, threads: THREADS });
  return { module, llama, model, contextSequence: context.getSequence() };
}

/** Hears what the parent says, as long as there is one. */
export function serveParent<Message>(hear: (message: Message) => void): void {
  process.on('message', hear as (message: unknown) => void);
  process.on('disconnect', () => process.exit(0));
  os.setPriority(NICENESS);
}
