/** A suggestion through the service from its publication to its end: long answers, revisions, submodules, undo of all. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { base, fileReviewsPerTest, lines, want } from '../../helpers/file-reviews.ts';
import { putTree, readText } from '../../helpers/git-fixture.ts';
import { must, testDiff } from '../../helpers/review-subject.ts';

const here = fileReviewsPerTest();
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('answers over the size limit', () => {
  test('diffs are cut and say so; lines are read by window, each cut to a displayable length', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => `${i} ${'x'.repeat(80)}\n`).join('');
    putTree(here().root, { f: base });
    const patch = `${testDiff(null, many).replaceAll('/f', '/big')}${testDiff(base, want)}`;
    const { id, hunks } = must(await here().reviews.publish(here().root, patch));
    expect(hunks.map((hunk) => [hunk.file, hunk.diffComplete])).toEqual([
      ['big', false],
      ['f', true],
      ['f', true],
    ]);
    expect(Buffer.byteLength(JSON.stringify(hunks))).toBeLessThan(8 * 1024 * 1024);
    const window = await here().reviews.service.lines({
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
    const only = must(await here().reviews.service.show({ suggestion: id, file: 'f' }));
    expect(only.hunks.map((hunk) => hunk.file)).toEqual(['f', 'f']);
  });

  test('the lines of a hunk have the numbers of both sides', async () => {
    const { ref } = await here().start();
    const { lines: shown } = must(
      await here().reviews.service.lines({ ...ref(1), first: 1, count: 100, maxLineBytes: 100 }),
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
    const { ref, id } = await here().start();
    const list = async () =>
      must(here().reviews.service.list({ target: here().root, ended: false })).map(
        ({ status, decidedCount, hunkCount }) => [status, decidedCount, hunkCount],
      );
    expect(await list()).toEqual([['pending', 0, 2]]);
    must(await here().reviews.decide({ ...ref(0), action: 'reject' }));
    expect(await list()).toEqual([['partial', 1, 2]]);
    expect(
      await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', revision: 1 }),
    ).toMatchObject({ ok: false, error: { code: 'refused' } });
    must(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', revision: 2 }));
    expect(await list()).toEqual([['complete', 2, 2]]);
    must(await here().reviews.finish({ suggestion: id, how: 'finalize', commit: false }));
    expect(await list()).toEqual([]);
    expect(await here().reviews.step(ref(0), 'undo')).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(readText(here().root, 'f')).toBe(base.replace('line 15\n', 'fifteen\nand more\n'));
  });

  test('"all" means the open hunks: a second "all" undoes nothing', async () => {
    const { ref, id } = await here().start();
    must(await here().reviews.decide({ ...ref(0), action: 'accept' }));
    must(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    const again = must(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(again.hunks).toEqual([]);
    expect(await here().statuses(id)).toEqual(['accepted', 'rejected']);
    must(await here().reviews.decide({ suggestion: id, hunk: 'every', action: 'reject' }));
    expect(readText(here().root, 'f')).toBe(base);
  });

  test('undo of all restores the base, however often hunks were decided; redo of all restores the end', async () => {
    const { ref, id } = await here().start();
    must(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    const region = [...lines.slice(0, 3), 'other\n', ...lines.slice(4, 7)].join('');
    must(
      await here().reviews.decide({
        ...ref(0),
        action: 'modify',
        modified: { kind: 'text', base64: base64(region) },
      }),
    );
    must(await here().reviews.decide({ ...ref(1), action: 'reject' }));
    const end = readText(here().root, 'f');
    must(await here().reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect(readText(here().root, 'f')).toBe(base);
    expect(await here().statuses(id)).toEqual(['pending', 'pending']);
    must(await here().reviews.step({ suggestion: id, hunk: 'all' }, 'redo'));
    expect(readText(here().root, 'f')).toBe(end);
    expect(await here().statuses(id)).toEqual(['modified', 'rejected']);
  });

  test('unknown ids', async () => {
    const { id } = await here().start();
    expect(await here().reviews.decide({ suggestion: 'x', hunk: 'all', action: 'accept' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await here().reviews.decide({ suggestion: id, hunk: 'x', action: 'accept' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await here().reviews.step({ suggestion: id, hunk: 'all' }, 'undo')).toMatchObject({
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
    putTree(here().root, { 'lib/.git': 'gitdir: elsewhere\n', 'lib/x': 'theirs' });
    const { id, hunks } = must(await here().reviews.publish(here().root, patch));
    expect(hunks.map(({ diff }) => diff)).toEqual([
      `submodule at ${'1'.repeat(40)} \u2192 submodule at ${'2'.repeat(40)}\n`,
      `no file \u2192 submodule at ${'3'.repeat(40)}\n`,
    ]);
    for (const hunk of ['all', ...hunks.map((one) => one.id)]) {
      must(await here().reviews.decide({ suggestion: id, hunk, action: 'accept' }));
      here().restart();
      const taken = hunk === 'all' ? ['accepted', 'accepted'] : hunks.map((one) => one.id === hunk);
      const now = await here().statuses(id);
      expect(hunk === 'all' ? now : now.map((status) => status === 'accepted')).toEqual(taken);
      must(await here().reviews.step({ suggestion: id, hunk }, 'undo'));
      expect(await here().statuses(id)).toEqual(['pending', 'pending']);
      expect(readdirSync(here().root).sort()).toEqual(['lib']);
      expect(readText(here().root, 'lib/x')).toBe('theirs');
    }
  });
});

test('everything is undone except what somebody has replaced since; alone, it says why', async () => {
  putTree(here().root, { f: base, g: base });
  const patch = testDiff(base, want) + testDiff(base, want).replaceAll('/f', '/g');
  const { id, hunks } = must(await here().reviews.publish(here().root, patch));
  must(await here().reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  putTree(here().root, { g: { link: 'f' } });
  const undone = must(await here().reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
  expect(undone.hunks.map(({ file }) => file)).toEqual(['f', 'f']);
  expect(readText(here().root, 'f')).toBe(base);
  expect(await here().reviews.step({ suggestion: id, hunk: hunks[2]?.id ?? '' }, 'undo')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('something else stands at this path since') },
  });
});
