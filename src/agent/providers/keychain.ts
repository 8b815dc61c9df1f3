/** Keys in the system's keychain, read by its program `secret-tool` or `security`. A missing keychain is no error. */
import type { Env } from '../../platform/paths.ts';
import { run } from '../../platform/run.ts';

/** The user may have to unlock it first. */
const UNLOCK_MAX_MS = 60_000;
/** A longer answer is not a key. */
const KEY_MAX_BYTES = 64 * 1024;

/** The content of a keychain; `problem` says why it could not be read. */
export interface KeychainAnswer {
  readonly key: string | null;
  readonly problem: string | null;
}

interface Program {
  readonly file: string;
  readonly lookup: (name: string) => readonly string[];
  /** The command to store a key; it prompts for the key, which stays out of the history. */
  readonly store: (name: string) => string;
}

const LIBSECRET: Program = {
  file: 'secret-tool',
  lookup: (name) => ['lookup', 'service', 'copane', 'key', name],
  store: (name) => `secret-tool store --label=copane service copane key ${name}`,
};
const MACOS: Program = {
  file: 'security',
  lookup: (name) => ['find-generic-password', '-s', 'copane', '-a', name, '-w'],
  store: (name) => `security add-generic-password -U -s copane -a ${name} -w`,
};
/** macOS's code for "no such item". */
const MACOS_NOT_FOUND = 44;

const programOf = (platform: NodeJS.Platform) => (platform === 'darwin' ? MACOS : LIBSECRET);

export const storeCommand = (name: string): string => programOf(process.platform).store(name);

/** Looks for a key by the name of its variable. */
export async function keychainKey(
  name: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Promise<KeychainAnswer> {
  const { file, lookup } = programOf(platform);
  const options = { env, timeoutMs: UNLOCK_MAX_MS, maxOutputBytes: KEY_MAX_BYTES };
  const { code, stdout, stderr, failure } = await run(file, lookup(name), options);
  if (failure === 'not found') return { key: null, problem: `${file} is not installed` };
  if (failure !== null) return { key: null, problem: `${file}: ${failure}` };
  const key = stdout.toString('utf8').replace(/\r?\n$/, '');
  if (code === 0 && key !== '') return { key, problem: null };
  const isNone = stderr.trim() === '' || code === MACOS_NOT_FOUND;
  const message = (stderr.trim().split('\n')[0] ?? '').replace(/^[\w-]+: /, '');
  return { key: null, problem: isNone ? null : `${file}: ${message}` };
}
