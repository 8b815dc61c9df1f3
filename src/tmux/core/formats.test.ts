import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSamePane, PANE_FORMAT, parseEnvironmentLine, parsePane, parsePanes } from './formats.ts';

const LINE =
  '77|~|%3|~|900|~|$1|~|@2|~|1|~|0|~|0|~|1|~|0|~|80|~|24|~|6|~|1|~|100|~|0|~|0|~||~|1|~|ai|~|companion|~|/dev/pts/4|~|/tmp/s|~|vm|~|node|~|work|~|main|~|/home/u/a b|~|title |~| with it';
/** The fields of the format, as requested from tmux. */
const FIELDS = PANE_FORMAT.split(/(?<=\})\|~\|(?=#\{)/);

/** The output of tmux for a pane with these values. */
function printed(values: Readonly<Record<string, string>>): string {
  const own = LINE.split('|~|');
  const print = (field: string, at: number) => {
    const [, pattern, name = ''] = /^#\{(?:s\/(.*)\/\?\/:)?([@\w]+)\}$/.exec(field) ?? [];
    const value = values[name] ?? own[at] ?? '';
    return pattern === undefined ? value : value.replace(new RegExp(pattern, 'g'), '?');
  };
  return FIELDS.map(print).join('|~|');
}

describe('pane line', () => {
  it('has the fields of the format', () => {
    expect(FIELDS).toHaveLength(29);
    expect(parsePane(LINE)).toMatchObject({
      identity: { socketPath: '/tmp/s', serverPid: 77, paneId: '%3', panePid: 900 },
      sessionId: '$1',
      windowId: '@2',
      windowIndex: 1,
      dead: false,
      inMode: true,
      width: 80,
      height: 24,
      cursorY: 6,
      cursorShown: true,
      historySize: 100,
      bracketedPaste: null,
      role: 'ai',
      made: 'companion',
      tty: '/dev/pts/4',
      currentCommand: 'node',
      cwd: '/home/u/a b',
      title: 'title |~| with it',
    });
  });

  it('has no title if tmux has set the name of the machine', () => {
    expect(parsePane(LINE.replace('title |~| with it', 'vm'))?.title).toBe('');
  });

  it('keeps each name in its own field, whatever it contains', () => {
    const name = fc.string({ unit: fc.constantFrom('|', '~', '#', '{', '}', '\n', '/', 'a') });
    const names = ['@copane_role', '@copane_made', 'socket_path', 'host', 'pane_current_command'];
    const places = ['session_name', 'window_name', 'pane_current_path'];
    const all = fc.tuple(...[...names, ...places].map(() => name));
    fc.assert(
      fc.property(all, ([role = '', made = '', socket = '', host = '', command = '', ...rest]) => {
        const [sessionName = '', windowName = '', cwd = ''] = rest;
        const values = [role, made, socket, host, command, sessionName, windowName, cwd];
        const given = [...names, ...places].map((field, at) => [field, values[at] ?? '']);
        const line = printed({ ...Object.fromEntries(given), pane_title: 'a |~|| b' });
        const pane = parsePane(line);
        expect(line).not.toContain('\n');
        const shown = values.map((value) => value.replace(/\n|\|~/g, '?'));
        expect([pane?.role, pane?.made, pane?.identity.socketPath]).toEqual(shown.slice(0, 3));
        expect([pane?.currentCommand, pane?.sessionName, pane?.windowName, pane?.cwd]).toEqual(
          shown.slice(4),
        );
        expect(pane?.title).toBe('a |~|| b');
      }),
    );
  });

  it('of a missing pane is null', () => {
    expect(parsePane(LINE.replace('%3', ''))).toBeNull();
    expect(parsePane('')).toBeNull();
  });

  it('reports bracketed paste if tmux knows it, and not in copy mode', () => {
    const flag = (value: string, inMode: string) => {
      const line = LINE.replace('|~|0|~||~|1', `|~|0|~|${value}|~|1`);
      return parsePane(line.replace('|~|0|~|1|~|0|~|80', `|~|0|~|${inMode}|~|0|~|80`))?.bracketedPaste;
    };
    expect([flag('1', '0'), flag('0', '0'), flag('', '0')]).toEqual([true, false, null]);
    expect(flag('0', '1')).toBeNull();
  });

  it('lists a pane of a linked window once', () => {
    expect(parsePanes(`${LINE}\n${LINE.replace('$1', '$2')}\n`)).toHaveLength(1);
  });

  it('identifies a pane by server, id and process', () => {
    const pane = parsePane(LINE);
    if (pane === null) throw new Error('not read');
    expect(isSamePane(pane, pane.identity)).toBe(true);
    for (const other of [{ serverPid: 1 }, { panePid: 1 }, { paneId: '%4' }]) {
      expect(isSamePane(pane, { ...pane.identity, ...other })).toBe(false);
    }
  });
});

describe('environment line', () => {
  it.each([
    ['AI_PANE=%5\n', '%5'],
    ['AI_PANE=a=b\n', 'a=b'],
    ['-AI_PANE\n', null],
    ['', null],
  ])('%j', (output, expected) => {
    expect(parseEnvironmentLine(output, 'AI_PANE')).toBe(expected);
  });
});
