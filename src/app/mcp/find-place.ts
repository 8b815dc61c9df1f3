/** Finds where an AI's changes are and which working copy they target, from the files of the repository. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { SandboxStore } from '../../review/sandboxes/sandbox-store.ts';
import { findWorkingCopy, settingsOf, type WorkingCopy } from '../../review/sources/working-copy.ts';
import type { SourcePlace } from '../../server/mcp/author.ts';

/** The target of a sandbox is its original copy; of a worktree, the main one; of a clone, its origin; else itself. */
export async function findPlace(folder: string, sandboxes: string): Promise<Result<SourcePlace>> {
  const real = await realFolder(folder);
  if (!real.ok) return real;
  const known = await new SandboxStore(sandboxes).list(null);
  const sandbox = known.find((record) => `${real.value}/`.startsWith(`${record.folder}/`));
  if (sandbox !== undefined) return ok({ source: sandbox.folder, target: sandbox.target });
  const copy = await findWorkingCopy(real.value);
  if (!copy.ok) return copy;
  if (copy.value === null) {
    return fail(
      'invalid',
      `${folder} is not in a git repository.`,
      'Give "patch", a unified diff, and "target_directory", the working copy of the user.',
    );
  }
  const { top } = copy.value;
  const made = (await mainWorktree(copy.value)) ?? (await originFolder(copy.value));
  return ok({ source: top, target: made ?? top });
}

async function realFolder(folder: string): Promise<Result<string>> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return ok(real);
    return fail('invalid', `${folder} is not a folder.`);
  } catch (thrown) {
    return fail('not_found', `The folder ${folder} cannot be read (${errorMessage(thrown)}).`);
  }
}

/** The main working tree of a linked one; null for a main one, or if the repository is bare. */
async function mainWorktree(copy: WorkingCopy): Promise<string | null> {
  const { gitDir, commonDir } = copy;
  if (gitDir === commonDir || path.basename(commonDir) !== '.git') return null;
  if ((await settingsOf({ ...copy, gitDir: commonDir })).get('core.bare') === 'true') return null;
  return path.dirname(commonDir);
}

/** The working tree on this machine that a clone came from; null if there is none. */
async function originFolder(copy: WorkingCopy): Promise<string | null> {
  const url = (await settingsOf(copy)).get('remote.origin.url') ?? '';
  const folder = url.startsWith('file://') ? pathOf(url) : url;
  if (folder === null || !path.isAbsolute(folder)) return null;
  const real = await realFolder(folder);
  if (!real.ok) return null;
  const origin = await findWorkingCopy(real.value);
  const isOne = origin.ok && origin.value !== null && origin.value.top !== copy.top;
  return isOne && origin.value.top === real.value ? origin.value.top : null;
}

function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    // A path on another machine.
    return null;
  }
}
