import { describe, expect, it } from 'vitest';
import {
  type FakeReviewOptions,
  fakeReview,
  testHunk,
  testSuggestion,
} from '../../../test/helpers/review-fakes.ts';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import type { Hunk } from '../../protocol/review.ts';
import { WRAPPED_FILE_MAX_LINES } from './diff-layout.ts';

const DIFF = '@@ -39,3 +42,4 @@\n a\n-let b = 1\n+const b = 1\n+more\n c\n';

async function open(
  hunks: readonly Hunk[],
  options: FakeReviewOptions = {},
  size: [number, number] = [80, 24],
) {
  const review = fakeReview({
    suggestions: [testSuggestion({ hunks: [...hunks] })],
    isRead: true,
    ...options,
  });
  const fake = fakeUi({ review });
  const ui = await driveUi(fake, { size: { columns: size[0], rows: size[1] } });
  await ui.type('2');
  return { ui, review, fake };
}

const four = (): Hunk[] => [
  testHunk('a1', { file: 'a.ts', status: 'accepted' }),
  testHunk('a2', { file: 'a.ts', diff: DIFF }),
  testHunk('b1', { file: 'b.ts', status: 'rejected', diff: DIFF }),
  testHunk('c1', { file: 'c.ts', diff: DIFF }),
];

const cursorOf = (ui: UiDriver) => ui.state().review.cursor?.hunk;
const cursorLine = (ui: UiDriver) => ui.rows().find((row) => row.startsWith('▌')) ?? '';

it.each([
  [90, /^(.)*│.* {2}1 {2}1 {3}x/m, /39 42 {3}a/],
  [50, /^ {2}1 {3}x/m, /^ 42 {3}a/m],
])('aligns the line numbers of all hunks of a file at %i columns', async (columns, early, late) => {
  const near = testHunk('a1', { file: 'a.ts', diff: '@@ -1,2 +1,3 @@\n x\n+y\n z\n' });
  const { ui } = await open([near, testHunk('a2', { file: 'a.ts', diff: DIFF })], {}, [columns, 30]);
  expect(ui.screen()).toMatch(early);
  expect(ui.screen()).toMatch(late);
});

it.each([
  ['create', '@@ -0,0 +1,2 @@\n+first\n+second\n'],
  ['delete', '@@ -1,2 +0,0 @@\n-first\n-second\n'],
] as const)(
  'a file of kind %s is on one side in a wide diff, until both sides are asked for',
  async (kind, diff) => {
    const { ui } = await open(
      [testHunk('a1', { kind, diff }), testHunk('b1', { file: 'b.ts', diff: DIFF })],
      {},
      [160, 30],
    );
    const bars = (text: string) =>
      ui
        .rows()
        .find((row) => row.includes(text))
        ?.split('│').length;
    expect(bars('first')).toBe(2);
    await ui.type('|');
    expect(bars('first')).toBe(3);
    await ui.type('|');
    expect(bars('first')).toBe(2);
  },
);

it('a changed file is on both sides in a wide diff', async () => {
  const { ui } = await open([testHunk('b1', { file: 'b.ts', diff: DIFF })], {}, [160, 30]);
  expect(
    ui
      .rows()
      .find((row) => row.includes('let b'))
      ?.split('│'),
  ).toHaveLength(3);
});

