/** Lets a language model write the command that a line describes; checks question, answer and risk. No network. */
import type { Result } from '../lib/result.ts';
import type { CompletionError } from '../protocol/completion.ts';
import type { Query, Risk } from './core/suggestion.ts';
import {
  type CommandNames,
  commandOf,
  descriptionIn,
  isTellableDescription,
  type ModelQuestion,
  questionFor,
} from './core/to-command.ts';

export interface ModelWords {
  readonly text: string;
  readonly model: string;
}

/** Asks the configured model. Never rejects; `not_found` if none is configured. */
export type AskModel = (question: ModelQuestion, signal: AbortSignal) => Promise<Result<ModelWords>>;

export interface CommandWriterOptions {
  readonly askModel: AskModel;
  readonly names: CommandNames;
  readonly system: string;
  readonly isPrivate: () => boolean;
  readonly riskAt: (line: string, query: Query) => Promise<Risk | null>;
}

/** A command and the model that wrote it, or why there is none. */
export type Written =
  | { readonly ok: true; readonly line: string; readonly risk: Risk | null; readonly model: string }
  | { readonly ok: false; readonly error: CompletionError };

export type WriteCommand = (query: Query, signal: AbortSignal) => Promise<Written>;

export function createCommandWriter(options: CommandWriterOptions): WriteCommand {
  return async (query, signal) => {
    const description = descriptionIn(query.line);
    if (description === null) return failed('invalid_request', 'Write what you want after "# ".');
    if (options.isPrivate()) return failed('invalid_request', 'Private mode is on: nothing was sent.');
    if (!isTellableDescription(description))
      return failed('invalid_request', 'The line seems to hold a secret: nothing was sent.');
    const answer = await options.askModel(questionFor(description, options.system), signal);
    if (!answer.ok) {
      const { code, message, hint } = answer.error;
      const words = hint === undefined ? message : `${message} ${hint}`;
      return failed(code === 'not_found' ? 'not_configured' : 'inference_unavailable', words);
    }
    const command = commandOf(answer.value.text, options.names);
    if (!command.ok) return failed('inference_unavailable', command.error.message);
    const line = command.value;
    return { ok: true, line, risk: await options.riskAt(line, query), model: answer.value.model };
  };
}

const failed = (code: CompletionError['code'], message: string): Written => ({
  ok: false,
  error: { code, message },
});
