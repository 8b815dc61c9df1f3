/** Pushes a commit to where the checked-out branch goes, when the user has asked for it. Never asks for a password. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { type GitOptions, git } from './git.ts';

export interface Upstream {
  readonly remote: string;
  /** The branch there, as a ref. */
  readonly ref: string;
}

/** A push of a large history over a slow line. */
export const PUSH_TIMEOUT_MS = 10 * 60_000;

/** Where the branch that is checked out goes. */
export async function findUpstream(options: GitOptions): Promise<Result<Upstream>> {
  const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { ...options, okCodes: [0, 1] });
  if (!head.ok) return head;
  const branch = head.value.stdout.toString().trim();
  if (branch === '') return fail('refused', 'No branch is checked out: there is nowhere to push to.');
  const [remote, ref] = await Promise.all([
    setting(options, `branch.${branch}.remote`),
    setting(options, `branch.${branch}.merge`),
  ]);
  if (remote !== null && ref !== null) return ok({ remote, ref });
  return fail(
    'refused',
    `The branch ${branch} follows no branch of a remote: there is nowhere to push to.`,
    `"git push -u origin ${branch}" sets one.`,
  );
}

async function setting(options: GitOptions, name: string): Promise<string | null> {
  const found = await git(['config', '--get', name], { ...options, okCodes: [0, 1] });
  const value = found.ok ? found.value.stdout.toString().trim() : '';
  return value === '' ? null : value;
}

/** The user's ssh, without questions: one at the terminal would land in the middle of the companion's screen. */
export async function silentSsh(options: GitOptions): Promise<Readonly<Record<string, string>>> {
  const ssh = (await setting(options, 'core.sshCommand')) ?? 'ssh';
  return { GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes`, SSH_ASKPASS_REQUIRE: 'never' };
}

/** Pushes; a push that would not be a fast-forward is refused by the remote, and said. */
export async function pushCommit(
  options: GitOptions,
  commit: string,
  { remote, ref }: Upstream,
): Promise<Result<string>> {
  const pushed = await git(['push', '--porcelain', '--no-verify', '--', remote, `${commit}:${ref}`], {
    ...options,
    network: true,
    timeoutMs: PUSH_TIMEOUT_MS,
    env: { ...options.env, ...(await silentSsh(options)) },
  });
  return pushed.ok ? ok(`${remote} ${ref.replace(/^refs\/heads\//, '')}`) : pushed;
}
