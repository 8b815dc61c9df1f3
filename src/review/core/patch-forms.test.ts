import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must, testDiff } from '../../../test/helpers/review-subject.ts';
import { runAtOnce } from '../../lib/steps.ts';
import { fromLatin1, latin1 } from './bytes.ts';
import { readBody, sideText } from './hunk-body.ts';
import { patchForm } from './patch-forms.ts';
import { patchOfEdits } from './place-edits.ts';

const BLOB = () => '1'.repeat(40);
const OLD = 'one\ntwo\nthree\nfour\n';

/** Applies a patch to `OLD` in `f`: both sides of its hunks, or the sentence that refuses it. */
function read(text: string | Uint8Array, old: string | null = OLD): string {
  const form = runAtOnce(patchForm(typeof text === 'string' ? fromLatin1(text) : text));
  if (!form.ok) return form.error.message;
  if (form.value.kind === 'edits') {
    const file = old === null ? null : { text: old, mode: 0o100644 };
    const paths = form.value.edits.flatMap(({ file_path, new_path }) => [file_path, new_path ?? file_path]);
    const files = new Map(paths.map((path) => [path, path === 'f' ? file : null]));
    const patch = runAtOnce(patchOfEdits(form.value.edits, files, BLOB));
    return patch.ok ? sides(latin1(patch.value)) : patch.error.message;
  }
  return sides(latin1(form.value.bytes));
}

function sides(text: string): string {
  const form = runAtOnce(patchForm(fromLatin1(text)));
  if (!form.ok || form.value.kind !== 'diff' || form.value.patch === null) return 'no diff';
  const { bytes, files } = form.value.patch;
  return files
    .map((file) => {
      const hunks = file.hunks.map((hunk) => {
        const body = readBody(bytes, hunk);
        return `${JSON.stringify(latin1(sideText(body, 'old')))} > ${JSON.stringify(latin1(sideText(body, 'new')))}`;
      });
      return `${file.newPath ?? `-${file.oldPath}`}: ${hunks.join(', ')}`;
    })
    .join('; ');
}

const DIFF = '--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four\n';
const CHANGED = 'f: "one\\ntwo\\nthree\\nfour\\n" > "one\\nTWO\\nthree\\nfour\\n"';
const block = (old: string, fresh: string, path = 'f') =>
  `${path}\n<<<<<<< SEARCH\n${old}=======\n${fresh}>>>>>>> REPLACE\n`;
const begin = (...body: readonly string[]) => `*** Begin Patch\n${body.join('\n')}\n*** End Patch\n`;
const call = (input: unknown) => JSON.stringify({ name: 'Edit', input });
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return new Uint8Array(isBig ? bytes.swap16() : bytes);
};
const CONTEXT_DIFF = [
  '*** a/f\t2024-01-01',
  '--- b/f\t2024-01-02',
  '***************',
  '*** 1,4 ****',
  '  one',
  '! two',
  '  three',
  '  four',
  '--- 1,4 ----',
  '  one',
  '! TWO',
  '  three',
  '  four',
  '',
].join('\n');

