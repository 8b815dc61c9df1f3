import { describe, expect, it } from 'vitest';
import { type ClaudeRecord, parseClaudeRecord } from './claude-records.ts';
import { readClaude } from './claude-turns.ts';
import { GAP, type Gap } from './jsonl-session.ts';
import { Problems } from './problems.ts';

/** A session in short form: each row is [kind, uuid, parent, content, more]. */
type Row = Record<string, unknown> | Gap;

function user(uuid: string, parentUuid: string | null, content: unknown, more: object = {}): Row {
  return {
    type: 'user',
    uuid,
    parentUuid,
    message: { role: 'user', content },
    timestamp: '2026-01-02T03:04:05Z',
    ...more,
  };
}

function assistant(
  uuid: string,
  parentUuid: string,
  content: unknown[],
  stop: string | null,
  id = uuid,
): Row {
  return {
    type: 'assistant',
    uuid,
    parentUuid,
    message: { id, role: 'assistant', content, stop_reason: stop },
  };
}

function text(value: string): object {
  return { type: 'text', text: value };
}

function use(id: string, name = 'Bash'): object {
  return { type: 'tool_use', id, name, input: {} };
}

function result(uuid: string, parentUuid: string, id: string): Row {
  return user(uuid, parentUuid, [{ type: 'tool_result', tool_use_id: id, content: 'out' }]);
}

function system(uuid: string, parentUuid: string | null, subtype: string, more: object = {}): Row {
  return { type: 'system', uuid, parentUuid, subtype, ...more };
}

function read(rows: readonly Row[], complete = true) {
  const problems = new Problems();
  const records = rows.flatMap((row): (ClaudeRecord | Gap)[] => {
    if (row === GAP) return [GAP];
    const record = parseClaudeRecord(row, problems);
    return record === null ? [] : [record];
  });
  return { ...readClaude(records, complete), unknown: problems.list() };
}

/** Prompts, answers and progress, then the state. */
function brief(rows: readonly Row[], complete = true): unknown {
  const { turns, state } = read(rows, complete);
  return [...turns.map((turn) => `${turn.prompt} → ${turn.parts.join(' | ')} (${turn.progress})`), state];
}

const ONE: Row[] = [user('u1', null, 'one'), assistant('a1', 'u1', [text('answer one')], 'end_turn')];

