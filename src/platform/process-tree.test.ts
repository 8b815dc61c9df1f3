import { describe, expect, it } from 'vitest';
import { createProcessSource, parseProcStat, parsePs } from './process-tree.ts';

describe('process table', () => {
  it('reads a stat whose name holds blanks and parentheses', () => {
    expect(parseProcStat('42 (a) b (c) S 7 40 40 34816 40 4194304')).toEqual({
      pid: 42,
      ppid: 7,
      name: 'a) b (c',
      foreground: true,
      stopped: false,
    });
    expect(parseProcStat('42 (x) T 7 42 40 34816 40 0')).toMatchObject({ foreground: false, stopped: true });
    expect(parseProcStat('garbage')).toBeNull();
  });

  it('reads ps', () => {
    expect(parsePs('  1  0  1  -1 Ss  /sbin/launchd\n 42  1 42 42 S+ node /x/cli.js --a b\n')).toEqual([
      { pid: 1, ppid: 0, argv: ['/sbin/launchd'], foreground: false, stopped: false },
      { pid: 42, ppid: 1, argv: ['node', '/x/cli.js', '--a', 'b'], foreground: true, stopped: false },
    ]);
  });

  it('finds ourselves below our parent, with folder and environment', async () => {
    const source = createProcessSource(process.platform);
    const table = await source.snapshot([process.ppid]);
    const below = table.below(process.ppid);
    expect(below[0]?.pid).toBe(process.ppid);
    expect(below.some((each) => each.pid === process.pid)).toBe(true);
    expect(await source.cwd(process.pid)).toBe(process.cwd());
    expect((await source.environ(process.pid))?.PATH).toBeDefined();
    expect(await source.cwd(999_999_999)).toBeNull();
    expect(await source.environ(999_999_999)).toBeNull();
  });
});
