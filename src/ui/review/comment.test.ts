import { describe, expect, it } from 'vitest';
import { fakeReview, testComment, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import { until } from '../../../test/helpers/until.ts';
import type { Hunk, Surroundings } from '../../protocol/review.ts';

const DIFF = '@@ -9,3 +9,4 @@\n a\n-let b = 1\n+const b = 1\n+more\n c\n';

const TURNS = { session: { cli: 'pi', path: '/s', sessionId: 's' }, from: 't', to: 't' } as const;

async function open(
  hunk: Partial<Hunk> = {},
  options: {
    turns?: typeof TURNS;
    size?: [number, number];
    edit?: (text: string) => string;
    around?: Surroundings;
  } = {},
) {
  const hunks = [testHunk('a1', { file: 'a.ts', diff: DIFF, ...hunk }), testHunk('a2', { file: 'a.ts' })];
  const { edit } = options;
  const review = fakeReview({
    suggestions: [testSuggestion({ hunks, ...(options.turns && { turns: options.turns }) })],
    isRead: true,
    ...(options.around === undefined ? {} : { around: options.around }),
  });
  const fake = fakeUi({
    review,
    ...(edit === undefined ? {} : { edit: (text: string) => ({ ok: true as const, value: edit(text) }) }),
  });
  const [columns, rows] = options.size ?? [80, 24];
  const ui = await driveUi(fake, { size: { columns, rows } });
  await ui.type('2');
  return { ui, review };
}

const rowWith = (ui: UiDriver, text: string) => ui.rows().findIndex((row) => row.includes(text));

describe('writing a comment', () => {
  it('is on the hunk when started on its header, and shows the diff meanwhile', async () => {
    const { ui, review } = await open();
    await ui.type('cwhy not?');
    expect(ui.screen()).toContain('Comment on the hunk, a.ts');
    expect(ui.screen()).toContain('+ const b = 1');
    await ui.type('\r');
    expect(review.intents).toMatchObject([{ kind: 'comment', hunk: 'a1', text: 'why not?', lines: null }]);
    expect(ui.screen()).toContain('you: why not?');
  });

  it('goes to the draft with rejected changes, even while it is being sent', async () => {
    const { ui } = await open({}, { turns: TURNS, size: [80, 40] });
    await ui.type('r');
    expect(ui.screen()).toContain('Taken back. i says why');
    expect(ui.rows().at(-1)).toMatch(/^ +i say why +D reasons to draft/);
    await ui.type('iwhy not?\rD');
    await until('the reasons in the draft', () => ui.screen().includes('I took this back'));
    expect(ui.screen()).toContain('I took this back');
    expect(ui.screen()).toContain('why not?');
  });

  it('is one key away after any rejection, until it is made or undone', async () => {
    const { ui, review } = await open();
    expect(ui.screen()).not.toContain('say why');
    await ui.type('nr');
    expect(ui.rows().at(-1)).toMatch(/^ +i say why/);
    await ui.type('itoo long');
    expect(ui.screen()).toContain('Comment on the hunk, a.ts');
    await ui.type('\r');
    expect(review.intents.at(-1)).toMatchObject({
      kind: 'comment',
      hunk: 'a2',
      text: 'too long',
      lines: null,
    });
    expect(ui.screen()).not.toContain('say why');
    expect(ui.rows().at(-1)).toContain('s split');
    await ui.type('pru');
    expect(ui.screen()).not.toContain('say why');
  });

  it.each([
    ['another review', ['\u001b', '\u001b', 'j\r'], 'The other'],
    ['the next comment', ['ncsecond'], 'second'],
  ])('does not move the reader of %s to the draft', async (_, keys, shown) => {
    let answer: () => void = () => undefined;
    const suggestions = ['aa', 'bb'].map((id) => {
      const hunks = ['1', '2'].map((n) => testHunk(id + n, { file: `${id}.ts`, diff: DIFF }));
      return testSuggestion({ id, description: id === 'bb' ? 'The other' : 'This', hunks, turns: TURNS });
    });
    const wait = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    const ui = await driveUi(fakeUi({ review: fakeReview({ suggestions, isRead: true, wait }) }));
    await ui.type('2\r');
    await ui.type('cwhy not?\rD');
    for (const typed of keys) {
      await ui.type(typed);
      await ui.settle();
    }
    answer();
    await ui.settle();
    expect(ui.state().screen).toBe('review');
    expect(ui.screen()).toContain(shown);
  });

  it('is on the line under the cursor, by its number in the file', async () => {
    const { ui, review } = await open();
    await ui.type('jjjc');
    expect(ui.screen()).toContain('Comment on line 10 of a.ts');
    await ui.type('no\r');
    expect(review.intents).toMatchObject([{ text: 'no', lines: { first: 3, last: 3 } }]);
  });

  it('is on the selected lines, by old numbers if all are removed', async () => {
    const { ui, review } = await open();
    await ui.type('jjjvjc');
    expect(ui.screen()).toContain('Comment on lines 10-11 of a.ts');
    await ui.type('both\r');
    expect(review.intents).toMatchObject([{ lines: { first: 3, last: 4 } }]);
    await ui.type('ggjjc');
    expect(ui.screen()).toContain('Comment on old line 10 of a.ts');
  });

  const AROUND_LINES: readonly [string, string, { first: number; last: number }][] = [
    ['j', 'line 7 of a.ts', { first: -1, last: -1 }],
    ['jj', 'line 8 of a.ts', { first: 0, last: 0 }],
    ['jvjj', 'lines 7-9 of a.ts', { first: -1, last: 1 }],
    ['nkk', 'line 13 of a.ts', { first: 6, last: 6 }],
  ];
  it.each([40, 80, 160].flatMap((columns) => AROUND_LINES.map((about) => [columns, ...about] as const)))(
    'is on lines of the file around the hunk: at %i columns, %s is on %s',
    async (columns, keys, where, lines) => {
      const around = { above: ['top', 'above'], below: ['below', 'last'], moreAbove: 0, moreBelow: 0 };
      const { ui, review } = await open({}, { size: [columns, 40], around });
      await ui.type('+');
      await ui.type(`gg${keys}c`);
      expect(ui.screen()).toContain(`Comment on ${where}`);
      await ui.type('odd\r');
      expect(review.intents).toMatchObject([{ text: 'odd', lines }]);
    },
  );

  it('can have several lines: from keys, a paste, the editor', async () => {
    const { ui, review } = await open({}, { edit: (text) => `${text}\nthree\n` });
    await ui.type('cone\u001b\rtwo');
    await ui.type('\u0007');
    await ui.settle();
    expect(ui.screen()).toContain('three');
    await ui.type('\r');
    expect(review.intents).toMatchObject([{ text: 'one\ntwo\nthree' }]);
    const at = rowWith(ui, 'you: one');
    expect(
      ui
        .rows()
        .slice(at, at + 3)
        .map((row) => row.trim().replace(/^[┊│▌]?\s*/, '')),
    ).toEqual([
      expect.stringContaining('you: one'),
      expect.stringContaining('two'),
      expect.stringContaining('three'),
    ]);
  });

  it('edits like readline, and shows its cursor', async () => {
    const { ui, review } = await open();
    await ui.type('cworld\u0001hello \u0005!');
    await ui.type('\r');
    expect(review.intents).toMatchObject([{ text: 'hello world!' }]);
  });

  it('is kept when abandoned, and continues later', async () => {
    const { ui, review } = await open();
    await ui.type('chalf a tho');
    await ui.type('\u001b');
    await ui.settle();
    expect(review.intents).toEqual([]);
    expect(ui.screen()).toContain('its text is kept');
    await ui.type('cught\r');
    expect(review.intents).toMatchObject([{ text: 'half a thought' }]);
  });

  it('reports an empty text, and one that is too long', async () => {
    const { ui, review } = await open();
    await ui.type('c  \r');
    expect(ui.screen()).toContain('No comment was made');
    await ui.type('c');
    await ui.type(`\u001b[200~${'x'.repeat(10_001)}\u001b[201~`);
    await ui.type('\r');
    expect(ui.screen()).toContain('at most 10000 characters');
    expect(review.intents).toEqual([]);
  });

  it.each([
    [40, 12],
    [160, 50],
  ])('fits at %i by %i, with its text scrolled to the cursor', async (columns, rows) => {
    const { ui } = await open({}, { size: [columns, rows] });
    await ui.type('c');
    for (let line = 1; line <= 30; line += 1) await ui.type(`line ${line}\u001b\r`);
    await ui.type('last');
    expect(ui.rows()).toHaveLength(rows);
    expect(ui.screen()).toContain('last');
    expect(ui.screen()).toContain('Comment on the hunk');
  });
});

describe('comments on lines', () => {
  const comments = [
    testComment('about two', { lines: { first: 3, last: 4 }, place: { side: 'new', first: 10, last: 11 } }),
    testComment('about the hunk'),
  ];

  it('are below the last of their lines; those on the hunk are below its header', async () => {
    const { ui } = await open({ comments });
    const order = ['@@ 9,3', 'you: about the hunk', '+ more', 'you, lines 10-11: about two', '11 12   c'];
    const at = order.map((text) => rowWith(ui, text));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
    expect((at[3] ?? 0) - (at[2] ?? 0)).toBe(1);
  });

  it('are not lines: the cursor skips them, and decisions ignore them', async () => {
    const { ui, review } = await open({ comments });
    await ui.type('jjjjjj');
    expect(ui.rows().find((row) => row.startsWith('▌'))).toContain('about two');
    await ui.type('c');
    expect(ui.screen()).toContain('Comment on the hunk');
    await ui.type('x\r');
    expect(review.intents).toMatchObject([{ lines: null }]);
  });

  it('are below both sides if these are side by side', async () => {
    const { ui } = await open({ comments }, { size: [160, 40] });
    expect(rowWith(ui, 'you, lines 10-11: about two')).toBe(rowWith(ui, '+ more') + 1);
  });

  it('are all shown if two of them are on adjacent lines', async () => {
    const both = [2, 3].map((line) => testComment(`about ${line}`, { lines: { first: line, last: line } }));
    const { ui } = await open({ comments: both }, { size: [160, 40] });
    expect(ui.screen()).toContain('about 2');
    expect(ui.screen()).toContain('about 3');
  });

  it('keep the selection on its line when both sides are merged, wrapped or not', async () => {
    for (const keys of ['', 'w']) {
      const said = [testComment('about the first\nat length', { lines: { first: 1, last: 1 } })];
      const { ui, review } = await open({ comments: said }, { size: [160, 40] });
      await ui.type(keys);
      // The removed line beside the added one, below the comment of two rows: the left one is selected.
      await ui.type('jjjj');
      expect(ui.rows().find((row) => row.includes('▌'))).toContain('let b = 1');
      await ui.type('va');
      expect(review.intents).toMatchObject([{ lines: { first: 2, last: 2 } }]);
    }
  });

  it('of a part are given in words, because its lines are numbered differently', async () => {
    const { ui } = await open({ comments, parent: 'root' });
    expect(rowWith(ui, 'about two')).toBeLessThan(rowWith(ui, '- let b'));
  });
});
