/** Names of a repository that commands take. */

export interface RepositoryNames {
  /** The ones that were checked out last come first, the current one not among them. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly remotes: readonly string[];
  /** Branches of remotes, as `origin/main`. */
  readonly tracked: readonly string[];
  /** The current branch. */
  readonly head: string | null;
  /** The current branch has a place to push to. */
  readonly hasUpstream: boolean;
}

/** Whether `name` may be checked out: a branch, a tag, a branch of a remote, or what names a commit otherwise. */
export function isRef(name: string, { branches, tags, tracked, head }: RepositoryNames): boolean {
  if (/^(?:HEAD|FETCH_HEAD|ORIG_HEAD|stash|@|-)|^[0-9a-f]{5,40}$|[~^:@$]/.test(name)) return true;
  if (name === head || branches.includes(name) || tags.includes(name)) return true;
  return tracked.some((one) => one === name || one.endsWith(`/${name}`));
}
