import { describe, expect, test } from 'vitest';
import { aiPaneCommand, chooseAi, placeCompanion, sessionNameFor, splitArguments } from './plan.ts';

describe('placeCompanion', () => {
  test.each([
    [80, { side: 'below', percent: 40 }],
    [124, { side: 'below', percent: 40 }],
    [125, { side: 'right', columns: 44 }],
    [160, { side: 'right', columns: 67 }],
    [250, { side: 'right', columns: 90 }],
  ])('%i columns', (columns, placement) => {
    expect(placeCompanion(columns)).toEqual(placement);
  });

  test('the AI keeps 80 columns at every width', () => {
    for (let columns = 125; columns < 400; columns += 1) {
      const placement = placeCompanion(columns);
      expect(placement.side).toBe('right');
      if (placement.side === 'right') expect(columns - 1 - placement.columns).toBeGreaterThanOrEqual(80);
    }
  });
});

test('split-window gets the companion as arguments, not as a string', () => {
  expect(
    splitArguments('%3', { side: 'right', columns: 50 }, '/home/dev/a b', ['copane', 'tui', '--pane', '%3']),
  ).toEqual([
    'split-window',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-t',
    '%3',
    '-h',
    '-l',
    '50',
    '-c',
    '/home/dev/a b',
    'copane',
    'tui',
    '--pane',
    '%3',
  ]);
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

  test('the same folder finds its session, another one of that name gets its own', () => {
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

test('the AI pane outlives its program, and its words are never part of a script', () => {
  const command = aiPaneCommand(['claude', '$(touch x)']);
  expect(command.slice(-2)).toEqual(['claude', '$(touch x)']);
  expect(command[2]).not.toContain('claude');
});
