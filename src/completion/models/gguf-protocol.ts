/** What the completion worker and the process that holds a GGUF model tell each other. Types only. */

import type { LoadMessage } from './model-process.ts';

export type ToGguf =
  | LoadMessage
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly prompt: string;
      readonly grammar: string;
      readonly maxTokens: number;
    }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromGguf =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly text: string }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };
