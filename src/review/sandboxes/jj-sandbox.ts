/** A sandbox as a jj workspace: from its first edit, its work is a separate change in the target's repository. */

import { fail, ok, type Result } from '../../lib/result.ts';
import { lookAtWorkspace, openWorkspace, withStore } from '../sources/jj-source.ts';
import { gitWord } from '../vcs/git-output.ts';
import { checkJj, findWorkspace, jj, lookUp } from '../vcs/jj.ts';
import { changedFiles, removeFolder, type SandboxWork } from './git-sandbox.ts';
import type { SandboxRecord } from './sandbox-store.ts';

/** The commit from which a new workspace starts. */
export async function jjCommitOf(folder: string, name: string | null): Promise<Result<string>> {
  const ready = await checkJj();
  const found = ready.ok ? await lookUp(folder, name ?? '@-', { fresh: false }) : ready;
  return found.ok ? ok(found.value.change.commit) : found;
}

/** Creates the workspace, with a change that describes its purpose. */
export async function createWorkspace({ name, target, folder, base }: SandboxRecord): Promise<Result<void>> {
  const made = await jj(['workspace', 'add', '--name', name, '-r', base, folder], target);
  if (!made.ok) return made;
  const described = await jj(['describe', '-m', `suggestion: ${name}`], folder);
  if (described.ok) return ok(undefined);
  await removeWorkspace({ name, target, folder });
  return described;
}

/** What a workspace has beyond the target. */
export async function lookAtJjSandbox(folder: string, target: string): Promise<Result<SandboxWork>> {
  const opened = await openWorkspace(folder, target);
  if (opened === null) return fail('refused', `${folder} is no longer a workspace of the repository.`);
  const range = await lookAtWorkspace(opened, null);
  if (!range.ok) return range;
  const { from, to } = range.value;
  return withStore(opened.own, async (options) => {
    const changed = await changedFiles(options, from, to.change.commit);
    if (!changed.ok) return changed;
    const counted = await gitWord(['rev-list', '--count', `${from}..${to.change.commit}`], options);
    if (!counted.ok) return counted;
    return ok({
      branch: to.change.change,
      base: from,
      head: to.change.commit,
      // The working copy's change does not count as a commit.
      ahead: Math.max(0, Number(counted.value) - 1),
      changed: changed.value,
      dirty: changed.value.length,
      left: to.refused,
    });
  });
}

/** Forgets the workspace and removes its folder; returns the commit of its change, which jj keeps. */
export async function removeWorkspace({
  name,
  target,
  folder,
}: Pick<SandboxRecord, 'name' | 'target' | 'folder'>): Promise<Result<string | null>> {
  const there = (await findWorkspace(folder)) !== null;
  const last = there ? await lookUp(folder, '@', { fresh: true }) : null;
  const forgotten = await jj(['workspace', 'forget', name], target);
  if (!forgotten.ok) return forgotten;
  const removed = await removeFolder(folder);
  if (!removed.ok) return removed;
  return ok(last?.ok ? last.value.change.commit : null);
}
