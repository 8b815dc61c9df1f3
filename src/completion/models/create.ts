/** Creates the configured model; null if there is none. */
import { assertNever } from '../../lib/result.ts';
import { createGguf, type GgufOptions } from './gguf.ts';
import { createLlamaServer } from './llama-server.ts';
import type { CompletionModel, ModelSettings } from './model.ts';
import { createOpenAi } from './openai.ts';

export function createModel(settings: ModelSettings | null, options: GgufOptions): CompletionModel | null {
  if (settings === null) return null;
  switch (settings.kind) {
    case 'llama-server':
      return createLlamaServer(settings);
    case 'openai':
      return createOpenAi(settings);
    case 'gguf':
      return createGguf(settings, options);
    default:
      return assertNever(settings.kind);
  }
}
