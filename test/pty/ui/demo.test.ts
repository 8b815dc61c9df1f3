import { afterEach, beforeAll, describe, expect, it } from 'vitest';
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

const start = (
  env: Record<string, string> = {},
  args: readonly string[] = [],
  columns = 80,
  rows = 24,
): PtyProgram => {
  program = startInPty(
    [
      '/bin/sh',
      '-c',
      `${process.execPath} ${bundle} ${args.join(' ')}; echo "code=$?"; stty -a | grep -o -e '-\\?icanon' -e '-\\?echo ' ; read done`,
    ],
    { columns, rows, env },
  );
  return program;
};

describe('the surface in a terminal', () => {
  it('starts and quits', async () => {
    const app = start();
    await app.until('list', (s) => s.includes('Why does the parser'));
    app.type('jj\rG');
    await app.until('3', (s) => s.includes('3 of 3'));
    app.type('q');
    const text = await app.until('end', (s) => s.includes('echo'));
    console.log(text, app.isAlternate(), app.isCursorVisible());
    expect(1).toBe(1);
  });
});
