import { describe, expect, it } from 'vitest';
import {
  type FakeReviewOptions,
  fakeReview,
  testHunk,
  testRefusal,
  testSuggestion,
} from '../../../test/helpers/review-fakes.ts';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import { fail } from '../../lib/result.ts';
import { PUBLISH_LINE } from './empty.ts';

/** Three open hunks in two files. */
function three() {
  return testSuggestion({
    hunks: [
      testHunk('a1', { file: 'a.ts' }),
      testHunk('a2', { file: 'a.ts', diff: '@@ -90 +92 @@\n-was\n+is\n' }),
      testHunk('b1', { file: 'b.ts', diff: '@@ -1,2 +1,2 @@\n keep\n-find me\n+found\n' }),
    ],
    revision: 7,
  });
}

async function open(
  options: FakeReviewOptions = {},
  edit?: (text: string, line: number, name?: string) => string,
) {
  const review = fakeReview({ suggestions: [three()], isRead: true, ...options });
  const fake = fakeUi({
    review,
    ...(edit === undefined
      ? {}
      : { edit: (text, line, name) => ({ ok: true, value: edit(text, line, name) }) }),
  });
  const ui = await driveUi(fake);
  await ui.type('2');
  return { ui, review, fake };
}

const cursorOf = (ui: UiDriver) => ui.state().review.cursor?.hunk;

describe('deciding', () => {
  it('shows a decision in the frame of its key, before it is confirmed, and goes to the next open hunk', async () => {
    let finish = (): void => undefined;
    const { ui, review } = await open({ wait: () => new Promise((resolve) => (finish = resolve)) });
    await ui.type('a');
    expect(ui.rows()[1]).toContain('1/3 decided');
    expect(ui.rows()[1]).toContain('✓1');
    expect(cursorOf(ui)).toBe('a2');
    expect(review.port.getSnapshot().open?.hunks[0]?.status).toBe('pending');
    finish();
    await ui.settle();
    expect(review.port.getSnapshot().open?.hunks[0]?.status).toBe('accepted');
    expect(ui.state().review.expected).toEqual({});
    expect(review.intents).toMatchObject([{ kind: 'accept', hunk: 'a1', seen: 'pending' }]);
  });

  it('decides on one hunk while the others are still loading, and on all only then', async () => {
    const { ui, review } = await open({
      view: { isReading: true },
      suggestions: [{ ...three(), hunkCount: 900 }],
    });
    expect(ui.rows()[1]).toContain('0/900 decided');
    for (const key of ['A', 'X', 'f', 'F', 'enter']) {
      await ui.type(key === 'enter' ? '\r' : key);
      expect(ui.screen()).toContain('900 hunks are still loading');
    }
    await ui.type('a');
    expect(ui.rows()[1]).toContain('1/900 decided');
    expect(review.intents).toMatchObject([{ kind: 'accept', hunk: 'a1', seen: 'pending' }]);
    expect(ui.screen()).not.toContain('Every hunk is decided');
  });

  it('says what helps in the words of who refused, where there are some', async () => {
    const refuse = () => fail('refused', 'a.ts is read-only; nothing was written.', 'Make it writable.');
    const { ui } = await open({ refuse });
    await ui.type('a');
    await ui.settle();
    expect(ui.screen()).toContain('a.ts is read-only; nothing was written. Make it writable.');
    expect(ui.screen()).not.toContain('edits the text');
  });

  it('undoes what was refused, and says why and which keys help', async () => {
    const { ui } = await open({ refuse: () => testRefusal('The lines were changed since') });
    await ui.type('a');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(cursorOf(ui)).toBe('a1');
    expect(ui.screen()).toContain('The lines were changed since. m edits the text, r rejects it.');
  });

  it('decides a burst of keys one hunk after the other', async () => {
    const { ui, review } = await open();
    await ui.type('ara');
    expect(review.intents.map((intent) => ('hunk' in intent ? intent.hunk : ''))).toEqual(['a1', 'a2', 'b1']);
    expect(ui.rows()[1]).toContain('3/3 decided');
    expect(ui.screen()).toContain('Enter finishes the review');
  });

  it('decides the hunks of a file', async () => {
    const { ui, review } = await open();
    await ui.type('F');
    expect(review.intents).toMatchObject([{ kind: 'reject_file', hunk: 'a1' }]);
    expect(ui.rows()[1]).toContain('✗2');
    expect(cursorOf(ui)).toBe('b1');
  });

  it('says what did not fit', async () => {
    const [first, ...rest] = three().hunks;
    if (first === undefined) throw new Error('a hunk');
    const { ui } = await open({
      suggestions: [testSuggestion({ hunks: [{ ...first, status: 'conflict' }, ...rest] })],
    });
    await ui.type('nAy');
    expect(ui.screen()).toContain('Accepted 2 hunks; 1 hunk did not fit');
  });

  it('does nothing twice', async () => {
    const { ui, review } = await open();
    await ui.type('apa');
    expect(cursorOf(ui)).toBe('a2');
    await ui.type('ff');
    await ui.type('pf');
    expect(ui.screen()).toContain('Every hunk of this file is already decided');
    expect(review.intents).toHaveLength(3);
  });

  it('accepts the rest only after a yes, with the revision that was seen', async () => {
    const { ui, review } = await open();
    await ui.type('A');
    expect(ui.screen()).toContain('Accept 3 open hunks?');
    expect(review.intents).toEqual([]);
    await ui.type('n');
    expect(review.intents).toEqual([]);
    await ui.type('A\r');
    expect(review.intents).toEqual([{ kind: 'accept_all' }]);
    expect(review.confirmed).toEqual([7]);
    expect(ui.screen()).toContain('Accepted 3 hunks: Enter finishes the review');
  });

  it('warns at each hunk, and names files that run by themselves before all is accepted', async () => {
    const warning = 'This file runs by itself: direnv runs it';
    const hunks = [
      testHunk('a1', { file: '.envrc', warnings: [{ kind: 'runs', text: warning }] }),
      testHunk('b1', { warnings: [{ kind: 'hidden', text: '1 hidden character: U+3164 HANGUL FILLER' }] }),
    ];
    const { ui, review } = await open({ suggestions: [testSuggestion({ hunks })] });
    expect(ui.screen()).toContain(`! ${warning}`);
    await ui.type('A');
    expect(ui.screen()).toContain('Accept 2 open hunks? .envrc runs by itself.');
    expect(review.intents).toEqual([]);
    await ui.type('y');
    expect(review.intents).toEqual([{ kind: 'accept_all' }]);
  });

  it('undoes a file, and all that was accepted at once, by one key each', async () => {
    const { ui } = await open();
    await ui.type('fu');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('Ay');
    expect(ui.rows()[1]).toContain('3/3 decided');
    await ui.type('u');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(ui.screen()).toContain('3 decisions undone');
  });

  it('undoes the last decisions one by one and does them again', async () => {
    const { ui, review } = await open();
    await ui.type('arn');
    await ui.type('uu');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('\u0012\u0012');
    expect(review.port.getSnapshot().open?.hunks.map(({ status }) => status)).toEqual([
      'accepted',
      'rejected',
      'pending',
    ]);
    await ui.type('Uy');
    expect(ui.rows()[1]).toContain('0/3 decided');
  });

  it('says that there is nothing to undo', async () => {
    const { ui, review } = await open();
    await ui.type('u');
    expect(ui.screen()).toContain('There is no decision to undo');
    await ui.type('\u0012');
    expect(ui.screen()).toContain('Nothing was undone here');
    expect(review.intents.map(({ kind }) => kind)).toEqual(['undo', 'redo']);
  });

  it('completes and discards only after a yes', async () => {
    const { ui, review } = await open();
    await ui.type('\r');
    expect(ui.screen()).toContain('3 hunks stay undecided.');
    // Enter ends nothing.
    await ui.type('\r');
    expect(ui.screen()).not.toContain('stay undecided');
    await ui.type('d\rd');
    expect(ui.screen()).toContain('Discard this suggestion?');
    expect(review.intents).toEqual([]);
    await ui.type('y');
    expect(review.intents).toEqual([{ kind: 'discard' }]);
    expect(ui.screen()).toContain('No suggestion is waiting for you.');
  });
});

