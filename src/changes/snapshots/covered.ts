/** Which files the looks at a working tree cover: a covered file without a seen change did not change. */
import path from 'node:path';
import { displayBytes, utf8Bytes } from '../../review/core/bytes.ts';
import { pathProblem } from '../../review/core/safe-path.ts';
import { type GitOptions, git, openRepository } from '../../review/vcs/git.ts';

/** Those of `files`, absolute, whose changes git reports: in the working tree, not ignored or marked unchanged. */
export async function coveredFiles(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const below = files
    .filter((file) => file.startsWith(`${root}/`))
    .map((file) => utf8Bytes(path.relative(root, file)))
    .filter((name) => pathProblem(name) === null);
  const repository = below.length === 0 ? null : await openRepository(root);
  if (repository === null || !repository.ok || repository.value.top !== root) return new Set();
  const options: GitOptions = { repository: repository.value };
  // Git reads patterns here, but a name that begins with a dot is literal.
  const input = Buffer.from(below.map((name) => `./${name}\0`).join(''), 'latin1');
  const asked = { ...options, input, env: { GIT_LITERAL_PATHSPECS: '0' }, okCodes: [0, 1] };
  const [ignored, marked] = await Promise.all([
    git(['check-ignore', '-z', '--stdin'], asked),
    git(['ls-files', '-v', '-z', '--', ...below.map(displayBytes)], options),
  ]);
  if (!ignored.ok || !marked.ok) return new Set();
  const listed = `${ignored.value.stdout.toString('latin1')}\0${marked.value.stdout.toString('latin1')}`;
  const uncovered = new Set(
    [...listed.matchAll(/(?:^|\0)(?:\.\/|[a-zS] )([^\0]+)/g)].map(([, name]) => name),
  );
  return new Set(below.filter((name) => !uncovered.has(name)).map((name) => `${root}/${displayBytes(name)}`));
}
