import { describe, expect, it } from 'vitest';
import { testDiff, testReview, testSubjects } from '../../../test/helpers/review-subject.ts';
import { runAtOnce } from '../../lib/steps.ts';
import { latin1 } from './bytes.ts';
import {
  changeWarnings,
  FAR_BLANK_CELLS,
  fileWarnings,
  LOOKED_AT_MAX_BYTES,
  newFileWarnings,
} from './warnings.ts';

const bytes = (text: string) => latin1(new TextEncoder().encode(text));

const NO_TEXT = () => ({ bytes: new Uint8Array(0), linesBefore: 0 });

/** Warnings on the first hunk from `old` to `new`. */
function warned(old: string, updated: string): readonly string[] {
  const review = testReview(testDiff(bytes(old), bytes(updated)), bytes(old));
  const [change] = review.subject.changes;
  if (change === undefined) throw new Error('no hunk');
  return runAtOnce(changeWarnings(change, NO_TEXT)).map(({ text }) => text);
}

describe('changeWarnings', () => {
  it.each([
    ['plain ASCII with TABs', 'a\n', 'a\n\tb = c;\n'],
    ['Windows line ends', 'a\r\n', 'a\r\nb\r\n'],
    ['text of other scripts and emoji', 'a\n', 'a\nдом 日本 می‌خواهم 👩🏽‍🚀 ⚠️\n'],
    ['bytes that are not UTF-8', 'a\n', 'a\n'],
    ['an indented block', 'a\n', `a\n${' '.repeat(40)}b\n`],
    ['blanks at the end of a line', 'a\n', `a${' '.repeat(200)}\n`],
  ])('does not warn of %s', (_, old, updated) => expect(warned(old, `${updated}z\n`)).toEqual([]));

  it('scans a long line in steps, and finds characters that span two of them', () => {
    const MB = 1024 * 1024;
    const blanks = `${' '.repeat(MB)}x\n`;
    const [change] = testReview(testDiff('a\n', `a\n${blanks}`), 'a\n').subject.changes;
    if (change === undefined) throw new Error('no hunk');
    let steps = 0;
    const looking = changeWarnings(change, NO_TEXT);
    while (looking.next().done !== true) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(4);
    const onTheEdge = `${'x'.repeat(MB / 4 - FAR_BLANK_CELLS / 2)}${' '.repeat(FAR_BLANK_CELLS)}y\n`;
    expect(warned('a\n', `a\n${onTheEdge}`)[0]).toMatch(/in line 2$/);
  });

  it('counts and names hidden characters', () => {
    expect(warned('a\n', 'a\nx\u200b\u200by\u202e\n')).toEqual([
      '3 hidden characters: U+200B ZERO WIDTH SPACE (2), U+202E RIGHT-TO-LEFT OVERRIDE',
    ]);
    expect(warned('a\n', 'a\nif (\u3164) {}\n')).toEqual(['1 hidden character: U+3164 HANGUL FILLER']);
  });

  it.each([
    ['\u001b]0;', 'U+001B ESCAPE'],
    ['x\ry', 'U+000D CARRIAGE RETURN'],
    ['ab\b\bcd', 'U+0008 BACKSPACE (2)'],
    ['\u{e0041}', 'U+E0041 TAG "A"'],
    ['\u{e0100}', 'U+E0100 VARIATION SELECTOR'],
    ['\ue000', 'U+E000 PRIVATE USE'],
    ['\u2800', 'U+2800 BRAILLE PATTERN BLANK'],
    ['\uffff', 'U+FFFF NO CHARACTER'],
    ['x\u00a0y', 'U+00A0 NO-BREAK SPACE'],
  ])('names the characters in %j', (text, name) => expect(warned('a\n', `a\n${text}\n`)[0]).toContain(name));

  it('names a few kinds and counts the others', () => {
    const text = Array.from({ length: 9 }, (_, at) => String.fromCodePoint(0x2000 + at)).join('');
    expect(warned('a\n', `a\n${text}\n`)[0]).toMatch(/^9 hidden characters: .* and 3 other kinds$/);
  });

  it('says if a change has more unusual text than is checked', () => {
    const atBound = 'ä'.repeat(LOOKED_AT_MAX_BYTES / 2);
    expect(warned('a\n', `a\n${atBound}\n`)).toEqual([]);
    expect(warned('a\n', `a\n\u200b${atBound}\nä\u202e\n`)).toEqual([
      '1 hidden character: U+200B ZERO WIDTH SPACE',
      'Only the first 512 KiB of its lines beyond plain ASCII were checked for hidden characters',
    ]);
  });

  it('includes unchanged and removed lines', () => {
    expect(warned('a\u200b\nb\n', 'a\u200b\nc\n')).toEqual(['1 hidden character: U+200B ZERO WIDTH SPACE']);
    expect(warned('a\u200b\n', 'a\n')).toEqual(['1 hidden character: U+200B ZERO WIDTH SPACE']);
  });

  it('reports text far to the right, and its lines', () => {
    const far = (cells: number) => `ok();${' '.repeat(cells)}evil();\n`;
    expect(warned('a\n', `a\n${far(FAR_BLANK_CELLS - 1)}`)).toEqual([]);
    expect(warned('a\n', `a\n${far(FAR_BLANK_CELLS)}`)).toEqual([
      'Text far to the right, after 80 blanks or more, in line 2',
    ]);
    expect(warned('a\n', `a\n${'\t'.repeat(20)}b\n${far(300)}`)).toEqual([
      'Text far to the right, after 80 blanks or more, in lines 2, 3',
    ]);
    expect(warned(far(90), 'b\n')[0]).toContain('in line 1 before');
  });
});

