/** Decisions through the service: modify, lines, comments, merges, after a restart. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { base, fileReviewsPerTest, lines, want } from '../../helpers/file-reviews.ts';
import { putTree, readText } from '../../helpers/git-fixture.ts';
import { must, testDiff } from '../../helpers/review-subject.ts';

const here = fileReviewsPerTest();
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('modify', () => {
  test('by a new text for the region that the hunk shows', async () => {
    const { ref, id } = await here().start();
    const region = [...lines.slice(0, 3), 'THREE!\n', 'and a half\n', ...lines.slice(4, 7)].join('');
    must(
      await here().reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'text', base64: base64(region) },
      }),
    );
    expect(readText(here().root, 'f')).toBe(base.replace('line 3\n', 'THREE!\nand a half\n'));
    must(await here().reviews.decide({ ...ref(1), action: 'accept' }));
    expect(readText(here().root, 'f')).toBe(want.replace('three\n', 'THREE!\nand a half\n'));
    expect(await here().statuses(id)).toEqual(['modified', 'accepted']);
    must(await here().reviews.step(ref(0), 'undo'));
    expect(readText(here().root, 'f')).toBe(want.replace('three\n', 'line 3\n'));
    must(await here().reviews.decide({ ...ref(0), action: 'accept' }));
    expect(readText(here().root, 'f')).toBe(want);
  });

  test('by an edited diff, with or without file names, and with wrong counts', async () => {
    const { ref, hunks } = await here().start();
    const diff = (hunks[0]?.diff ?? '').replace('+three\n', '+drei\n+vier\n');
    must(
      await here().reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'diff', base64: base64(diff) },
      }),
    );
    expect(readText(here().root, 'f')).toBe(base.replace('line 3\n', 'drei\nvier\n'));
  });

  test('by a diff with lines removed, even where nothing follows them', async () => {
    const { ref } = await here().start();
    const tail = `${lines
      .slice(-2)
      .map((line) => ` ${line}`)
      .join('')}`;
    const diff = `@@ -${lines.length - 1},3 +${lines.length - 1},4 @@\n${tail}+one more\n`;
    must(
      await here().reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'diff', base64: base64(diff) },
      }),
    );
    expect(readText(here().root, 'f')).toBe(`${base}one more\n`);
  });

  test('by a diff that does not fit: refused, nothing written', async () => {
    const { ref } = await here().start();
    const diff = '@@ -1,2 +1,2 @@\n not there\n-line 3\n+x\n';
    expect(
      await here().reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'diff', base64: base64(diff) },
      }),
    ).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await here().reviews.decide({ ...ref(0), action: 'modify' })).toMatchObject({
      ok: false,
      error: { code: 'invalid' },
    });
    expect(readText(here().root, 'f')).toBe(base);
  });

  test('an accepted hunk, at its place', async () => {
    const { ref } = await here().start();
    must(await here().reviews.decide({ ...ref(0), action: 'accept' }));
    const region = [...lines.slice(0, 3), 'other\n', ...lines.slice(4, 7)].join('');
    must(
      await here().reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'text', base64: base64(region) },
      }),
    );
    expect(readText(here().root, 'f')).toBe(base.replace('line 3\n', 'other\n'));
    must(await here().reviews.step(ref(0), 'undo'));
    expect(readText(here().root, 'f')).toBe(base.replace('line 3\n', 'three\n'));
  });
});

describe('a conflict', () => {
  const moved = base.replace('line 2\n', 'mine 2\n');

  test('is explained by three sides, and its merge can be accepted', async () => {
    const { ref, id } = await here().start();
    putTree(here().root, { f: moved });
    expect(await here().statuses(id)).toEqual(['conflict', 'pending']);
    const sides = must(await here().reviews.service.conflict(ref(0)));
    expect(sides?.base).toContain('line 2\nline 3\n');
    expect(sides?.yours).toContain('mine 2\nline 3\n');
    expect(sides?.suggested).toContain('line 2\nthree\n');
    expect(sides?.conflicts).toBe(1);
    expect(
      await here().reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'merge' } }),
    ).toMatchObject({
      ok: false,
    });
    putTree(here().root, { f: base.replace('line 0\n', 'mine 0\n') });
    expect(await here().statuses(id)).toEqual(['conflict', 'pending']);
    must(await here().reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'merge' } }));
    expect(readText(here().root, 'f')).toBe(
      base.replace('line 0\n', 'mine 0\n').replace('line 3\n', 'three\n'),
    );
  });

  test('stops "all", unless only what fits is requested', async () => {
    const { id } = await here().start();
    putTree(here().root, { f: moved });
    expect(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' })).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(readText(here().root, 'f')).toBe(moved);
    const { notes } = must(
      await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', onlyFitting: true }),
    );
    expect(notes).toEqual(['Left open, because it does not fit: 1 hunk of f.']);
    expect(await here().statuses(id)).toEqual(['conflict', 'accepted']);
  });
});

describe('after a restart', () => {
  test('everything is undone and redone, in any order', async () => {
    const { ref, id } = await here().start();
    must(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    here().restart();
    must(await here().reviews.step(ref(0), 'undo'));
    here().restart();
    expect(readText(here().root, 'f')).toBe(want.replace('three\n', 'line 3\n'));
    must(await here().reviews.step(ref(1), 'undo'));
    here().restart();
    expect(readText(here().root, 'f')).toBe(base);
    must(await here().reviews.step(ref(1), 'redo'));
    here().restart();
    must(await here().reviews.step(ref(0), 'redo'));
    expect(readText(here().root, 'f')).toBe(want);
    expect(await here().statuses(id)).toEqual(['accepted', 'accepted']);
  });

  test('the user has edited in between; a split hunk stays split', async () => {
    const { ref, id, hunks } = await here().start(testDiff(base, want, 1));
    const body = (hunks[1]?.diff ?? '').split('\n').slice(1);
    const at = body.indexOf('+and more') + 1;
    must(await here().reviews.decide({ ...ref(1), action: 'accept', lines: { first: at, last: at } }));
    here().restart();
    putTree(here().root, { f: `mine\n${readText(here().root, 'f')}` });
    here().restart();
    const shown = must(await here().reviews.service.show({ suggestion: id, file: null }));
    expect(shown.hunks.map((hunk) => `${hunk.parent === ref(1).hunk} ${hunk.status}`)).toEqual([
      'false pending',
      'true pending',
      'true accepted',
    ]);
    must(await here().reviews.step(ref(1), 'undo'));
    expect(readText(here().root, 'f')).toBe(`mine\n${base}`);
    must(await here().reviews.service.decisions.cut(ref(1), null));
    expect(must(await here().reviews.service.show({ suggestion: id, file: null })).hunks).toHaveLength(2);
  });
});

describe('feedback to the author', () => {
  test('comments, with and without a decision, and one line per decision in the log', async () => {
    const { ref, id } = await here().start();
    must(await here().reviews.service.decisions.comment({ ...ref(0), comment: 'why?', lines: null }));
    must(await here().reviews.decide({ ...ref(0), action: 'reject', comment: 'no' }));
    must(await here().reviews.decide({ ...ref(1), action: 'accept' }));
    here().restart();
    const shown = must(await here().reviews.service.show({ suggestion: id, file: null }));
    expect(shown.hunks.map((hunk) => hunk.comments.map(({ text }) => text))).toEqual([['why?', 'no'], []]);
    const log = readFileSync(path.join(here().state, 'feedback.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(
      log.map(({ action, comment, applied, hunk_id }) => ({ action, comment, applied, hunk_id })),
    ).toEqual([
      { action: 'comment', comment: 'why?', applied: false, hunk_id: ref(0).hunk },
      { action: 'reject', comment: 'no', applied: false, hunk_id: ref(0).hunk },
      { action: 'accept', comment: null, applied: true, hunk_id: ref(1).hunk },
    ]);
    expect(log[2]).toMatchObject({
      suggestion_id: id,
      file: 'f',
      original_diff: expect.stringContaining('+fifteen'),
    });
  });
});

describe('a comment on lines', () => {
  const lines = async (id: string) => {
    const { hunks } = must(await here().reviews.service.show({ suggestion: id, file: null }));
    return hunks.map(({ comments }) => comments);
  };

  test('names them by hunk and by file, quotes them, and keeps them over a restart', async () => {
    const { ref, id } = await here().start();
    const about = { first: 4, last: 5 };
    must(await here().reviews.service.decisions.comment({ ...ref(0), comment: 'two\nlines', lines: about }));
    here().restart();
    const [[comment] = []] = await lines(id);
    const { hunks } = must(await here().reviews.service.show({ suggestion: id, file: null }));
    const body = (hunks[0]?.diff ?? '').split('\n').slice(1);
    const start0 = Number(/\+(\d+)/.exec(hunks[0]?.diff ?? '')?.[1]);
    expect(comment).toMatchObject({ text: 'two\nlines', lines: about, quote: body.slice(3, 5).join('\n') });
    const before = body.slice(0, 3).filter((line) => !line.startsWith('-')).length;
    const shown = body.slice(3, 5).filter((line) => !line.startsWith('-')).length;
    expect(comment?.place).toEqual({
      side: 'new',
      first: start0 + before,
      last: start0 + before + shown - 1,
    });
  });

  test('goes with a decision on those lines, to the part that they became', async () => {
    const { ref, id } = await here().start();
    const { hunks } = must(await here().reviews.service.show({ suggestion: id, file: null }));
    const body = (hunks[0]?.diff ?? '').split('\n').slice(1);
    const at = body.findIndex((line) => line.startsWith('+')) + 1;
    const one = { first: at, last: at };
    must(await here().reviews.decide({ ...ref(0), action: 'accept', lines: one, comment: 'this one' }));
    const all = (await lines(id)).flat();
    expect(all).toMatchObject([{ text: 'this one', lines: one, quote: body[at - 1] }]);
  });

  // Hunks -1,7 +1,7 (8 lines of body) and -13,7 +13,8 (9 lines); the file has 20 lines, and lines 8 to 12 between.
  test.each<[string, number, [number, number], [number, number], string]>([
    ['below it', 0, [9, 9], [8, 8], ' line 7'],
    ['below it, several', 0, [10, 13], [9, 12], ' line 8\n line 9\n line 10\n line 11'],
    ['from its last line on', 0, [8, 9], [7, 8], ' line 6\n line 7'],
    ['from an added line on', 0, [5, 9], [4, 8], '+three\n line 4\n line 5\n line 6\n line 7'],
    ['from a removed line on', 0, [4, 9], [4, 8], '-line 3\n+three\n line 4\n line 5\n line 6\n line 7'],
    ['above it', 1, [0, 0], [12, 12], ' line 11'],
    ['above it up to its first line', 1, [-1, 1], [11, 13], ' line 10\n line 11\n line 12'],
    ['around all of it', 1, [0, 10], [12, 21], ' line 11\n line 12\n line 13'],
    ['at the end of the file', 1, [10, 10], [21, 21], ' line 19'],
  ])(
    'is about the unchanged file %s, and stays there when the file changes',
    async (_, at, lines, place, quote) => {
      const { ref, id } = await here().start();
      const [first, last] = lines;
      const comment = { ...ref(at), comment: 'odd', lines: { first, last } };
      must(await here().reviews.service.decisions.comment(comment));
      must(await here().reviews.service.reply({ ...ref(at), text: 'why?', to: null, author: null }));
      putTree(here().root, { f: base.replace('line 7', 'seven').replace('line 11', 'eleven') });
      here().restart();
      const shown = must(await here().reviews.service.show({ suggestion: id, file: null })).hunks[at]
        ?.comments;
      const about = { lines: null, place: { side: 'new', first: place[0], last: place[1] } };
      expect(shown).toMatchObject([
        { text: 'odd', ...about },
        { text: 'why?', by: 'author', ...about },
      ]);
      expect(shown?.map((one) => one.quote.startsWith(quote))).toEqual([true, true]);
      const log = readFileSync(path.join(here().state, 'feedback.jsonl'), 'utf8');
      expect(JSON.parse(log)).toMatchObject({ lines: null, file_lines: about.place });
    },
  );

  test('is refused for missing lines', async () => {
    const { ref } = await here().start();
    for (const [at, first, last] of [
      [0, 900, 901],
      [0, 3, 2],
      [0, 12, 9],
      [0, 0, 0],
      // The next hunk begins there.
      [0, 9, 14],
      [1, -5, 0],
      [1, 10, 11],
      [1, Number.MIN_SAFE_INTEGER, 1],
      [1, 1, Number.MAX_SAFE_INTEGER],
    ] as const) {
      const comment = { ...ref(at), comment: 'no', lines: { first, last } };
      const refused = await here().reviews.service.decisions.comment(comment);
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid' } });
    }
  });
});
