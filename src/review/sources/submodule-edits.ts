/** Edits in submodules: each is asked under settings of its own, never from outside. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { sideBySide } from '../../lib/side-by-side.ts';
import type { ByteString } from '../core/bytes.ts';
import { absolutePath } from '../files/target-files.ts';
import { git, openRepository } from '../vcs/git.ts';
import { listEntries } from './list-changes.ts';
import type { SetAside } from './set-aside.ts';

/** Submodules looked at side by side: most of the time is waiting. */
const LOOKS_AT_ONCE = 4;

/** Those of the submodules that have edits, with the words for it. */
export async function editedSubmodules(top: string, names: readonly ByteString[]): Promise<SetAside> {
  const within = await sideBySide(names, LOOKS_AT_ONCE, (name) => editedWithin(top, name));
  return new Map(
    names.flatMap((name, at) => {
      const reason = within[at] ?? null;
      return reason === null ? [] : [[name, reason] as const];
    }),
  );
}

/** A repository of its own is asked under settings of its own, and so is each one in it. */
async function editedWithin(top: string, name: ByteString): Promise<string | null> {
  const folder = absolutePath(top, name).toString();
  if (!existsSync(path.join(folder, '.git')) || (await realpath(folder)) !== folder) return null;
  const repository = await openRepository(folder);
  if (!repository.ok) return 'a submodule that cannot be read';
  const options = { repository: repository.value };
  const edited = 'a submodule that was edited; "copane review" in its folder shows that';
  const status = await git(['status', '--porcelain', '-z', '--ignore-submodules=dirty'], options);
  const entries = await listEntries(options, false);
  if (!status.ok || !entries.ok || status.value.stdout.length > 0) return edited;
  for (const inner of entries.value.submodules)
    if ((await editedWithin(folder, inner)) !== null) return edited;
  return null;
}
