/** The language model for shell completions: its configuration, and the runtime for GGUF files. */
import { existsSync } from 'node:fs';
import { installCommand, installRuntime, isInstalled, removeRuntime } from '../completion/models/install.ts';
import { isRemoteUrl } from '../completion/models/loopback.ts';
import { ggufFile, runtimeDir } from '../completion/models/model-files.ts';
import { modelSettings } from '../completion/models/settings.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { Config } from '../protocol/config.ts';
import { loadConfig } from './config/load-config.ts';
import { formatProblem } from './config/parse-config.ts';

export interface ModelFacts {
  readonly model: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly hasKey: boolean;
  readonly leavesThisMachine: boolean;
  readonly file: string | null;
  readonly fileIsThere: boolean | null;
  readonly runtimeIsInstalled: boolean;
  /** What the configuration still lacks: without it the model is not used. */
  readonly missing: readonly string[];
  /** Ignored parts of the configuration. */
  readonly problems: readonly string[];
}

/** What is configured, and what is missing. */
export function modelFacts(env: Env): ModelFacts {
  const { configFile, dataDir } = copanePaths(env);
  const { config, problems } = loadConfig(configFile, env);
  const settings = modelSettings(config, env);
  const file = settings?.kind === 'gguf' ? ggufFile(settings.name, dataDir) : null;
  return {
    model: settings?.kind ?? 'none',
    name: settings?.name ?? null,
    url: settings?.url ?? null,
    hasKey: settings?.key != null,
    leavesThisMachine:
      settings != null && settings.kind !== 'gguf' && settings.url !== null && isRemoteUrl(settings.url),
    file,
    fileIsThere: file === null ? null : existsSync(file),
    runtimeIsInstalled: isInstalled(dataDir),
    missing: missingOf(config, env),
    problems: problems.map(formatProblem),
  };
}

function missingOf(config: Config, env: Env): readonly string[] {
  const { completion_model, completion_model_url, completion_model_name, completion_model_key } = config;
  const wantsUrl = completion_model === 'openai';
  const wantsName = wantsUrl || completion_model === 'gguf';
  const variable = completion_model === 'none' ? null : completion_model_key;
  return [
    ...(wantsUrl && completion_model_url === null ? ['completion_model_url is not set'] : []),
    ...(wantsName && completion_model_name === null ? ['completion_model_name is not set'] : []),
    ...(variable !== null && !env[variable]
      ? [`$${variable}, which completion_model_key names, is not set`]
      : []),
  ];
}

export interface RuntimePlan {
  readonly folder: string;
  readonly command: readonly string[];
}

/** Fails if there is no build for this machine. */
export function planRuntime(env: Env): Result<RuntimePlan> {
  const command = installCommand(process.platform, process.arch);
  if (command !== null) return ok({ folder: runtimeDir(copanePaths(env).dataDir), command });
  return fail(
    'not_found',
    `There is no build of node-llama-cpp for ${process.platform} on ${process.arch}.`,
    'A llama-server works just as well: see completion_model.',
  );
}

export function installModelRuntime(env: Env, { command }: RuntimePlan): ReturnType<typeof installRuntime> {
  return installRuntime(copanePaths(env).dataDir, command, env);
}

export const removeModelRuntime = (env: Env): Promise<void> => removeRuntime(copanePaths(env).dataDir);
