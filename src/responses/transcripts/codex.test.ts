import { describe, expect, it } from 'vitest';
import { type CodexRecord, parseCodexRecord, readCodex } from './codex.ts';
import { Problems } from './problems.ts';

const AT = '2026-01-02T03:04:05.000Z';

function event(payload: object): unknown {
  return { timestamp: AT, type: 'event_msg', payload };
}

function item(payload: object): unknown {
  return { timestamp: AT, type: 'response_item', payload };
}

function said(role: string, text: string): unknown {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return item({ type: 'message', role, id: `${role}-${text}`, content: [{ type, text }] });
}

function completed(type: string, text: string): unknown {
  return event({
    type: 'item_completed',
    item: { type, id: `${type}-${text}`, content: [{ type: 'text', text }] },
  });
}

function read(rows: readonly unknown[], complete = true) {
  const problems = new Problems();
  const records = rows.flatMap((row): CodexRecord[] => {
    const record = parseCodexRecord(row, problems);
    return record === null ? [] : [record];
  });
  return { ...readCodex(records, complete), unknown: problems.list() };
}

function brief(rows: readonly unknown[]): unknown {
  const { turns, state } = read(rows);
  return [...turns.map((turn) => `${turn.prompt} → ${turn.parts.join(' | ')} (${turn.progress})`), state];
}

it('does not show the summary of a compaction as an answer', () => {
  const compacted = (message: string) => ({ timestamp: AT, type: 'compacted', payload: { message } });
  const rows = [
    said('user', 'one'),
    said('assistant', 'answer'),
    said('assistant', 'What was said so far'),
    compacted('Another language model started to solve this problem.\nWhat was said so far'),
    said('user', 'two'),
    said('assistant', 'answer two'),
    compacted('Kept apart from any answer'),
  ];
  const { turns } = read(rows);
  expect(turns.map(({ prompt, response }) => [prompt, response])).toEqual([
    ['one', 'answer'],
    ['two', 'answer two'],
  ]);
});

it('returns the request of a pending call', () => {
  const call = (name: string, fields: object) =>
    item({ type: 'function_call', name, call_id: name, ...fields });
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch';
  const rows = [
    said('user', 'one'),
    call('exec_command', { arguments: JSON.stringify({ cmd: 'make\nall', justification: 'May I?' }) }),
    item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'p', input: patch }),
    call('shell', { arguments: JSON.stringify({ cmd: `cd x && apply_patch <<'EOF'\n${patch}\nEOF` }) }),
  ];
  expect(read(rows).asked).toEqual([
    { kind: 'command', text: 'make\nall', reason: 'May I?' },
    { kind: 'edit', path: 'a.txt', text: patch },
    { kind: 'edit', path: 'a.txt', text: patch },
  ]);
});

it('shows the error of the service', () => {
  const failed = { type: 'task_complete', last_agent_message: null, error: { message: '401: log in' } };
  expect(read([said('user', 'one'), event(failed)])).toMatchObject({
    turns: [{ warning: '401: log in', response: '' }],
    state: 'idle',
  });
});

it('shows a plan as a separate response, which may be asked about after the turn', () => {
  const plan = '# Plan\n\n1. a\n';
  const rows = [
    said('user', 'plan it'),
    event({ type: 'item_completed', item: { type: 'Plan', id: 'p1', text: plan } }),
    said('assistant', `I looked.\n\n<proposed_plan>\n${plan}</proposed_plan>\n`),
    event({ type: 'task_complete', turn_id: 't', last_agent_message: 'I looked.' }),
  ];
  const open = read(rows);
  expect(open.turns.map(({ kind, prompt, response }) => [kind, prompt, response])).toEqual([
    ['answer', 'plan it', 'I looked.'],
    ['plan', '', plan],
  ]);
  expect(open).toMatchObject({ state: 'idle', asked: [{ kind: 'plan', text: plan }] });
  expect(read([...rows, said('user', 'shorter')]).asked).toEqual([]);
  // Text about the tags is ordinary text.
  const talk = 'It writes <proposed_plan>\nthe plan\n</proposed_plan> in tags.';
  expect(read([said('user', 'how?'), said('assistant', talk)]).turns).toMatchObject([{ response: talk }]);
});

