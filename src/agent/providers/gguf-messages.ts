/** What the agent and the process that holds its GGUF model tell each other. Types only. */

import type { LoadMessage } from '../../completion/models/model-process.ts';

export interface GgufMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

export type ToGguf =
  | LoadMessage
  | {
      readonly kind: 'ask';
      readonly messages: readonly GgufMessage[];
      readonly maxTokens: number;
      /** The form that the answer must have. */
      readonly form: Readonly<Record<string, unknown>>;
    };

export type FromGguf =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'delta'; readonly text: string }
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
    }
  | { readonly kind: 'overflow'; readonly tokens: number }
  | { readonly kind: 'error'; readonly message: string };
