/** The place for a project's file: its folder, held open, and its name. Every write uses one: no link redirects it. */
import { fail, type Result } from '../../lib/result.ts';
import {
  type HeldFolder,
  type HoldOptions,
  holdFolder,
  type NotReached,
} from '../../platform/held-folder.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../core/bytes.ts';
import { pathProblem } from '../core/safe-path.ts';
import { behindLink, folderOf } from './target-files.ts';
import { checkOutsideControl } from './target-folder.ts';

export interface Place {
  readonly path: ByteString;
  readonly folder: HeldFolder;
  /** The name of the entry in the folder. */
  readonly name: ByteString;
  /** The number of folders between it and the root. */
  readonly depth: number;
}

/** Runs `use` with the place of `path` below `root` (no links); null if its folder is missing. Throws disk errors. */
export async function withPlace<T>(
  root: string,
  path: ByteString,
  options: HoldOptions,
  use: (place: Place | null) => Promise<Result<T>>,
): Promise<Result<T>> {
  const problem = pathProblem(path);
  if (problem !== null) return fail('refused', problem);
  const outside = await checkOutsideControl(root);
  if (!outside.ok) return outside;
  const names = folderOf(path).split('/').filter(Boolean);
  const folder = await holdFolder(root, names, options);
  if ('kind' in folder) return folder.kind === 'missing' ? use(null) : refuse(root, path, folder);
  try {
    return await use({ path, folder, name: path.slice(path.lastIndexOf('/') + 1), depth: names.length });
  } finally {
    await folder.close();
  }
}

/** The same, but the folder must exist or is created. */
export function withFolder<T>(
  root: string,
  path: ByteString,
  options: HoldOptions,
  use: (place: Place) => Promise<Result<T>>,
): Promise<Result<T>> {
  return withPlace(root, path, options, async (place) =>
    place === null ? fail('refused', `${displayBytes(path)}: its folder is gone.`) : use(place),
  );
}

function refuse(root: string, path: ByteString, { kind, path: blocked }: NotReached) {
  const inside = `${utf8Bytes(root)}/`;
  const shown = displayBytes(blocked);
  if (blocked.startsWith(inside)) {
    const within = blocked.slice(inside.length);
    if (kind === 'link') return fail('refused', behindLink(path, within));
    return fail('refused', `${displayBytes(path)}: a file stands where a folder is needed.`);
  }
  if (kind !== 'link') return fail('refused', `The folder ${root} no longer exists: ${shown} is a file.`);
  return fail(
    'refused',
    `The project ${root} is not where it was: ${shown} is a link now, and links are not followed.`,
    'Publish the change again for the folder in which the project is now.',
  );
}
