/** Pushes a jj workspace's change to its bookmarks, only if it has exactly what was accepted. */
import { firstFew } from '../../lib/count.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { displayBytes } from '../core/bytes.ts';
import type { FileReview } from '../core/file-review.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { gitBlobName } from '../files/hash.ts';
import { withStore } from '../sources/jj-source.ts';
import { withAccepted } from '../vcs/commit-accepted.ts';
import { pushSettings, Repository } from '../vcs/git.ts';
import { findWorkspace, type JjWorkspace, jj, lookUp, parsePush } from '../vcs/jj.ts';
import { PUSH_TIMEOUT_MS, silentSsh } from '../vcs/push.ts';
import { changedFiles } from './git-sandbox.ts';

/** Pushes `target`'s working-copy change; returns where it went. */
export async function pushAccepted(target: string, reviews: readonly FileReview[]): Promise<Result<string>> {
  const workspace = await findWorkspace(target);
  if (workspace === null) return fail('refused', `${target} is no longer in a jj workspace.`);
  const { top } = workspace;
  const looked = await lookUp(top, '@', { fresh: true });
  if (!looked.ok) return looked;
  const { change, commit, parents, isDivergent, hasConflict } = looked.value.change;
  if (isDivergent || hasConflict)
    return fail('refused', `The jj change ${change.slice(0, 12)} is divergent, or has conflicts in it.`);
  const [parent, ...more] = parents;
  if (parent === undefined || more.length > 0)
    return fail('refused', `The jj change ${change.slice(0, 12)} is a merge.`, 'Push it yourself.');
  const foreign = await beyondAccepted(workspace, { parent, commit, reviews });
  if (!foreign.ok) return foreign;
  if (foreign.value.length > 0)
    return fail(
      'refused',
      `The jj change ${change.slice(0, 12)} holds more than was accepted: ${firstFew(foreign.value)}.`,
      '"jj split" takes it apart; then "jj git push".',
    );
  // By commit: if the files change at this moment, nothing is pushed.
  const { store } = workspace;
  const repository = await Repository.at({ top, gitDir: store, commonDir: store });
  if (!repository.ok) return repository;
  // jj lets git push, so that git also needs the store's program-running settings undone, as ours does.
  const env = { ...pushSettings(repository.value), ...(await silentSsh(repository.value)) };
  const pushed = await jj(['git', 'push', '-r', commit], top, { env, timeoutMs: PUSH_TIMEOUT_MS });
  return pushed.ok ? parsePush(pushed.value.stderr) : pushed;
}

/** Files of the change that differ from its parent's with accepted changes applied. */
function beyondAccepted(
  workspace: JjWorkspace,
  range: { readonly parent: string; readonly commit: string; readonly reviews: readonly FileReview[] },
): Promise<Result<string[]>> {
  return withStore(workspace, async (options) => {
    const after = await changedFiles(options, range.parent, range.commit);
    if (!after.ok) return after;
    const before = await changedFiles(options, range.commit, range.parent);
    if (!before.ok) return before;
    const accepted = acceptedSides(range.reviews);
    const old = new Map(before.value.map(({ path, blob }) => [path, blob]));
    const foreign = after.value.filter(({ path, blob }) => {
      const sides = accepted.get(path);
      return sides === undefined || sides.old !== (old.get(path) ?? null) || sides.new !== blob;
    });
    return ok(foreign.map(({ path }) => path));
  });
}

interface Sides {
  readonly old: string | null;
  readonly new: string | null;
}

/** Each file without our changes, and with accepted ones. */
function acceptedSides(reviews: readonly FileReview[]): Map<string, Sides> {
  const sides = new Map<string, Sides>();
  for (const any of reviews) {
    const review = withAccepted(any);
    const { base } = review.state;
    const image = review.image();
    if (sameImage(base, image)) continue;
    for (const path of new Set([base?.path, image?.path])) {
      if (path === undefined) continue;
      sides.set(displayBytes(path), { old: blobAt(base, path), new: blobAt(image, path) });
    }
  }
  return sides;
}

const blobAt = (image: FileImage | null, path: string) =>
  image === null || image.path !== path ? null : gitBlobName(image.bytes);
