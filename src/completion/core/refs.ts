/** Names of a repository that commands take. */

export interface RepositoryNames {
  /** The most recently checked out first, without the current one. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly remotes: readonly string[];
  /** Branches of remotes, as `origin/main`. */
  readonly tracked: readonly string[];
  /** The current branch. */
  readonly head: string | null;
  /** The current branch has an upstream. */
  readonly hasUpstream: boolean;
}

/** Whether `name` may be checked out: a branch, a tag, a remote branch, or another name of a commit. */
export function isRef(name: string, { branches, tags, tracked, head }: RepositoryNames): boolean {
  if (/^(?:HEAD|FETCH_HEAD|ORIG_HEAD|stash|@|-)|^[0-9a-f]{5,40}$|[~^:@$]/.test(name)) return true;
  if (name === head || branches.includes(name) || tags.includes(name)) return true;
  return tracked.some((one) => one === name || one.endsWith(`/${name}`));
}