describe('context', () => {
  it('shows lines of the file around the hunk, numbered on both sides, and hides them again', async () => {
    const { ui } = await open([testHunk('a1', { diff: DIFF })]);
    expect(ui.screen()).not.toContain('above 1');
    await ui.type('+');
    expect(ui.screen()).toMatch(/38 41 +above 1/);
    expect(ui.screen()).toMatch(/29 32 +above 10/);
    expect(ui.screen()).toMatch(/42 46 +below 1/);
    expect(ui.screen()).not.toContain('above 11');
    await ui.type('-');
    expect(ui.screen()).not.toContain('above');
  });

  it('keeps the cursor on its line, and decides only on lines of the hunk', async () => {
    const { ui, review } = await open([testHunk('a1', { diff: DIFF })]);
    await ui.type('jjj');
    expect(cursorLine(ui)).toContain('const b = 1');
    await ui.type('++');
    expect(cursorLine(ui)).toContain('const b = 1');
    await ui.type('-');
    expect(cursorLine(ui)).toContain('const b = 1');
    await ui.type('va');
    expect(review.intents).toMatchObject([{ kind: 'accept', lines: { first: 3, last: 3 } }]);
  });

  it('is not part of the hunk: editing changes only the hunk, and starts at the line of the cursor', async () => {
    const given: [string, number][] = [];
    const edit = (text: string, line: number) => {
      given.push([text, line]);
      return { ok: true as const, value: text };
    };
    const review = fakeReview({
      suggestions: [testSuggestion({ hunks: [testHunk('a1', { diff: DIFF })] })],
      isRead: true,
    });
    const ui = await driveUi(fakeUi({ review, edit }));
    await ui.type('2');
    await ui.type('jjjj+');
    await ui.type('m');
    await ui.settle();
    await ui.type('M');
    await ui.settle();
    expect(given).toEqual([
      ['a\nconst b = 1\nmore\nc\n', 3],
      [DIFF, 5],
    ]);
  });

  it('does not prevent a split at the change under the cursor', async () => {
    const { ui, review } = await open([testHunk('a1', { diff: DIFF })]);
    await ui.type('+s');
    expect(review.intents).toMatchObject([{ kind: 'split', hunk: 'a1', at: 1 }]);
  });

  it('ends where the neighbours begin, and says so', async () => {
    const { ui } = await open([testHunk('a1', { diff: DIFF })], {
      around: { above: ['x'], below: [], moreAbove: 0, moreBelow: 0 },
    });
    await ui.type('+');
    await ui.type('+');
    expect(ui.screen()).toContain('There are no more lines');
  });

  it.each<[Partial<Hunk>, string]>([
    [{ kind: 'mode', diff: 'old mode 100644\nnew mode 100755\n' }, 'A mode has no lines around it'],
    [{ status: 'conflict', diff: DIFF }, 'no place in the file'],
  ])('says why there is none: %j', async (hunk, words) => {
    const { ui } = await open([testHunk('a1', hunk)]);
    await ui.type('+');
    expect(ui.screen()).toContain(words);
  });
});

describe('a modified hunk', () => {
  it('shows the modified text against the suggested one, and the suggestion below', async () => {
    const { ui } = await open([testHunk('a1', { diff: DIFF, status: 'modified' })], {
      texts: {
        suggested: 'a\nconst b = 1\nmore\nc\n',
        result: 'a\nconst b = 2\nmore\nc\n',
        isOwnRegion: true,
      },
    });
    const rows = ui.rows().map((row) => row.replace(/^[▌ ]?[\d ]*/, '').trim());
    const wanted = [
      'yours: the',
      '- const b = 1',
      '+ const b = 2',
      'suggested',
      '- let b = 1',
      '+ const b = 1',
    ];
    let from = 0;
    const at = wanted.map((text) => {
      const found = rows.findIndex((row, y) => y >= from && row.startsWith(text));
      from = found + 1;
      return found;
    });
    expect(at).not.toContain(-1);
  });
});

describe('modifying once more, after a restart', () => {
  const texts = { suggested: 'a\nconst b = 1\nmore\nc\n', result: 'a\nmine\nc\n' };

  it.each([
    [true, 'a\nmine\nc\n'],
    [false, 'a\nconst b = 1\nmore\nc\n'],
  ])('starts from the modified text if that replaces exactly the hunk (%s)', async (isOwnRegion, text) => {
    const hunks = [testHunk('a1', { diff: DIFF, status: 'modified' })];
    const review = fakeReview({
      suggestions: [testSuggestion({ hunks })],
      isRead: true,
      texts: { ...texts, isOwnRegion },
    });
    const given: string[] = [];
    const edit = (before: string) => {
      given.push(before);
      return { ok: true as const, value: before };
    };
    const ui = await driveUi(fakeUi({ review, edit }));
    await ui.type('2');
    await ui.type('m');
    await ui.settle();
    expect(given).toEqual([text]);
  });
});

