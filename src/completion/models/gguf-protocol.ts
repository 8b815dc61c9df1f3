/** What this program and the process that holds a GGUF model tell each other. Types only. */

/** The first message. */
export interface LoadMessage {
  readonly kind: 'load';
  /** Where node-llama-cpp is imported from: a file URL. */
  readonly module: string;
  readonly file: string;
  readonly contextTokens: number;
}

export interface GgufMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** The rest of a line in a grammar, or the next message of a conversation as JSON in a form. */
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
  /** The conversation and its answer need more tokens than the context has. */
  | { readonly kind: 'overflow'; readonly tokens: number }
  | { readonly kind: 'error'; readonly message: string };

export type FromGguf =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'delta'; readonly id: number; readonly text: string }
  | (GgufAnswer & { readonly id: number });