describe('the same change in all formats', () => {
  test.each<[string, string | Uint8Array]>([
    ['a unified diff', DIFF],
    ['in a fence', `Sure:\n\n\`\`\`diff\n${DIFF}\`\`\`\n`],
    ['in an indented fence', `1. Do this:\n\n   \`\`\`diff\n${DIFF.replace(/^(?=.)/gm, '   ')}   \`\`\`\n`],
    ['quoted by a mail', `On Monday, X wrote:\n${DIFF.replace(/^/gm, '> ').replace(/> $/, '')}\nRight?\n`],
    ['quoted without blanks', DIFF.replace(/^(?=.)/gm, '>')],
    ['quoted twice', DIFF.replace(/^(?=.)/gm, '> > ')],
    ['as UTF-16', utf16(DIFF)],
    ['as UTF-16 of the other order, with DOS line ends', utf16(DIFF.replaceAll('\n', '\r\n'), true)],
    ['a context diff', CONTEXT_DIFF],
    ['a context diff in a fence', `\`\`\`\n${CONTEXT_DIFF}\`\`\`\n`],
    ['a SEARCH/REPLACE block', block('two\n', 'TWO\n')],
    ['a SEARCH/REPLACE block in a fence', `\`\`\`ts\n${block('two\n', 'TWO\n')}\`\`\`\n`],
    ['apply_patch', begin('*** Update File: f', '@@', ' one', '-two', '+TWO', ' three')],
    ['apply_patch, indented', begin('*** Update File: f', '@@', '-two', '+TWO').replace(/^/gm, '    ')],
    ['apply_patch without a hunk line', begin('*** Update File: f', '-two', '+TWO')],
    ['apply_patch without its end', begin('*** Update File: f', '-two', '+TWO').replace(/\*\*\* End.*/s, '')],
    ['apply_patch with the names of a diff', begin('*** Update File: f', DIFF.trimEnd())],
    [
      'apply_patch as the argument of a call',
      JSON.stringify({ args: [begin('*** Update File: f', '-two', '+TWO')] }),
    ],
    [
      'a quoted-printable mail',
      `Content-Transfer-Encoding: quoted-printable\n\n${DIFF.replace('TWO', '=54W=\nO')}`,
    ],
    ['context that lost its blanks', DIFF.replace(/^ /gm, '')],
    ['a SEARCH/REPLACE block of dashes', 'f\n------- SEARCH\ntwo\n=======\nTWO\n+++++++ REPLACE\n'],
    ['a block that names its line', block(':start_line:2\n-------\ntwo\n', 'TWO\n')],
    ['a block that is indented by mistake', block('  two\n  three\n', '  TWO\n  three\n')],
    ['trailing blanks that the file lacks', block('two  \n', 'TWO\n')],
    ['a block escaped for HTML', block('two\n', 'TWO\n').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
    ['a diff as a JSON string', JSON.stringify(DIFF)],
    ['JSON in a fence', `Do this:\n\`\`\`json\n${JSON.stringify({ patch: DIFF }, null, 2)}\n\`\`\`\n`],
    ['a call of an edit tool', call({ file_path: 'f', old_string: 'two', new_string: 'TWO' })],
    ['a call with whole lines', call([{ path: 'f', old_string: 'two\n', new_string: 'TWO\n' }])],
    ['a diff without a hunk line', DIFF.replace(/^@@.*\n/m, '')],
  ])('%s', (_, text) => {
    expect(read(text)).toBe(CHANGED);
  });
});

describe('edits', () => {
  test('create, delete and move files', () => {
    expect(read(begin('*** Add File: new', '+a', '+b'))).toBe('new: "" > "a\\nb\\n"');
    expect(read(begin('*** Delete File: f'))).toBe(`-f: ${JSON.stringify(OLD)} > ""`);
    expect(read(begin('*** Update File: f', '*** Move to: g', '-two', '+TWO'))).toBe(
      CHANGED.replace('f:', 'g:'),
    );
    expect(read(begin('*** Update File: f', '*** Move to: g'))).toBe('g: ');
    const twice = ['*** Update File: f', '*** Move to: g', '*** Update File: g', '*** Move to: h'];
    expect(read(begin(...twice))).toBe('h: ');
    expect(read(begin(...twice, '*** Update File: h', '*** Move to: f', '-two', '+TWO'))).toBe(CHANGED);
    expect(read(block('', 'a\n', 'src/new.ts'))).toBe('src/new.ts: "" > "a\\n"');
    expect(read('<<<<<<< SEARCH new.ts\n=======\na\n>>>>>>> REPLACE\n')).toBe('new.ts: "" > "a\\n"');
  });

  test.each(['`f`', '**f**', '(lines 1..3)', '(exact match.)', 'v1.2', 'file: f'])(
    'use the file named above a block, whatever follows SEARCH: %s',
    (words) => {
      expect(read(block('two\n', 'TWO\n').replace('SEARCH', `SEARCH ${words}`))).toBe(CHANGED);
    },
  );

  test.each(['`new.ts`', 'file: new.ts', '**new.ts**'])(
    'use the file named after SEARCH, written %s',
    (words) => {
      expect(read(`<<<<<<< SEARCH ${words}\n=======\na\n>>>>>>> REPLACE\n`)).toBe('new.ts: "" > "a\\n"');
    },
  );

  test.each(['title="new.ts"', 'filename=new.ts', 'file=new.ts'])(
    'use the file of a fence with %s',
    (named) => {
      const fenced = `\`\`\`ts ${named}\n<<<<<<< SEARCH\n=======\na\n>>>>>>> REPLACE\n\`\`\`\n`;
      expect(read(fenced)).toBe('new.ts: "" > "a\\n"');
    },
  );

  test.each(['Makefile', 'LICENSE'])('use the file %s, named above a fence', (name) => {
    const fenced = block('', 'a\n').replace('f\n', '```makefile\n');
    expect(read(`${name}\n${fenced}\`\`\`\n`)).toBe(`${name}: "" > "a\\n"`);
    expect(
      read(`${block('two\n', 'TWO\n')}\nThen:\n${fenced.replace('SEARCH\n', 'SEARCH\nTWO\n')}\`\`\`\n`),
    ).toContain('> "one\\na\\nthree');
  });

  test('keep the line ends of the file, and a missing one at its end', () => {
    expect(read(block('two\nthree\n', 'two\nTHREE\n'), 'one\r\ntwo\r\nthree')).toBe(
      'f: "one\\r\\ntwo\\r\\nthree" > "one\\r\\ntwo\\r\\nTHREE"',
    );
  });

  test('take on the indentation of the file', () => {
    const old = 'def f():\n    if x:\n\n        return 1\n';
    const fresh = 'if x:\n\n    y = 2\n    return 1\n';
    expect(read(block('if x:\n\n    return 1\n', fresh), old)).toContain(
      '> "def f():\\n    if x:\\n\\n        y = 2\\n        return 1\\n"',
    );
    expect(read(block('x\n', 'y\n'), '  x\n\tx\n')).toContain('2 times (at lines 1, 2)');
    expect(read(block('    x\n    y\n', '  z\n'), 'x\ny\n')).toContain('does not contain');
    expect(read(block('x\n    y\n', 'z\n'), '  x\n  y\n')).toContain('does not contain');
  });

  test.each([4, 8])('find a quote whose tabs became %i blanks, and write tabs', (width) => {
    const untabbed = (text: string) => text.replaceAll('\t', ' '.repeat(width));
    const old = 'f() {\n\tif (x) {\n\t\treturn 1;\n\t}\n}\n';
    const fresh = old.replace('return 1;', 'y(x);\n\t\treturn 2;');
    expect(read(block(untabbed(old), untabbed(fresh)), old)).toContain(`> ${JSON.stringify(fresh)}`);
    const uneven = untabbed(fresh).replace('  y(x)', ' y(x)');
    expect(read(block(untabbed(old), uneven), old)).toContain('does not contain');
  });

  test('use the line that they name if their quote occurs twice', () => {
    const twice = 'class A\n  x = 1\nclass B\n  x = 1\n';
    expect(read(begin('*** Update File: f', '@@ class B', '-  x = 1', '+  x = 2'), twice)).toBe(
      'f: "class A\\n  x = 1\\nclass B\\n  x = 1\\n" > "class A\\n  x = 1\\nclass B\\n  x = 2\\n"',
    );
  });

  test('apply in sequence', () => {
    expect(read(block('two\n', 'TWO\n') + block('TWO\n', 'two!\n'))).toContain('two!');
  });
});

describe('refuses with a sentence what is unclear', () => {
  test.each<[string, string, string, (string | null)?]>([
    [
      'a quote that occurs twice',
      block('x\n', 'y\n'),
      'The lines to replace stand in f 2 times (at lines 1, 3).',
      'x\na\nx\n',
    ],
    [
      'a missing quote',
      block('five\n', 'six\n'),
      'f does not contain the lines to replace, which begin with "five".',
    ],
    [
      'a missing file',
      block('five\n', 'six\n'),
      'f is not in the project; an edit needs the file that it changes.',
      null,
    ],
    [
      'a new file over an existing one',
      begin('*** Add File: f', '+a'),
      'f exists already, and the edit does not quote the lines that it changes.',
    ],
    [
      'a block without its end',
      'f\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n',
      'The SEARCH block is not complete: it needs the path of its file above it, a line of = signs, and >>>>>>> REPLACE.',
    ],
    [
      'a patch without files',
      begin('-two', '+TWO'),
      'The patch begins with *** Begin Patch and names no file after it: *** Update File, *** Add File or *** Delete File.',
    ],
    [
      'a diff without context',
      '2c2\n< two\n---\n> TWO\n',
      'This diff names neither its file nor the lines around its changes, so it cannot be placed.',
    ],
    [
      'an ed script',
      '2c\nTWO\n.\n',
      'This diff names neither its file nor the lines around its changes, so it cannot be placed.',
    ],
    [
      'halves of a context diff that contradict each other',
      CONTEXT_DIFF.replace('  three\n  four\n---', '  3\n  four\n---'),
      'Line 3: this part of the context diff cannot be read: its two halves do not have the same context.',
    ],
    [
      'a quote with an ellipsis',
      block('one\n// ... existing code ...\nfour\n', '1\n// ... existing code ...\n4\n'),
      'The lines to replace in f are not quoted in full: "// ... existing code ..." stands for others.',
    ],
    [
      'a hunk that goes on below a line without a marker',
      DIFF.replace('-two', '\u00e2\u0088\u0092two'),
      'Line 3: line 2 of this hunk has no marker, and the hunk goes on below it.',
    ],
    ...([
      ['a numbered diff', DIFF.replace(/^/gm, '  7\t'), 'Each line of this diff has its number in front.'],
      [
        'a diff of words',
        DIFF.replace('-two\n+TWO', 'a [-two-]{+TWO+}').replace(/^ /gm, ''),
        'This is a diff of words, which does not say what was a line.',
      ],
      [
        'edits in XML',
        '<edit>\n<path>f</path>\n<old_text>two</old_text>\n<new_text>TWO</new_text>\n</edit>\n',
        'These edits are in XML tags, which are not read.',
      ],
      ...['// ... existing code ...', '# \u2026'].map((mark) => [
        `a file with ${mark}`,
        latin1(Buffer.from(`f\n\`\`\`ts\n${mark}\nTWO\n${mark}\n\`\`\`\n`)),
        `This text is not the whole file: "${mark}" stands for other lines.`,
      ]),
    ] as [string, string, string][]),
    [
      'a broken diff of a page with tags and words in brackets',
      DIFF.replace('-two', '\u00e2\u0088\u0092two').replace(' three', ' <search >[-three-]'),
      'Line 3: line 2 of this hunk has no marker, and the hunk goes on below it.',
    ],
    [
      'calls of which one names no file',
      call([
        { path: 'f', old_string: 'two', new_string: 'TWO' },
        { old_string: 'one', new_string: 'ONE' },
      ]),
      'This is not a unified diff: it contains no file and no hunk.',
    ],
    ['prose', 'Hello there.\n', 'This is not a unified diff: it contains no file and no hunk.'],
  ])('%s', (_, text, sentence, old = OLD) => {
    expect(read(text, old)).toBe(sentence);
  });
});

test('keeps a diff whose text resembles another format', () => {
  const text = `${begin('*** Update File: x', '-a', '+b')}${block('a\n', 'b\n')}${CONTEXT_DIFF}> quoted\n`;
  expect(read(testDiff('', text), '')).toBe(`f: "" > ${JSON.stringify(text)}`);
});

/** Lines that a model writes; none is a marker of a format. */
const line = fc.constantFrom('a', 'b', 'c', '', '  d', '\te', '-- f', '+g', '> h', '@@', '*** i', 'j j');
const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => `${lines.join('\n')}\n`);

