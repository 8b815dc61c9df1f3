/** Messages between the host's main thread and the completion worker. Types only. */
import type { Result } from '../lib/result.ts';
import type { CompletionStatus } from '../protocol/shell.ts';
import type { ModelWords } from './command-writer.ts';
import type { ModelQuestion } from './core/to-command.ts';
import type { ModelSettings } from './models/model.ts';

export interface WorkerSettings {
  readonly socketFile: string;
  readonly uid: number;
  readonly stateDir: string;
  readonly home: string;
  readonly dataDir: string;
  readonly model: ModelSettings | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'status'; readonly id: number }
  | { readonly kind: 'private'; readonly on: boolean }
  | { readonly kind: 'forget'; readonly line: string }
  | { readonly kind: 'model-said'; readonly id: number; readonly said: Result<ModelWords> };

export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint?: string }
  | { readonly kind: 'status'; readonly id: number; readonly status: CompletionStatus }
  /** A question to the model, which only the main thread can ask, and its cancellation. */
  | { readonly kind: 'ask-model'; readonly id: number; readonly question: ModelQuestion }
  | { readonly kind: 'drop-question'; readonly id: number }
  | { readonly kind: 'defect'; readonly where: string; readonly message: string }
  | { readonly kind: 'stopped' };
