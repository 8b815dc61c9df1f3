/** What a model is told, what it is never told, and how its answers are read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPrompt, chatMessage, grammarFor, isTellable, lineOfAnswer } from './model-prompt.ts';
import type { Query } from './suggestion.ts';

const at = (line: string, cursor = line.length): Query => ({
  line,
  cursor,
  cwd: '/home/u/work',
  session: 's',
  limit: 4,
});
const NOTHING = { habits: [], recent: [] };

describe('isTellable', () => {
  it.each(['git st', 'docker compose up', 'ls '])('%j', (line) => expect(isTellable(at(line))).toBe(true));
  it.each([
    ['too short', 'gi'],
    ['private', ' git status'],
    ['a password', 'mysql -u root -phunter22'],
    ['a token', 'export API_TOKEN=abcd1234'],
    ['credentials in a URL', 'git clone https://me:pw@example.org/x'],
    ['a key being created', 'ssh-keygen -N x'],
    ['a password read by sudo', 'echo x | sudo -S ls'],
    ['several lines', 'for i in 1; do\necho'],
    ['a document', 'x'.repeat(301)],
  ])('%s is not told', (_name, line) => expect(isTellable(at(line))).toBe(false));
});

describe('buildPrompt', () => {
  it('is a transcript with the unfinished line last, cut before the word under the cursor', () => {
    const prompt = buildPrompt(at('git commit --am'), {
      habits: ['npm test', 'git push'],
      recent: ['git add .'],
    });
    expect(prompt.before).toBe('$ npm test\n$ git push\n$ cd /home/u/work\n$ git add .\n$ git commit');
    expect(prompt.typed).toBe(' --am');
    expect(chatMessage(prompt)).toMatch(/\$ git commit --am▮$/);
  });

  it('cuts before the only word, and keeps the text right of the cursor', () => {
    const prompt = buildPrompt(at('dock ps', 4), NOTHING);
    expect(prompt).toMatchObject({
      before: '$ cd /home/u/work\n$',
      typed: ' dock',
      left: 'dock',
      right: ' ps',
    });
  });

  it('replaces secrets of the past, and leaves out lines that are only a secret', () => {
    const { before } = buildPrompt(at('git pu'), {
      habits: ['curl -u admin:hunter22 https://example.org', 'AKIAABCDEFGHIJKLMNOP'],
      recent: ['mysql -phunter22 shop'],
    });
    expect(before).not.toMatch(/hunter22|AKIA/);
    expect(before).toContain('$ curl -u admin:█ https://example.org');
  });
});

describe('lineOfAnswer', () => {
  const prompt = buildPrompt(at('git com'), NOTHING);
  it.each([
    ['rest', 'mit -m "x"', 'git commit -m "x"'],
    ['rest', 'mit -m "x"\n$ git push', 'git commit -m "x"'],
    ['typed', ' commit --amend', 'git commit --amend'],
    ['typed', ' push', null],
    ['line', 'git commit -a', 'git commit -a'],
    ['line', '$ git commit -a', 'git commit -a'],
    ['line', '```sh\ngit commit -a\n```', 'git commit -a'],
    ['line', '`git commit -a`', 'git commit -a'],
    ['line', 'Sure! Here it is', null],
    ['line', 'git status', null],
    ['line', 'git com', null],
    ['rest', '   ', null],
    ['rest', '', null],
    ['rest', 'mit \u001b[31m', null],
    ['rest', 'mit ▮', null],
    ['rest', `mit ${'x'.repeat(400)}`, null],
  ] as const)('%s %j', (form, answer, line) => {
    expect(lineOfAnswer(answer, form, prompt)).toBe(line);
  });

  it('keeps the text right of the cursor in place', () => {
    const middle = buildPrompt(at('git com -m x', 7), NOTHING);
    expect(lineOfAnswer('mit -a', 'rest', middle)).toBe('git commit -a -m x');
    expect(lineOfAnswer('git commit -a -m x', 'line', middle)).toBe('git commit -a -m x');
  });

  it('always extends the typed line, or offers nothing', () => {
    const forms = ['rest', 'typed', 'line'] as const;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...forms), (answer, form) => {
        const line = lineOfAnswer(answer, form, prompt);
        if (line !== null) {
          expect(line.startsWith('git com')).toBe(true);
          expect(line.length).toBeGreaterThan(7);
          expect(line).not.toMatch(/[\n\r\u001b]/);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

it('writes the grammar of a word with any character', () => {
  expect(grammarFor(' "a\\b')).toBe('root ::= " \\"a\\\\b" [^\\x00-\\x1f]{0,160} "\\n"\n');
});
