import { describe, expect, test } from 'vitest';
import {
  aiPaneCommand,
  chooseAi,
  openAiArguments,
  openArguments,
  placeCompanion,
  planRepair,
  sessionNameFor,
} from './plan.ts';

describe('placeCompanion', () => {
  test.each([
    [80, 23, { side: 'below', rows: 12 }],
    [80, 24, { side: 'below', rows: 12 }],
    [124, 50, { side: 'below', rows: 20 }],
    [125, 50, { side: 'right', columns: 44 }],
    [160, 10, { side: 'right', columns: 67 }],
    [250, 50, { side: 'right', columns: 90 }],
    [40, 23, { side: 'below', rows: 12 }],
    [39, 50, { side: 'window' }],
    [80, 22, { side: 'window' }],
    [60, 14, { side: 'window' }],
  ])('%i×%i', (columns, rows, placement) => {
    expect(placeCompanion({ columns, rows })).toEqual(placement);
  });

  test('both panes can be used at every size', () => {
    const isUsable = (columns: number, rows: number): boolean => {
      const placement = placeCompanion({ columns, rows });
      if (placement.side === 'window') return true;
      if (placement.side === 'right') return columns - 1 - placement.columns >= 80 && placement.columns >= 40;
      return rows - 1 - placement.rows >= 10 && placement.rows >= 12 && columns >= 40;
    };
    const sizes = Array.from({ length: 380 }, (_, at) => at + 20).flatMap((columns) =>
      Array.from({ length: 85 }, (_, at) => [columns, at + 5] as const),
    );
    expect(sizes.filter(([columns, rows]) => !isUsable(columns, rows))).toEqual([]);
  });
});

describe('where panes are opened', () => {
  const wanted = {
    beside: '%3',
    window: '@1',
    folder: '/home/dev/a #S',
    command: ['copane', 'tui', '--pane', '%3'],
  };
  const print = ['-P', '-F', '#{pane_id}'];
  const rest = ['-c', '/home/dev/a ##S', 'copane', 'tui', '--pane', '%3'];

  test.each([
    [{ side: 'right', columns: 50 }, ['split-window', '-d', ...print, '-t', '%3', '-h', '-l', '50', ...rest]],
    [{ side: 'below', rows: 12 }, ['split-window', '-d', ...print, '-t', '%3', '-v', '-l', '12', ...rest]],
    [{ side: 'window' }, ['new-window', '-d', '-a', ...print, '-t', '@1', '-n', 'copane', ...rest]],
  ] as const)(
    'opens the companion %j, with the command as arguments, not as a string',
    (placement, words) => {
      expect(openArguments({ ...wanted, placement })).toEqual(words);
    },
  );

  test.each([
    [{ columns: 160, rows: 40 }, ['split-window', '-b', ...print, '-t', '%3', '-h', '-l', '92']],
    [{ columns: 80, rows: 40 }, ['split-window', '-b', ...print, '-t', '%3', '-v', '-l', '23']],
    [{ columns: 80, rows: 12 }, ['new-window', '-a', ...print, '-t', '@1']],
    [null, ['new-window', '-a', ...print, '-t', '@1']],
  ] as const)('opens an AI pane before a companion of %j', (companion, words) => {
    expect(openAiArguments(wanted, companion)).toEqual([...words, ...rest]);
  });
});

describe('planRepair', () => {
  const PANES = {
    ai: { made: 'ai', isAi: true },
    ownAi: { isAi: true },
    shellOfAi: { made: 'ai', isAi: true, hasEnded: true },
    companion: { made: 'companion', isCompanion: true },
    deadCompanion: { made: 'companion', isCompanion: true, hasEnded: true },
    shell: { hasEnded: true },
  } as const;
  test.each([
    [['ai', 'companion'], { ai: { do: 'keep', paneId: '%0' }, companion: '%1' }],
    [['ai'], { ai: { do: 'keep', paneId: '%0' }, companion: null }],
    [['ai', 'deadCompanion'], { ai: { do: 'keep', paneId: '%0' }, companion: null }],
    [['companion'], { ai: { do: 'open' }, companion: '%0' }],
    [['shellOfAi', 'companion'], { ai: { do: 'restart', paneId: '%0' }, companion: '%1' }],
    [['shellOfAi', 'ownAi'], { ai: { do: 'keep', paneId: '%1' }, companion: null }],
    [['shell'], { ai: { do: 'open' }, companion: null }],
    [['ownAi', 'companion'], { ai: { do: 'keep', paneId: '%0' }, companion: '%1' }],
  ] as const)('%j', (names, expected) => {
    const none = { made: '', isAi: false, isCompanion: false, hasEnded: false };
    const panes = names.map((name, index) => ({ ...none, ...PANES[name], paneId: `%${index}` }));
    expect(planRepair(panes)).toEqual(expected);
  });
});

describe('sessionNameFor', () => {
  test.each([
    ['/home/dev/project', 'copane-project'],
    ['/home/dev/a.b:c', 'copane-a_b_c'],
    ['/home/dev/été', 'copane-été'],
    ['/', 'copane-root'],
  ])('%s', (folder, name) => {
    expect(sessionNameFor(folder, [])).toEqual({ name, exists: false });
  });

  test('a folder finds its session again, another folder of that name gets its own', () => {
    const sessions = [{ name: 'copane-api', path: '/home/dev/one/api' }];
    expect(sessionNameFor('/home/dev/one/api', sessions)).toEqual({ name: 'copane-api', exists: true });
    const other = sessionNameFor('/home/dev/two/api', sessions);
    expect(other.exists).toBe(false);
    expect(other.name).toMatch(/^copane-api-[0-9a-f]{6}$/);
    expect(
      sessionNameFor('/home/dev/two/api', [...sessions, { name: other.name, path: '/home/dev/two/api' }])
        .exists,
    ).toBe(true);
  });
});

describe('chooseAi', () => {
  test.each([
    [['claude', '--resume'], ['codex'], true, { kind: 'run', argv: ['claude', '--resume'] }],
    [[], [], true, { kind: 'tour' }],
    [[], ['codex'], true, { kind: 'run', argv: ['codex'] }],
    [[], ['claude', 'codex'], true, { kind: 'ask', among: ['claude', 'codex'] }],
    [[], ['claude', 'codex'], false, { kind: 'run', argv: ['claude'] }],
  ])('asked %j, installed %j, can ask %s', (asked, installed, canAsk, choice) => {
    expect(chooseAi(asked, installed, canAsk)).toEqual(choice);
  });
});

test('the AI pane outlives its program, and its arguments are never part of a script', () => {
  const command = aiPaneCommand(['claude', '$(touch x)']);
  expect(command.slice(-2)).toEqual(['claude', '$(touch x)']);
  expect(command[2]).not.toContain('claude');
});
