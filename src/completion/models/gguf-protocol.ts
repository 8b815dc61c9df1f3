/** Messages between copane and the process that runs a GGUF model. Types only. */

export interface LoadMessage {
  readonly kind: 'load';
  /** The file URL of node-llama-cpp. */
  readonly module: string;
  readonly file: string;
  readonly contextTokens: number;
}

export interface GgufMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** Asks for the rest of a line by a grammar, or for a conversation's next message as JSON by a schema. */
export type GgufQuestion = { readonly maxTokens: number } & (
  | { readonly of: 'line'; readonly prompt: string; readonly grammar: string }
  | {
      readonly of: 'chat';
      readonly messages: readonly GgufMessage[];
      /** The JSON schema that the answer must have. */
      readonly form: Readonly<Record<string, unknown>>;
    }
);

export type ToGguf =
  | LoadMessage
  | { readonly kind: 'ask'; readonly id: number; readonly question: GgufQuestion }
  | { readonly kind: 'cancel'; readonly id: number };

export type GgufAnswer =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
    }
  /** The conversation and its answer exceed the context. */
  | { readonly kind: 'overflow'; readonly tokens: number }
  | { readonly kind: 'error'; readonly message: string };

export type FromGguf =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'delta'; readonly id: number; readonly text: string }
  | (GgufAnswer & { readonly id: number });
