/**
 * The process that holds a GGUF model: a crash of native code ends it and nothing else. Knows only the prompts it
 * is given; ends itself when its parent is gone.
 */
import { errorMessage } from '../../lib/result.ts';
import type { FromGguf, ToGguf } from './gguf-protocol.ts';
import { type Completion, type LoadedModel, loadModel, serveParent } from './gguf-runtime.ts';
import type { LoadMessage } from './model-process.ts';

interface Loaded extends LoadedModel {
  readonly completion: Completion;
}

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
        this.#tail = this.#load(message);
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

  async #load(message: LoadMessage): Promise<void> {
    try {
      const loaded = await loadModel(message);
      const { module, contextSequence } = loaded;
      this.#loaded = { ...loaded, completion: new module.LlamaCompletion({ contextSequence }) };
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
serveParent((message: ToGguf) => holder.hear(message));