test('reads any change the same as a diff, quoted, indented and as UTF-16', () => {
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      fc.pre(old !== fresh);
      const diff = testDiff(old, fresh);
      const wanted = sides(diff);
      expect(read(utf16(diff))).toBe(wanted);
      expect(read(diff.replace(/^/gm, '> ').replace(/> $/, ''))).toBe(wanted);
      expect(read(`\`\`\`\n${diff}`.replace(/^/gm, '    ').replace(/ {4}$/, ''))).toBe(wanted);
    }),
    { seed: 15, numRuns: 300 },
  );
});

test('replaces any block that occurs once in a file, and nothing else', () => {
  fc.assert(
    fc.property(text, text, text, text, (above, old, below, fresh) => {
      const file = above + old + below;
      fc.pre(old.trim() !== '' && fresh.trim() !== '' && old !== fresh && !/^[*>]{3}/m.test(old + fresh));
      const form = must(runAtOnce(patchForm(fromLatin1(block(old, fresh)))));
      if (form.kind !== 'edits') throw new Error('no edits');
      const files = new Map([['f', { text: file, mode: 0o100644 }]]);
      const patch = runAtOnce(patchOfEdits(form.edits, files, BLOB));
      const first = file.indexOf(old);
      const isOnce =
        `\n${file}`.split(`\n${old}`).length === 2 &&
        `\n${file}`.indexOf(`\n${old}`) === `\n${file}`.lastIndexOf(`\n${old}`);
      if (!isOnce || first < 0) return;
      if (!patch.ok) throw new Error(patch.error.message);
      expect(sides(latin1(patch.value))).toBe(sides(testDiff(file, above + fresh + below)));
    }),
    { seed: 16, numRuns: 300 },
  );
});

test('never throws or takes long, for any bytes', () => {
  const part = fc.oneof(
    line,
    fc.constantFrom(
      '*** Begin Patch',
      '*** Update File: f',
      '<<<<<<< SEARCH',
      '=======',
      '>>>>>>> REPLACE',
      'f',
    ),
    fc.constantFrom(
      '***************',
      '*** 1,2 ****',
      '--- 1,2 ----',
      '--- a/f',
      '+++ b/f',
      '@@ -1 +1 @@',
      '> >',
      '\\ No',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (lines) => {
      expect(typeof read(Buffer.from(lines.join('\n')))).toBe('string');
    }),
    { seed: 17, numRuns: 500 },
  );
});
