import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The companion of `root` has looked at the working tree: an index of copane's own is there, and nobody writes it. */
export function hasLooked(root: string): boolean {
  const trees = path.join(root, 'state/copane/snapshots');
  const names = existsSync(trees) ? readdirSync(trees, { recursive: true, encoding: 'utf8' }) : [];
  return names.some((name) => name.endsWith('/index')) && !names.some((name) => name.endsWith('.lock'));
}
