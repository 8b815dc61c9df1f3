import { describe, expect, it } from 'vitest';
import { type PiRecord, parsePiRecord, piFolderName, readPi } from './pi.ts';
import { Problems } from './problems.ts';

type Link = [id: string, parent: string | null] | null;

function entry(link: Link, message: object): unknown {
  const tree = link === null ? {} : { id: link[0], parentId: link[1] };
  return { type: 'message', timestamp: '2026-01-02T03:04:05Z', ...tree, message };
}

function user(link: Link, content: unknown): unknown {
  return entry(link, { role: 'user', content });
}

function answer(link: Link, content: unknown, stopReason = 'stop', more: object = {}): unknown {
  return entry(link, { role: 'assistant', content, stopReason, ...more });
}

function text(value: string): object {
  return { type: 'text', text: value };
}

const CALL = { type: 'toolCall', id: 't', name: 'bash' };

function read(rows: readonly unknown[], complete = true) {
  const problems = new Problems();
  const records = rows.flatMap((row): PiRecord[] => {
    const record = parsePiRecord(row, problems);
    return record === null ? [] : [record];
  });
  return { ...readPi(records, complete), unknown: problems.list() };
}

function brief(rows: readonly unknown[]): unknown {
  const { turns, state } = read(rows);
  return [...turns.map((turn) => `${turn.prompt} → ${turn.parts.join(' | ')} (${turn.progress})`), state];
}

const HEAD = { type: 'session', version: 3, id: 's', cwd: '/x' };
const ONE = [HEAD, user(['u1', null], 'one'), answer(['a1', 'u1'], [text('answer one')])];

const CASES: [string, unknown[], string[]][] = [
  ['a tree', ONE, ['one → answer one (complete)', 'idle']],
  [
    'version 1: the order of the file',
    [
      { type: 'session', id: 's' },
      user(null, [text('one')]),
      answer(null, [{ type: 'thinking' }, text('a')]),
      user(null, 'two'),
      answer(null, 'b'),
    ],
    ['one → a (complete)', 'two → b (complete)', 'idle'],
  ],
  [
    'calls split the text',
    [
      HEAD,
      user(['u1', null], 'one'),
      answer(['a1', 'u1'], [text('look'), CALL], 'toolUse'),
      entry(['r', 'a1'], { role: 'toolResult' }),
      answer(['a2', 'r'], [text('done')]),
    ],
    ['one → look | done (complete)', 'idle'],
  ],
  [
    'a running call',
    [HEAD, user(['u1', null], 'one'), answer(['a1', 'u1'], [CALL], 'toolUse')],
    ['one →  (streaming)', 'working'],
  ],
  [
    'a stopped answer',
    [...ONE, user(['u2', 'a1'], 'two'), answer(['a2', 'u2'], [text('half')], 'aborted')],
    ['one → answer one (complete)', 'two → half (interrupted)', 'idle'],
  ],
  [
    'an abandoned branch',
    [...ONE, user(['u2', 'a1'], 'gone'), answer(['a2', 'u2'], [text('gone')]), user(['u3', 'a1'], 'three')],
    ['one → answer one (complete)', 'three →  (streaming)', 'working'],
  ],
  [
    'a compaction in the branch',
    [...ONE, { type: 'compaction', id: 'c', parentId: 'a1', summary: 'short' }, user(['u2', 'c'], 'two')],
    ['one → answer one (complete)', 'two →  (streaming)', 'working'],
  ],
  [
    'the user’s own command',
    [...ONE, entry(['b', 'a1'], { role: 'bashExecution', command: 'ls', output: 'x' })],
    ['one → answer one (complete)', 'idle'],
  ],
];

describe('readPi', () => {
  it.each(CASES)('%s', (_name, rows, wanted) => {
    expect(brief(rows)).toEqual(wanted);
  });

  it('shows the error of the service', () => {
    const failed = answer(['a1', 'u1'], [], 'error', { errorMessage: 'quota' });
    expect(read([HEAD, user(['u1', null], 'one'), failed])).toMatchObject({
      state: 'idle',
      turns: [{ warning: 'quota' }],
    });
  });

  it('gives prompts without an id a stable one', () => {
    const rows = [user(null, 'one'), answer(null, 'a'), user(null, 'one')];
    const [first] = read(rows.slice(0, 2)).turns;
    expect(read(rows).turns[0]?.id).toBe(first?.id);
  });

  it('reports unknown types, and continues past them', () => {
    const got = read([...ONE, { type: 'hologram', id: 'h', parentId: 'a1' }, user(['u2', 'h'], 'two')]);
    expect(got.unknown).toEqual(['unknown record type "hologram"']);
    expect(got.turns).toHaveLength(2);
  });
});

it.each([
  ['/home/dev/project', '--home-dev-project--'],
  ['/a.b/c d', '--a.b-c d--'],
])('the folder of %s', (cwd, name) => {
  expect(piFolderName(cwd)).toBe(name);
});