describe('newFileWarnings of links', () => {
  const link = (newPath: string, target: string) =>
    newFileWarnings({
      newPath,
      whole: { old: null, new: { type: 'symlink', bytes: new TextEncoder().encode(target) } },
    } as Parameters<typeof newFileWarnings>[0]).map(({ text }) => text);

  it.each(['b', './b', '../b', '../c/../b', 'x/../../b'])('accepts a link a/l to %s', (target) => {
    expect(link('a/l', target)).toEqual([]);
  });

  it.each(['/etc/passwd', '../../b', '../..', 'x/../../../b', './../../x'])(
    'warns of a link a/l to %s',
    (target) => {
      expect(link('a/l', target)).toEqual([`This link leads out of the project, to ${target}`]);
    },
  );
});

describe('newFileWarnings of modes', () => {
  const warned = (header: string, body = '') =>
    testSubjects(`diff --git a/s b/s\n${header}\n${body}`)
      .flatMap(newFileWarnings)
      .map(({ text }) => text);
  const text = '--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+x\n';

  it('warns of an executable bit that no line shows', () => {
    const words = ['This new file comes with the permission to run'];
    for (const mode of ['100755', '104755', '100744'])
      expect(warned(`new file mode ${mode}`, text)).toEqual(words);
    expect(warned('new file mode 100755\nindex 0000000..e69de29')).toEqual(words);
    const wasLink = `deleted file mode 120000\n--- a/s\n+++ /dev/null\n@@ -1 +0,0 @@\n-t\n\\ No newline at end of file\n`;
    expect(warned(wasLink, `diff --git a/s b/s\nnew file mode 100755\n${text}`)).toEqual(words);
  });

  it('does not warn of an executable bit with its own hunk, or an unchanged one', () => {
    expect(warned('new file mode 100644', text)).toEqual([]);
    expect(warned('old mode 100644\nnew mode 100755')).toEqual([]);
    const edit = '--- a/s\n+++ b/s\n@@ -1 +1 @@\n-x\n+y\n';
    expect(warned('index 587be6b..975fbec 100755', edit)).toEqual([]);
    expect(warned('deleted file mode 100755', '--- a/s\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n')).toEqual([]);
  });
});

describe('fileWarnings', () => {
  it('says who runs the file, and what its name hides', () => {
    expect(fileWarnings('src/a.ts')).toEqual([]);
    expect(fileWarnings('.envrc')).toEqual([
      {
        kind: 'runs',
        text: 'This file runs by itself: direnv or a plug-in of the shell runs it when you enter the folder',
      },
    ]);
    expect(fileWarnings('src/a\u202ets.exe')).toEqual([
      { kind: 'hidden', text: 'The name of this file has 1 hidden character: U+202E RIGHT-TO-LEFT OVERRIDE' },
    ]);
  });
});
