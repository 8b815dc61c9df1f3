import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NODE } from '../../helpers/product.ts';
import { buildDemo } from '../../helpers/ui-demo-build.ts';
import { type PtyProgram, startInPty } from '../../helpers/ui-pty.ts';

let bundle = '';
beforeAll(async () => {
  bundle = await buildDemo();
});

let program: PtyProgram | null = null;
afterEach(() => {
  program?.kill('SIGKILL');
  program = null;
});

interface Start {
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
}

/** Runs the demo from a shell, which then prints the terminal's state. */
function start({ env = {}, args = [], columns = 80, rows = 24 }: Start = {}): PtyProgram {
  const script = `"$0" "$@"; echo "code $?"; stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo|isig)'; echo shell-is-back; read _`;
  program = startInPty(['/bin/sh', '-c', script, NODE, bundle, ...args], { columns, rows, env });
  return program;
}

async function pidOf(app: PtyProgram): Promise<number> {
  const { readFileSync } = await import('node:fs');
  const children = readFileSync(`/proc/${app.pid}/task/${app.pid}/children`, 'utf8').trim().split(' ');
  return Number(children[0]);
}

const READY = 'Why does the parser';
const ready = (app: PtyProgram) => app.until('the list', (screen) => screen.includes(READY));

async function expectWholeTerminal(app: PtyProgram): Promise<string> {
  const screen = await app.until('the shell again', (text) => text.includes('shell-is-back'));
  expect(app.isAlternate()).toBe(false);
  expect(app.isCursorVisible()).toBe(true);
  const lines = screen.split('\n').map((line) => line.trim());
  expect(lines).toEqual(expect.arrayContaining(['icanon', 'echo', 'isig']));
  // Bracketed paste is off again: the last sequence decides.
  expect(app.raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(app.raw().lastIndexOf('\u001b[?2004h'));
  return screen;
}

describe('restores the terminal', () => {
  it('after q', async () => {
    const app = start();
    await ready(app);
    expect(app.isAlternate()).toBe(true);
    app.type('q');
    expect(await expectWholeTerminal(app)).toContain('code 0');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('after %s', async (signal, code) => {
    const app = start();
    await ready(app);
    process.kill(await pidOf(app), signal);
    expect(await expectWholeTerminal(app)).toContain(`code ${code}`);
  });

  it('after a crash, whose message is readable', async () => {
    const app = start({ env: { DEMO_CRASH_MS: '300' } });
    await ready(app);
    const screen = await expectWholeTerminal(app);
    expect(screen).toContain('the demo was asked to crash');
    expect(screen).toContain('code 1');
  });
});

describe('keys in a real terminal', () => {
  it('splits a burst into its keys, in order', async () => {
    const app = start();
    await ready(app);
    app.type('jj\rGqq');
    // j j marks the third turn, Enter reads it, G goes to the end, q goes back, q quits.
    await expectWholeTerminal(app);
    const app2 = start();
    await ready(app2);
    app2.type('jj');
    await app2.until('the third turn', (screen) => screen.includes('3 of 3'));
  });

  it('shows the first frame at once: the skeleton appears before the surface loads', async () => {
    const app = start();
    await ready(app);
    const raw = app.raw();
    expect(raw.indexOf('copane')).toBeLessThan(raw.indexOf(READY));
  });

  it('draws no colour with NO_COLOR', async () => {
    const app = start({ env: { NO_COLOR: '1' } });
    await ready(app);
    expect(app.raw()).not.toMatch(/\u001b\[[0-9;]*[34][0-9](;[0-9]+)*m/);
  });

  it('draws lines without boxes or colours in plain mode', async () => {
    const app = start({ args: ['--plain'] });
    const screen = await ready(app);
    expect(screen).toContain('1 of 3: Why does the parser lose the last line?, ');
    expect(app.isAlternate()).toBe(false);
    expect(app.raw()).not.toMatch(/[─│▸●]/);
    app.type('j');
    await app.until('the second turn', (text) => text.includes('> 2 of 3'));
    app.type('q');
    await expectWholeTerminal(app);
  });

  it('follows terminal sizes, down to the smallest', async () => {
    const app = start();
    await ready(app);
    app.resize(40, 12);
    await app.until(
      'the narrow list',
      (screen) => screen.includes('1 of 3') && !screen.includes('transcript'),
    );
    app.resize(24, 6);
    await app.until('the one line', (screen) =>
      screen.replace(/\s+/g, ' ').includes('copane needs 30x8, this is 24x6.'),
    );
    app.resize(120, 40);
    await app.until('the wide frame', (screen) => {
      const lines = screen.split('\n');
      return (
        screen.includes('Draft') &&
        (lines[0]?.includes('2 Review') ?? false) &&
        (lines[39]?.includes('help') ?? false)
      );
    });
  });
});

describe('the draft in a real terminal', () => {
  const ESC = '\u001b';

  it('takes a paste with line ends and escapes as text, keeps it over a resize, sends it by two keys', async () => {
    const app = start();
    await ready(app);
    app.type(`o${ESC}[200~first\rq${ESC}[2Jlast${ESC}[201~`);
    await app.until('the pasted text', (screen) => screen.includes('␛[2Jlast'));
    app.resize(50, 16);
    await app.until(
      'the text at another size',
      (screen) => screen.includes('INSERT') && screen.includes('␛[2Jlast'),
    );
    app.resize(80, 24);
    app.type('!');
    await app.until('the cursor where it was', (screen) => screen.includes('␛[2Jlast!'));
    app.type(`${ESC}`);
    await app.until('normal mode', (screen) => screen.includes('NORMAL'));
    app.type('s');
    await app.until('the preview', (screen) => screen.includes('This will be sent'));
    app.type('\r');
    await app.until('the answer', (screen) => screen.includes('1 of 4') && screen.includes('40 lines'));
    app.type('qq');
    const screen = await expectWholeTerminal(app);
    expect(screen.replace(/\n/g, '')).toContain('sent: ["first\\nq\\u001b[2Jlast!"]');
  });

  it('hands the whole terminal to $EDITOR and takes it back', async () => {
    const editor = `sh -c 'test -t 0 && stty -a | tr " ;" "\\n\\n" | grep -x icanon; echo "editing $1"; read answer; echo "$answer" >> "$2"'`;
    const script = `${process.env.TMPDIR ?? '/tmp'}/copane-editor-${process.pid}.sh`;
    const { chmodSync, rmSync, writeFileSync } = await import('node:fs');
    writeFileSync(script, `#!/bin/sh\nexec ${editor} sh "$@"\n`);
    chmodSync(script, 0o755);
    const app = start({ env: { EDITOR: script } });
    await ready(app);
    app.type(`omine${ESC}`);
    await app.until('normal mode', (screen) => screen.includes('NORMAL'));
    app.type('E');
    const inside = await app.until('the editor', (screen) => screen.includes('editing +1'));
    expect(inside).toContain('icanon');
    expect(app.isAlternate()).toBe(false);
    app.type('jjq from the editor\r');
    const back = await app.until(
      'the surface again',
      (screen) => screen.includes('jjq from the editor') && screen.includes('NORMAL'),
    );
    expect(back).toContain('mine');
    expect(app.isAlternate()).toBe(true);
    app.type('qq');
    await expectWholeTerminal(app);
    rmSync(script);
  });

  it('saves the typed text when a signal ends it', async () => {
    const app = start();
    await ready(app);
    app.type('otyped last');
    await app.until('the note', (screen) => screen.includes('typed last'));
    process.kill(await pidOf(app), 'SIGTERM');
    await expectWholeTerminal(app);
  });
});