describe('modifying', () => {
  it('opens the resulting text at the line with the name of the file, and accepts what comes back', async () => {
    const seen: unknown[] = [];
    const { ui, review } = await open({}, (text, line, name) => {
      seen.push([line, name]);
      return text.replace('return x;', 'return x ?? 0;');
    });
    await ui.type('jjjjjm');
    expect(seen).toEqual([[4, 'a.ts']]);
    expect(review.intents).toMatchObject([{ kind: 'modify', hunk: 'a1', modified: { kind: 'text' } }]);
    const [intent] = review.intents;
    const modified =
      intent?.kind === 'modify' && intent.modified.kind === 'text' ? intent.modified.base64 : '';
    expect(Buffer.from(modified, 'base64').toString()).toContain('return x ?? 0;');
    expect(ui.screen()).toContain('modified');
  });

  it('opens what was made of a hunk when it is modified again', async () => {
    const seen: string[] = [];
    const { ui, review } = await open({}, (text) => {
      seen.push(text);
      return `${text}more\n`;
    });
    await ui.type('m');
    await ui.type('p');
    expect(ui.screen()).toContain('replaced by your own text');
    await ui.type('m');
    expect(seen[1]).toBe(`${seen[0]}more\n`);
    expect(review.intents).toHaveLength(2);
  });

  it('does nothing when nothing was changed, and nothing to a hunk that was read in part', async () => {
    const { ui, review } = await open({}, (text) => text);
    await ui.type('m');
    expect(ui.screen()).toContain('Nothing was changed');
    const partly = testSuggestion({ hunks: [testHunk('p', { diffComplete: false })] });
    const other = await open({ suggestions: [partly] }, () => 'spoiled');
    await other.ui.type('mM');
    expect([...review.intents, ...other.review.intents]).toEqual([]);
  });
});

