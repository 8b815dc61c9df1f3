import { describe, expect, it } from 'vitest';
import { MAX_TURNS, TurnBuilder } from './turn-builder.ts';

const PROMPT = { id: 'u', text: 'prompt', at: 1 };

/** The events, then the expected parts and progress of each turn, and the state. */
const CASES: [string, (builder: TurnBuilder) => void, unknown][] = [
  ['nothing', () => undefined, [[], 'idle']],
  ['a prompt', (b) => b.prompt(PROMPT), [[[[], 'streaming']], 'working']],
  [
    'text, a pending call',
    (b) => {
      b.prompt(PROMPT);
      b.text('a', 'working');
      b.tool();
    },
    [[[['a'], 'streaming']], 'unknown'],
  ],
  [
    'blocks of one run are joined, runs are separate',
    (b) => {
      b.prompt(PROMPT);
      b.text('a', 'working');
      b.text('b', 'working');
      b.tool('working');
      b.tool('working');
      b.toolResult();
      b.text('c\n', 'idle');
    },
    [[[['a\n\nb', 'c\n'], 'complete']], 'idle'],
  ],
  [
    'an interruption',
    (b) => {
      b.prompt(PROMPT);
      b.text('a', 'working');
      b.interrupt();
    },
    [[[['a'], 'interrupted']], 'idle'],
  ],
  [
    'a command that the AI answers is a prompt',
    (b) => {
      b.command(PROMPT);
      b.text('a', 'idle');
    },
    [[[['a'], 'complete']], 'idle'],
  ],
  [
    'a command that the program answers is not a turn',
    (b) => {
      b.prompt(PROMPT);
      b.text('a', 'idle');
      b.command({ ...PROMPT, id: 'c' });
      b.commandDone();
      b.text('b', 'idle');
    },
    [[[['a\n\nb'], 'complete']], 'idle'],
  ],
];

describe('TurnBuilder', () => {
  it.each(CASES)('%s', (_name, tell, wanted) => {
    const builder = new TurnBuilder(true);
    tell(builder);
    const { turns, state } = builder.finish();
    expect([turns.map((turn) => [turn.parts, turn.progress]), state]).toEqual(wanted);
    for (const turn of turns) expect(turn.response).toBe(turn.parts.join('\n\n'));
  });

  it('keeps text before the first prompt only if the session begins there', () => {
    for (const fromStart of [true, false]) {
      const builder = new TurnBuilder(fromStart);
      builder.text('a', 'idle');
      expect(builder.finish().turns.map((turn) => turn.response)).toEqual(fromStart ? ['a'] : []);
    }
  });

  it('removes the markers from a prompt', () => {
    const builder = new TurnBuilder(true);
    const text = '### PROMPT 2026-01-02 03:04:05\n\nhello\n\n### END PROMPT';
    builder.prompt({ ...PROMPT, text });
    expect(builder.finish().turns[0]?.prompt).toBe('hello');
  });

  it('says whether there were enough turns to drop', () => {
    const builder = new TurnBuilder(true);
    builder.prompt(PROMPT);
    builder.prompt({ ...PROMPT, id: 'v' });
    expect(builder.drop(1)).toBe(true);
    expect(builder.finish().turns.map((turn) => turn.id)).toEqual(['u']);
    expect(builder.drop(2)).toBe(false);
  });

  it.each([MAX_TURNS, MAX_TURNS + 1])('holds the newest of %i turns', (count) => {
    const builder = new TurnBuilder(true);
    for (let index = 0; index < count; index += 1) builder.prompt({ ...PROMPT, id: String(index) });
    const { turns } = builder.finish();
    expect(turns).toHaveLength(MAX_TURNS);
    expect(turns.at(-1)?.id).toBe(String(count - 1));
  });
});
