/** Reads the model's settings from the configuration. */
import type { Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';
import type { ModelSettings } from './model.ts';

type ModelConfig = Pick<
  Config,
  | 'completion_model'
  | 'completion_model_url'
  | 'completion_model_name'
  | 'completion_model_key'
  | 'completion_model_sha256'
>;

/** Null for no model. The key is in an environment variable, never in a file. */
export function modelSettings(config: ModelConfig, env: Env): ModelSettings | null {
  const kind = config.completion_model;
  if (kind === 'none') return null;
  const variable = config.completion_model_key;
  return {
    kind,
    url: config.completion_model_url,
    name: config.completion_model_name,
    key: variable === null ? null : (env[variable] ?? null),
    sha256: config.completion_model_sha256,
  };
}
