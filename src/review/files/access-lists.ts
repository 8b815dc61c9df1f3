/**
 * Finds files with an access list (ACL) that a rename would lose. Node cannot read these; `ls -l` marks them with `+`.
 * One process checks many files; unchanged files and those that we wrote are not checked again.
 */
import { lstat } from 'node:fs/promises';
import { run } from '../../platform/run.ts';
import { systemCode } from '../../platform/system-error.ts';
import type { ByteString } from '../core/bytes.ts';
import { absolutePath } from './target-files.ts';

const FILES_PER_CALL = 200;
const TIMEOUT_MS = 5_000;
const REMEMBERED_MAX_FILES = 10_000;

interface Named {
  readonly path: ByteString;
  readonly text: string;
}

export class AccessLists {
  /** The file identity by absolute path: any change of its permissions, such as an access list, changes it. */
  readonly #without = new Map<string, string>();

  /** The paths with an access list; none if `ls` cannot tell, or on systems other than Linux. */
  async of(root: string, paths: readonly ByteString[]): Promise<ReadonlySet<ByteString>> {
    const found = new Set<ByteString>();
    if (process.platform !== 'linux') return found;
    const unknown: Named[] = [];
    const marks = new Map<string, string>();
    for (const named of withText(root, paths)) {
      const mark = await markOf(named.text);
      if (mark === null || this.#without.get(named.text) === mark) continue;
      unknown.push(named);
      marks.set(named.text, mark);
    }
    for (let at = 0; at < unknown.length; at += FILES_PER_CALL) {
      const some = unknown.slice(at, at + FILES_PER_CALL);
      const listed = await listedAmong(some);
      for (const { path, text } of some) {
        // Uses the state from before the check: adding a list later changes the identity.
        if (listed === null) continue;
        if (listed.has(path)) found.add(path);
        else this.#remember(text, marks.get(text) ?? '');
      }
    }
    return found;
  }

  /** Notes new files that we wrote in place of files without access lists. */
  async written(root: string, paths: readonly ByteString[]): Promise<void> {
    if (process.platform !== 'linux') return;
    for (const { text } of withText(root, paths)) {
      const mark = await markOf(text);
      if (mark !== null) this.#remember(text, mark);
    }
  }

  #remember(text: string, mark: string): void {
    if (this.#without.size >= REMEMBERED_MAX_FILES) this.#without.clear();
    this.#without.set(text, mark);
  }
}

/** Arguments are text, so a name that is not UTF-8 cannot be checked. */
function withText(root: string, paths: readonly ByteString[]): Named[] {
  return paths.flatMap((path) => {
    const file = absolutePath(root, path);
    const text = file.toString('utf8');
    return Buffer.from(text).equals(file) ? [{ path, text }] : [];
  });
}

/** The file's current identity; null if it is gone. */
async function markOf(file: string): Promise<string | null> {
  try {
    const { dev, ino, ctimeNs } = await lstat(file, { bigint: true });
    return `${dev}:${ino}:${ctimeNs}`;
  } catch (thrown) {
    if (systemCode(thrown) !== null) return null;
    throw thrown;
  }
}

/** Those with an access list; null if `ls` does not tell. */
async function listedAmong(files: readonly Named[]): Promise<ReadonlySet<ByteString> | null> {
  // -U keeps the order, -q keeps a name with a line end on one line.
  const outcome = await run('ls', ['-ldnqU', '--', ...files.map(({ text }) => text)], {
    timeoutMs: TIMEOUT_MS,
  });
  const lines = outcome.stdout.toString('latin1').split('\n').slice(0, -1);
  if (outcome.code !== 0 || lines.length !== files.length) return null;
  return new Set(files.filter((_, i) => /^[^ ]{10}\+/.test(lines[i] ?? '')).map(({ path }) => path));
}
