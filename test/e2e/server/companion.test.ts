/** What the companion shows of the suggestion server and of publishing AIs: in its header, its tabs and its toasts. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CompanionPane, type CompanionPlace, copaneEnv } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { freePort, ServeProcess } from '../../helpers/serve-process.ts';
import { BASE, patchOf } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

let root = '';
let tmux: PrivateTmux | null = null;
let blocker: net.Server | null = null;
let leader: ServeProcess | null = null;
afterEach(async () => {
  await leader?.kill();
  leader = null;
  blocker?.close();
  blocker = null;
  await tmux?.kill();
  removeTree(root);
});

function makePlace(): CompanionPlace {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-companion-'));
  const project = path.join(root, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'f'), BASE);
  return { root, project };
}

/** A companion with this configuration, beside a pane that runs `cat`. */
async function open(config: object, place = makePlace()): Promise<CompanionPane> {
  const { project } = place;
  mkdirSync(path.join(root, 'config/copane'), { recursive: true });
  writeFileSync(path.join(root, 'config/copane/config.jsonc'), JSON.stringify(config));
  tmux = new PrivateTmux();
  await tmux.start({ argv: ['cat'], env: copaneEnv(place), cwd: project, size: { columns: 80, rows: 24 } });
  return CompanionPane.open(tmux, place);
}

async function post(port: number, route: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

const headerOf = (screen: string) => screen.split('\n')[0] ?? '';

it('says that the port is taken, and, while it has the port, that it needs no token', async () => {
  const port = await freePort();
  blocker = net.createServer();
  await new Promise<void>((resolve) => blocker?.listen(port, '127.0.0.1', resolve));
  const companion = await open({ tcp: true, tcp_port: port, auth: 'none' });
  await companion.until('the trouble', (screen) => screen.includes(`port ${port} cannot be opened`));
  expect(headerOf(await companion.screen())).not.toContain('auth: none');
  blocker.close();
  blocker = null;
  await companion.until('the warning', (screen) => headerOf(screen).includes('auth: none'));
  await companion.keys('2');
  await companion.until('the Review screen', (screen) => screen.includes('No suggestion'));
  expect(headerOf(await companion.screen())).toContain('auth: none');
});

it('opens the port when it leads unasked, and does not mention a port that another program has', async () => {
  const [port, taken] = [await freePort(), await freePort()];
  const place = makePlace();
  await open({ tcp_port: port }, place);
  const health = await until('the port', () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      (answer) => answer.json() as Promise<unknown>,
      () => false,
    ),
  );
  expect(health).toMatchObject({ healthy: true, state: 'leading', version: expect.any(String) });
  expect((await fetch(`http://127.0.0.1:${port}/suggestions`)).status).toBe(401);
  await tmux?.kill();
  blocker = net.createServer();
  await new Promise<void>((resolve) => blocker?.listen(taken, '127.0.0.1', resolve));
  const companion = await open({ tcp_port: taken }, place);
  await companion.keys('2');
  await companion.until('the Review screen', (screen) => screen.includes('No suggestion'));
  expect(await companion.screen()).not.toContain(`port ${taken}`);
});

it('announces a suggestion, counts it in the tab, and shows its author’s messages if configured', async () => {
  const port = await freePort();
  const companion = await open({ tcp: true, tcp_port: port, auth: 'none', on_status: true });
  await until('the port', () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await companion.until('the warning', (screen) => headerOf(screen).includes('auth: none'));
  await post(port, '/status', { message: 'Testing' });
  await companion.until('the progress', (screen) => headerOf(screen).includes('Testing'));
  const suggestion = {
    description: 'Two edits',
    working_directory: path.join(root, 'project'),
    patch: patchOf('f'),
  };
  await post(port, '/suggestions', suggestion);
  await companion.until('the news', (screen) =>
    screen.includes('Suggestion ready: Two edits (2 hunks in 1 file)'),
  );
  expect(headerOf(await companion.screen())).toMatch(/2( Review )?●1/);
  await post(port, '/status', { message: 'It broke', error_code: 'experiment_failed' });
  await companion.until('the error', (screen) => screen.includes('An AI reports an error: It broke'));
});

it('does not show what authors report, unless it is an error', async () => {
  const port = await freePort();
  const companion = await open({ tcp: true, tcp_port: port, auth: 'none' });
  await companion.until('the warning', (screen) => headerOf(screen).includes('auth: none'));
  await post(port, '/status', { message: 'Testing' });
  await post(port, '/status', { message: 'It broke', error_code: 'experiment_failed' });
  await companion.until('the error', (screen) => screen.includes('It broke'));
  expect(headerOf(await companion.screen())).not.toContain('Testing');
});

it('mentions the port of another leader, too, and only while that one leads', async () => {
  const place = makePlace();
  const port = await freePort();
  leader = new ServeProcess({ home: root, port, env: { ...copaneEnv(place), COPANE_AUTH: 'none' } });
  await leader.says('suggestions on');
  const companion = await open({}, place);
  await companion.until('the warning', (screen) => headerOf(screen).includes('auth: none'));
  await leader.kill('SIGTERM');
  await companion.until('its end', (screen) => !headerOf(screen).includes('auth: none'));
});
