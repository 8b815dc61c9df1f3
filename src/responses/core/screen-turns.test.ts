import { describe, expect, it } from 'vitest';
import { turnsFromScreen } from './screen-turns.ts';

const T1 = '2026-11-27 10:00:00';
const T2 = '2026-11-27 10:05:00';
const T0 = '2026-01-01 00:00:00';

function check(
  screen: string,
  expected: readonly (readonly [prompt: string, answer: string])[],
  width?: number,
): void {
  const turns = turnsFromScreen(screen.split('\n'), width === undefined ? {} : { width });
  expect(turns.map((turn) => [turn.prompt, turn.answer.join('\n')])).toEqual(expected);
}

const turn = (stamp: string, prompt: string, answer: string) =>
  `### PROMPT ${stamp}\n\n${prompt}\n\n### END PROMPT\n${answer}`;

describe('turnsFromScreen', () => {
  it('finds nothing without markers', () => {
    check('$ ls\nfile\nthe phrase ### END PROMPT in prose', []);
  });

  it('reads turns oldest first', () => {
    check(`ready\n${turn(T1, 'one', 'first\nanswer')}\n${turn(T2, 'two\nlines', 'second')}`, [
      ['one', 'first\nanswer'],
      ['two\nlines', 'second'],
    ]);
  });

  it.each(['', '❯ ', '│ '])('reads prompts with both markers on one line, after %j', (gutter) => {
    const line = (prompt: string) => `${gutter}### PROMPT ${T1} ${prompt} ### END PROMPT`;
    check(
      `${line('one')}\nA\n${line('two ### and more')}\nB\n${gutter}PROMPT ${T2} three ### END PROMPT\nC`,
      [
        ['one', 'A'],
        ['two ### and more', 'B'],
        ['three', 'C'],
      ],
    );
  });

  it('keeps the phrase in an answer', () => {
    check(turn(T1, 'q', 'the phrase ### END PROMPT inside prose is not a marker\nend'), [
      ['q', 'the phrase ### END PROMPT inside prose is not a marker\nend'],
    ]);
  });

  it('reads the text after the last closing marker if the program also echoes the prompt', () => {
    check(`### PROMPT ${T1}\n### PROMPT ${T1}\n\n\nq\nq\n\n\n### END PROMPT\n### END PROMPT\nanswer`, [
      ['q\nq', 'answer'],
    ]);
  });

  it('keeps a quoted older turn inside the prompt', () => {
    const quoted = turn(T0, 'old', 'what is this?');
    check(turn(T1, quoted, 'an answer'), [
      [`### PROMPT ${T0}\n\nold\n\n### END PROMPT\nwhat is this?`, 'an answer'],
    ]);
  });

  it('reads a redrawn conversation at its last drawing', () => {
    const first = `${turn(T1, 'one', 'A')}\n${turn(T2, 'two', 'B, still')}`;
    check(`${first}\n${turn(T1, 'one', 'A')}\n${turn(T2, 'two', 'B, still growing')}`, [
      ['one', 'A'],
      ['two', 'B, still growing'],
    ]);
  });

  it('separates two prompts of the same second', () => {
    const screen = `${turn(T1, 'one', 'A')}\n${turn(T1, 'two', 'B')}`;
    check(screen, [
      ['one', 'A'],
      ['two', 'B'],
    ]);
    expect(turnsFromScreen(screen.split('\n')).map(({ id }) => id)).toEqual([T1, `${T1}#2`]);
  });

  it('continues with the next prompt if a closing marker was never shown', () => {
    check(`### PROMPT ${T1}\nlost\n${turn(T2, 'two', 'B')}`, [
      ['lost', ''],
      ['two', 'B'],
    ]);
  });

  it('shows a prompt without an answer yet', () => {
    check(turn(T1, 'q', ''), [['q', '']]);
    check(`### PROMPT ${T1}\n\nq`, [['q', '']]);
    expect(turnsFromScreen([`### PROMPT ${T1}`, 'q'])[0]?.closed).toBe(false);
  });

  it('reads the answer of a prompt whose beginning scrolled out', () => {
    check('of the prompt\n\n### END PROMPT\nanswer', [['', 'answer']]);
    expect(turnsFromScreen(['### END PROMPT', 'x'])[0]).toMatchObject({
      id: 'unknown',
      stamp: null,
      startedAt: null,
    });
  });

  it.each([
    [
      'a quote sign',
      `> ### PROMPT ${T1}\n\n  q\n    indented\n\n  ### END PROMPT\n\n● answer`,
      'q\n  indented',
      '\n● answer',
    ],
    ['a box', `│ > ### PROMPT ${T1} │\n│   q               │\n│   ### END PROMPT   │\nanswer`, 'q', 'answer'],
    ['a bar', `┃ ### PROMPT ${T1}\n┃\n┃ q\n┃\n┃ ### END PROMPT\n\nanswer`, 'q', '\nanswer'],
  ])(
    'recognizes markers after %s and removes the gutter from the prompt',
    (_name, screen, prompt, answer) => {
      check(screen, [[prompt, answer]]);
    },
  );

  it('recognizes markers that the CLI wrapped', () => {
    check(
      `> ### PROMPT\n  2026-11-27\n  10:00:00\n\n  q\n\n  ### END\n  PROMPT\nanswer`,
      [['q', 'answer']],
      13,
    );
  });

  it('returns the time of the stamp', () => {
    const [found] = turnsFromScreen(turn(T1, 'q', 'a').split('\n'));
    expect(found?.startedAt).toBe(new Date(2026, 10, 27, 10, 0, 0).getTime());
  });
});
