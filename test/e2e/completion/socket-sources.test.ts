/** What the completion daemon reads: the history file, and the user's own zsh completion. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DaemonProcess, type Reply, request } from '../../helpers/completion-daemon.ts';
import { until } from '../../helpers/until.ts';

describe('the history file', () => {
  it.each([
    ['missing', (file: string) => rmSync(file)],
    [
      'a folder',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ['unreadable', (file: string) => chmodSync(file, 0)],
    [
      'a pipe',
      (file: string) => {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
    ],
    [
      'binary',
      (file: string) =>
        writeFileSync(file, Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256))),
    ],
  ])('may be %s', async (_name, make) => {
    const other = await new DaemonProcess().start(['ls']);
    await other.end();
    make(other.histfile);
    await other.restart();
    expect(JSON.parse(await other.ask(request({})))).toMatchObject({ request_id: 1 });
    await other.dispose();
  });

  it('is followed while it grows', async () => {
    const other = await new DaemonProcess().start(['ls']);
    writeFileSync(other.histfile, ': 1700000009:0;grown --by-another-shell\n', { flag: 'a' });
    await until('the answer', async () =>
      (await other.ask(request({ input: 'grown', cursor_pos: 5 }))).includes('another-shell'),
    );
    await other.dispose();
  });

  it('is amended: a shell that asked too early is told that there is more, after its answer', async () => {
    const other = await new DaemonProcess().start(
      Array.from({ length: 100_000 }, (_, at) => `command${at % 5000} --option ${at}`),
    );
    const shell = net.connect(other.socket);
    let heard = '';
    shell.setEncoding('utf8').on('data', (piece) => {
      heard += piece;
    });
    const early = request({ request_id: 7, session_id: 'early', input: 'command4999 ', format: 'sep1' });
    shell.write(`${early}\n`);
    try {
      // On a busy machine it may already be read: the answer has its lines, and nothing more is announced.
      await until('the answer', async () => heard.includes('more') || heard.includes('--option'));
      expect(heard).toMatch(/^sep1\u001f7\u001f[^\n]*\n(?:more\u001f7\n)?$/);
    } finally {
      shell.destroy();
      await other.dispose();
    }
  });

  it('may have a million lines: answers come from the first moment on', async () => {
    const other = new DaemonProcess();
    const lines = Array.from({ length: 1_000_000 }, (_, at) => `command${at % 5000} --option ${at}`);
    await other.start(lines);
    const slowest = { ms: 0 };
    const deadline = Date.now() + 60_000;
    for (;;) {
      const started = performance.now();
      const answer = await other.ask(request({ input: 'command4999 --option 99', cursor_pos: 23 }));
      slowest.ms = Math.max(slowest.ms, performance.now() - started);
      if (answer.includes('--option 99')) break;
      if (Date.now() > deadline) throw new Error('the long history was not read');
    }
    expect(slowest.ms).toBeLessThan(2_000);
    await other.dispose();
  });
});

describe("the user's own zsh completion", () => {
  it('appears although only the .zshrc defines it, and nothing in it is run', async () => {
    const other = new DaemonProcess();
    const trace = path.join(other.dir, 'ran');
    writeFileSync(
      path.join(other.dir, '.zshrc'),
      [
        'autoload -Uz compinit; compinit -u -D',
        `zeta() { print ran > ${trace} }`,
        "_zeta() { _arguments '--deep[go *deeper*]' '--flat[stay]' '*:word:((alpha\\:first beta\\:second \"with blank\"))' }",
        'compdef _zeta zeta',
      ].join('\n'),
    );
    await other.start(['ls'], { ZDOTDIR: other.dir });
    await other.ask('{"type":"context","cwd":"/","names":"zeta"}');
    const ask = async (input: string) =>
      (JSON.parse(await other.ask(request({ input, cursor_pos: input.length }))) as Reply).candidates.map(
        ({ completion, description = '' }) => `${completion} ${description}`.trim(),
      );
    await until('the answer', async () => (await ask('zeta ')).includes('zeta alpha first'));
    expect(await ask('zeta b')).toEqual(['zeta beta second']);
    expect(await ask('zeta ')).not.toContain('zeta with blank');
    await until('the answer', async () => (await ask('zeta --')).includes('zeta --flat stay'));
    expect(await ask('zeta --d')).toEqual(['zeta --deep go *deeper*']);
    expect(existsSync(trace)).toBe(false);
    await other.dispose();
  });

  it('works without a .zshrc, and writes none', async () => {
    const other = await new DaemonProcess().start(['ls'], { ZDOTDIR: '' });
    await until('the answer', async () =>
      (await other.ask(request({ input: 'git sh', cursor_pos: 6 }))).includes('git sh'),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(path.join(other.dir, '.zshrc'))).toBe(false);
    await other.dispose();
  });
});
