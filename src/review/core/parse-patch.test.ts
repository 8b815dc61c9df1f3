import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testDiff, testHash } from '../../../test/helpers/review-subject.ts';
import { runAtOnce } from '../../lib/steps.ts';
import { fromLatin1, latin1 } from './bytes.ts';
import { FileReview } from './file-review.ts';
import { readBody, sideText } from './hunk-body.ts';
import { parsePatch, parseSteps } from './parse-patch.ts';
import { PATCH_MAX_FILES, PATCH_MAX_HUNKS, PATCH_MAX_LINES } from './patch-model.ts';
import { subjectSteps } from './subjects.ts';

const parse = (text: string) => parsePatch(fromLatin1(text));

/** A patch's content in a comparable form. */
function summary(text: string) {
  const parsed = parse(text);
  if (!parsed.ok) return `${parsed.error.code}: ${parsed.error.message}`;
  return parsed.value.files.map((file) => ({
    op: file.operation,
    path:
      file.operation === 'rename' || file.operation === 'copy'
        ? `${file.oldPath}>${file.newPath}`
        : (file.newPath ?? file.oldPath),
    hunks: file.hunks.map((hunk) => {
      const body = readBody(parsed.value.bytes, hunk);
      return [hunk.oldStart, latin1(sideText(body, 'old')), latin1(sideText(body, 'new'))];
    }),
  }));
}

const edit = (path: string, ...hunks: unknown[]) => ({ op: 'modify', path, hunks });

describe('names', () => {
  const body = '@@ -1 +1 @@\n-a\n+b\n';
  const hunk = [1, 'a\n', 'b\n'];
  test.each([
    [
      'git',
      'diff --git a/src/a.ts b/src/a.ts\nindex 1111111..2222222 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n',
      'src/a.ts',
    ],
    ['noprefix', 'diff --git src/a.ts src/a.ts\n--- src/a.ts\n+++ src/a.ts\n', 'src/a.ts'],
    ['noprefix in a folder called b', 'diff --git b/x b/x\n--- b/x\n+++ b/x\n', 'b/x'],
    ['mnemonic prefix', 'diff --git i/b/x w/b/x\n--- i/b/x\n+++ w/b/x\n', 'b/x'],
    ['without the old name', '+++ b/x\n', 'x'],
    ['without the new name', '--- a/x\n', 'x'],
    ['names swapped', '+++ b/x\n--- a/x\n', 'x'],
    ['plain, two folders', '--- old/x\n+++ new/x\n', 'x'],
    ['plain with time stamps', '--- a/x y\t2024-01-01\n+++ b/x y\t2024-01-02\n', 'x y'],
    ['plain with a backup', '--- x.c.orig\n+++ x.c\n', 'x.c'],
    ['octal quotes', '--- "a/h\\303\\251 \\346.txt"\n+++ "b/h\\303\\251 \\346.txt"\n', 'h\xc3\xa9 \xe6.txt'],
    ['quoted quote and tab', '--- "a/we\\"ird\\tname"\n+++ "b/we\\"ird\\tname"\n', 'we"ird\tname'],
    ['a folder that ends in a blank', 'diff --git a/x b/x b/x b/x\n--- a/x b/x\t\n+++ b/x b/x\t\n', 'x b/x'],
    ['DOS line ends in headers', '--- a/x\r\n+++ b/x\r\n', 'x'],
  ])('%s', (_, head, path) => {
    expect(summary(head + body)).toEqual([edit(path, hunk)]);
  });

  test.each([
    ['git', 'diff --git a/x b/y\n--- a/x\n+++ b/y\n', 'rename', 'x>y'],
    ['git, with a backup', 'diff --git a/x.orig b/x\n--- a/x.orig\n+++ b/x\n', 'modify', 'x'],
    ['plain', '--- x\n+++ y\n', 'modify', 'y'],
  ])('two names without rename lines: %s', (_, head, op, path) => {
    expect(summary(head + body)).toEqual([{ op, path, hunks: [hunk] }]);
  });

  test('a name with blanks and no --- line', () => {
    const patch = 'diff --git a/a b.txt b/a b.txt\nold mode 100644\nnew mode 100755\n';
    expect(summary(patch)).toEqual([edit('a b.txt')]);
  });

  test('a new file under diff.noprefix keeps its folder', () => {
    const patch = 'diff --git b/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n';
    expect(summary(patch)).toEqual([{ op: 'create', path: 'b/n', hunks: [[0, '', 'x\n']] }]);
  });

  test('a binary file whose name contains " and b"', () => {
    const patch =
      'diff --git a/a and b.png b/a and b.png\nindex 1111111..2222222 100644\nBinary files a/a and b.png and b/a and b.png differ\n';
    expect(summary(patch)).toEqual([edit('a and b.png')]);
  });

  test.each([
    [
      'the time stamp of the epoch',
      '--- a/n\t1969-12-31 18:00:00.000000000 -0600\n+++ b/n\t2010-08-18 20:13:31.484002255 -0500\n',
    ],
    [
      'a time stamp with blanks and a colon',
      '--- a/n 1970-01-01 02:00:00 +02:00\n+++ b/n 2010-08-18 20:13:31 -05:00\n',
    ],
  ])('a new file by %s', (_, head) => {
    expect(summary(`${head}@@ -0,0 +1 @@\n+x\n`)).toEqual([
      { op: 'create', path: 'n', hunks: [[0, '', 'x\n']] },
    ]);
  });

  test('a TAB in the name before a time stamp', () => {
    expect(
      summary(
        '--- a/x\ty\t2010-08-18 20:13:31 -0500\n+++ b/x\ty\t2010-08-18 20:13:31 -0500\n@@ -1 +1 @@\n-a\n+b\n',
      ),
    ).toEqual([edit('x\ty', [1, 'a\n', 'b\n'])]);
  });

  test('rename and copy use the names from their own lines', () => {
    expect(summary('diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n')).toEqual([
      { op: 'rename', path: 'o>n', hunks: [] },
    ]);
    expect(summary('diff --git o n\nsimilarity index 100%\ncopy from a/o\ncopy to "q\\tn"\n')).toEqual([
      { op: 'copy', path: 'a/o>q\tn', hunks: [] },
    ]);
  });
});

