/**
 * Which files have an access list (ACL) that a rename would lose. Node has no call for it; `ls -l` marks such a file
 * by a `+`. Asked once for many files, because a process costs more than a write.
 */
import { run } from '../platform/run.ts';
import type { ByteString } from './core/bytes.ts';
import { absolutePath } from './target-files.ts';

const FILES_PER_CALL = 200;
const TIMEOUT_MS = 5_000;

/** The paths with an access list. Where `ls` cannot say, and on systems other than Linux, none. */
export async function withAccessLists(
  root: string,
  paths: readonly ByteString[],
): Promise<ReadonlySet<ByteString>> {
  const found = new Set<ByteString>();
  if (process.platform !== 'linux') return found;
  // Arguments are text: a name that is no UTF-8 cannot be asked for.
  const named = paths.flatMap((path) => {
    const file = absolutePath(root, path);
    const text = file.toString('utf8');
    return Buffer.from(text).equals(file) ? [{ path, text }] : [];
  });
  for (let at = 0; at < named.length; at += FILES_PER_CALL) {
    const some = named.slice(at, at + FILES_PER_CALL);
    // -U keeps the order, -q makes one line of a name with a line end in it.
    const outcome = await run('ls', ['-ldnqU', '--', ...some.map(({ text }) => text)], {
      timeoutMs: TIMEOUT_MS,
    });
    const lines = outcome.stdout.toString('latin1').split('\n').slice(0, -1);
    if (outcome.code !== 0 || lines.length !== some.length) continue;
    lines.forEach((line, i) => {
      const path = some[i]?.path;
      if (path !== undefined && /^[^ ]{10}\+/.test(line)) found.add(path);
    });
  }
  return found;
}
