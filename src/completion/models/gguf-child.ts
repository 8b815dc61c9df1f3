/** The process that runs a GGUF model, so that a crash of native code ends only it. Exits with its parent. */
import os from 'node:os';
import { errorMessage } from '../../lib/result.ts';
import type { FromGguf, GgufAnswer, GgufQuestion, LoadMessage, ToGguf } from './gguf-protocol.ts';

/** The part of node-llama-cpp that we use. */
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
interface Completion {
  generateCompletion(prompt: string, options: Readonly<Record<string, unknown>>): Promise<string>;
}
interface ChatSession {
  setChatHistory(history: readonly unknown[]): void;
  prompt(text: string, options: Readonly<Record<string, unknown>>): Promise<string>;
}

interface Loaded {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly model: Model;
  /** The only sequence of its context: one question at a time. */
  readonly contextSequence: unknown;
  readonly contextTokens: number;
}

type Question<Of extends GgufQuestion['of']> = Extract<GgufQuestion, { of: Of }>;
type Tell = (message: FromGguf) => void;
type Answer = (question: GgufQuestion, told: { id: number; signal: AbortSignal }) => Promise<GgufAnswer>;

/** Threads spin while they wait for each other: if one has no core, an answer takes a hundred times as long. */
const THREADS = Math.max(1, Math.floor(os.availableParallelism() / 2));
/** The user's own work comes first. */
const NICENESS = 10;
/** The most that a chat template adds to a message. */
const TEMPLATE_TOKENS = 16;

async function load({ module: url, file, contextTokens }: LoadMessage): Promise<Loaded> {
  const module = (await import(url)) as LlamaModule;
  const quiet = { build: 'never', gpu: 'auto', logLevel: 'disabled', skipDownload: true };
  const llama = await module.getLlama(quiet);
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({ contextSize: contextTokens, threads: THREADS });
  return { module, llama, model, contextSequence: context.getSequence(), contextTokens };
}

function answerer(loaded: Loaded, tell: Tell): Answer {
  const { module, llama, model, contextSequence, contextTokens } = loaded;
  let completion: Completion | null = null;
  let session: ChatSession | null = null;
  const tokensOf = (text: string) => model.tokenize(text).length;
  const counted = (text: string, inputTokens: number): GgufAnswer => ({
    kind: 'answer',
    text,
    inputTokens,
    outputTokens: tokensOf(text),
  });

  const line = async ({ prompt, grammar, maxTokens }: Question<'line'>, signal: AbortSignal) => {
    completion ??= new module.LlamaCompletion({ contextSequence });
    const text = await completion.generateCompletion(prompt, {
      maxTokens,
      temperature: 0,
      grammar: new module.LlamaGrammar(llama, { grammar }),
      customStopTriggers: ['\n'],
      signal,
      stopOnAbortSignal: true,
    });
    return counted(text, tokensOf(prompt));
  };

  const chat = async ({ messages, maxTokens, form }: Question<'chat'>, id: number): Promise<GgufAnswer> => {
    const tokens = messages.reduce((sum, { text }) => sum + tokensOf(text) + TEMPLATE_TOKENS, 0);
    // The runtime would silently drop the oldest messages.
    if (tokens + maxTokens > contextTokens) return { kind: 'overflow', tokens: tokens + maxTokens };
    session ??= new module.LlamaChatSession({ contextSequence });
    session.setChatHistory(
      messages
        .slice(0, -1)
        .map(({ role, text }) =>
          role === 'assistant' ? { type: 'model', response: [text] } : { type: role, text },
        ),
    );
    const text = await session.prompt(messages.at(-1)?.text ?? '', {
      maxTokens,
      temperature: 0,
      grammar: await llama.createGrammarForJsonSchema(form),
      onTextChunk: (piece: string) => tell({ kind: 'delta', id, text: piece }),
    });
    return counted(text, tokens);
  };

  return (question, { id, signal }) => (question.of === 'line' ? line(question, signal) : chat(question, id));
}

/** Handles messages until the parent is gone. */
function serve(tell: Tell): void {
  const running = new Map<number, AbortController>();
  let answer: Answer | null = null;
  let last: Promise<void> = Promise.resolve();

  const begin = async (message: LoadMessage): Promise<void> => {
    try {
      answer = answerer(await load(message), tell);
      tell({ kind: 'ready' });
    } catch (thrown) {
      tell({ kind: 'failed', message: errorMessage(thrown) });
    }
  };

  const ask = async (id: number, question: GgufQuestion): Promise<void> => {
    const signal = running.get(id)?.signal;
    if (answer === null || signal === undefined) return;
    try {
      tell({ ...(await answer(question, { id, signal })), id });
    } catch (thrown) {
      tell({ kind: 'error', id, message: errorMessage(thrown) });
    } finally {
      running.delete(id);
    }
  };

  process.on('message', (message: ToGguf) => {
    if (message.kind === 'load') last = begin(message);
    else if (message.kind === 'ask') {
      running.set(message.id, new AbortController());
      last = last.then(() => ask(message.id, message.question));
    } else {
      running.get(message.id)?.abort();
      running.delete(message.id);
    }
  });
  process.on('disconnect', () => process.exit(0));
  os.setPriority(NICENESS);
}

serve((message) => void process.send?.(message));
