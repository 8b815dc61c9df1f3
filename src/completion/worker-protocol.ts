/** What the host's main thread and the completion worker tell each other. Types only. */
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

/** One answered request, for the Shell screen. */
export interface AnsweredRequest {
  readonly atMs: number;
  readonly input: string;
  readonly cwd: string;
  readonly ms: number;
  readonly candidates: readonly {
    readonly line: string;
    readonly confidence: number;
    readonly source: string;
    readonly why: string;
  }[];
}

/** How the configured language model fares. */
export interface ModelStatus {
  readonly name: string;
  /** What is told to it leaves this machine. */
  readonly isRemote: boolean;
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  /** How long it took the last time; null before. */
  readonly lastMs: number | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** What the Shell screen shows. */
export interface CompletionStatus {
  readonly socketFile: string;
  readonly connections: number;
  readonly requests: number;
  readonly cancelled: number;
  readonly accepted: number;
  readonly latencyP50Ms: number;
  readonly latencyP99Ms: number;
  readonly historyLines: number;
  readonly recent: readonly AnsweredRequest[];
  readonly acceptedBySource: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Null when none is configured. */
  readonly model: ModelStatus | null;
}

export type ToWorker = { readonly kind: 'stop' } | { readonly kind: 'status'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint?: string }
  | { readonly kind: 'status'; readonly id: number; readonly status: CompletionStatus }
  | { readonly kind: 'defect'; readonly where: string; readonly message: string }
  | { readonly kind: 'stopped' };
