/** Folds a model's stream into one step. Sans I/O: parts in, text and calls out. */
import { type ProviderFailure, type StepReasoning, type StepToolCall, toolCallFrom } from './provider.ts';
import type { StreamPart } from './sdk-types.ts';

/** Reasons that the SDK does not recognize as "length": gateways pass on those of other protocols. */
const CUT = /^(?:max_?(?:output_?)?tokens|model_length|pause_turn)$/i;

/** A step, as far as it was received. */
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

  /** `maxChars`: a longer answer counts as endless. */
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

  /** The error that the stream reported; undefined if none. */
  get error(): unknown {
    return this.#error;
  }

  /** Takes a part; returns its text. */
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

  /** Why the received parts are not a step; null if they are. The caller handles a reported error. */
  problem(): ProviderFailure | null {
    if (this.#runaway.problem !== null) return { kind: 'malformed', message: this.#runaway.problem };
    // Every provider gives the reason for its end; a stream without one was cut.
    if (this.#finish === null || this.#finish.raw === undefined) {
      return { kind: 'cut', message: 'The answer broke off.' };
    }
    if (this.#finish.reason === 'content-filter') {
      return { kind: 'rejected', message: 'The provider stopped the answer by a content filter.' };
    }
    return null;
  }

  /** The rest is not worth reading. */
  get isRunaway(): boolean {
    return this.#runaway.problem !== null;
  }

  /** The provider ended the answer early. */
  get isCut(): boolean {
    return this.#finish?.reason === 'length' || CUT.test(this.#finish?.raw ?? '');
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

/** How much of the end of an answer must be one repeated piece. */
const WINDOW_CHARS = 8_000;
/** The longest piece whose repetition is detected: the window then contains it 16 times. */
const PIECE_MAX_CHARS = 500;
/** The number of characters between two checks. */
const STRIDE_CHARS = 2_000;

/** Detects a model that does not end: too much text, or the same piece again and again. */
export class Runaway {
  readonly #maxChars: number;
  #tail = '';
  #length = 0;
  #unchecked = 0;
  #words: string | null = null;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** The problem as a sentence; null if there is none. */
  get problem(): string | null {
    return this.#words;
  }

  hear(text: string): void {
    this.#length += text.length;
    this.#unchecked += text.length;
    this.#tail = (this.#tail + text).slice(-WINDOW_CHARS);
    if (this.#length > this.#maxChars)
      this.#words = `The answer was stopped after ${this.#maxChars} characters: the model did not come to an end.`;
    if (this.#unchecked < STRIDE_CHARS || this.#tail.length < WINDOW_CHARS) return;
    this.#unchecked = 0;
    const period = smallestPeriod(this.#tail);
    if (period <= PIECE_MAX_CHARS)
      this.#words = 'The answer was stopped: the model repeated the same text over and over.';
  }
}

/** The length of the shortest piece that `text` repeats; the length of `text` if it repeats none. */
function smallestPeriod(text: string): number {
  const border = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    border[at] = length;
  }
  return text.length - (border.at(-1) ?? 0);
}