const CASES: [string, Row[], string[]][] = [
  ['a prompt and its answer', ONE, ['one → answer one (complete)', 'idle']],
  ['a prompt without an answer yet', [user('u1', null, 'one')], ['one →  (streaming)', 'working']],
  [
    'one message over several records, a text between calls',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [text('look')], 'tool_use', 'm1'),
      assistant('a2', 'a1', [use('t1')], 'tool_use', 'm1'),
      result('r1', 'a2', 't1'),
      assistant('a3', 'r1', [text('done')], 'end_turn', 'm2'),
    ],
    ['one → look | done (complete)', 'idle'],
  ],
  [
    'parallel calls whose results hang beside the chain',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [text('look')], 'tool_use', 'm1'),
      assistant('a2', 'a1', [use('t1')], 'tool_use', 'm1'),
      assistant('a3', 'a2', [use('t2')], 'tool_use', 'm1'),
      result('r2', 'a3', 't2'),
      result('r1', 'a2', 't1'),
    ],
    ['one → look (streaming)', 'working'],
  ],
  [
    'one of two parallel calls still pending',
    [
      user('u1', null, 'one'),
      assistant('a2', 'u1', [use('t1')], 'tool_use', 'm1'),
      assistant('a3', 'a2', [use('t2')], 'tool_use', 'm1'),
      result('r1', 'a2', 't1'),
    ],
    ['one →  (streaming)', 'unknown'],
  ],
  [
    'a call that runs or waits for a permission',
    [user('u1', null, 'one'), assistant('a1', 'u1', [text('look'), use('t1')], 'tool_use')],
    ['one → look (streaming)', 'unknown'],
  ],
  [
    'a question to the user',
    [user('u1', null, 'one'), assistant('a1', 'u1', [use('t1', 'AskUserQuestion')], 'tool_use')],
    ['one →  (streaming)', 'waiting'],
  ],
  [
    'a text of which an older version does not say whether it is the last',
    [user('u1', null, 'one'), assistant('a1', 'u1', [text('answer')], null)],
    ['one → answer (complete)', 'unknown'],
  ],
  [
    'an interruption, and the next prompt',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [text('half')], null),
      user('i1', 'a1', [text('[Request interrupted by user]')]),
      user('u2', 'i1', 'two'),
    ],
    ['one → half (interrupted)', 'two →  (streaming)', 'working'],
  ],
  [
    'a rewind: what hangs beside the newest branch is gone',
    [
      ...ONE,
      user('u2', 'a1', 'two'),
      assistant('a2', 'u2', [text('gone')], 'end_turn'),
      user('u3', 'a1', 'three'),
    ],
    ['one → answer one (complete)', 'three →  (streaming)', 'working'],
  ],
  ['a rewind to the beginning', [...ONE, user('u2', null, 'two')], ['two →  (streaming)', 'working']],
  [
    'a compaction keeps the turns before it',
    [
      ...ONE,
      system('b', null, 'compact_boundary', { logicalParentUuid: 'a1' }),
      user('s', 'b', 'This session is being continued …', { isCompactSummary: true }),
      user('u2', 's', 'two'),
      assistant('a2', 'u2', [text('answer two')], 'end_turn'),
    ],
    ['one → answer one (complete)', 'two → answer two (complete)', 'idle'],
  ],
  [
    'a compaction of an older version, which does not say what was before',
    [...ONE, system('b', null, 'compact_boundary'), user('u2', 'b', 'two')],
    ['one → answer one (complete)', 'two →  (streaming)', 'working'],
  ],
  [
    'the end of the turn is told apart from the last text',
    [...ONE, system('d', 'a1', 'turn_duration')],
    ['one → answer one (complete)', 'idle'],
  ],
  [
    'records that are not prompts',
    [
      user('m', null, '<local-command-caveat>…', { isMeta: true }),
      user('c', 'm', '<command-name>/clear</command-name>\n<command-args></command-args>'),
      user('o', 'c', '<local-command-stdout>done</local-command-stdout>'),
      user('x', 'o', [text('<system-reminder>be kind</system-reminder>')]),
      user('n', 'x', '<task-notification>finished</task-notification>'),
      user('p', 'n', 'from a plugin', { origin: { kind: 'plugin' } }),
      user('k', 'p', '<bash-input>ls</bash-input>'),
      user('s', 'k', 'sub-agent', { isSidechain: true }),
    ],
    ['idle'],
  ],
  [
    'a reminder beside the human’s words',
    [
      user('u1', null, [text('<system-reminder>be kind</system-reminder>'), text('one')], {
        origin: { kind: 'human' },
      }),
    ],
    ['one →  (streaming)', 'working'],
  ],
  [
    'a command of the user’s that the AI answers',
    [
      ...ONE,
      user(
        'c',
        'a1',
        '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src</command-args>',
      ),
      user('m', 'c', [text('Review the folder …')], { isMeta: true }),
      assistant('a2', 'm', [text('looks good')], 'end_turn'),
    ],
    ['one → answer one (complete)', '/review src → looks good (complete)', 'idle'],
  ],
  [
    'a prompt that went in between two calls',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [use('t1')], 'tool_use'),
      result('r1', 'a1', 't1'),
      {
        type: 'attachment',
        uuid: 'q',
        parentUuid: 'r1',
        attachment: { type: 'queued_command', prompt: 'two', commandMode: 'prompt' },
      },
      assistant('a2', 'q', [text('both')], 'end_turn'),
    ],
    ['one →  (complete)', 'two → both (complete)', 'idle'],
  ],
  [
    'texts that say nothing',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [text('(no content)')], 'tool_use', 'm'),
      assistant('a2', 'a1', [use('t')], 'tool_use', 'm'),
    ],
    ['one →  (streaming)', 'unknown'],
  ],
  [
    'records that were written before their parents',
    [
      assistant('a1', 'x', [text('answer one')], 'end_turn'),
      system('d', 'a1', 'turn_duration'),
      user('u1', null, 'one'),
      { type: 'attachment', uuid: 'x', parentUuid: 'u1', attachment: { type: 'skill_listing' } },
    ],
    ['one → answer one (complete)', 'idle'],
  ],
  [
    'a record that was written again',
    [...ONE, assistant('a1', 'u1', [text('answer one')], 'end_turn')],
    ['one → answer one (complete)', 'idle'],
  ],
  [
    'all records written again when the session was resumed',
    [...ONE, ...ONE, user('u2', 'a1', 'two'), assistant('a2', 'u2', [text('answer two')], 'end_turn')],
    ['one → answer one (complete)', 'two → answer two (complete)', 'idle'],
  ],
  [
    'one message in ever longer records',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [text('ans')], null, 'm'),
      assistant('a2', 'a1', [text('answer o')], null, 'm'),
      assistant('a3', 'a2', [text('answer one'), use('t1')], 'tool_use', 'm'),
    ],
    ['one → answer one (streaming)', 'unknown'],
  ],
  [
    'what the program says in place of an answer, and an AI that says just that',
    [
      user('u1', null, 'one'),
      {
        ...assistant('a1', 'u1', [text('No response requested.')], 'end_turn'),
        message: {
          id: 'a1',
          model: '<synthetic>',
          content: [text('No response requested.')],
          stop_reason: 'end_turn',
        },
      },
      user('u2', 'a1', 'say it'),
      {
        ...assistant('a2', 'u2', [], 'end_turn'),
        message: {
          id: 'a2',
          model: 'claude-opus',
          content: [text('No response requested.')],
          stop_reason: 'end_turn',
        },
      },
    ],
    ['one →  (complete)', 'say it → No response requested. (complete)', 'idle'],
  ],
  [
    'a line that could not be read is bridged over',
    [...ONE, GAP, assistant('a2', 'lost', [text('more')], 'end_turn')],
    ['one → answer one\n\nmore (complete)', 'idle'],
  ],
];

