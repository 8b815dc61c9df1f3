/** Pushes a commit to the checked-out branch's upstream, at the user's request. Never asks for a password. */

import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { git, type Repository } from './git.ts';
import { gitWord } from './git-output.ts';

export interface Upstream {
  readonly repository: Repository;
  readonly remote: string;
  readonly ref: string;
}

/** For a large history over a slow connection. */
export const PUSH_TIMEOUT_MS = 10 * 60_000;

/** The upstream of the checked-out branch. */
export async function findUpstream(repository: Repository): Promise<Result<Upstream>> {
  const head = await gitWord(['symbolic-ref', '--quiet', '--short', 'HEAD'], { repository, okCodes: [0, 1] });
  if (!head.ok) return head;
  const branch = head.value;
  if (branch === '') return fail('refused', 'No branch is checked out: there is nowhere to push to.');
  const [remote, ref] = await Promise.all([
    setting(repository, `branch.${branch}.remote`),
    setting(repository, `branch.${branch}.merge`),
  ]);
  if (remote !== null && ref !== null) return checkRemote({ repository, remote, ref });
  return fail(
    'refused',
    `The branch ${branch} has no upstream, so there is nowhere to push to.`,
    `"git push -u origin ${branch}" sets one.`,
  );
}

/** A remote inside the working tree came with the files, and its hooks would run during the push. */
async function checkRemote(upstream: Upstream): Promise<Result<Upstream>> {
  const { repository, remote } = upstream;
  const asked = await git(['ls-remote', '--get-url', '--', remote], { repository });
  if (!asked.ok) return asked;
  const url = asked.value.stdout
    .toString()
    .replace(/\n$/, '')
    .replace(/^file:\/\//, '');
  const isInside = !`${path.relative(repository.top, path.resolve(repository.top, url))}/`.startsWith('../');
  if (isInside && !/^[\w+.-]+:/.test(url) && !/^[^/]+:/.test(url))
    return fail('refused', `The remote ${remote} is in the working tree (${url}).`, 'Push to it yourself.');
  return ok(upstream);
}

async function setting(repository: Repository, name: string): Promise<string | null> {
  const found = await gitWord(['config', '--get', name], { repository, okCodes: [0, 1] });
  return found.ok ? found.value || null : null;
}

/** The user's ssh without questions: one in the terminal would appear in the companion's screen. */
export async function silentSsh(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const ssh = (await setting(repository, 'core.sshCommand')) ?? 'ssh';
  return { GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes`, SSH_ASKPASS_REQUIRE: 'never' };
}

/** Pushes; the remote refuses a push that is not a fast-forward, and the failure says so. */
export async function pushCommit(
  commit: string,
  { repository, remote, ref }: Upstream,
): Promise<Result<string>> {
  const pushed = await git(['push', '--porcelain', '--no-verify', '--', remote, `${commit}:${ref}`], {
    repository,
    network: true,
    timeoutMs: PUSH_TIMEOUT_MS,
    env: await silentSsh(repository),
  });
  return pushed.ok ? ok(`${remote} ${ref.replace(/^refs\/heads\//, '')}`) : pushed;
}