const CONTEXT = said('user', '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>');
const CALL = item({ type: 'function_call', name: 'shell', call_id: 'c1', id: 'fc1' });
const OUTPUT = item({ type: 'function_call_output', call_id: 'c1', id: 'fo1' });
const DONE = event({ type: 'task_complete', turn_id: 't', last_agent_message: 'answer' });

/** One turn in the format of each generation of the program. */
const GENERATIONS: [string, unknown[]][] = [
  ['items alone', [CONTEXT, said('user', 'one'), said('assistant', 'answer'), DONE]],
  [
    'items without a wrapping',
    [
      { type: 'message', role: 'user', content: [{ text: 'one' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'answer' }] },
      DONE,
    ],
  ],
  [
    'events beside the items',
    [
      CONTEXT,
      said('user', 'one'),
      event({ type: 'user_message', message: 'one' }),
      event({ type: 'agent_message', message: 'answer' }),
      said('assistant', 'answer'),
      DONE,
    ],
  ],
  [
    'completed items beside the items',
    [
      CONTEXT,
      said('user', 'one'),
      completed('UserMessage', 'one'),
      completed('AgentMessage', 'answer'),
      said('assistant', 'answer'),
      DONE,
    ],
  ],
  [
    'an answer that only the end of the turn contains',
    [event({ type: 'user_message', message: 'one' }), DONE],
  ],
];

describe('readCodex', () => {
  it.each(GENERATIONS)('%s', (_name, rows) => {
    expect(brief(rows)).toEqual(['one → answer (complete)', 'idle']);
  });

  it('lists a preamble apart from the answer', () => {
    const rows = [
      said('user', 'one'),
      said('assistant', 'I look.'),
      said('assistant', 'Found.'),
      CALL,
      OUTPUT,
      said('assistant', 'The answer.'),
      DONE,
    ];
    expect(brief(rows)).toEqual(['one → I look. | Found. | The answer. (complete)', 'idle']);
  });

  const STATES: [string, unknown[], string][] = [
    ['a prompt', [], 'working'],
    ['a call without its output', [CALL], 'unknown'],
    ['a call with its output', [CALL, OUTPUT], 'working'],
    ['an interruption', [event({ type: 'turn_aborted', reason: 'interrupted' })], 'idle'],
    ['the end', [DONE], 'idle'],
  ];
  it.each(STATES)('after %s', (_name, rows, state) => {
    expect(read([said('user', 'one'), ...rows]).state).toBe(state);
  });

  it('removes rewound turns, and reads further back if necessary', () => {
    const back = (turns: number) => event({ type: 'thread_rolled_back', num_turns: turns });
    const rows = [said('user', 'one'), said('assistant', 'a'), said('user', 'two'), said('assistant', 'b')];
    expect(brief([...rows, back(1), said('user', 'three')])).toEqual([
      'one → a (complete)',
      'three →  (streaming)',
      'working',
    ]);
    expect(read([...rows, back(3)], false).reach).toBe('unsure');
    expect(read([...rows, back(2)], false).reach).toBe('more');
    expect(read([...rows, back(3)], true).turns).toEqual([]);
  });

  it('removes the editor’s context from a prompt', () => {
    const message =
      '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nfix it';
    expect(read([event({ type: 'user_message', message })]).turns[0]?.prompt).toBe('fix it');
  });

  it('reports unknown types and continues', () => {
    expect(
      read([{ type: 'hologram', payload: {} }, null, { type: 'session_meta', payload: {} }]).unknown,
    ).toEqual(['unknown record type "hologram"', 'unknown record type "undefined"']);
  });
});

it('keeps a short answer whose words are in the summary that follows', () => {
  const message = 'Another language model started to solve this problem.\nDone. The parser is next.';
  const rows = [
    said('user', 'one'),
    said('assistant', 'Done.'),
    { timestamp: AT, type: 'compacted', payload: { message } },
  ];
  expect(read(rows).turns.map(({ response }) => response)).toEqual(['Done.']);
});

it.each([
  '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>',
  '<user_instructions>\nBe kind.\n</user_instructions>',
  '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>',
  '<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>',
  '<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>',
  '<skill>\n<name>x</name>\n</skill>',
  '<image name=[Image #1]>',
  'Another language model started to solve this problem and produced a summary of its thinking process.\nDone.',
])("does not show the program's own text as a prompt of a session without events: %j", (text) => {
  const rows = [said('user', text), said('user', 'one'), said('assistant', 'answer')];
  expect(read(rows).turns.map(({ prompt }) => prompt)).toEqual(['one']);
});
