/** A GGUF file on this machine as the model for shell completions. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Env } from '../../platform/paths.ts';
import { grammarFor } from '../core/model-prompt.ts';
import {
  type CompletionModel,
  MAX_ANSWER_TOKENS,
  type ModelAnswer,
  type ModelProblem,
  type ModelSettings,
  unavailable,
} from './model.ts';
import { ggufFile, runtimeModule } from './model-files.ts';
import { type ModelOutcome, ModelProcess } from './model-process.ts';

/** Enough for a transcript and a line. */
const CONTEXT_TOKENS = 2_048;
const ANSWER_TIMEOUT_MS = 10_000;
/** An idle model releases its memory after this long. */
const IDLE_MS = 10 * 60_000;

export interface GgufOptions {
  /** The folder of `copane model install`. */
  readonly dataDir: string;
  readonly env: Env;
  readonly idleMs?: number;
}

export function createGguf(settings: ModelSettings, options: GgufOptions): CompletionModel {
  const { dataDir, env, idleMs = IDLE_MS } = options;
  const file = ggufFile(settings.name, dataDir);
  const name = path.basename(file ?? 'no file');
  const holder = new ModelProcess({ file: file ?? '', dataDir, env, contextTokens: CONTEXT_TOKENS, idleMs });
  return {
    name,
    isRemote: false,
    async ask(prompt, signal) {
      const problem = whatIsMissing(settings, file, dataDir);
      if (problem !== null) return { ok: false, problem };
      const question = {
        of: 'line',
        prompt: prompt.before,
        grammar: grammarFor(prompt.typed),
        maxTokens: MAX_ANSWER_TOKENS,
      } as const;
      return answerOf(await holder.ask(question, { signal, silenceMs: ANSWER_TIMEOUT_MS }), name);
    },
    close: () => holder.close(),
  };
}

function answerOf(outcome: ModelOutcome, name: string): ModelAnswer {
  switch (outcome.kind) {
    case 'answer':
      return { ok: true, text: outcome.text, form: 'typed' };
    case 'failed':
    case 'lost':
      return unavailable(`the model ${name}: ${outcome.message}`);
    case 'silent':
      return unavailable(`no answer within ${ANSWER_TIMEOUT_MS} ms`);
    case 'cancelled':
      return unavailable('no longer needed');
    case 'overflow':
      return unavailable('the line is too long for the model');
    case 'error':
      return unavailable(outcome.message);
  }
}

/** What is missing to run the model; null for nothing. */
function whatIsMissing(settings: ModelSettings, file: string | null, dataDir: string): ModelProblem | null {
  if (file === null)
    return {
      code: 'not_configured',
      message: 'set completion_model_name to a GGUF file for completion_model "gguf"',
    };
  if (!existsSync(file)) {
    const { url, sha256 } = settings;
    const name = path.basename(file);
    // A download needs a checksum to be verified.
    const models =
      url === null || sha256 === null ? [] : [{ name, url, file: name, dir: path.dirname(file), sha256 }];
    return { code: 'model_not_found', message: `there is no ${file}`, models };
  }
  if (!existsSync(runtimeModule(dataDir)))
    return { code: 'not_configured', message: 'node-llama-cpp is not installed: run "copane model install"' };
  return null;
}
