/** Sends into a stand-in AI CLI in real tmux and compares the bytes that arrived. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Quirks, SendBench } from '../../helpers/tmux-sender.ts';

let bench: SendBench | null = null;

afterEach(async () => {
  await bench?.close();
  bench = null;
});

async function withComposer(quirks: Quirks = {}, limits = {}): Promise<SendBench> {
  bench = new SendBench({ limits });
  await bench.startComposer(quirks);
  return bench;
}

const framed = (text: string) => Buffer.from(`\u001b[200~${text}\u001b[201~\r`);

describe('bytes arrive as typed', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['two lines', 'first line\nsecond line'],
    ['a trailing semicolon', 'and; then;'],
    ['tabs, CJK and emoji', '\tconst 漢字 = "🙂👩‍👩‍👧";\n\tend'],
    ['quotes and tmux words', `C-c Enter 'single' "double" $HOME #{pane_id} %1 \\`],
    ['a leading slash', '/goal x\nsecond\nthird\nfourth'],
    ['a leading bang', '!ls -la'],
    ['a leading hash', '# heading'],
    ['a leading at', '@file.ts look'],
    ['a leading dash', '-r --flag'],
    ['keys of copy mode', 'f / : q ? G'],
    ['1,204 bytes on one line', `head ${'x'.repeat(1194)} tail`],
    [
      '3,163 bytes with newlines',
      Array.from({ length: 100 }, (_, row) => `note ${row} ${'y'.repeat(22)}`).join('\n'),
    ],
  ];
  it.each(cases)('%s', async (_name, text) => {
    const b = await withComposer();
    const sent = await b.send(text);
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered' } });
    expect((await b.bytes()).toString()).toBe(framed(text).toString());
    expect(await b.submitted()).toEqual([text]);
    expect(b.outbox.states).toEqual(['recorded', 'pasted', 'submitted', 'delivered']);
  });
});
