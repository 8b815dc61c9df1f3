import { describe, expect, it } from 'vitest';
import { fakeReview, testHunk, testRefusal, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import {
  cursorOf,
  openReviewScreen as open,
  threeHunks as three,
} from '../../../test/helpers/review-screen.ts';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import { ok, type Result } from '../../lib/result.ts';
import { PUBLISH_LINE } from './empty.ts';

describe('moving', () => {
  it('goes by hunks across files, and by rows from file to file', async () => {
    const { ui } = await open();
    await ui.type('nn');
    expect(cursorOf(ui)).toBe('b1');
    await ui.type('n');
    expect(ui.screen()).toContain('This is the last hunk');
    await ui.type('kkp');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('Gj');
    expect(cursorOf(ui)).toBe('b1');
  });

  it('keeps its place when somebody decides elsewhere and when the hunk is split', async () => {
    const { ui, review } = await open();
    await ui.type('nj');
    const [a1, a2, b1] = three().hunks;
    if (a1 === undefined || a2 === undefined || b1 === undefined) throw new Error('three hunks');
    review.set([testSuggestion({ hunks: [{ ...a1, status: 'accepted' }, a2, b1], revision: 8 })]);
    expect(ui.state().review.cursor).toMatchObject({ hunk: 'a2', row: 1 });
    const part = (id: string) => ({ ...a2, id, parent: 'a2' });
    review.set([testSuggestion({ hunks: [a1, part('x'), part('y'), b1], revision: 9 })]);
    expect(cursorOf(ui)).toBe('x');
    review.set([testSuggestion({ hunks: [a1], revision: 10 })]);
    expect(cursorOf(ui)).toBe('a1');
  });

  it('goes to undecided hunks, wrapping around', async () => {
    const { ui } = await open();
    await ui.type('na');
    expect(cursorOf(ui)).toBe('b1');
    await ui.type('[');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type(']');
    expect(cursorOf(ui)).toBe('b1');
    await ui.type('aa]');
    expect(ui.screen()).toContain('Every hunk is decided');
  });

  it('goes to the next file with something undecided, and stays if there is none', async () => {
    const { ui } = await open();
    await ui.type('}');
    expect(cursorOf(ui)).toBe('b1');
    await ui.type('{');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('}a[{}');
    expect(cursorOf(ui)).toBe('a2');
    expect(ui.screen()).toContain('No other file has an undecided hunk');
  });

  it('changes the display of the diff from the list of files, too', async () => {
    const { ui } = await open();
    await ui.type('\tw|W');
    expect(ui.state().review).toMatchObject({
      focus: 'files',
      isWrapped: false,
      sides: 'two',
      quietBlanks: true,
    });
    await ui.type('C');
    expect(ui.state().overlay).toMatchObject({ kind: 'prompt', purpose: 'commit' });
  });

  it('searches across files', async () => {
    const { ui } = await open();
    await ui.type('/find me\r');
    expect(ui.state().review.cursor).toMatchObject({ hunk: 'b1', row: 2 });
    await ui.type('/nowhere\r');
    expect(ui.screen()).toContain('"nowhere" is not in this suggestion');
  });

  it('switches panes and sides, and goes back on q', async () => {
    const { ui } = await open();
    await ui.type('w|');
    expect(ui.screen()).toMatch(/^ +│41 \+ {3}if .*\n.41 - {3}return x +│42 \+ {3}return x;/m);
    await ui.type('\tj');
    expect(cursorOf(ui)).toBe('b1');
    await ui.type('\rq');
    expect(ui.state().review.focus).toBe('files');
    await ui.type('q');
    expect(ui.state().screen).toBe('responses');
  });
});

describe('several suggestions', () => {
  const two = () => [three(), testSuggestion({ id: 's2', description: 'Second', hunks: [testHunk('z')] })];

  it('are listed, opened and left again', async () => {
    const { ui } = await open({ suggestions: two(), isRead: false });
    expect(ui.rows()[0]).toContain('●2');
    expect(ui.screen()).toMatch(/▸ 13:58 {2}Add input validation/);
    await ui.type('j\r');
    expect(ui.rows()[1]).toContain('Second');
    await ui.type('qq');
    expect(ui.screen()).toContain('2 to review');
  });

  const session = { cli: 'pi' as const, path: '/s.jsonl', sessionId: 's' };
  it.each([
    ['what an answer changed', { turns: { session, from: 't1', to: 't1' } }],
    ["the user's own working tree", { inPlace: true, author: null }],
  ])('are not announced if they show %s, which was requested', async (_, fields) => {
    const { ui, review } = await open();
    await ui.type('1');
    review.set([three(), testSuggestion({ id: 's2', ...fields })]);
    expect(ui.screen()).not.toContain('Suggestion ready');
  });

  it('are announced when they arrive, and close when finished elsewhere', async () => {
    const { ui, review } = await open();
    await ui.type('1');
    review.set(two());
    expect(ui.screen()).toContain('Suggestion ready: Second (1 hunk in 1 file): 2 shows it');
    await ui.type('2');
    review.set([]);
    expect(ui.screen()).toContain('No suggestion is waiting');
  });
});

it('one key reopens a finished review', async () => {
  const { ui } = await open();
  await ui.type('\r');
  expect(ui.screen()).toContain('Finish the review?');
  await ui.type('\r');
  expect(ui.screen()).not.toContain('No suggestion is waiting');
  await ui.type('\r');
  await ui.type('y');
  expect(ui.screen()).toContain('Review completed; R reopens it');
  await ui.type('R');
  expect(ui.screen()).toContain('The review is open again');
  expect(ui.rows()[1]).toContain('Add input validation');
});

it('one key commits accepted changes: a message, then a question to which Enter means no', async () => {
  const { ui, review } = await open();
  await ui.type('C');
  expect(ui.screen()).toContain('Commit message:');
  await ui.type('\r');
  expect(ui.screen()).toContain('No message was given');
  await ui.type('aCFix it\r');
  expect(ui.screen()).toMatch(/Hooks run, and it is signed/);
  await ui.type('\r');
  expect(review.intents.map(({ kind }) => kind)).toEqual(['accept']);
  // The message is there again, as after a hook refused it.
  await ui.type('C\ry');
  expect(review.intents.at(-1)).toEqual({ kind: 'commit', message: 'Fix it' });
});

it('keys wait for a suggestion that is opened, and for what comes of them; Esc drops them', async () => {
  const suggestions = [testSuggestion({ id: 's', hunks: ['a1', 'a2', 'a3'].map((id) => testHunk(id)) })];
  const open = async () => {
    const fake = fakeReview({ suggestions });
    const port = { ...fake.port, follow: () => undefined };
    return { fake, ui: await driveUi(fakeUi({ review: { ...fake, port } })) };
  };
  const { ui, fake } = await open();
  await ui.type('2na');
  await ui.type('r');
  expect(fake.intents).toEqual([]);
  fake.port.follow('s', null, 0);
  await ui.settle();
  expect(fake.intents).toMatchObject([
    { kind: 'accept', hunk: 'a2' },
    { kind: 'reject', hunk: 'a3' },
  ]);
  const other = await open();
  await other.ui.type('2na');
  await other.ui.type('\x1b');
  other.fake.port.follow('s', null, 0);
  await other.ui.settle();
  expect(other.fake.intents).toEqual([]);
});

it('keys typed ahead of the review of an answer wait for it, and act on no response; Ctrl+C does not wait', async () => {
  const suggestions = [
    testSuggestion({ id: 'other', hunks: [testHunk('o1')] }),
    testSuggestion({ id: 's', hunks: ['a1', 'a2'].map((id) => testHunk(id)) }),
  ];
  const review = fakeReview({ suggestions });
  const fake = fakeUi({ review });
  let opened: (id: string) => void = () => undefined;
  const reviewTurn = () => new Promise<Result<string>>((resolve) => (opened = (id) => resolve(ok(id))));
  const responses = { ...fake.ports.responses, reviewTurn };
  const ui = await driveUi({ ports: { ...fake.ports, responses } });
  const before = ui.state().draft;
  await ui.type('dn');
  await ui.type('r');
  expect(ui.state()).toMatchObject({ screen: 'responses', draft: before });
  opened('s');
  await ui.settle();
  expect(ui.state().screen).toBe('review');
  expect(review.intents).toMatchObject([{ kind: 'reject', hunk: 'a2' }]);
  await ui.type('1');
  await ui.type('dr');
  await ui.type('\x03');
  expect(ui.events).toEqual(['quit']);
});

it('a commit message stays with its review and its replacement; others start without one', async () => {
  const names = ['one', 'two'];
  const suggestions = names.map((id) => testSuggestion({ id, hunks: [testHunk(id, { file: `${id}.ts` })] }));
  const review = fakeReview({ suggestions, isRead: true });
  const ui = await driveUi(fakeUi({ review }));
  await ui.type('2\raCFix it\r');
  await ui.type('\r');
  const asked = async () => {
    await ui.type('C');
    const { overlay } = ui.state();
    await ui.type('\u001b');
    return overlay?.kind === 'prompt' && overlay.query;
  };
  expect(await asked()).toBe('Fix it');
  await ui.type('qqj\r');
  expect([ui.state().review.suggestion, await asked()]).toEqual(['two', '']);
  await ui.type('qqk\r');
  expect([ui.state().review.suggestion, await asked()]).toEqual(['one', 'Fix it']);
  const heir = testSuggestion({ id: 'heir', replaces: 'one', hunks: [testHunk('h', { file: 'one.ts' })] });
  review.set([heir, ...suggestions.slice(1)]);
  expect([ui.state().review.suggestion, await asked()]).toEqual(['heir', 'Fix it']);
});

it('the menu of sources offers the changes of the newest answer', async () => {
  const { ui } = await open();
  await ui.type('b');
  expect(ui.screen()).toContain('What the newest answer of the AI changed');
  await ui.type('jjj\r');
  expect(ui.screen()).toContain('Nothing is known of t3');
});

describe('without a suggestion', () => {
  it('explains how to publish one, and copies the line', async () => {
    const { ui, fake } = await open({ suggestions: [] });
    expect(ui.screen()).toContain(PUBLISH_LINE);
    await ui.type('y');
    expect(fake.copied).toEqual([PUBLISH_LINE]);
  });

  it('says why, and answers every key', async () => {
    const problem = { code: 'internal', message: 'The host is gone', hint: 'Run copane doctor.' } as const;
    const { ui } = await open({ suggestions: [], view: { problem } });
    expect(ui.screen()).toContain('The host is gone');
    expect(ui.screen()).toContain('Run copane doctor.');
  });
});

/** The time of a key with its frame, the fastest of many: a loaded machine slows most of them, but not the fastest. */
function fastestKeyMs(ui: UiDriver, press: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let pressed = 0; pressed < 50; pressed += 1) {
    const started = performance.now();
    press();
    ui.rows();
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}

describe('a review that grows while the AI works', () => {
  const session = { cli: 'claude', path: '/s', sessionId: 's' } as const;
  const turns = { session, from: 't', to: 't' };
  const hunk = (id: string, line: number) => {
    const diff = `@@ -${line},2 +${line},2 @@\n-was ${id}\n+is ${id}\n same\n`;
    return testHunk(id, { file: 'a.ts', diff });
  };
  const grown = (ids: readonly string[], revision: number) =>
    testSuggestion({ hunks: ids.map((id) => hunk(id, Number(id.slice(1)))), revision, turns });
  const first = Array.from({ length: 12 }, (_, at) => `h${(at + 1) * 10}`);
  const rowOf = (ui: UiDriver, text: string) => ui.rows().findIndex((row) => row.includes(text));

  it('moves nothing under the cursor when changes arrive above it, and jumps nowhere', async () => {
    const { ui, review } = await open({ suggestions: [grown(first, 1)] });
    await ui.type('nnnnnnnnpp');
    const row = rowOf(ui, 'is h70');
    expect(row).toBeGreaterThan(0);
    review.set([grown(['h3', 'h5', ...first, 'h200'], 2)]);
    expect(cursorOf(ui)).toBe('h70');
    expect(rowOf(ui, 'is h70')).toBe(row);
  });

  it('shows the newest change on request', async () => {
    const { ui, review } = await open({ suggestions: [grown(first, 1)] });
    await ui.type('gf');
    expect(ui.screen()).toContain('follows');
    review.set([grown(['h3', ...first], 2)]);
    expect(cursorOf(ui)).toBe('h3');
    review.set([grown(['h3', ...first, 'h200'], 3)]);
    expect(cursorOf(ui)).toBe('h200');
    expect(rowOf(ui, 'is h200')).toBeGreaterThan(0);
    await ui.type('gf');
    review.set([grown(['h3', ...first, 'h200', 'h300'], 4)]);
    expect(cursorOf(ui)).toBe('h200');
  });
});

/** How much more a key in something large may cost than in something small. */
const LARGE_MAX_RATIO = 8;

describe('hunks in messages of the engine', () => {
  const [one, two, other] = ['1', '2', '3'].map((digit) => digit.repeat(16)) as [string, string, string];
  const hunks = [
    testHunk(one, { file: 'a.ts' }),
    testHunk(two, { file: 'a.ts', reason: `it overlaps hunk ${one}, which is in the file.` }),
    testHunk(other, { file: 'b.ts' }),
  ];

  it('are named by file and number, even when they are the obstacle', async () => {
    const refuse = () =>
      testRefusal(`Hunk ${one}: it overlaps hunk ${other}, and hunk ${'9'.repeat(16)} is gone`);
    const { ui } = await open({ suggestions: [testSuggestion({ hunks })], refuse });
    expect(ui.screen()).toContain('! it overlaps hunk 1 of a.ts, which is in the file.');
    await ui.type('a');
    await ui.settle();
    expect(ui.screen()).toContain('It overlaps hunk 1 of b.ts, and hunk 9999999999999999 is gone');
  });
});

describe('the header of a hunk', () => {
  it('names the function that it is in, if there is room, with hidden characters shown', async () => {
    const diff = '@@ -41 +41 @@ function parse(\u202etext)\n-was\n+is\n';
    const review = fakeReview({
      suggestions: [testSuggestion({ hunks: [testHunk('a1', { diff })] })],
      isRead: true,
    });
    const header = async (columns: number) => {
      const ui = await driveUi(fakeUi({ review }), { size: { columns, rows: 24 } });
      await ui.type('2');
      return ui.rows().find((row) => row.includes('@@')) ?? '';
    };
    expect(await header(120)).toMatch(/@@ 41,1 → 41,1 @@ function parse\(<202E>text\) +◌ open {2}1 of 1/);
    expect(await header(40)).toMatch(/@@ 41,1 → 41,1 @@ .*… ◌ open {2}1 of 1/);
  });
});

describe('scale', () => {
  const bigDiff = (lines: number) =>
    `@@ -1,${lines} +1,${lines} @@\n${Array.from({ length: lines }, (_, index) => `-old ${index}\n+new ${index}\n`).join('')}`;

  it('moves through a hunk of 100,000 lines as fast as one of 200', async () => {
    const timed = async (lines: number) => {
      const hunks = [testHunk('big', { diff: bigDiff(lines) })];
      const { ui } = await open({ suggestions: [testSuggestion({ hunks })] });
      await ui.type('j');
      const ms = fastestKeyMs(ui, () => ui.controller.run('move/page-down'));
      await ui.type('G');
      expect(ui.screen()).toContain(`new ${lines - 1}`);
      return ms;
    };
    const small = await timed(100);
    expect((await timed(50_000)) / small).toBeLessThan(LARGE_MAX_RATIO);
  });

  it('keeps long counts whole', async () => {
    const hunks = Array.from({ length: 12_345 }, (_, index) => testHunk(`h${index}`));
    const suggestion = testSuggestion({ hunks, description: 'A long description of what it does' });
    const { ui } = await open({ suggestions: [suggestion] });
    expect(ui.rows()[1]).toMatch(/Review A long.*… · 0\/12345 decided ─+ ✓0 ✗0 ◌12345 !0 ─$/);
  });

  it('moves through 20,000 hunks in 2,000 files as fast as 100 in ten', async () => {
    const timed = async (total: number) => {
      const hunks = Array.from({ length: total }, (_, index) =>
        testHunk(`h${index}`, { file: `f${Math.floor(index / 10)}` }),
      );
      const { ui } = await open({ suggestions: [testSuggestion({ hunks })] });
      const ms = fastestKeyMs(ui, () => ui.controller.run('review/next-hunk'));
      expect(ui.state().review.cursor?.hunk).toBe('h50');
      return ms;
    };
    const small = await timed(100);
    expect((await timed(20_000)) / small).toBeLessThan(LARGE_MAX_RATIO);
  });
});