describe('counts lines instead of guessing', () => {
  test.each([
    [
      'header-like content',
      '@@ -1,3 +1,3 @@\n--- old\n-@@ -1 +1 @@\n-diff --git a/x b/x\n+++ new\n+@@ x\n+diff --git\n',
      '-- old\n@@ -1 +1 @@\ndiff --git a/x b/x\n',
      '++ new\n@@ x\ndiff --git\n',
    ],
    ['no newline on one side', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n', 'a', 'a\n'],
    [
      'no newline on both',
      '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
      'a',
      'b',
    ],
    [
      'lone CR, form feed, U+2028',
      '@@ -1 +1 @@\n-a\rb\fc\xe2\x80\xa8d\n+a\rb\fc\xe2\x80\xa8D\n',
      'a\rb\fc\xe2\x80\xa8d\n',
      'a\rb\fc\xe2\x80\xa8D\n',
    ],
    ['an empty context line without its blank', '@@ -1,2 +1,2 @@\n\n-a\n+b\n', '\na\n', '\nb\n'],
    ['Binary in the heading', '@@ -1 +1 @@ Binary files a and b differ\n-a\n+b\n', 'a\n', 'b\n'],
  ])('%s', (_, hunk, old, updated) => {
    expect(summary(`--- a/f\n+++ b/f\n${hunk}`)).toEqual([edit('f', [1, old, updated])]);
  });

  test('reads the consecutive files of a plain diff', () => {
    const one = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;
    expect(summary(`${one('x')}${one('y')}`)).toEqual([
      edit('x', [1, 'a\n', 'b\n']),
      edit('y', [1, 'a\n', 'b\n']),
    ]);
  });
});

describe('what people and models put around a diff', () => {
  const diff = '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n k\n-a\n+b\n';
  const wanted = [edit('f', [1, 'k\na\n', 'k\nb\n'])];
  test.each([
    ['mail', `From 123 Mon Sep 17\nSubject: [PATCH] x\n\n---\n f | 2 +-\n\n${diff}-- \n2.39.5\n\n`],
    ['mail whose signature lost its blank', `${diff}--\n2.40.0\n\n`],
    ['a fence and prose', `Here it is:\n\n\`\`\`diff\n${diff}\`\`\`\n\n- This changes a\n- and keeps k\n`],
    [
      'colours',
      diff
        .split('\n')
        .map((line) => (line === '' ? '' : `\x1b[1m${line}\x1b[m`))
        .join('\n'),
    ],
    ['no final newline', diff.slice(0, -1)],
  ])('%s', (_, text) => {
    expect(summary(text)).toEqual(wanted);
  });

  test('keeps an escape that is part of the content', () => {
    expect(summary('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\x1b[31mred\n+\x1b[32mred\n')).toEqual([
      edit('f', [1, '\x1b[31mred\n', '\x1b[32mred\n']),
    ]);
  });
});

describe('wrong counts', () => {
  const body = ' a\n-b\n+B\n+C\n d\n';
  test.each([
    ['too small', '@@ -1,2 +1,2 @@'],
    ['too large', '@@ -1,5 +1,6 @@'],
    ['no numbers', '@@'],
    ['no numbers, with a heading', '@@ ... @@ function f'],
  ])('%s', (_, header) => {
    const parsed = parse(`--- a/f\n+++ b/f\n${header}\n${body}`);
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(parsed.value.files[0]?.hunks[0]).toMatchObject({ oldCount: 3, newCount: 4, recounted: true });
    expect(parsed.value.notes.join()).toMatch(/Hunk 1 of f: the counts in its header were wrong/);
  });

  test('does not take the next file as part of a hunk with too high a count', () => {
    const patch = `--- a/f\n+++ b/f\n@@ -1,7 +1,9 @@\n${body}--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n`;
    expect(summary(patch)).toEqual([
      edit('f', [1, 'a\nb\nd\n', 'a\nB\nC\nd\n']),
      edit('g', [1, 'x\n', 'y\n']),
    ]);
  });
});

describe('refusals', () => {
  test.each([
    ['nothing', '', /not a unified diff/],
    ['prose', 'I changed the file as you asked.\n', /not a unified diff/],
    ['a combined diff', 'diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1 -1 +1 @@@\n', /combined diff/],
    [
      'wrapped by a mail program',
      '--- a/f\n+++ b/f\n@@ -2,3 +2,3 @@\n a\n-b\n+b that is long and\nwas wrapped\n c\n',
      /goes on in the next one/,
    ],
    ['cut off in a hunk', '--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n a\n-b\n+', /cut off/],
    ['cut off in a new file', '--- /dev/null\n+++ b/f\n@@ -0,0 +1,100 @@\n+a\n+b\n', /cut off/],
    ['cut off after a header', 'diff --git a/f b/f\nindex 1111111..2222222 100644\n', /cut off/],
    [
      'cut off in a binary part',
      'diff --git a/f b/f\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 5\nMc',
      /broken/,
    ],
    ['a hunk of 10^9 lines', '--- a/f\n+++ b/f\n@@ -1,1000000000 +1,1000000000 @@\n-a\n+b\n', /cut off/],
    [
      'a line number beyond all numbers',
      '--- a/f\n+++ b/f\n@@ -99999999999999999999 +1 @@\n-a\n+b\n',
      /no file has that many lines/,
    ],
    ['a hunk without a file', '@@ -1 +1 @@\n-a\n+b\n', /without the name/],
    ['a broken hunk header', '--- a/f\n+++ b/f\n@@x -1 +1 @@\n-a\n+b\n', /cannot be read/],
  ])('%s', (_, text, message) => {
    const parsed = parse(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.error.message).toMatch(message);
  });
});

/** A patch with some bytes changed, lost, doubled or cut off. */
const damaged = fc
  .tuple(
    fc.constantFrom(
      testDiff('a\nb\nc\nd\n', 'a\nB\nc\nd\ne'),
      `${testDiff(null, 'x\ny\n')}${testDiff('x\n', null)}`,
      'diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
      'diff --git a/b.png b/b.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQz00030|\n\n',
      '--- a/f\t2020-01-01 00:00:00 +0000\n+++ b/f\n@@ @@\n-a\n+b\n',
    ),
    fc.array(fc.tuple(fc.nat(400), fc.constantFrom('flip', 'drop', 'double', 'cut', 'line'), fc.nat(255)), {
      maxLength: 6,
    }),
  )
  .map(([text, damages]) => {
    let bytes = [...fromLatin1(text)];
    for (const [where, how, value] of damages) {
      const at = where % (bytes.length + 1);
      if (how === 'flip') bytes[at] = value;
      if (how === 'drop') bytes.splice(at, 1 + (value % 9));
      if (how === 'double') bytes.splice(at, 0, ...bytes.slice(at, at + value));
      if (how === 'cut') bytes = bytes.slice(0, at);
      if (how === 'line') bytes.splice(at, 0, 0x0a);
    }
    return Uint8Array.from(bytes);
  });

test('refuses or reviews a damaged patch, and never throws', () => {
  fc.assert(
    fc.property(damaged, fc.constantFrom('a\nb\nc\nd\n', '', 'x\n', 'a\nb'), (bytes, target) => {
      const parsed = parsePatch(bytes);
      if (!parsed.ok) return;
      for (const subject of runAtOnce(subjectSteps(parsed.value, testHash, () => ({ problem: 'none' })))) {
        const base = { path: 'f', type: 'file', executable: false, bytes: fromLatin1(target) } as const;
        const state = { base, unmoved: true, inPlace: false, changes: new Map(), parts: new Map() };
        const review = new FileReview(subject, state, { newPathProblem: null, hash: testHash });
        const fitting = new Set(
          review.view().flatMap(({ status, change }) => (status === 'pending' ? [change.id] : [])),
        );
        const accepted = review.decide(fitting, 'accept');
        if (!accepted.ok) continue;
        accepted.value.image();
        const undone = accepted.value.step(fitting, 'undo');
        if (fitting.size > 0) expect(undone.ok && undone.value.image()?.bytes).toEqual(base.bytes);
      }
    }),
    { seed: 5, numRuns: 3_000 },
  );
});

describe('the limits', () => {
  const hunks = (count: number) =>
    Buffer.from(
      `--- a/f\n+++ b/f\n${Array.from({ length: count }, (_, i) => `@@ -${i + 1} +${i + 1} @@\n-a\n+b\n`).join('')}`,
    );
  const files = (count: number) =>
    Buffer.from(
      Array.from(
        { length: count },
        (_, i) => `diff --git a/${i} b/${i}\nold mode 100644\nnew mode 100755\n`,
      ).join(''),
    );
  const lines = (count: number) =>
    Buffer.from(`--- /dev/null\n+++ b/f\n@@ -0,0 +1,${count - 3} @@\n${'+\n'.repeat(count - 3)}`);

  test.each([
    ['hunks', hunks, PATCH_MAX_HUNKS],
    ['files', files, PATCH_MAX_FILES],
    ['lines', lines, PATCH_MAX_LINES],
  ] as const)('accepts that many %s, and not one more', (what, make, most) => {
    expect(parsePatch(make(most)).ok).toBe(true);
    const over = parsePatch(make(most + 1));
    expect(over.ok ? '' : over.error.message).toMatch(new RegExp(`more than ${most} ${what}`));
  });

  test('reads a header up to a length; a longer name is then too long for a path', () => {
    const name = 'x'.repeat(1_000_000);
    const parsed = parsePatch(Buffer.from(`--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`));
    expect(parsed.ok ? parsed.value.files[0]?.newPath?.length : 0).toBeLessThan(50_000);
  });
});

describe('reads a long patch in steps', () => {
  const MB = 1024 * 1024;
  const escapes = '\u001b[31m'.repeat((4 * MB) / 5);
  test.each([
    ['colours alone', escapes],
    ['escapes inside lines', `diff --git a/f b/f\n+${escapes}`],
    [
      'colours that are removed',
      `\u001b[1mdiff --git a/f b/f\u001b[m\n${'+\u001b[31ma\u001b[m\n'.repeat(MB / 3)}`,
    ],
    ['empty lines', '\n'.repeat(4 * MB)],
    ['a binary file', `diff --git a/f b/f\nGIT binary patch\nliteral 9\n${'Azcmb\n'.repeat((4 * MB) / 6)}`],
  ])('%s', (_, text) => {
    let steps = 0;
    const reading = parseSteps(fromLatin1(text));
    while (reading.next().done !== true) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(4);
  });
});
