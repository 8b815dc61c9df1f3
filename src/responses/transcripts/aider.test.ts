import { describe, expect, it } from 'vitest';
import { readAider } from './aider.ts';

function read(text: string, complete = true) {
  return readAider(
    text.split('\n').map((line) => ({ kind: 'line' as const, text: line })),
    complete,
  );
}

function brief(text: string, complete = true): unknown {
  const { turns, state } = read(text, complete);
  return [...turns.map((turn) => `${turn.prompt} → ${turn.parts.join(' | ')} (${turn.progress})`), state];
}

const RUN = '\n# aider chat started at 2026-01-02 03:04:05\n\n> Aider v0.86.2  \n\n';
const TOKENS = '\n> Tokens: 1 sent, 2 received.  \n\n';

const CASES: [string, string, string[]][] = [
  ['a turn', `${RUN}#### one  \n\nanswer\n${TOKENS}`, ['one → answer (complete)', 'idle']],
  [
    'a prompt of several lines',
    `${RUN}#### one  \n####   \n#### three  \n\nanswer\n`,
    ['one\n\nthree → answer (complete)', 'unknown'],
  ],
  [
    'blank lines inside the answer stay',
    `${RUN}#### one  \n\na\n\n\n    b\n${TOKENS}`,
    ['one → a\n\n\n    b (complete)', 'idle'],
  ],
  [
    'messages of the program split the answer',
    `${RUN}#### one  \n\na\n\n> Applied edit to x  \n\nb\n${TOKENS}`,
    ['one → a | b (complete)', 'idle'],
  ],
  ['an empty line at the prompt', `${RUN}#### <blank>  \n\n#### one  \n`, ['one →  (streaming)', 'working']],
  [
    'a command that the program runs',
    `${RUN}#### one  \n\na\n${TOKENS}#### /exit  \n`,
    ['one → a (complete)', 'idle'],
  ],
  [
    'a command that the AI answers',
    `${RUN}#### /ask why  \n\na\n${TOKENS}`,
    ['/ask why → a (complete)', 'idle'],
  ],
  [
    'an interruption',
    `${RUN}#### one  \n>  \n> ^C again to exit  \n\nhalf\n`,
    ['one → half (interrupted)', 'unknown'],
  ],
  [
    'two runs in one file',
    `${RUN}#### one  \n\na\n${TOKENS}${RUN}#### two  \n`,
    ['one → a (complete)', 'two →  (streaming)', 'working'],
  ],
];

describe('readAider', () => {
  it.each(CASES)('%s', (_name, text, wanted) => {
    expect(brief(text)).toEqual(wanted);
  });

  it('shows the error of the service', () => {
    const { turns, state } = read(`${RUN}#### one  \n> litellm.AuthenticationError: no key  \n`);
    expect([turns[0]?.warning, state]).toEqual(['litellm.AuthenticationError: no key', 'idle']);
  });

  it('treats a quote and a heading in an answer as part of the answer, with a warning', () => {
    const { turns } = read(`${RUN}#### one  \n\n> quoted\n\n#### heading\n${TOKENS}`);
    expect(turns[0]?.response).toBe('> quoted\n\n#### heading');
    expect(turns[0]?.warning).toContain('cannot be told');
  });

  it('reads back to the start of a run, so that ids stay stable', () => {
    const whole = `${RUN}#### one  \n\na\n${TOKENS}${RUN.replace(':05', ':59')}#### two  \n`;
    expect(read('#### two  \n', false).reach).toBe('unsure');
    const end = whole.slice(whole.lastIndexOf('\n# aider'));
    expect(read(end, false).turns.map((turn) => turn.id)).toEqual([read(whole).turns[1]?.id]);
  });
});
