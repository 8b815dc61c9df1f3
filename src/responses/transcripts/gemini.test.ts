import { describe, expect, it } from 'vitest';
import { type GeminiRecord, parseGeminiRecord, readGemini } from './gemini.ts';
import { Problems } from './problems.ts';

function user(id: string, text: string): object {
  return { id, type: 'user', timestamp: '2026-01-02T03:04:05Z', content: [{ text }] };
}

function gemini(id: string, content: unknown, more: object = {}): object {
  return { id, type: 'gemini', content, ...more };
}

function read(rows: readonly unknown[], complete = true) {
  const problems = new Problems();
  const records = rows.flatMap((row): GeminiRecord[] => {
    const record = parseGeminiRecord(row, problems);
    return record === null ? [] : [record];
  });
  return { ...readGemini(records, complete), unknown: problems.list() };
}

function brief(rows: readonly unknown[]): unknown {
  return read(rows).turns.map((turn) => `${turn.prompt} → ${turn.parts.join(' | ')} (${turn.progress})`);
}

const HEADER = { sessionId: 's', projectHash: 'h', kind: 'main' };
const ONE = [HEADER, user('u1', 'one'), gemini('a1', 'wrong')];

const CASES: [string, unknown[], string[]][] = [
  ['a turn', ONE, ['one → wrong (complete)']],
  ['the same id again replaces', [...ONE, gemini('a1', 'right')], ['one → right (complete)']],
  [
    'a rewind removes that message and all later ones',
    [...ONE, user('u2', 'two'), { $rewindTo: 'a1' }, gemini('a2', 'right')],
    ['one → right (complete)'],
  ],
  [
    'a rewind to an unknown message removes all',
    [...ONE, { $rewindTo: 'nowhere' }, user('u2', 'two')],
    ['two →  (streaming)'],
  ],
  [
    'a checkpoint replaces all',
    [...ONE, { $set: { messages: [user('u9', 'nine'), gemini('a9', [{ text: 'exact \n' }])] } }],
    ['nine → exact \n (complete)'],
  ],
  ['other settings change nothing', [...ONE, { $set: { lastUpdated: 'now' } }], ['one → wrong (complete)']],
  [
    'calls split the text; results are not prompts',
    [
      HEADER,
      user('u1', 'one'),
      gemini('a1', [{ text: 'look' }, { functionCall: {} }], { toolCalls: [{ id: 't' }] }),
      { id: 'r', type: 'user', content: [{ functionResponse: {} }] },
      gemini('a2', 'done'),
    ],
    ['one → look | done (complete)'],
  ],
  [
    'text of the program is not a prompt',
    [HEADER, user('c', '<session_context>\nThis is the Gemini CLI.'), user('u1', 'one')],
    ['one →  (streaming)'],
  ],
  [
    'text of the user may look like it',
    [
      HEADER,
      user('48a36423-6924-4238-9a68-82672ea80c66', '<state_snapshot>\n</state_snapshot> why?'),
      gemini('a1', 'so'),
      {
        ...user('dc47d309-7f3d-45ca-b0b3-96c1def74b1b', ''),
        content: [{ text: 'two' }, { text: '<hook_context>x</hook_context>' }],
      },
    ],
    ['<state_snapshot>\n</state_snapshot> why? → so (complete)', 'two →  (streaming)'],
  ],
  [
    'notes are not answers',
    [...ONE, { id: 'i', type: 'info', content: 'Update available' }],
    ['one → wrong (complete)'],
  ],
  [
    'a cancelled turn',
    [...ONE, { id: 'i', type: 'info', content: 'Request cancelled.' }],
    ['one → wrong (interrupted)'],
  ],
  [
    'thoughts are not answers',
    [HEADER, user('u1', 'one'), gemini('a', [{ text: 'hm', thought: true }, { text: 'yes' }])],
    ['one → yes (complete)'],
  ],
  [
    'the visible prompt, not its expanded text',
    [HEADER, { ...user('u1', 'one @a'), displayContent: [{ text: 'one' }] }],
    ['one →  (streaming)'],
  ],
  [
    'a document of an older version',
    [{ sessionId: 's', messages: [user('u1', 'one'), gemini('a1', 'answer')] }],
    ['one → answer (complete)'],
  ],
];

