import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { command } from './notes.ts';
import { runCommand } from './run-command.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'copane-notes-'));
afterAll(() => removeTree(home));

const PULLS = [{ turnId: 't', lines: ['What the answer says.', 'Its second line.'] }];

async function notes(argv: readonly string[], input: unknown) {
  let [out, said] = ['', ''];
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const code = await runCommand(
    command({
      env: { HOME: home },
      cwd: home,
      pid: process.pid,
      // The command reads stdin only to its end.
      stdin: Readable.from([text]) as unknown as NodeJS.ReadStream,
      out: (words) => {
        out += words;
      },
      show: () => undefined,
      say: (line) => {
        said += `${line}\n`;
      },
    }),
    argv,
  );
  return { code, out, said };
}

const linesOf = (...texts: readonly string[]) => texts.map((text) => ({ text }));

describe('copane notes', () => {
  it('prints the notes alone', async () => {
    const lines = linesOf('mine', ...(PULLS[0]?.lines ?? []), 'mine too');
    expect(await notes([], { lines, pulls: PULLS })).toEqual({ code: 0, out: 'mine\nmine too\n', said: '' });
  });

  it('exits with 3 while a choice is open, and sends what was chosen', async () => {
    const lines = linesOf('mine', 'What the answer says. Really?', 'Its second line.');
    const asked = await notes(['--json'], { lines, pulls: PULLS });
    expect(asked.code).toBe(3);
    expect(JSON.parse(asked.out)).toMatchObject({ undecided: [1], going: [], text: null, noteCount: 0 });
    const nothing = await notes(['--json'], { lines, pulls: PULLS, chosen: [] });
    expect(JSON.parse(nothing.out)).toMatchObject({ going: [0], text: 'mine', error: null });
    const chosen = await notes(['--json'], { lines, pulls: PULLS, chosen: [1] });
    expect(chosen.code).toBe(0);
    expect(JSON.parse(chosen.out)).toMatchObject({
      going: [0, 1],
      text: 'mine\nWhat the answer says. Really?',
    });
  });

  it('exits with 3 when there is no note', async () => {
    expect(await notes([], { lines: linesOf('', 'Its second line.'), pulls: PULLS })).toMatchObject({
      code: 3,
      out: '',
    });
  });

  it('limits the notes to a range, with the anchors of the whole buffer', async () => {
    const lines = linesOf('mine', 'What the answer says.', 'to that');
    const request = { lines, pulls: PULLS, range: { first: 2, last: 2 }, context: 'line' };
    expect((await notes([], request)).out).toBe('> What the answer says.\nto that\n');
  });

  it.each([
    ['no JSON', '{', 'stdin is not JSON'],
    ['an unknown field', { lines: [], more: 1 }, 'unknown field "more"'],
    ['a line that is not an object', { lines: ['x'] }, '"lines.0"'],
    ['an unknown mark', { lines: [{ text: 'x', mark: 'note' }] }, '"lines.0.mark"'],
  ])('exits with 2 and names the mistake: %s', async (_name, input, words) => {
    const { code, said } = await notes(['--json'], input);
    expect(code).toBe(2);
    expect(said).toContain(words);
  });

  it('returns a pull and a clear as edits', async () => {
    const lines = linesOf('mine', 'What the answer says.', 'to that', 'Its second line.');
    const pull = { turnId: 't', lines: ['What the answer says.', 'Its second line.', 'And a third.'] };
    const pulled = await notes(['pull'], { lines, pulls: PULLS, below: 0, pull });
    expect(JSON.parse(pulled.out)).toEqual({
      edits: [
        { at: 1, remove: 1, from: 0, to: 1, quotes: [] },
        { at: 3, remove: 1, from: 1, to: 3, quotes: [] },
      ],
      kept: [],
    });
    const cleared = await notes(['clear'], { lines, pulls: PULLS });
    expect(JSON.parse(cleared.out).edits).toEqual([
      { at: 1, remove: 1, from: 0, to: 0, quotes: [] },
      { at: 3, remove: 1, from: 0, to: 0, quotes: [] },
    ]);
  });
});
