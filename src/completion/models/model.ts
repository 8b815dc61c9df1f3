/** The interface of a language model: from a prompt to one line, or why there is none. Types only. */
import type { CompletionError } from '../../protocol/completion.ts';
import type { AnswerForm, ModelPrompt } from '../core/model-prompt.ts';

/** Why there is no answer, as in the protocol. */
export type ModelProblem = CompletionError & {
  readonly code: 'model_not_found' | 'inference_unavailable' | 'not_configured';
};

export type ModelAnswer =
  | { readonly ok: true; readonly text: string; readonly form: AnswerForm }
  | { readonly ok: false; readonly problem: ModelProblem };

export interface CompletionModel {
  /** The model and its place, for users. */
  readonly name: string;
  /** Prompts leave this machine. */
  readonly isRemote: boolean;
  /** Never rejects. The result of an aborted question is ignored. */
  ask(prompt: ModelPrompt, signal: AbortSignal): Promise<ModelAnswer>;
  close(): void;
}

export interface ModelSettings {
  readonly kind: 'llama-server' | 'openai' | 'gguf';
  /** Of the server; with `gguf`, where the file may be downloaded from. */
  readonly url: string | null;
  /** The model's name at the server; with `gguf`, the file. */
  readonly name: string | null;
  readonly key: string | null;
  /** With `gguf`: the checksum of the file. */
  readonly sha256: string | null;
}

/** Longest answer of a model, in tokens: one line. */
export const MAX_ANSWER_TOKENS = 40;

export function unavailable(message: string): ModelAnswer {
  return { ok: false, problem: { code: 'inference_unavailable', message } };
}
