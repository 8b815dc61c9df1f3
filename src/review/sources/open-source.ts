/** Turns a requested source into a patch. */
import { realpath } from 'node:fs/promises';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/sanitize.ts';
import { FileRefusal, readRegular } from '../../platform/regular-file.ts';
import { systemCode } from '../../platform/system-error.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import { PATCH_MAX_BYTES } from '../core/patch-model.ts';
import type { IsSecret } from '../core/secret-files.ts';
import { topOf } from '../vcs/repository-place.ts';
import type { FileFilter } from './file-scope.ts';
import { folderPatch } from './folder-source.ts';
import { changesInPlace, rangePatch, type SourcedPatch } from './git-source.ts';
import { readGiven } from './given-patch.ts';
import { jjPatch, openWorkspace } from './jj-source.ts';
import { sandboxPatch } from './sandbox-source.ts';

/** The patch of `source` for `target`, if possible without reading files that `filter` excludes. */
export async function openSource(
  source: Exclude<SuggestionSource, { kind: 'turn' }>,
  target: string,
  { isSecret, ...filter }: FileFilter & { readonly isSecret: IsSecret },
): Promise<Result<SourcedPatch>> {
  switch (source.kind) {
    case 'patch': {
      const read = await given(
        Buffer.from(source.patch, 'base64'),
        'patch',
        target,
        source.foreign === true ? isSecret : null,
      );
      return read.ok && source.foreign === true ? ok({ ...read.value, isForeign: true }) : read;
    }
    case 'patch_file':
      return patchFile(source.file, source.range ?? null, target);
    case 'sandbox':
      return guarded(async () =>
        sandboxOf({ ...source, folder: await realpath(source.folder) }, target, filter),
      );
    case 'working_tree':
      return ofRegularFiles(() => changesInPlace(target, `tree-and-${source.against}`, filter));
    case 'index':
      return ofRegularFiles(() => changesInPlace(target, 'index-and-head', filter));
    case 'range':
      return ofRegularFiles(() => rangePatch(target, source.range));
    case 'folders':
      return guarded(async () => folderPatch(await realpath(source.from), await realpath(source.to)));
  }
}

/** A patch file, or the branch of that name if the file holds no patch. */
async function patchFile(file: string, range: string | null, target: string): Promise<Result<SourcedPatch>> {
  const read = await guarded(async () =>
    given(await readRegular(file, { maxBytes: PATCH_MAX_BYTES }), file, target),
  );
  if (range === null || read.ok) return read;
  const branch = await rangePatch(target, range);
  if (branch.ok) return branch;
  const { message, hint } = read.error;
  return fail(
    'invalid',
    message,
    hint ?? `"copane review -- ${oneLine(range)}" reviews what has changed in it.`,
  );
}

/** Finds the kind: a jj workspace, the target's own tree, plain folders, or else a git repository. */
async function sandboxOf(
  { folder, change = null }: Extract<SuggestionSource, { kind: 'sandbox' }>,
  target: string,
  filter: FileFilter,
): Promise<Result<SourcedPatch>> {
  const workspace = await openWorkspace(folder, target);
  // A git worktree's files below a workspace do not belong to it.
  const isInner = topOf(folder)?.startsWith(`${workspace?.own.top ?? ''}/`) ?? false;
  if (workspace !== null && !isInner) return jjPatch(workspace, change);
  if (change !== null) return fail('invalid', `${folder} is not a jj workspace of the target's repository.`);
  const [top, targetTop] = [topOf(folder), topOf(target)];
  if (top === null && targetTop === null && folder !== target) return folderPatch(target, folder);
  if (top !== null && top === targetTop) return changesInPlace(target, 'tree-and-head', filter);
  return sandboxPatch(folder, target);
}

/** `isSecret`: for a sender who may not read files here. */
async function given(
  bytes: Uint8Array,
  label: string,
  root: string,
  isSecret: IsSecret | null = null,
): Promise<Result<SourcedPatch>> {
  const read = await readGiven(bytes, root, isSecret);
  if (!read.ok) return read;
  return ok({ ...read.value, label, root, inPlace: false, isGiven: true, sandbox: null });
}

/** Reports a special file in place of a repository's; other system errors are not about the source. */
async function ofRegularFiles(work: () => Promise<Result<SourcedPatch>>): Promise<Result<SourcedPatch>> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof FileRefusal)) throw thrown;
    return fail('invalid', `The source cannot be read: ${thrown.message}.`);
  }
}

/** An unreadable file is the caller's mistake. */
async function guarded(work: () => Promise<Result<SourcedPatch>>): Promise<Result<SourcedPatch>> {
  try {
    return await work();
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return fail('invalid', `The source cannot be read: ${errorMessage(thrown)}`);
  }
}
