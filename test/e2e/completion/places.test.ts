/** The daemon with unusual user files: history changed while read, no history file named, no home, another user's socket. */
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../../helpers/completion-daemon.ts';
import { until } from '../../helpers/until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function makeDaemon(): DaemonProcess {
  const daemon = new DaemonProcess();
  cleanups.push(() => daemon.dispose());
  return daemon;
}

const QUIET = { COPANE_HIDDEN_SHELL: '0' };

async function linesFor(daemon: DaemonProcess, input: string): Promise<readonly string[]> {
  const answer = await daemon.ask(JSON.stringify({ request_id: 1, input, cwd: '/', max_candidates: 16 }));
  const { candidates } = JSON.parse(answer) as { candidates: readonly { completion: string }[] };
  return candidates.map(({ completion }) => completion);
}

const knows = (daemon: DaemonProcess, input: string, line: string) =>
  until(line, async () => (await linesFor(daemon, input)).includes(line), {
    timeoutMs: 15_000,
    intervalMs: 100,
  });

describe('a history file', () => {
  it('may be rewritten, cut and replaced while it is followed', async () => {
    const daemon = makeDaemon();
    await daemon.start(['zeta first --one'], QUIET);
    await knows(daemon, 'zeta fi', 'zeta first --one');
    // zsh trims by writing a new file in place of the old one.
    writeFileSync(`${daemon.histfile}.new`, ': 1700000001:0;zeta first --one\n');
    renameSync(`${daemon.histfile}.new`, daemon.histfile);
    await until('a look', async () => (await linesFor(daemon, 'zeta fi')).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    appendFileSync(daemon.histfile, ': 1700000002:0;zeta second --two\n');
    await knows(daemon, 'zeta se', 'zeta second --two');
    truncateSync(daemon.histfile, 0);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    appendFileSync(daemon.histfile, ': 1700000003:0;zeta third --three\n');
    await knows(daemon, 'zeta th', 'zeta third --three');
    expect(await linesFor(daemon, 'zeta fi')).not.toContain('zeta first --one');
  });

  it('may grow in the middle of a line or character', async () => {
    const daemon = makeDaemon();
    await daemon.start(['zeta first'], QUIET);
    await knows(daemon, 'zeta fi', 'zeta first');
    // zsh writes its own bytes as 0x83 and the byte with one bit flipped: the last byte of é is one.
    const line = Buffer.concat([
      Buffer.from(': 1700000002:0;zeta caf'),
      Buffer.from([0xc3, 0x83, 0xa9 ^ 0x20]),
      Buffer.from(' --now\n'),
    ]);
    appendFileSync(daemon.histfile, line.subarray(0, 24));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    appendFileSync(daemon.histfile, line.subarray(24));
    await knows(daemon, 'zeta ca', 'zeta café --now');
  });

  it('with garbage between good lines gives the good lines', async () => {
    const daemon = makeDaemon();
    await daemon.start([], QUIET);
    appendFileSync(
      daemon.histfile,
      Buffer.concat([
        Buffer.from(': 17:0;zeta good --a\n: not a stamp;\n\\\n\\\n'),
        Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x83, 0x0a, 0x80, 0x0a]),
        Buffer.from(`${'x'.repeat(200_000)}\n`),
        Buffer.from(': 99999999999999999:0;zeta odd\nzeta plain --b\n'),
      ]),
    );
    await knows(daemon, 'zeta pl', 'zeta plain --b');
    expect(await linesFor(daemon, 'zeta go')).toContain('zeta good --a');
  });

  it('that no variable names is found where zsh set-ups keep it', async () => {
    const daemon = makeDaemon();
    writeFileSync(path.join(daemon.dir, '.zsh_history'), ': 1:0;zeta from-home --x\n');
    await daemon.start([], { ...QUIET, HISTFILE: '' });
    await knows(daemon, 'zeta fr', 'zeta from-home --x');
  });

  it('that only the shell knows is named by it', async () => {
    const daemon = makeDaemon();
    const file = path.join(daemon.dir, 'elsewhere');
    writeFileSync(file, ': 1:0;zeta elsewhere --x\n');
    await daemon.start([], { ...QUIET, HISTFILE: '' });
    await daemon.ask(JSON.stringify({ type: 'context', cwd: '/', histfile: file }));
    await knows(daemon, 'zeta el', 'zeta elsewhere --x');
  });
});

describe('a home', () => {
  it('that cannot be written loses only what a restart should remember', async () => {
    const daemon = makeDaemon();
    await daemon.start(['zeta status'], { ...QUIET, HOME: '/proc/nowhere', XDG_STATE_HOME: '/proc/nowhere' });
    await knows(daemon, 'zeta st', 'zeta status');
    await daemon.ask(
      JSON.stringify({ type: 'event', event: 'executed', line: 'zeta learned --x', cwd: '/' }),
    );
    await knows(daemon, 'zeta le', 'zeta learned --x');
    expect(await daemon.ask('{"action":"validate"}')).toContain('warnings');
  });
});

describe('a socket', () => {
  it('of another user is left alone', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can give a file away');
    const daemon = makeDaemon();
    const theirs = net.createServer();
    await new Promise<void>((resolve) => theirs.listen(daemon.socket, resolve));
    chownSync(daemon.socket, 65_534, 65_534);
    cleanups.push(() => new Promise((resolve) => theirs.close(resolve)));
    await expect(daemon.start([], QUIET)).rejects.toThrow(/belongs to another user/);
  });
});

it('completion functions of a .zshrc are asked, and what a killed daemon has left is cleared away', async () => {
  const daemon = makeDaemon();
  const left = path.join(daemon.dir, 'copane-hidden-4194305-x');
  mkdirSync(left);
  writeFileSync(
    path.join(daemon.dir, '.zshrc'),
    'autoload -Uz compinit; compinit -u -D\n_zetatool() { compadd -- alpha-one beta-two; _files }\ncompdef _zetatool zetatool\nfunctions[zetabare]=true\n',
  );
  // An unset variable must stay unset.
  await daemon.start([], { ZDOTDIR: undefined, TMPDIR: daemon.dir } as unknown as Readonly<
    Record<string, string>
  >);
  await daemon.ask(
    JSON.stringify({ type: 'context', cwd: '/', session_id: '1', names: 'zetatool zetabare' }),
  );
  await knows(daemon, 'zetatool ', 'zetatool beta-two');
  expect(existsSync(left)).toBe(false);
  // zsh offers files where it knows nothing, or besides what it knows.
  for (const line of ['zetatool e', 'zetabare e', 'zetatool '])
    expect(await linesFor(daemon, line), line).not.toContainEqual(expect.stringMatching(/ (?:etc|usr)\b/));
});

it('a stop while the hidden shell starts, works or idles ends the process cleanly', async () => {
  for (const waitMs of [0, 100, 400, 1_200]) {
    const daemon = makeDaemon();
    await daemon.start(['git status']);
    await daemon.ask(JSON.stringify({ request_id: 1, input: 'git sh', cwd: '/', max_candidates: 4 }));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    expect(await daemon.end('SIGTERM')).toBe(0);
  }
});
