/** Decisions through the service: modify, lines, comments, merges, after a restart, over several suggestions. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeFolder, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must, testDiff } from '../../helpers/review-subject.ts';

let root = '';
let state = '';
let reviews: TestReviews;

beforeEach(() => {
  [root, state] = [makeFolder(), makeFolder()];
  reviews = openTestReviews(state);
});
afterEach(() => {
  reviews.close();
  for (const folder of [root, state]) removeTree(folder);
});

/** Another process would see the same. */
function restart(): void {
  reviews.close();
  reviews = openTestReviews(state);
}

const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`);
const base = lines.join('');
const want = base.replace('line 3\n', 'three\n').replace('line 15\n', 'fifteen\nand more\n');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Makes the base the target and publishes the suggestion; hunks by number. */
async function start(patch = testDiff(base, want)) {
  putTree(root, { f: base });
  const { id, hunks } = must(await reviews.publish(root, patch));
  const ref = (at: number) => ({ suggestion: id, hunk: hunks[at]?.id ?? '' });
  return { id, ref, hunks };
}

const statuses = async (id: string) =>
  must(await reviews.service.show({ suggestion: id, file: null })).hunks.map((hunk) => hunk.status);

describe('modify', () => {
  test('by a new text for the region that the hunk shows', async () => {
    const { ref, id } = await start();
    const region = [...lines.slice(0, 3), 'THREE!\n', 'and a half\n', ...lines.slice(4, 7)].join('');
    must(
      await reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'text', base64: base64(region) },
      }),
    );
    expect(readText(root, 'f')).toBe(base.replace('line 3\n', 'THREE!\nand a half\n'));
    must(await reviews.decide({ ...ref(1), action: 'accept' }));
    expect(readText(root, 'f')).toBe(want.replace('three\n', 'THREE!\nand a half\n'));
    expect(await statuses(id)).toEqual(['modified', 'accepted']);
    must(await reviews.step(ref(0), 'undo'));
    expect(readText(root, 'f')).toBe(want.replace('three\n', 'line 3\n'));
    must(await reviews.decide({ ...ref(0), action: 'accept' }));
    expect(readText(root, 'f')).toBe(want);
  });

  test('by an edited diff, with or without file names, and with wrong counts', async () => {
    const { ref, hunks } = await start();
    const diff = (hunks[0]?.diff ?? '').replace('+three\n', '+drei\n+vier\n');
    must(
      await reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'diff', base64: base64(diff) } }),
    );
    expect(readText(root, 'f')).toBe(base.replace('line 3\n', 'drei\nvier\n'));
  });

  test('by a diff with lines removed, even where nothing follows them', async () => {
    const { ref } = await start();
    const tail = `${lines
      .slice(-2)
      .map((line) => ` ${line}`)
      .join('')}`;
    const diff = `@@ -${lines.length - 1},3 +${lines.length - 1},4 @@\n${tail}+one more\n`;
    must(
      await reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'diff', base64: base64(diff) } }),
    );
    expect(readText(root, 'f')).toBe(`${base}one more\n`);
  });

  test('by a diff that does not fit: refused, nothing written', async () => {
    const { ref } = await start();
    const diff = '@@ -1,2 +1,2 @@\n not there\n-line 3\n+x\n';
    expect(
      await reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'diff', base64: base64(diff) } }),
    ).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await reviews.decide({ ...ref(0), action: 'modify' })).toMatchObject({
      ok: false,
      error: { code: 'invalid' },
    });
    expect(readText(root, 'f')).toBe(base);
  });

  test('an accepted hunk, at its place', async () => {
    const { ref } = await start();
    must(await reviews.decide({ ...ref(0), action: 'accept' }));
    const region = [...lines.slice(0, 3), 'other\n', ...lines.slice(4, 7)].join('');
    must(
      await reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'text', base64: base64(region) },
      }),
    );
    expect(readText(root, 'f')).toBe(base.replace('line 3\n', 'other\n'));
    must(await reviews.step(ref(0), 'undo'));
    expect(readText(root, 'f')).toBe(base.replace('line 3\n', 'three\n'));
  });
});

describe('a conflict', () => {
  const moved = base.replace('line 2\n', 'mine 2\n');

  test('is explained by three sides, and its merge can be accepted', async () => {
    const { ref, id } = await start();
    putTree(root, { f: moved });
    expect(await statuses(id)).toEqual(['conflict', 'pending']);
    const sides = must(await reviews.service.conflict(ref(0)));
    expect(sides?.base).toContain('line 2\nline 3\n');
    expect(sides?.yours).toContain('mine 2\nline 3\n');
    expect(sides?.suggested).toContain('line 2\nthree\n');
    expect(sides?.conflicts).toBe(1);
    expect(await reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'merge' } })).toMatchObject({
      ok: false,
    });
    putTree(root, { f: base.replace('line 0\n', 'mine 0\n') });
    expect(await statuses(id)).toEqual(['conflict', 'pending']);
    must(await reviews.decide({ ...ref(0), action: 'modify', modified: { kind: 'merge' } }));
    expect(readText(root, 'f')).toBe(base.replace('line 0\n', 'mine 0\n').replace('line 3\n', 'three\n'));
  });

  test('stops "all", unless only what fits is requested', async () => {
    const { id } = await start();
    putTree(root, { f: moved });
    expect(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' })).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(readText(root, 'f')).toBe(moved);
    const { notes } = must(
      await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', onlyFitting: true }),
    );
    expect(notes).toEqual(['Left open, because it does not fit: 1 hunk of f.']);
    expect(await statuses(id)).toEqual(['conflict', 'accepted']);
  });
});

describe('after a restart', () => {
  test('everything is undone and redone, in any order', async () => {
    const { ref, id } = await start();
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    restart();
    must(await reviews.step(ref(0), 'undo'));
    restart();
    expect(readText(root, 'f')).toBe(want.replace('three\n', 'line 3\n'));
    must(await reviews.step(ref(1), 'undo'));
    restart();
    expect(readText(root, 'f')).toBe(base);
    must(await reviews.step(ref(1), 'redo'));
    restart();
    must(await reviews.step(ref(0), 'redo'));
    expect(readText(root, 'f')).toBe(want);
    expect(await statuses(id)).toEqual(['accepted', 'accepted']);
  });

  test('the user has edited in between; a split hunk stays split', async () => {
    const { ref, id, hunks } = await start(testDiff(base, want, 1));
    const body = (hunks[1]?.diff ?? '').split('\n').slice(1);
    const at = body.indexOf('+and more') + 1;
    must(await reviews.decide({ ...ref(1), action: 'accept', lines: { first: at, last: at } }));
    restart();
    putTree(root, { f: `mine\n${readText(root, 'f')}` });
    restart();
    const shown = must(await reviews.service.show({ suggestion: id, file: null }));
    expect(shown.hunks.map((hunk) => `${hunk.parent === ref(1).hunk} ${hunk.status}`)).toEqual([
      'false pending',
      'true pending',
      'true accepted',
    ]);
    must(await reviews.step(ref(1), 'undo'));
    expect(readText(root, 'f')).toBe(`mine\n${base}`);
    must(await reviews.service.decisions.cut(ref(1), null));
    expect(must(await reviews.service.show({ suggestion: id, file: null })).hunks).toHaveLength(2);
  });
});

describe('feedback to the author', () => {
  test('comments, with and without a decision, and one line per decision in the log', async () => {
    const { ref, id } = await start();
    must(await reviews.service.decisions.comment({ ...ref(0), comment: 'why?', lines: null }));
    must(await reviews.decide({ ...ref(0), action: 'reject', comment: 'no' }));
    must(await reviews.decide({ ...ref(1), action: 'accept' }));
    restart();
    const shown = must(await reviews.service.show({ suggestion: id, file: null }));
    expect(shown.hunks.map((hunk) => hunk.comments.map(({ text }) => text))).toEqual([['why?', 'no'], []]);
    const log = readFileSync(path.join(state, 'feedback.jsonl'), 'utf8')
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
    const { hunks } = must(await reviews.service.show({ suggestion: id, file: null }));
    return hunks.map(({ comments }) => comments);
  };

  test('names them by hunk and by file, quotes them, and keeps them over a restart', async () => {
    const { ref, id } = await start();
    const about = { first: 4, last: 5 };
    must(await reviews.service.decisions.comment({ ...ref(0), comment: 'two\nlines', lines: about }));
    restart();
    const [[comment] = []] = await lines(id);
    const { hunks } = must(await reviews.service.show({ suggestion: id, file: null }));
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
    const { ref, id } = await start();
    const { hunks } = must(await reviews.service.show({ suggestion: id, file: null }));
    const body = (hunks[0]?.diff ?? '').split('\n').slice(1);
    const at = body.findIndex((line) => line.startsWith('+')) + 1;
    const one = { first: at, last: at };
    must(await reviews.decide({ ...ref(0), action: 'accept', lines: one, comment: 'this one' }));
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
      const { ref, id } = await start();
      const [first, last] = lines;
      const comment = { ...ref(at), comment: 'odd', lines: { first, last } };
      must(await reviews.service.decisions.comment(comment));
      must(await reviews.service.reply({ ...ref(at), text: 'why?', to: null, author: null }));
      putTree(root, { f: base.replace('line 7', 'seven').replace('line 11', 'eleven') });
      restart();
      const shown = must(await reviews.service.show({ suggestion: id, file: null })).hunks[at]?.comments;
      const about = { lines: null, place: { side: 'new', first: place[0], last: place[1] } };
      expect(shown).toMatchObject([
        { text: 'odd', ...about },
        { text: 'why?', by: 'author', ...about },
      ]);
      expect(shown?.map((one) => one.quote.startsWith(quote))).toEqual([true, true]);
      const log = readFileSync(path.join(state, 'feedback.jsonl'), 'utf8');
      expect(JSON.parse(log)).toMatchObject({ lines: null, file_lines: about.place });
    },
  );

  test('is refused for missing lines', async () => {
    const { ref } = await start();
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
      const refused = await reviews.service.decisions.comment(comment);
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid' } });
    }
  });
});

describe('answers over the size limit', () => {
  test('diffs are cut and say so; lines are read by window, each cut to a displayable length', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => `${i} ${'x'.repeat(80)}\n`).join('');
    putTree(root, { f: base });
    const patch = `${testDiff(null, many).replaceAll('/f', '/big')}${testDiff(base, want)}`;
    const { id, hunks } = must(await reviews.publish(root, patch));
    expect(hunks.map((hunk) => [hunk.file, hunk.diffComplete])).toEqual([
      ['big', false],
      ['f', true],
      ['f', true],
    ]);
    expect(Buffer.byteLength(JSON.stringify(hunks))).toBeLessThan(8 * 1024 * 1024);
    const window = await reviews.service.lines({
      suggestion: id,
      hunk: hunks[0]?.id ?? '',
      first: 59_999,
      count: 10,
      maxLineBytes: 12,
    });
    expect(must(window)).toEqual({
      total: 60_000,
      lines: [59_998, 59_999].map((i) => ({
        op: 'added',
        text: `${i} xxxxxx`,
        cutFrom: 86,
        oldLine: null,
        newLine: i + 1,
        ending: 'lf',
        own: true,
      })),
    });
    const only = must(await reviews.service.show({ suggestion: id, file: 'f' }));
    expect(only.hunks.map((hunk) => hunk.file)).toEqual(['f', 'f']);
  });

  test('the lines of a hunk have the numbers of both sides', async () => {
    const { ref } = await start();
    const { lines: shown } = must(
      await reviews.service.lines({ ...ref(1), first: 1, count: 100, maxLineBytes: 100 }),
    );
    expect(shown.map(({ op, oldLine, newLine }) => `${op} ${oldLine} ${newLine}`)).toEqual([
      'context 13 13',
      'context 14 14',
      'context 15 15',
      'removed 16 null',
      'added null 16',
      'added null 17',
      'context 17 18',
      'context 18 19',
      'context 19 20',
    ]);
  });
});

describe('the life cycle of a suggestion', () => {
  test('counts, revision and status; a stale "accept all" is refused; an ended one accepts no decision', async () => {
    const { ref, id } = await start();
    const list = async () =>
      must(reviews.service.list({ target: root, ended: false })).map(
        ({ status, decidedCount, hunkCount }) => [status, decidedCount, hunkCount],
      );
    expect(await list()).toEqual([['pending', 0, 2]]);
    must(await reviews.decide({ ...ref(0), action: 'reject' }));
    expect(await list()).toEqual([['partial', 1, 2]]);
    expect(
      await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', revision: 1 }),
    ).toMatchObject({ ok: false, error: { code: 'refused' } });
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', revision: 2 }));
    expect(await list()).toEqual([['complete', 2, 2]]);
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: false }));
    expect(await list()).toEqual([]);
    expect(await reviews.step(ref(0), 'undo')).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(readText(root, 'f')).toBe(base.replace('line 15\n', 'fifteen\nand more\n'));
  });

  test('"all" means the open hunks: a second "all" undoes nothing', async () => {
    const { ref, id } = await start();
    must(await reviews.decide({ ...ref(0), action: 'accept' }));
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    const again = must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(again.hunks).toEqual([]);
    expect(await statuses(id)).toEqual(['accepted', 'rejected']);
    must(await reviews.decide({ suggestion: id, hunk: 'every', action: 'reject' }));
    expect(readText(root, 'f')).toBe(base);
  });

  test('undo of all restores the base, however often hunks were decided; redo of all restores the end', async () => {
    const { ref, id } = await start();
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    const region = [...lines.slice(0, 3), 'other\n', ...lines.slice(4, 7)].join('');
    must(
      await reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'text', base64: base64(region) },
      }),
    );
    must(await reviews.decide({ ...ref(1), action: 'reject' }));
    const end = readText(root, 'f');
    must(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect(readText(root, 'f')).toBe(base);
    expect(await statuses(id)).toEqual(['pending', 'pending']);
    must(await reviews.step({ suggestion: id, hunk: 'all' }, 'redo'));
    expect(readText(root, 'f')).toBe(end);
    expect(await statuses(id)).toEqual(['modified', 'rejected']);
  });

  test('unknown ids', async () => {
    const { id } = await start();
    expect(await reviews.decide({ suggestion: 'x', hunk: 'all', action: 'accept' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await reviews.decide({ suggestion: id, hunk: 'x', action: 'accept' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo')).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
  });
});

describe('submodules', () => {
  const commit = (digit: string) => `Subproject commit ${digit.repeat(40)}\n`;
  const patch = [
    'diff --git a/lib b/lib',
    'index 1111111..2222222 160000',
    '--- a/lib',
    '+++ b/lib',
    '@@ -1 +1 @@',
    `-${commit('1')}+${commit('2')}diff --git a/new b/new`,
    'new file mode 160000',
    'index 0000000..3333333',
    '--- /dev/null',
    '+++ b/new',
    '@@ -0,0 +1 @@',
    `+${commit('3')}`,
  ].join('\n');

  test('that are added or moved are accepted and undone, alone and with all, after a restart too', async () => {
    putTree(root, { 'lib/.git': 'gitdir: elsewhere\n', 'lib/x': 'theirs' });
    const { id, hunks } = must(await reviews.publish(root, patch));
    expect(hunks.map(({ diff }) => diff)).toEqual([
      `submodule at ${'1'.repeat(40)} \u2192 submodule at ${'2'.repeat(40)}\n`,
      `no file \u2192 submodule at ${'3'.repeat(40)}\n`,
    ]);
    for (const hunk of ['all', ...hunks.map((one) => one.id)]) {
      must(await reviews.decide({ suggestion: id, hunk, action: 'accept' }));
      restart();
      const taken = hunk === 'all' ? ['accepted', 'accepted'] : hunks.map((one) => one.id === hunk);
      const now = await statuses(id);
      expect(hunk === 'all' ? now : now.map((status) => status === 'accepted')).toEqual(taken);
      must(await reviews.step({ suggestion: id, hunk }, 'undo'));
      expect(await statuses(id)).toEqual(['pending', 'pending']);
      expect(readdirSync(root).sort()).toEqual(['lib']);
      expect(readText(root, 'lib/x')).toBe('theirs');
    }
  });
});

test('everything is undone except what somebody has replaced since; alone, it says why', async () => {
  putTree(root, { f: base, g: base });
  const patch = testDiff(base, want) + testDiff(base, want).replaceAll('/f', '/g');
  const { id, hunks } = must(await reviews.publish(root, patch));
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  putTree(root, { g: { link: 'f' } });
  const undone = must(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
  expect(undone.hunks.map(({ file }) => file)).toEqual(['f', 'f']);
  expect(readText(root, 'f')).toBe(base);
  expect(await reviews.step({ suggestion: id, hunk: hunks[2]?.id ?? '' }, 'undo')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('something else stands at this path since') },
  });
});
