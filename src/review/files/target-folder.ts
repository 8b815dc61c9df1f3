/** The folder under review, by its real path: a link must not make it another folder. */
import { realpathSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { systemCode, unlessSystemFails } from '../../platform/system-error.ts';
import { utf8Bytes } from '../core/bytes.ts';
import { isControlName } from '../core/safe-path.ts';

/** The folder without links; unchanged if it is gone. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return folder;
  }
}

/** The same for one that must exist. */
export async function realFolder(folder: string): Promise<Result<string>> {
  const none = fail('not_found', `There is no folder ${folder}.`);
  return unlessSystemFails(async () => {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? ok(real) : none;
  }, none);
}

/** Refuses a folder inside a version control's own, whose files may run; allows a working copy in it. */
export async function checkOutsideControl(folder: string): Promise<Result<void>> {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    if (isControlName(utf8Bytes(path.basename(at))))
      return fail('refused', `${folder} is in a folder of the version control system.`);
    if (isInControl(at) && (await hasControl(at))) return ok(undefined);
  }
  return ok(undefined);
}

const isInControl = (folder: string) => folder.split('/').some((name) => isControlName(utf8Bytes(name)));

async function hasControl(folder: string): Promise<boolean> {
  for (const name of ['.git', '.jj']) {
    if ((await unlessSystemFails(() => lstat(path.join(folder, name)), null)) !== null) return true;
  }
  return false;
}
