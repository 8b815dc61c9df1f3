/** Edits in submodules: each is examined under its own settings, never from outside. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { sideBySide } from '../../lib/side-by-side.ts';
import type { ByteString } from '../core/bytes.ts';
import { absolutePath } from '../files/target-files.ts';
import { git, openRepository } from '../vcs/git.ts';
import { listEntries } from './list-changes.ts';
import type { SetAside } from './set-aside.ts';

/** Submodules examined in parallel: most of the time is waiting. */
const LOOKS_AT_ONCE = 4;

/** The submodules that have edits, with a description. */
export async function editedSubmodules(top: string, names: readonly ByteString[]): Promise<SetAside> {
  const within = await sideBySide(names, LOOKS_AT_ONCE, (name) => editedWithin(top, name));
  return new Map(
    names.flatMap((name, at) => {
      const reason = within[at] ?? null;
      return reason === null ? [] : [[name, reason] as const];
    }),
  );
}

/** A nested repository is examined under its own settings, and so is each one inside it. */
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
