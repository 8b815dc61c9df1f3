/** The daemon with a language model: nothing waits for it, its answer serves later keys, failures are reported and cost nothing. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../../src/platform/process-state.ts';
import { DaemonProcess } from '../../helpers/completion-daemon.ts';
import { installStandIn } from '../../helpers/llama-stand-in.ts';
import { ModelServer } from '../../helpers/model-server.ts';
import { until } from '../../helpers/until.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const HISTORY = [
  'zeta deploy --all',
  'zeta status',
  'curl -u admin:hunter22 https://example.org',
  'export API_TOKEN=abcd1234efgh5678',
  'mysql -u root -phunter22 shop',
];

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A question that follows too soon replaces the one before it, also at the model. */
const PATIENT = { intervalMs: 600 };

interface Reply {
  readonly candidates: readonly { readonly completion: string; readonly source: string }[];
  readonly error?: { readonly code: string; readonly models?: readonly unknown[] };
  readonly notice?: string;
}

async function daemonWith(env: Readonly<Record<string, string>>): Promise<DaemonProcess> {
  const daemon = new DaemonProcess();
  cleanups.push(() => daemon.dispose());
  return daemon.start(HISTORY, { COPANE_HIDDEN_SHELL: '0', ...env });
}

async function modelServer(): Promise<ModelServer> {
  const server = await new ModelServer().start();
  cleanups.push(() => server.stop());
  return server;
}

const serverEnv = (server: ModelServer) => ({
  COPANE_COMPLETION_MODEL: 'llama-server',
  COPANE_COMPLETION_MODEL_URL: server.url,
});

async function ask(daemon: DaemonProcess, input: string): Promise<Reply> {
  return JSON.parse(
    await daemon.ask(
      JSON.stringify({
        request_id: 1,
        input,
        cursor_pos: Buffer.byteLength(input),
        cwd: '/tmp',
        session_id: 's',
        max_candidates: 4,
        cursor_unit: 'byte',
      }),
    ),
  ) as Reply;
}

const linesOf = (reply: Reply) => reply.candidates.map(({ completion }) => completion);

describe('a model server', () => {
  it('is not waited for, and its answer serves the next key', async () => {
    const server = await modelServer();
    server.answer = ({ body }) =>
      'quxi --said-by-model'.slice(String(body.input_prefix).split('$ ').at(-1)?.length);
    server.faults.set('*', { kind: 'slow', ms: 300 });
    const daemon = await daemonWith(serverEnv(server));
    const started = performance.now();
    expect(linesOf(await ask(daemon, 'qux'))).toEqual([]);
    expect(performance.now() - started).toBeLessThan(250);
    await until(
      'the answer of the model',
      async () => (await ask(daemon, 'quxi')).candidates.some(({ source }) => source === 'model'),
      PATIENT,
    );
    expect(linesOf(await ask(daemon, 'quxi --s'))).toContain('quxi --said-by-model');
  });

  it.each(['cut', 'garbage', 'hang', 'reset'] as const)(
    'that fails (%s) costs no candidate, and is named in a notice, or in an error if there is nothing else',
    async (kind) => {
      const server = await modelServer();
      server.faults.set('*', { kind });
      const daemon = await daemonWith(serverEnv(server));
      await until('the history', async () => linesOf(await ask(daemon, 'zeta st')).includes('zeta status'));
      await until(
        'an error where there is nothing else',
        async () => (await ask(daemon, 'nothing-starts-so')).error?.code === 'inference_unavailable',
        { ...PATIENT, timeoutMs: 20_000 },
      );
      const reply = await ask(daemon, 'zeta st');
      expect(linesOf(reply)).toContain('zeta status');
      expect(reply.error).toBeUndefined();
      expect(reply.notice).toContain('llama-server');
    },
    40_000,
  );

  it('is told no secret: not of the history, not of the line, not of the folder', async () => {
    const server = await modelServer();
    server.answer = () => ' --more';
    const daemon = await daemonWith(serverEnv(server));
    for (const input of [
      'curl -u admin:hunter22 https',
      'mysql -phunter22 sh',
      'export X_TOKEN=abcd1234',
      'curl ex',
    ])
      await ask(daemon, input);
    await until('a question', () => server.questions.length > 0);
    expect(server.told).toContain('curl ex');
    expect(server.told).not.toMatch(/hunter22|abcd1234/);
  });

  it('is not asked about a private line, nor when the engine is sure', async () => {
    const server = await modelServer();
    const daemon = await daemonWith(serverEnv(server));
    await ask(daemon, ' zeta private');
    await ask(daemon, 'zz marker');
    await until('the marker', () => server.told.includes('zz marker'));
    expect(server.told).not.toContain('private');
  });
});

describe('a GGUF file', () => {
  const ggufEnv = (dataHome: string) => ({
    COPANE_COMPLETION_MODEL: 'gguf',
    COPANE_COMPLETION_MODEL_NAME: 'tiny.gguf',
    XDG_DATA_HOME: dataHome,
  });

  function dataHome(): string {
    const home = path.join('/tmp', `copane-data-${process.pid}-${Math.floor(performance.now())}`);
    mkdirSync(path.join(home, 'copane/models'), { recursive: true });
    return home;
  }

  const childrenOf = (pid: number) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
        } catch {
          // Processes come and go during the check.
          return false;
        }
      });

  it('is answered by a process that ends with the daemon, even by SIGKILL', async () => {
    const home = dataHome();
    installStandIn(path.join(home, 'copane'));
    writeFileSync(path.join(home, 'copane/models/tiny.gguf'), 'GGUF');
    const daemon = await daemonWith(ggufEnv(home));
    await until(
      'the answer of the model',
      async () => linesOf(await ask(daemon, 'quxi')).some((line) => line.startsWith('quxi-of-')),
      PATIENT,
    );
    const children = childrenOf(daemon.pid);
    expect(children).not.toEqual([]);
    await daemon.end('SIGKILL');
    await until('the end of the model', () => !children.some((pid) => isAlive(Number(pid))));
  });

  it('that is missing is offered by the shell at the next prompt, even beside candidates', async () => {
    const home = dataHome();
    const daemon = await daemonWith({
      ...ggufEnv(home),
      COPANE_COMPLETION_MODEL_URL: 'https://example.org/tiny.gguf',
      COPANE_COMPLETION_MODEL_SHA256: 'a'.repeat(64),
    });
    const missing = await until(
      'an error',
      async () => {
        const reply = await ask(daemon, 'nothing-starts-so');
        return reply.error === undefined ? null : reply.error;
      },
      PATIENT,
    );
    expect(missing).toMatchObject({ code: 'model_not_found', models: [{ name: 'tiny.gguf' }] });
    expect((await ask(daemon, 'zeta st')).notice).toContain('tiny.gguf');
    const zsh = new ZshPty({ socket: daemon.socket });
    cleanups.push(() => zsh.close());
    await zsh.ready();
    zsh.type('zeta st');
    await zsh.untilText(') zeta status');
    expect(zsh.screen).not.toContain('Download');
    zsh.type('\u0015true\r');
    await zsh.untilText('Download it now?');
    zsh.type('n');
    await zsh.until((screen) => screen.endsWith('\n#'));
    zsh.type('zeta st');
    await zsh.untilText(') zeta status');
    zsh.type('\u0015true\r');
    await zsh.until((screen) => screen.endsWith('# true\n#'));
  });
});
