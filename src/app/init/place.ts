/** The paths of this copane and of its user's files, for `copane init`. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { copanePaths, type Env, homeFolder } from '../../platform/paths.ts';
import type { InitPlace } from './integration.ts';

/** The checkout or the installed package: the bundle lies one folder below it, this source three. */
export function packageRoot(): string {
  const up = import.meta.url.endsWith('.ts') ? '../../..' : '..';
  return path.resolve(fileURLToPath(new URL(up, import.meta.url)));
}

/** The place of this process. */
export function initPlace(env: Env): InitPlace {
  const root = packageRoot();
  return {
    env,
    home: homeFolder(env),
    root,
    program: path.join(root, 'bin/copane'),
    stateDir: copanePaths(env).stateDir,
  };
}