describe('readClaude', () => {
  it.each(CASES)('%s', (_name, rows, wanted) => {
    expect(brief(rows)).toEqual(wanted);
  });

  it.each([
    '<bash-input>ls</bash-input> is what it shows',
    '<system-reminder>what is this?</system-reminder>',
    '<command-name>/clear</command-name> does what?',
    '<local-command-stdout>hi</local-command-stdout>',
    '<task-notification>why?',
    'Caveat: The messages below were generated by me',
    '[Request interrupted by user]',
    '[Request interrupted by user for tool use] came up',
  ])('takes the words of a human for what they are: %s', (words) => {
    const human = { origin: { kind: 'human' } };
    for (const content of [words, [text(words)], [text(words), { type: 'image' }]]) {
      const rows = [
        ...ONE,
        user('u2', 'a1', content, human),
        assistant('a2', 'u2', [text('answer two')], 'end_turn'),
      ];
      expect(brief(rows)).toEqual([
        'one → answer one (complete)',
        `${words} → answer two (complete)`,
        'idle',
      ]);
    }
    // Sent while the AI worked.
    const attachment = { type: 'queued_command', prompt: words, commandMode: 'prompt', ...human };
    const queued = { type: 'attachment', uuid: 'q', parentUuid: 'a1', attachment };
    expect(read([...ONE, queued]).turns.at(-1)?.prompt).toBe(words);
  });

  it('tells by its text whose a record is, where an older version does not say', () => {
    const words = 'Why does it print [Request interrupted by user]?';
    expect(read([user('u1', null, words)]).turns[0]?.prompt).toBe(words);
    expect(brief([...ONE, user('u2', 'a1', '[Request interrupted by user]')])).toEqual([
      'one → answer one (interrupted)',
      'idle',
    ]);
  });

  it('makes a plan a response of its own, and what is said to it the next prompt', () => {
    const call = {
      type: 'tool_use',
      id: 'p1',
      name: 'ExitPlanMode',
      input: { plan: '# Plan\n\n1. a\n2. b' },
    };
    const asked = [
      user('u1', null, 'plan it'),
      assistant('a1', 'u1', [text('Here it is.'), call], 'tool_use'),
    ];
    const open = read(asked);
    expect(open.turns.map(({ kind, prompt, response }) => [kind, prompt, response])).toEqual([
      ['answer', 'plan it', 'Here it is.'],
      ['plan', '', '# Plan\n\n1. a\n2. b'],
    ]);
    expect(open).toMatchObject({ state: 'waiting', asked: [{ kind: 'plan', text: '# Plan\n\n1. a\n2. b' }] });
    const refusal =
      "The user doesn't want to proceed. To tell you how to proceed, the user said:\nshorter\n\n> 1. a\nwhy?";
    const said = (content: string) => [
      ...asked,
      user('r1', 'a1', [{ type: 'tool_result', tool_use_id: 'p1', content, is_error: true }]),
      assistant('a2', 'r1', [text('So be it.')], 'end_turn'),
    ];
    expect(brief(said(refusal))).toEqual([
      'plan it → Here it is. (complete)',
      ' → # Plan\n\n1. a\n2. b (complete)',
      'shorter\n\n> 1. a\nwhy? → So be it. (complete)',
      'idle',
    ]);
    expect(read(said('User has approved your plan.')).turns.at(-1)).toMatchObject({
      prompt: '(plan answered)',
      response: 'So be it.',
    });
    expect(read(said(refusal)).asked).toEqual([]);
  });

  it('tells what a pending call asks for, whole', () => {
    const call = (name: string, input: object) => ({ type: 'tool_use', id: name, name, input });
    const rows = [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [call('Bash', { command: 'a &&\nb', description: 'Run' })], 'tool_use', 'm'),
      assistant(
        'a2',
        'a1',
        [call('Edit', { file_path: '/p/x', old_string: 'a\n', new_string: 'b' })],
        'tool_use',
        'm',
      ),
      assistant('a3', 'a2', [call('Task', { prompt: 'x' })], 'tool_use', 'm'),
    ];
    expect(read(rows).asked).toEqual([
      { kind: 'command', text: 'a &&\nb', reason: 'Run' },
      { kind: 'edit', path: '/p/x', text: '-a\n+b' },
    ]);
    expect(read([...rows, result('r1', 'a1', 'Bash')]).asked).toMatchObject([{ kind: 'edit' }]);
  });

  const PASTES: [string, string, string][] = [
    [
      'alone',
      '\n\n<pasted_content id="67d0">\nfirst\n\nsecond;\n</pasted_content id="67d0">\n',
      'first\n\nsecond;',
    ],
    [
      'after typed words',
      'look:\n\n<pasted_content id="1">\na\nb\n</pasted_content id="1">\n',
      'look:\na\nb\n',
    ],
    [
      'with our markers in it',
      '\n\n<pasted_content id="1">\n### PROMPT 2026-01-02 03:04:05\n\nhello\n\n### END PROMPT\n</pasted_content id="1">\n',
      'hello',
    ],
    [
      'whose tags do not belong together',
      '<pasted_content id="1">\na\n</pasted_content id="2">',
      '<pasted_content id="1">\na\n</pasted_content id="2">',
    ],
  ];
  it.each(PASTES)('takes the tags off a paste %s', (_name, content, prompt) => {
    for (const written of [content, [text(content)]])
      expect(read([user('u1', null, written)]).turns[0]?.prompt).toBe(prompt);
  });

  it('keeps the text byte for byte', () => {
    const exact = '  leading\n\n```\n\ttab `x`\n```\n日本語 👩‍👩‍👧\u2028 <b>\\</b>\ntrailing \n\n';
    const { turns } = read([user('u1', null, 'one'), assistant('a1', 'u1', [text(exact)], 'end_turn')]);
    expect(turns[0]?.response).toBe(exact);
  });

  it('says what an error of the service was', () => {
    const failed = {
      ...assistant('a1', 'u1', [text('API Error: 529')], 'stop_sequence'),
      isApiErrorMessage: true,
    };
    const { turns, state } = read([user('u1', null, 'one'), failed]);
    expect(turns[0]).toMatchObject({ response: '', warning: 'API Error: 529', progress: 'complete' });
    expect(state).toBe('idle');
  });

  it('follows the queue: in, out, taken back, all at once', () => {
    const row = (operation: string, content?: string): Row => ({
      type: 'queue-operation',
      operation,
      content,
    });
    const enqueue = ['a', 'b', 'c', 'd'].map((content) => row('enqueue', content));
    expect(read(enqueue).queued).toEqual(['a', 'b', 'c', 'd']);
    expect(read([...enqueue, row('dequeue')]).queued).toEqual(['b', 'c', 'd']);
    expect(read([...enqueue, row('remove', 'c')]).queued).toEqual(['a', 'b', 'd']);
    expect(read([...enqueue, row('popAll')]).queued).toEqual([]);
    expect(read([row('dequeue'), row('enqueue', 'a')]).queued).toEqual(['a']);
  });

  it('knows where a reading from the middle of the file begins', () => {
    const rows = [
      assistant('a0', 'before', [text('the end of an older turn')], 'end_turn'),
      user('u1', 'a0', 'one'),
    ];
    expect(brief(rows, false)).toEqual(['one →  (streaming)', 'working']);
    expect(read(rows, false).reach).toBe('more');
    expect(read(ONE, false).reach).toBe('start');
  });

  it('names types that it does not know and goes on', () => {
    const got = read([{ type: 'hologram', uuid: 'x' }, { no: 'type' }, ...ONE, { type: 'hologram' }]);
    expect(got.turns).toHaveLength(1);
    expect(got.unknown).toEqual(['unknown record type "hologram" (2×)', 'unknown record type "undefined"']);
  });

  it('survives records whose fields have other types', () => {
    const odd: Row[] = [
      { type: 'user', uuid: 'u1', parentUuid: 7, message: 'text' },
      { type: 'assistant', uuid: 'a1', parentUuid: 'u1', message: { content: 'text', id: 4 } },
      { type: 'assistant', uuid: 'a2', parentUuid: 'a1', message: { content: [null, 3, { type: 'text' }] } },
      { type: 'attachment', uuid: 'a3', parentUuid: 'a2', attachment: [] },
      { type: 'queue-operation', operation: null, content: {} },
      { type: 'user', uuid: 'loop', parentUuid: 'loop', message: { content: 'x' } },
    ];
    expect(() => read(odd)).not.toThrow();
  });
});
