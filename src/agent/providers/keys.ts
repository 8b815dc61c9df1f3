/** Keys of providers, from the environment or a file that only its owner may read. `redactKeys` hides them in texts. */
import { statSync } from 'node:fs';
import { isRecord } from '../../lib/is-record.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { redact } from '../../lib/secrets/secrets.ts';
import type { Env } from '../../platform/paths.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import { systemCode } from '../../platform/system-error.ts';

const KEYS_MAX_BYTES = 1024 * 1024;

/** Replaces a key in sentences and records. */
const MARK = '[key]';

/** A key by the name of its variable; null if there is none. Refuses a file that others may read. */
export function findKey(name: string, env: Env, keysFile: string): Result<string | null> {
  const inEnvironment = Object.hasOwn(env, name) ? env[name] : undefined;
  if (inEnvironment !== undefined && inEnvironment !== '') return ok(inEnvironment);
  try {
    const found = statSync(keysFile, { throwIfNoEntry: false });
    if (found === undefined) return ok(null);
    if ((found.mode & 0o077) !== 0) {
      return fail(
        'refused',
        `${keysFile} can be read by others, so it is not used.`,
        `chmod 600 ${keysFile}`,
      );
    }
    return ok(keyIn(String(readRegularSync(keysFile, { maxBytes: KEYS_MAX_BYTES })), name));
  } catch (thrown) {
    // The message of a syntax error quotes the file, and with it a key.
    if (thrown instanceof SyntaxError)
      return fail('invalid', `${keysFile} is not JSON.`, 'Write {"NAME": "key"}.');
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    return fail('refused', `${keysFile} cannot be read (${code}).`);
  }
}

function keyIn(text: string, name: string): string | null {
  const keys: unknown = JSON.parse(text);
  const key = isRecord(keys) && Object.hasOwn(keys, name) ? keys[name] : undefined;
  return typeof key === 'string' && key !== '' ? key : null;
}

/** Removes keys from text: the given ones, and anything that looks like a secret. */
export function redactKeys(text: string, keys: readonly string[]): string {
  let clean = text;
  for (const key of keys) if (key.length >= 4) clean = clean.replaceAll(key, MARK);
  return redact(clean, MARK);
}
