/** What the host's main thread and the completion worker tell each other. Types only. */
import type { CompletionStatus } from '../protocol/shell.ts';
import type { ModelSettings } from './models/model.ts';

/** Given to the worker at its start. */
export interface WorkerSettings {
  readonly socketFile: string;
  readonly uid: number;
  readonly stateDir: string;
  readonly home: string;
  /** Where models lie. */
  readonly dataDir: string;
  readonly model: ModelSettings | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'status'; readonly id: number }
  | { readonly kind: 'private'; readonly on: boolean }
  | { readonly kind: 'forget'; readonly line: string };

export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint?: string }
  | { readonly kind: 'status'; readonly id: number; readonly status: CompletionStatus }
  | { readonly kind: 'defect'; readonly where: string; readonly message: string }
  | { readonly kind: 'stopped' };
