/** Suggestions from a command's grammar and from a repository: inshellisense's popup, and zsh's own TAB, beside ours. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DaemonProcess } from '../test/helpers/completion-daemon.ts';
import type { BenchRow, BenchSuite } from './harness.ts';
import { inshellisense } from './inshellisense.ts';
import { findPeer, notMeasured, PEERS } from './peers.ts';
import { ZshSession, type ZshSessionOptions } from './zsh-session.ts';

const CLIENT = path.resolve(import.meta.dirname, '../shell/ashlet.zsh');
const BRANCHES = 30;
/** The popup appears a while after the prompt. */
const POPUP_START_MS = 1_500;

type Open = { close: () => unknown }[];

export const suite: BenchSuite = {
  name: 'shell-lists',
  prepare: async () => {
    if (findPeer(PEERS.zsh) === null) return { skip: 'zsh is not installed' };
    const open: Open = [];
    const daemon = new DaemonProcess();
    open.push({ close: () => daemon.dispose() });
    await daemon.start(['git commit -m words', 'git cherry-pick main', 'git checkout main'], {
      COPANE_HIDDEN_SHELL: '0',
    });
    const repository = repositoryOf(BRANCHES, open);
    const start = async (options: ZshSessionOptions) => {
      const session = new ZshSession({ env: { ASHLET_SOCKET: daemon.socket }, ...options });
      open.push(session);
      await session.startedMs;
      await session.settle();
      return session;
    };
    // No quiet time: it is a user setting, not work.
    const ours = await start({ zshrc: [`cd ${repository}`, 'ASHLET_DELAY=0', `source ${CLIENT}`] });
    const rows = [...(await popupRows(ours, start, open)), ...(await branchRows(ours, repository, start))];
    return {
      rows,
      cleanup: async () => {
        for (const one of open.reverse()) await one.close();
      },
    };
  },
};

function repositoryOf(branches: number, open: Open): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-branches-'));
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-m', 'first');
  for (let at = 0; at < branches; at += 1) git('branch', `feature-${String(at).padStart(2, '0')}`);
  return folder;
}

/** Types one more letter of a command's word and waits until nothing more is drawn. */
async function popupRows(
  ours: ZshSession,
  start: (options: ZshSessionOptions) => Promise<ZshSession>,
  open: Open,
): Promise<readonly BenchRow[]> {
  const popup = inshellisense(open);
  if (popup === null) {
    console.log(notMeasured('a letter to its list', PEERS.inshellisense));
    return [];
  }
  const theirs = await start(popup);
  await theirs.settle(POPUP_START_MS);
  const letter = async (session: ZshSession) => {
    await session.settle();
    await session.keySettled('git c');
    return session.keySettled('h');
  };
  return [
    {
      name: 'a letter of a subcommand to its list, settled',
      peer: 'inshellisense',
      target: 0.25,
      ours: async () => (await letter(ours)).ms,
      theirs: async () => (await letter(theirs)).ms,
    },
    {
      name: 'a letter of a subcommand to its list, settled',
      peer: 'inshellisense',
      target: 0.25,
      unit: 'bytes',
      ours: async () => (await letter(ours)).bytes,
      theirs: async () => (await letter(theirs)).bytes,
    },
  ];
}

/** A repository's branches: ours appear by themselves, zsh's own on TAB. */
async function branchRows(
  ours: ZshSession,
  repository: string,
  start: (options: ZshSessionOptions) => Promise<ZshSession>,
): Promise<readonly BenchRow[]> {
  const theirs = await start({
    zshrc: ['autoload -Uz compinit; compinit -u -D', 'LISTMAX=1000', `cd ${repository}`],
  });
  const branches = async (session: ZshSession, keys: string) => {
    await session.settle(150);
    await session.keySettled('git checkout');
    return session.keyTo(keys, 'feature-0');
  };
  return [
    {
      name: 'branches behind `git checkout `',
      peer: "TAB of zsh's completion",
      target: 0.02,
      ours: () => branches(ours, ' feature-'),
      theirs: () => branches(theirs, ' feature-\t'),
    },
  ];
}
