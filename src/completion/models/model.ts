/** The one shape of a language model: a prompt in, the text of one line out, or what keeps it from answering. Types only. */
import type { CompletionError } from '../../protocol/completion.ts';
import type { AnswerForm, ModelPrompt } from '../core/model-prompt.ts';

/** Why there is no answer, as the wire says it. */
export type ModelProblem = CompletionError & {
  readonly code: 'model_not_found' | 'inference_unavailable' | 'not_configured';
};

export type ModelAnswer =
  | { readonly ok: true; readonly text: string; readonly form: AnswerForm }
  | { readonly ok: false; readonly problem: ModelProblem };

export interface CompletionModel {
  /** For people: what answers, and where. */
  readonly name: string;
  /** What is told to it leaves this machine. */
  readonly isRemote: boolean;
  /** Never rejects. An aborted question is answered with anything. */
  ask(prompt: ModelPrompt, signal: AbortSignal): Promise<ModelAnswer>;
  close(): void;
}

/** What the configuration says about the model. */
export interface ModelSettings {
  readonly kind: 'llama-server' | 'openai' | 'gguf';
  /** Of the server; with `gguf`, where the file may be downloaded from. */
  readonly url: string | null;
  /** The model's name at the server; with `gguf`, the file. */
  readonly name: string | null;
  /** The key that the server asks for. */
  readonly key: string | null;
  /** With `gguf`: the checksum of the file. */
  readonly sha256: string | null;
}

/** Longest answer of a model, in tokens: one line. */
export const MAX_ANSWER_TOKENS = 40;

export function unavailable(message: string): ModelAnswer {
  return { ok: false, problem: { code: 'inference_unavailable', message } };
}
