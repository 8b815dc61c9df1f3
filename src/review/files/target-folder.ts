/** The folder that a review is about, by its one true name: a link to it must not make it another one. */
import { realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { systemCode } from './target-files.ts';

/** The folder without links; as it was given when it is gone. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return folder;
  }
}

/** The same for one that must be there. */
export async function realFolder(folder: string): Promise<Result<string>> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return ok(real);
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
  }
  return fail('not_found', `There is no folder ${folder}.`);
}