describe('seen marks', () => {
  it('are set and removed by one key, which also goes to the next unseen hunk', async () => {
    const { ui, review } = await open(four());
    await ui.type(' ');
    expect(cursorOf(ui)).toBe('a2');
    await ui.type('  ');
    expect(cursorOf(ui)).toBe('c1');
    expect([...review.port.getSnapshot().viewed]).toEqual(['a1', 'a2', 'b1']);
    expect(review.intents).toEqual([]);
    await ui.type('p');
    expect(ui.screen()).toContain('◉ seen');
    await ui.type(' ');
    expect(ui.screen()).not.toContain('◉ seen');
    expect(cursorOf(ui)).toBe('b1');
  });
});

describe('the filter', () => {
  it('shows what is new since the last round on one key, and everything again', async () => {
    const { ui } = await open(four().map((hunk) => (hunk.id === 'c1' ? { ...hunk, isNew: true } : hunk)));
    const shown = () => ui.rows().filter((row) => /[abc]\.ts .*[◌✓✗]\d/.test(row)).length;
    await ui.type('L');
    expect(ui.screen()).toContain('Only hunks that are new since your last round: 1 hunk');
    expect([shown(), cursorOf(ui)]).toEqual([1, 'c1']);
    expect(ui.screen()).toMatch(/@@.* new {2}◌ open/);
    await ui.type(' ');
    expect(ui.screen()).toMatch(/@@.* new {2}◉ seen {2}◌ open/);
    await ui.type('L');
    expect(shown()).toBe(3);
    const none = await open(four());
    await none.ui.type('L');
    expect(none.ui.screen()).toContain('Nothing is new since your last round');
  });

  it('cycles through the existing statuses in both directions, and names the current one', async () => {
    const { ui } = await open(four());
    const shown = () => ui.rows().filter((row) => /[abc]\.ts .*[◌✓✗]\d/.test(row)).length;
    await ui.type('o');
    expect(ui.screen()).toContain('only open');
    expect(shown()).toBe(2);
    await ui.type('o');
    expect(ui.rows()[1]).toContain('only accepted');
    expect(shown()).toBe(1);
    await ui.type('o');
    expect(ui.rows()[1]).toContain('only rejected');
    await ui.type('oo');
    expect(ui.rows()[1]).not.toContain('only');
    expect(shown()).toBe(3);
    await ui.type('O');
    expect(ui.rows()[1]).toContain('only unseen');
  });

  it('drops a hunk once decided, moves among those left, and shows all if none is left', async () => {
    const { ui } = await open(four());
    await ui.type('o');
    expect(cursorOf(ui)).toBe('a2');
    await ui.type('a');
    expect(cursorOf(ui)).toBe('c1');
    expect(ui.screen()).not.toContain('a.ts');
    await ui.type('a');
    expect(ui.screen()).toContain('a.ts');
    expect(ui.rows()[1]).not.toContain('only');
  });

  it('moves and searches within what is shown', async () => {
    const { ui } = await open(four());
    await ui.type('on');
    expect(cursorOf(ui)).toBe('c1');
    await ui.type('n');
    expect(ui.screen()).toContain('This is the last hunk');
  });
});

