/** The paths of this copane and of its user's files, for `copane init`. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { copanePaths, type Env, homeFolder } from '../../platform/paths.ts';
import type { InitPlace } from './integration.ts';

/** The checkout or installed package: one folder above the bundle, three above this source. */
export function packageRoot(): string {
  const up = import.meta.url.endsWith('.ts') ? '../../..' : '..';
  return path.resolve(fileURLToPath(new URL(up, import.meta.url)));
}

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
