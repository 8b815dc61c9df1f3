/** Which files the looks at a working tree cover: a covered file without a seen change did not change. */
import path from 'node:path';
import { displayBytes, utf8Bytes } from '../../review/core/bytes.ts';
import { pathProblem } from '../../review/core/safe-path.ts';
import { type GitOptions, openRepository } from '../../review/vcs/git.ts';
import { gitList, ignoredNames } from '../../review/vcs/git-output.ts';

/** Those of `files`, absolute, whose changes git reports: in the working tree, not ignored or marked unchanged. */
export async function coveredFiles(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const below = files
    .filter((file) => file.startsWith(`${root}/`))
    .map((file) => utf8Bytes(path.relative(root, file)))
    .filter((name) => pathProblem(name) === null);
  const repository = below.length === 0 ? null : await openRepository(root);
  if (repository === null || !repository.ok || repository.value.top !== root) return new Set();
  const options: GitOptions = { repository: repository.value };
  const [ignored, marked] = await Promise.all([
    ignoredNames(below, options),
    gitList(['ls-files', '-v', '-z', '--', ...below.map(displayBytes)], options),
  ]);
  if (!ignored.ok || !marked.ok) return new Set();
  const unseen = marked.value.flatMap((row) => /^[a-zS] (.+)$/s.exec(row)?.[1] ?? []);
  const uncovered = new Set([...ignored.value, ...unseen]);
  return new Set(below.filter((name) => !uncovered.has(name)).map((name) => `${root}/${displayBytes(name)}`));
}