describe('wrapping', () => {
  const long = `@@ -1 +1 @@\n-${'abcdefghi '.repeat(30)}\n+${'ABCDEFGHI '.repeat(30)}x\n`;

  it('continues a long line in the next rows, and cuts it again', async () => {
    const { ui } = await open([testHunk('a1', { diff: long })], {}, [60, 24]);
    expect(ui.rows().filter((row) => row.includes('↳'))).toHaveLength(10);
    expect(ui.rows().slice(4).join('')).not.toContain('…');
    await ui.type('>');
    expect(ui.screen()).toContain('Long lines wrap');
    await ui.type('w');
    expect(ui.screen()).not.toContain('↳');
    expect(ui.screen()).toContain('…');
    await ui.type('w');
    expect(ui.screen()).toContain('↳');
  });

  it('moves by visible rows, and decides on the line of a row', async () => {
    const { ui, review } = await open([testHunk('a1', { diff: long })], {}, [60, 24]);
    await ui.type('jjjva');
    expect(review.intents).toMatchObject([{ lines: { first: 1, last: 1 } }]);
  });

  it('stays on its line when switched', async () => {
    const { ui } = await open([testHunk('a1', { diff: long })], {}, [60, 24]);
    await ui.type('wjj');
    expect(cursorLine(ui)).toContain('ABCD');
    await ui.type('w');
    expect(cursorLine(ui)).toContain('ABCD');
    await ui.type('w');
    expect(cursorLine(ui)).toContain('ABCD');
  });

  it('wraps each side if both are shown', async () => {
    const { ui } = await open([testHunk('a1', { diff: long })], {}, [160, 40]);
    const both = ui.rows().filter((row) => (row.match(/↳/g) ?? []).length === 2);
    expect(both.length).toBeGreaterThan(4);
  });

  it('does not wrap a file of very many lines, and says so', async () => {
    const lines = `+${'x'.repeat(200)}\n`.repeat(WRAPPED_FILE_MAX_LINES + 1);
    const { ui } = await open([
      testHunk('a1', { diff: `@@ -0,0 +1,${WRAPPED_FILE_MAX_LINES + 1} @@\n${lines}` }),
    ]);
    expect(ui.screen()).not.toContain('↳');
    await ui.type('ww');
    expect(ui.screen()).toContain('is not wrapped');
    expect(ui.screen()).not.toContain('↳');
  });

  it('shifts cut lines only as far as something of the hunk remains visible', async () => {
    const { ui } = await open([testHunk('a1', { diff: '@@ -1 +1 @@\n-short\n+a line of 20 cells.\n' })]);
    await ui.type('w>>>>>>>>');
    expect(ui.screen()).toMatch(/cells\.\s*$/m);
  });
});

describe('opening the file', () => {
  it('opens it in the editor at the line under the cursor', async () => {
    const { ui, fake } = await open([testHunk('a1', { diff: DIFF })]);
    await ui.type('E');
    await ui.settle();
    await ui.type('jjjjjE');
    await ui.settle();
    // The fake has the first change at line 100; the added lines of an open hunk are not there yet.
    expect(fake.opened).toEqual([
      { file: '/home/user/parser/src/parse.ts', line: 100 },
      { file: '/home/user/parser/src/parse.ts', line: 101 },
    ]);
  });
});

describe('display settings', () => {
  it('do not change what is decided on: the hunk on the screen, by its id', async () => {
    const blanks = testHunk('a2', { file: 'a.ts', diff: '@@ -39,2 +39,2 @@\n-\tx\n-y\n+  x\n+z\n' });
    const hunks = [testHunk('a1', { file: 'a.ts' }), blanks, testHunk('a3', { file: 'a.ts', diff: DIFF })];
    const { ui, review } = await open(hunks);
    // Blanks dimmed, more context, wrapped, only open ones, both sides, one seen.
    await ui.type('nW+wo|');
    expect(cursorOf(ui)).toBe('a2');
    await ui.type('r');
    await ui.type('p');
    await ui.type('p');
    await ui.type('a');
    expect(review.intents).toMatchObject([
      { kind: 'reject', hunk: 'a2' },
      { kind: 'accept', hunk: 'a1' },
    ]);
  });
});