describe('readGemini', () => {
  it.each(CASES)('%s', (_name, rows, wanted) => {
    expect(brief(rows)).toEqual(wanted);
  });

  it('reads further back if the session rewinds beyond what was read', () => {
    expect(read([...ONE, { $rewindTo: 'older' }], false).reach).toBe('unsure');
    expect(read([...ONE, { $rewindTo: 'a1' }], false).reach).toBe('more');
    expect(read([...ONE, { $rewindTo: 'older' }, { $set: { messages: [] } }], false).reach).toBe('start');
  });

  describe('a plan', () => {
    const file = '/home/dev/.gemini/tmp/project/s/plans/a.md';
    const content = '# Plan\n\n1. a\n';
    const write = { id: 'w1', name: 'write_file', args: { file_path: file, content } };
    const said = (output: string) => ({
      id: 'r1',
      type: 'user',
      content: [{ functionResponse: { id: 'e1', name: 'exit_plan_mode', response: { output } } }],
    });
    const written = (call: object) => [
      HEADER,
      user('u1', 'plan it'),
      gemini('a1', 'I write it.', call),
      gemini('a2', 'I planned it.'),
    ];
    const asCalled = written({ toolCalls: [{ ...write, status: 'success' }] });
    const asSet = [
      HEADER,
      user('u1', 'plan it'),
      gemini('a1', [{ text: 'I write it.' }, { functionCall: write }]),
      gemini('a2', 'I planned it.'),
    ];

    it.each([
      ['called', asCalled],
      ['set', asSet],
    ])('is a separate response (%s)', (_form, rows) => {
      expect(read(rows)).toMatchObject({
        turns: [
          { kind: 'answer', response: 'I write it.\n\nI planned it.' },
          { kind: 'plan', id: 'plan:w1', prompt: '', response: content },
        ],
        state: 'unknown',
        asked: [{ kind: 'plan', text: content }],
      });
      const refused = `Plan rejected. User feedback: 1. why?\ntwo\n\nThe plan is stored at: ${file}\nRevise it.`;
      expect(brief([...rows, said(refused), gemini('a3', 'So be it.')])).toEqual([
        'plan it → I write it. | I planned it. (complete)',
        ` → ${content} (complete)`,
        '1. why?\ntwo → So be it. (complete)',
      ]);
      const agreed = read([...rows, said('Plan approved. Switching mode.'), gemini('a3', 'I begin.')]);
      expect(agreed.turns.at(-1)).toMatchObject({ prompt: '(plan answered)', response: 'I begin.' });
      expect(agreed.asked).toEqual([]);
    });

    it('contains its later changes, but not the failed ones', () => {
      const replace = {
        name: 'replace',
        args: { file_path: file, old_string: '1. a', new_string: '1. $& b' },
      };
      const change = (id: string, status: string) =>
        gemini(id, 'Better.', { toolCalls: [{ ...replace, id, status }] });
      expect(read([...asCalled, change('c1', 'error')]).turns.at(-1)).toMatchObject({ response: content });
      expect(read([...asCalled, change('c1', 'success')]).turns.at(-1)).toMatchObject({
        response: '# Plan\n\n1. $& b\n',
      });
    });

    it('is no other file', () => {
      const other = { ...write, args: { file_path: '/home/dev/project/docs/plans/a.md', content } };
      expect(read(written({ toolCalls: [{ ...other, status: 'success' }] })).turns).toHaveLength(1);
    });
  });

  it('shows the error of the service', () => {
    expect(read([...ONE, { id: 'e', type: 'error', content: 'quota' }])).toMatchObject({
      state: 'idle',
      turns: [{ warning: 'quota' }],
    });
  });

  it('keeps a prompt whose request failed, which the program removes from its conversation', () => {
    const rows = [...ONE, user('u2', 'two'), { $set: { messages: ONE.slice(1) } }];
    const error = { id: 'e', type: 'error', content: 'quota' };
    const failed = [...rows, error, { id: 'i', type: 'info', content: 'see F12' }];
    expect(read(failed).turns.at(-1)).toMatchObject({ prompt: 'two', response: '', warning: 'quota' });
    expect(brief([...rows, user('u3', 'three')])).toEqual(['one → wrong (complete)', 'three →  (streaming)']);
  });

  it('reports unknown records', () => {
    expect(read([...ONE, { hologram: 1 }, 7]).unknown).toEqual(['unknown record type "undefined" (2×)']);
  });
});
