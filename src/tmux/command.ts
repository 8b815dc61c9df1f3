/**
 * Runs tmux as a process, with an argument list: always `-u` (a C locale would turn titles into underscores), the
 * server chosen by its socket, never a shell, never without a deadline. Every error becomes its own message.
 */
import { fail, ok, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import { run, runNow } from '../platform/run.ts';
import { formatArgv, type TmuxCommand } from './core/command-line.ts';
import { explainTmuxError } from './core/errors.ts';
import { isSupported, parseTmuxVersion, type TmuxVersion } from './core/version.ts';
import type { TmuxFailure, TmuxPort, TmuxRunOptions } from './port.ts';

/** Identifies a tmux server: by the path of its socket, by its name (`-L`), or the default one. */
export type TmuxServer =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'default' };

/** The server that we run in (`$TMUX` = `socket,pid,session`), or the default one. */
export function serverFromEnv(env: Env): TmuxServer {
  const path = env.TMUX?.split(',')[0] ?? '';
  return path === '' ? { kind: 'default' } : { kind: 'path', path };
}

/** Whether both identify the same server in the same way. */
export function isSameServer(one: TmuxServer, other: TmuxServer): boolean {
  return serverFlags(one).join('\0') === serverFlags(other).join('\0');
}

/** The flags before every command. */
export function serverFlags(server: TmuxServer): readonly string[] {
  switch (server.kind) {
    case 'path':
      return ['-u', '-S', server.path];
    case 'name':
      return ['-u', '-L', server.name];
    case 'default':
      return ['-u'];
  }
}

/** Our environment without the variables that would point tmux to another server or pane. */
export function tmuxEnv(env: Env): Env {
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = env;
  return rest;
}

/** A server that takes longer is stopped or swapped out. */
const DEFAULT_TIMEOUT_MS = 5000;

export interface TmuxCommandOptions {
  readonly server: TmuxServer;
  readonly env: Env;
  /** Wait synchronously: cheaper for a command that has nothing else to do. */
  readonly blocks?: boolean;
}

function uncertain(...parts: Parameters<typeof fail>): { readonly ok: false; readonly error: TmuxFailure } {
  return { ok: false, error: { ...fail(...parts).error, certain: false } };
}

function notInstalled(): { readonly ok: false; readonly error: TmuxFailure } {
  const { error } = fail('not_found', 'tmux is not installed', 'Install tmux 3.2 or newer');
  return { ok: false, error: { ...error, certain: true } };
}

/** A tmux that starts one process per call. */
export function createTmuxCommand(options: TmuxCommandOptions): TmuxPort {
  const env = tmuxEnv(options.env);
  const start = options.blocks === true ? runNow : run;
  return {
    async run(commands: readonly TmuxCommand[], given: TmuxRunOptions = {}) {
      const argv = [...serverFlags(options.server), ...formatArgv(commands)];
      const outcome = await start('tmux', argv, { env, timeoutMs: DEFAULT_TIMEOUT_MS, ...given });
      if (outcome.code === 0) return ok(outcome.stdout.toString('utf8'));
      if (outcome.failure === 'not found') return notInstalled();
      if (outcome.code === null) {
        return uncertain(
          'internal',
          `tmux did not answer (${outcome.failure}, after ${DEFAULT_TIMEOUT_MS} ms)`,
        );
      }
      return { ok: false, error: { ...explainTmuxError(outcome.stderr), certain: true } };
    },
  };
}

/** The version of the tmux program; fails if it is missing or too old for copane. */
export async function probeTmux(options: TmuxCommandOptions): Promise<Result<TmuxVersion>> {
  const outcome = await run('tmux', ['-V'], {
    env: tmuxEnv(options.env),
    timeoutMs: DEFAULT_TIMEOUT_MS,
  });
  if (outcome.failure === 'not found') return notInstalled();
  const text = outcome.stdout.toString('utf8').trim();
  const version = parseTmuxVersion(text);
  if (version === null) return fail('internal', `cannot read the version of tmux from "${text}"`);
  if (isSupported(version)) return ok(version);
  return fail('refused', `tmux ${version.major}.${version.minor} is too old`, 'Install tmux 3.2 or newer');
}
