import { expect, it } from 'vitest';
import {
  assistant,
  brief,
  ONE,
  type Row,
  result,
  system,
  text,
  use,
  user,
} from '../../../test/helpers/claude-session.ts';
import { GAP } from './tool-facts.ts';

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
    'parallel calls with results beside the chain',
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
    'a text that an older version does not mark as the last',
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
    'a rewind: records beside the newest branch are left out',
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
    'a compaction keeps the earlier turns',
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
    'a compaction of an older version, which does not name its parent',
    [...ONE, system('b', null, 'compact_boundary'), user('u2', 'b', 'two')],
    ['one → answer one (complete)', 'two →  (streaming)', 'working'],
  ],
  [
    'the end of the turn is distinguished from the last text',
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
    'a reminder beside the user’s words',
    [
      user('u1', null, [text('<system-reminder>be kind</system-reminder>'), text('one')], {
        origin: { kind: 'human' },
      }),
    ],
    ['one →  (streaming)', 'working'],
  ],
  [
    'a command of the user that the AI answers',
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
    'a prompt sent between two calls',
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
    'texts without content',
    [
      user('u1', null, 'one'),
      assistant('a1', 'u1', [text('(no content)')], 'tool_use', 'm'),
      assistant('a2', 'a1', [use('t')], 'tool_use', 'm'),
    ],
    ['one →  (streaming)', 'unknown'],
  ],
  [
    'records written before their parents',
    [
      assistant('a1', 'x', [text('answer one')], 'end_turn'),
      system('d', 'a1', 'turn_duration'),
      user('u1', null, 'one'),
      { type: 'attachment', uuid: 'x', parentUuid: 'u1', attachment: { type: 'skill_listing' } },
    ],
    ['one → answer one (complete)', 'idle'],
  ],
  [
    'a record written again',
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
    "the program's text in place of an answer, and an AI that says just that",
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
    'an unreadable line is skipped',
    [...ONE, GAP, assistant('a2', 'lost', [text('more')], 'end_turn')],
    ['one → answer one\n\nmore (complete)', 'idle'],
  ],
];

it.each(CASES)('%s', (_name, rows, wanted) => {
  expect(brief(rows)).toEqual(wanted);
});
