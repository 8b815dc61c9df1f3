/** Folds a model's stream into one step. Sans I/O: parts in, text and calls out. */
import type { ProviderFailure, StepReasoning, StepToolCall } from './provider.ts';
import { toolCallFrom } from './provider.ts';
import type { StreamPart } from './sdk-types.ts';

/** Text of one step beyond this is a model that does not stop. */
const TEXT_MAX_CHARS = 4_000_000;

/** A step, as far as it has come. */
export class StepFold {
  readonly #calls: StepToolCall[] = [];
  readonly #pieces: string[] = [];
  readonly #reasoning = new Map<string, StepReasoning>();
  #length = 0;
  #finish: { readonly reason: string; readonly raw: string | undefined } | null = null;
  #error: unknown;
  inputTokens: number | null = null;
  outputTokens: number | null = null;
  model: string | null = null;

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
        this.#length += part.delta.length;
        if (this.#length <= TEXT_MAX_CHARS) this.#pieces.push(part.delta);
        return part.delta;
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
    if (this.#length > TEXT_MAX_CHARS) return { kind: 'malformed', message: 'The answer does not end.' };
    // Every provider says why it stops; a stream without that was cut.
    if (this.#finish === null || this.#finish.raw === undefined) {
      return { kind: 'cut', message: 'The answer broke off.' };
    }
    if (this.#finish.reason === 'content-filter') {
      return { kind: 'rejected', message: 'The provider stopped the answer by a content filter.' };
    }
    return null;
  }

  /** The answer is as long as the provider lets it be, so its end is missing. */
  get isAtLimit(): boolean {
    return this.#finish?.reason === 'length';
  }

  /** A signature may come with any piece; the last one applies. */
  #think(id: string, text: string, opaque: unknown): void {
    this.#length += text.length;
    const before = this.#reasoning.get(id) ?? { text: '' };
    const more = { ...before, text: this.#length <= TEXT_MAX_CHARS ? before.text + text : before.text };
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
