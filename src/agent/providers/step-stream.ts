/** Folds a model's stream into one step. Sans I/O: parts in, text and calls out. */
import type { ProviderFailure, StepReasoning, StepToolCall } from './provider.ts';
import { toolCallFrom } from './provider.ts';
import { Runaway } from './runaway.ts';
import type { StreamPart } from './sdk-types.ts';

/** A step, as far as it has come. */
export class StepFold {
  readonly #runaway: Runaway;
  readonly #calls: StepToolCall[] = [];
  readonly #pieces: string[] = [];
  readonly #reasoning = new Map<string, StepReasoning>();
  #finish: { readonly reason: string; readonly raw: string | undefined } | null = null;
  #error: unknown;
  inputTokens: number | null = null;
  outputTokens: number | null = null;
  model: string | null = null;

  /** `maxChars`: a longer answer is one that does not end. */
  constructor(maxChars: number) {
    this.#runaway = new Runaway(maxChars);
  }

  get text(): string {
    return this.#pieces.join('');
  }

  get reasoning(): readonly StepReasoning[] {
    return [...this.#reasoning.values()].filter((one) => one.text !== '' || one.opaque !== undefined);
  }

  get toolCalls(): readonly StepToolCall[] {
    return this.#calls;
  }

  /** What the stream reported as an error; undefined when it did not. */
  get error(): unknown {
    return this.#error;
  }

  /** Takes a part; gives the text that it brought. */
  push(part: StreamPart): string {
    switch (part.type) {
      case 'text-delta':
        this.#runaway.hear(part.delta);
        this.#pieces.push(part.delta);
        return part.delta;
      case 'tool-input-delta':
        this.#runaway.hear(part.delta);
        return '';
      case 'tool-call':
        this.#calls.push(
          toolCallFrom(this.#unusedId(part.toolCallId), part.toolName, part.input, part.providerMetadata),
        );
        return '';
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#think(part.id, part.type === 'reasoning-delta' ? part.delta : '', part.providerMetadata);
        return '';
      case 'response-metadata':
        this.model = part.modelId ?? this.model;
        return '';
      case 'finish':
        this.#finish = { reason: part.finishReason.unified, raw: part.finishReason.raw };
        this.inputTokens = part.usage.inputTokens.total ?? null;
        this.outputTokens = part.usage.outputTokens.total ?? null;
        return '';
      case 'error':
        this.#error ??= part.error;
        return '';
      default:
        return '';
    }
  }

  /** Why what came is not a step; null when it is one. An error that was reported is the caller's to name. */
  problem(): ProviderFailure | null {
    if (this.#runaway.problem !== null) return { kind: 'malformed', message: this.#runaway.problem };
    // Every provider says why it stops; a stream without that was cut.
    if (this.#finish === null || this.#finish.raw === undefined) {
      return { kind: 'cut', message: 'The answer broke off.' };
    }
    if (this.#finish.reason === 'content-filter') {
      return { kind: 'rejected', message: 'The provider stopped the answer by a content filter.' };
    }
    return null;
  }

  /** There is no use in hearing more. */
  get isRunaway(): boolean {
    return this.#runaway.problem !== null;
  }

  /** The provider ended the answer, so its end is missing. */
  get isCut(): boolean {
    return this.#finish?.reason === 'length' || this.#finish?.raw === 'pause_turn';
  }

  /** A signature may come with any piece; the last one applies. */
  #think(id: string, text: string, opaque: unknown): void {
    this.#runaway.hear(text);
    const before = this.#reasoning.get(id) ?? { text: '' };
    const more = { ...before, text: before.text + text };
    this.#reasoning.set(id, opaque === undefined ? more : { ...more, opaque });
  }

  #unusedId(id: string): string {
    const isUsed = (one: string) => this.#calls.some((call) => call.toolCallId === one);
    if (id !== '' && !isUsed(id)) return id;
    const base = id === '' ? 'call' : id;
    let count = this.#calls.length;
    while (isUsed(`${base}_${count}`)) count += 1;
    return `${base}_${count}`;
  }
}
