/**
 * The process that holds a GGUF model: a crash of native code ends it and nothing else. Knows only the prompts it
 * is given; ends itself when its parent is gone.
 */
import os from 'node:os';
import { errorMessage } from '../../lib/result.ts';
import type { FromGguf, ToGguf } from './gguf-protocol.ts';

/** What is used of node-llama-cpp. */
interface LlamaModule {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  LlamaCompletion: new (options: { contextSequence: unknown }) => Completion;
  LlamaGrammar: new (llama: Llama, options: { grammar: string; stopGenerationTriggers?: unknown }) => unknown;
}
interface Llama {
  loadModel(options: { modelPath: string }): Promise<{
    createContext(options: Readonly<Record<string, unknown>>): Promise<{ getSequence(): unknown }>;
  }>;
}
interface Completion {
  generateCompletion(prompt: string, options: Readonly<Record<string, unknown>>): Promise<string>;
}

interface Loaded {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly completion: Completion;
}

/** A transcript and a line. */
const CONTEXT_TOKENS = 2_048;
/** The threads wait for each other by spinning: with one that gets no core, an answer takes a hundred times as long. */
const THREADS = Math.max(1, Math.floor(os.availableParallelism() / 2));
/** Typing comes first: the model takes what processor time is left over. */
const NICENESS = 10;

/** Answers one question after the other: a context has one sequence. */
class ModelHolder {
  readonly #tell: (message: FromGguf) => void;
  readonly #running = new Map<number, AbortController>();
  #loaded: Loaded | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(tell: (message: FromGguf) => void) {
    this.#tell = tell;
  }

  hear(message: ToGguf): void {
    switch (message.kind) {
      case 'load':
        this.#tail = this.#load(message.module, message.file);
        break;
      case 'ask':
        this.#running.set(message.id, new AbortController());
        this.#tail = this.#tail.then(() => this.#answer(message));
        break;
      case 'cancel':
        this.#running.get(message.id)?.abort();
        this.#running.delete(message.id);
    }
  }

  async #load(moduleUrl: string, file: string): Promise<void> {
    try {
      const module = (await import(moduleUrl)) as LlamaModule;
      const llama = await module.getLlama({
        build: 'never',
        gpu: 'auto',
        logLevel: 'disabled',
        skipDownload: true,
      });
      const model = await llama.loadModel({ modelPath: file });
      const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads: THREADS });
      const completion = new module.LlamaCompletion({ contextSequence: context.getSequence() });
      this.#loaded = { module, llama, completion };
      this.#tell({ kind: 'ready' });
    } catch (error) {
      this.#tell({ kind: 'failed', message: errorMessage(error) });
    }
  }

  async #answer(question: Extract<ToGguf, { kind: 'ask' }>): Promise<void> {
    const controller = this.#running.get(question.id);
    if (this.#loaded === null || controller === undefined) return;
    const { module, llama, completion } = this.#loaded;
    try {
      const text = await completion.generateCompletion(question.prompt, {
        maxTokens: question.maxTokens,
        temperature: 0,
        grammar: new module.LlamaGrammar(llama, { grammar: question.grammar }),
        customStopTriggers: ['\n'],
        signal: controller.signal,
        stopOnAbortSignal: true,
      });
      this.#tell({ kind: 'answer', id: question.id, text });
    } catch (error) {
      this.#tell({ kind: 'error', id: question.id, message: errorMessage(error) });
    } finally {
      this.#running.delete(question.id);
    }
  }
}

const holder = new ModelHolder((message) => void process.send?.(message));
process.on('message', (message: ToGguf) => holder.hear(message));
process.on('disconnect', () => process.exit(0));
os.setPriority(NICENESS);