describe('lines', () => {
  it.each([
    ['jjjjvja', { kind: 'accept', hunk: 'a1', lines: { first: 4, last: 5 } }],
    ['vkkjr', { kind: 'reject', hunk: 'a1', lines: { first: 1, last: 1 } }],
    ['s', { kind: 'split', hunk: 'a1', lines: null, at: 1 }],
    ['jjjjvs', { kind: 'split', hunk: 'a1', lines: { first: 4, last: 4 } }],
    ['jjjjjjjjjs', { kind: 'split', hunk: 'a1', at: 9 }],
  ])('%s', async (keys, intent) => {
    const { ui, review } = await open();
    await ui.type(keys);
    expect(review.intents).toMatchObject([intent]);
  });

  it('split nothing where there is but one change, and say how some of its lines are taken', async () => {
    const { ui } = await open();
    await ui.type('s');
    await ui.settle();
    expect(ui.screen()).toContain('It is one change already; select some of its lines');
  });

  it('stay inside the hunk, and Esc leaves them', async () => {
    const { ui } = await open();
    await ui.type('v');
    expect(ui.rows().at(-1)).toContain('SELECT');
    await ui.type('GGG');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('\u001b');
    expect(ui.state().review.anchor).toBeNull();
  });
});

describe('moving', () => {
  it('goes by hunks over files and by rows from file to file', async () => {
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

  it('keeps the place when somebody decides elsewhere and when the hunk is split away', async () => {
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

  it('goes to what is not decided, round the end', async () => {
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

  it('searches over files', async () => {
    const { ui } = await open();
    await ui.type('/find me\r');
    expect(ui.state().review.cursor).toMatchObject({ hunk: 'b1', row: 2 });
    await ui.type('/nowhere\r');
    expect(ui.screen()).toContain('"nowhere" is not in this suggestion');
  });

  it('switches panes, sides and goes back by q', async () => {
    const { ui } = await open();
    await ui.type('|');
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

  it('are announced when they arrive, and close when they end elsewhere', async () => {
    const { ui, review } = await open();
    await ui.type('1');
    review.set(two());
    expect(ui.screen()).toContain('Suggestion ready: Second (1 hunk in 1 file): 2 shows it');
    await ui.type('2');
    review.set([]);
    expect(ui.screen()).toContain('No suggestion is waiting');
  });
});

it('a finished review is opened again by one key', async () => {
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

describe('without a suggestion', () => {
  it('teaches how one is published and copies the line', async () => {
    const { ui, fake } = await open({ suggestions: [] });
    expect(ui.screen()).toContain(PUBLISH_LINE);
    await ui.type('y');
    expect(fake.copied).toEqual([PUBLISH_LINE]);
  });

  it('says why, and refuses no key with silence', async () => {
    const problem = { code: 'internal', message: 'The host is gone', hint: 'Run copane doctor.' } as const;
    const { ui } = await open({ suggestions: [], view: { problem } });
    expect(ui.screen()).toContain('The host is gone');
    expect(ui.screen()).toContain('Run copane doctor.');
  });
});

/** The time of a key with its frame, the fastest of many: a loaded machine makes all slower, not the fastest ones. */
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

/** A key in something large may cost so many times what it costs in something small. */
const LARGE_MAX_RATIO = 8;

describe('hunks in sentences of the engine', () => {
  const [one, two, other] = ['1', '2', '3'].map((digit) => digit.repeat(16)) as [string, string, string];
  const hunks = [
    testHunk(one, { file: 'a.ts' }),
    testHunk(two, { file: 'a.ts', reason: `it overlaps hunk ${one}, which is in the file.` }),
    testHunk(other, { file: 'b.ts' }),
  ];

  it('are named by file and number, also where they stand in the way', async () => {
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
  it('names the function that it is in, as far as there is room, with what is hidden in it shown', async () => {
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

  it('moves through a hunk of 100,000 lines as through one of 200', async () => {
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

  it('keeps the counts whole where they are long', async () => {
    const hunks = Array.from({ length: 12_345 }, (_, index) => testHunk(`h${index}`));
    const suggestion = testSuggestion({ hunks, description: 'A long description of what it does' });
    const { ui } = await open({ suggestions: [suggestion] });
    expect(ui.rows()[1]).toMatch(/Review A long.*… · 0\/12345 decided ─+ ✓0 ✗0 ◌12345 !0 ─$/);
  });

  it('moves through 20,000 hunks in 2,000 files as through 100 in ten', async () => {
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
