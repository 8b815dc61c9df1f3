/** What the Shell screen shows of a real leader and a real zsh, seen by a client of that leader. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openHost } from '../../../src/app/host-access.ts';
import type { CompletionStatus } from '../../../src/protocol/shell.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { freePort, ServeProcess } from '../../helpers/serve-process.ts';
import { until } from '../../helpers/until.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(prepare: (socket: string) => void = () => undefined) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'copane-screen-'));
  const socket = path.join(home, 'a.sock');
  writeFileSync(
    path.join(home, '.zsh_history'),
    ': 1700000000:0;zeta status --all\n: 1700000001:0;zeta stop\n',
  );
  prepare(socket);
  const env = { ASHLET_SOCKET: socket, COPANE_HIDDEN_SHELL: '0' };
  const leader = new ServeProcess({ home, port: await freePort(), env });
  cleanups.push(async () => {
    await leader.kill();
    removeTree(home);
  });
  const { PATH = '' } = process.env;
  // Otherwise this client would lead.
  const hostSocket = path.join(home, '.local/state/copane/host.sock');
  await until('the leader', () => existsSync(hostSocket), { timeoutMs: 20_000, show: () => leader.said });
  const host = await until(
    'a host',
    async () => {
      const opened = await openHost({ PATH, HOME: home, ...env });
      return opened.ok ? opened.value : null;
    },
    { timeoutMs: 20_000, show: () => leader.said },
  );
  cleanups.push(() => host.close());
  const look = async () => {
    const answer = await host.request('shell/status', {});
    return answer.ok ? answer.value : null;
  };
  return { host, socket, look };
}

it('a client sees the leader’s answers, and makes all shells private', async () => {
  const { host, socket, look } = await start();
  const running = async (holds: (status: CompletionStatus) => boolean) =>
    until('the status', async () => {
      const shell = await look();
      return shell?.state === 'running' && holds(shell.status) ? shell.status : null;
    });
  await running(({ historyLines }) => historyLines === 2);
  const zsh = new ZshPty({ socket });
  cleanups.push(() => zsh.close());
  await zsh.ready();
  zsh.type('zeta st');
  await zsh.untilText(') zeta st');
  zsh.type('\t');
  await zsh.untilState(({ buffer }) => buffer !== 'zeta st');
  zsh.type('\u0015export KEY_TOKEN=abcd1234');
  // Answered: a pending request would be counted after the status was taken.
  await zsh.untilState(
    ({ buffer, state }) => buffer.endsWith('abcd1234') && (state === 'idle' || state === 'showing'),
  );
  const status = await running(({ accepted, recent }) => accepted === 1 && recent.length > 1);
  expect(status.recent.at(-1)).toMatchObject({
    input: 'zeta st',
    taken: expect.stringMatching(/^zeta st/) as string,
  });
  expect(JSON.stringify(status.recent)).not.toContain('abcd1234');
  expect(Object.values(status.acceptedBySource)).toEqual([1]);

  await host.request('shell/private', { on: true });
  zsh.type('\u0015zeta sto');
  await zsh.untilState(({ buffer, state }) => buffer === 'zeta sto' && state === 'idle');
  expect(await running(({ isPrivate }) => isPrivate)).toMatchObject({
    recent: [],
    requests: status.requests,
  });
  await host.request('shell/private', { on: false });
  zsh.type('\u0015zeta sto');
  await zsh.untilText(') zeta stop');

  await host.request('shell/forget', { line: 'zeta stop' });
  zsh.type('\u0015zeta sto');
  // Longer lines may still start like this; the forgotten one is not among them.
  await zsh.untilState(({ buffer, state, postdisplay }) => {
    const isAnswered = buffer === 'zeta sto' && (state === 'idle' || state === 'showing');
    return isAnswered && !/\) zeta stop\s*(?:\[|$)/.test(postdisplay);
  });
});

it('a socket that cannot be opened is reported with the reason', async () => {
  const { look } = await start((socket) => writeFileSync(socket, 'a file of the user'));
  const shell = await until('a refusal', async () => {
    const now = await look();
    return now?.state === 'refused' ? now : null;
  });
  expect(shell.message).toContain('not a socket');
});
