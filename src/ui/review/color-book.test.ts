import { describe, expect, it } from 'vitest';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testClock } from '../../../test/helpers/ui-fakes.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { FileTexts } from '../../protocol/review.ts';
import { type ColorDepth, createTheme } from '../kit/theme/theme.ts';
import { COLOR_REST_MS, COLORED_HUNK_MAX_CHARACTERS, COLORED_HUNK_MAX_LINES } from './color-book.ts';
import type { ColoredLine, ColorPort, ColorRequest } from './port.ts';

const DIFF = '@@ -1,2 +1,2 @@\n keep\n-let b = 1\n+let b = 2\n';

type Answer = Result<readonly (readonly ColoredLine[])[]>;

/** Answers that every line begins with a keyword of three letters. */
const colored = ({ texts }: ColorRequest): Answer =>
  ok(texts.map((text) => text.split('\n').map(() => [[0, 3, 'keyword']] as const)));

async function open(
  diffs: readonly string[],
  answer: (wanted: ColorRequest) => Answer | Promise<Answer> = colored,
  depth: ColorDepth = '256',
  wholeTexts?: FileTexts,
) {
  const hunks = diffs.map((diff, index) => testHunk(`h${index}`, { file: `f${index}.ts`, diff }));
  const review = fakeReview({
    suggestions: [testSuggestion({ hunks })],
    isRead: true,
    ...(wholeTexts === undefined ? {} : { wholeTexts }),
  });
  const clock = testClock();
  const wishes: { readonly wanted: ColorRequest; readonly signal: AbortSignal }[] = [];
  const colors: ColorPort = {
    color: async (wanted, signal) => {
      wishes.push({ wanted, signal });
      return answer(wanted);
    },
  };
  const fake = fakeUi({ review, clock });
  const theme = createTheme({ depth, background: 'dark', ascii: false, plain: false });
  const ui = await driveUi({ ...fake, ports: { ...fake.ports, colors } }, { theme });
  await ui.type('2');
  const rest = async () => {
    clock.advance(COLOR_REST_MS);
    await ui.settle();
  };
  return { ui, wishes, rest };
}

describe('syntax colours', () => {
  it('arrive after the frame that shows the hunk, by side, and only once', async () => {
    const { ui, wishes, rest } = await open([DIFF]);
    expect(ui.screen()).toContain('let b = 2');
    expect(wishes).toEqual([]);
    await rest();
    expect(wishes.map(({ wanted }) => wanted)).toEqual([
      { file: 'f0.ts', texts: ['keep\nlet b = 1', 'keep\nlet b = 2'] },
    ]);
    expect(ui.spans('+ let b = 2').map(({ text, role }) => [text, role])).toContainEqual([
      'let',
      'syntax-keyword',
    ]);
    await ui.type('j');
    await rest();
    expect(wishes).toHaveLength(1);
  });

  it.each<[ColorDepth, string, string]>([
    ['truecolor', 'syntax-keyword', 'syntax-keyword'],
    ['256', 'syntax-keyword', 'syntax-keyword'],
    ['16', 'added-strong', 'syntax-keyword'],
    ['none', 'added', 'text'],
  ])('with depth %s show a changed line as %s, any other as %s', async (depth, changed, same) => {
    const { ui, rest } = await open([DIFF], colored, depth);
    await rest();
    const roleOf = (row: string, text: string) =>
      ui.spans(row).find((part) => part.text.startsWith(text))?.role;
    expect(roleOf('+ let b = 2', 'let')).toBe(changed);
    expect(roleOf('  keep', 'kee')).toBe(same);
  });

  it('use the whole file: a comment that begins above the hunk continues in it', async () => {
    // Lines after the one that opens a comment are comments.
    const commented = ({ texts }: ColorRequest): Answer =>
      ok(
        texts.map((text) => {
          const lines = text.split('\n');
          const from = lines.indexOf('/*');
          return lines.map((line, at) => (from >= 0 && at > from ? [[0, line.length, 'comment']] : []));
        }),
      );
    const before = '/*\nmore\nkeep\nlet b = 1\n*/\n';
    const after = before.replace('= 1', '= 2');
    // The line numbers are of a file without the two lines above.
    const { ui, wishes, rest } = await open([DIFF], commented, '256', { before, after });
    await rest();
    expect(wishes.map(({ wanted }) => wanted.texts)).toEqual([[before, after]]);
    for (const row of ['- let b = 1', '+ let b = 2', '  keep'])
      expect(ui.spans(row).map(({ role }) => role)).toContain('syntax-comment');
    expect(ui.spans('+ let b = 2').map(({ text, role, ground }) => [text, role, ground])).toContainEqual([
      'let b = ',
      'syntax-comment',
      'added',
    ]);
  });

  it('use only the hunk if the file has other lines by now', async () => {
    const texts = { before: 'other\n', after: 'other\n' };
    const { ui, wishes, rest } = await open([DIFF], colored, '256', texts);
    await rest();
    expect(wishes.map(({ wanted }) => wanted.texts.length)).toEqual([2, 2]);
    expect(ui.spans('  keep').map(({ role }) => role)).toContain('syntax-keyword');
  });

  it('are not requested while the reader moves on, and a pending request is cancelled', async () => {
    let settle = (_: Answer): void => undefined;
    const { ui, wishes, rest } = await open(
      [DIFF, DIFF.replace('keep', 'kept'), DIFF.replace('keep', 'kind')],
      () => {
        return new Promise((resolve) => {
          settle = resolve;
        });
      },
    );
    await ui.type('n');
    await ui.type('n');
    await rest();
    expect(wishes.map(({ wanted }) => wanted.file)).toEqual(['f2.ts']);
    await ui.type('p');
    expect(wishes[0]?.signal.aborted).toBe(true);
    settle(ok([[], []]));
    await rest();
    expect(wishes.at(-1)?.wanted.file).toBe('f1.ts');
  });

  it.each([
    [
      'lines',
      `@@ -0,0 +1,9 @@\n${'+x\n'.repeat(COLORED_HUNK_MAX_LINES + 1)}`,
      `@@ -0,0 +1,9 @@\n${'+x\n'.repeat(COLORED_HUNK_MAX_LINES)}`,
    ],
    [
      'characters',
      `@@ -0,0 +1 @@\n+${'x'.repeat(COLORED_HUNK_MAX_CHARACTERS + 1)}\n`,
      `@@ -0,0 +1 @@\n+${'x'.repeat(COLORED_HUNK_MAX_CHARACTERS)}\n`,
    ],
  ])('are missing from a hunk of too many %s, with a message', async (_, beyond, within) => {
    const long = await open([beyond]);
    await long.rest();
    expect(long.wishes).toEqual([]);
    await long.ui.type('j');
    expect(long.ui.screen()).toContain('too long to colour');
    const short = await open([within]);
    await short.rest();
    expect(short.wishes).toHaveLength(1);
  });

  it('are silently missing for an unknown language, with a message for a text that takes too long', async () => {
    const unknown = await open([DIFF], () => fail('not_found', 'no'));
    await unknown.rest();
    expect(unknown.ui.screen()).not.toContain('colour');
    const slow = await open([DIFF], () => fail('refused', 'too long'));
    await slow.rest();
    expect(slow.ui.screen()).toContain('not coloured: it took too long');
  });
});
