/** What a jj change or workspace has beyond the target. jj names the commits; git makes the patch from jj's store. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { DIFF_FLAGS, type GitOptions, git } from '../vcs/git.ts';
import { checkJj, findWorkspace, type JjWorkspace, type Looked, lookUp } from '../vcs/jj.ts';
import type { SourcedPatch } from './git-source.ts';
import { mergeBase, withBorrowed } from './sandbox-source.ts';

/** A workspace of the target's repository. */
export interface OpenWorkspace {
  readonly own: JjWorkspace;
  readonly target: JjWorkspace;
}

/** The workspace around `folder`, if it is one of the target's; null for anything else. */
export async function openWorkspace(folder: string, target: string): Promise<OpenWorkspace | null> {
  const own = await findWorkspace(folder);
  const home = own === null ? null : await findWorkspace(target);
  return own !== null && home !== null && own.repository === home.repository ? { own, target: home } : null;
}

/** The patch of the change `revision`, or of everything the workspace has beyond the target. */
export async function jjPatch(
  { own, target }: OpenWorkspace,
  revision: string | null,
): Promise<Result<SourcedPatch>> {
  const looked = await lookAtWorkspace({ own, target }, revision);
  if (!looked.ok) return looked;
  const { from, to } = looked.value;
  const notes = to.refused.map((name) => `${name}: too large for jj; it is not part of the suggestion.`);
  const sandbox = revision === null && own.top !== target.top ? own.top : null;
  return withStore(own, async (options) => {
    const diff = await git(['diff', ...DIFF_FLAGS, from, to.change.commit], options);
    if (!diff.ok) return diff;
    const label = `jj ${to.change.change} in ${own.top}`;
    return ok({ patch: diff.value.stdout, notes, label, root: target.top, inPlace: false, sandbox });
  });
}

export interface WorkspaceRange {
  /** Where it branched off from the target. */
  readonly from: string;
  readonly to: Looked;
}

/** The commits of a suggestion. Refused if jj has several for one change, or conflicts in it. */
export async function lookAtWorkspace(
  { own, target }: OpenWorkspace,
  revision: string | null,
): Promise<Result<WorkspaceRange>> {
  const ready = await checkJj();
  if (!ready.ok) return ready;
  const to = await lookUp(own.top, revision ?? '@', { fresh: true });
  if (!to.ok) return to;
  const { change, isDivergent, hasConflict, parents } = to.value.change;
  if (isDivergent) {
    return fail(
      'refused',
      `The jj change ${change} is divergent: it has several commits, so it does not name one.`,
      'Abandon the ones you do not want: jj abandon <commit>.',
    );
  }
  if (hasConflict) {
    const hint = 'Resolve them there ("jj resolve"), then publish.';
    return fail('refused', `The jj change ${change} has conflicts in it.`, hint);
  }
  const [parent, ...more] = parents;
  if (revision !== null) {
    if (parent === undefined || more.length > 0)
      return fail('refused', `The jj change ${change} is a merge; publish a patch instead.`);
    return ok({ from: parent, to: to.value });
  }
  const home = await lookUp(target.top, '@', { fresh: false });
  if (!home.ok) return home;
  const from = await withStore(own, (options) =>
    mergeBase(options, to.value.change.commit, home.value.change.commit),
  );
  return from.ok ? ok({ from: from.value, to: to.value }) : from;
}

/** Runs `work` with a repository of our own that has the objects in jj's store. */
export function withStore<T>(
  { top, store }: JjWorkspace,
  work: (options: GitOptions) => Promise<Result<T>>,
): Promise<Result<T>> {
  const own = { top, gitDir: store, commonDir: store, branch: null, head: null };
  return withBorrowed({ own, targetCommonDir: null }, ({ options }) => work(options));
}
