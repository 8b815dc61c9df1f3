/** What a reviewer said and decided stays at its lines: in parts that are split again, and in the next review of the change. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { openTestReviews, type TestReviews } from '../../test/helpers/review-service.ts';
import type { Result } from '../lib/result.ts';
import type { Hunk } from '../protocol/review.ts';

const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
const textOf = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
/** Lines by their number, each in the place of one. */
type Edits = Readonly<Record<number, readonly string[]>>;
const edited = (edits: Edits, from: readonly string[] = lines) =>
  from.flatMap((line, at) => edits[at + 1] ?? [line]);

let root: string;
let target: string;
let reviews: TestReviews;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'copane-kept-'));
  target = path.join(root, 'target');
  mkdirSync(target);
  reviews = openTestReviews(path.join(root, 'state'));
  writeFileSync(path.join(target, 'f'), textOf(lines));
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
});

function got<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** The patch between two texts, as git makes it. */
function patchOf(old: readonly string[], now: readonly string[], context = 3): string {
  for (const [name, all] of [['a', old] as const, ['b', now] as const]) {
    mkdirSync(path.join(root, name), { recursive: true });
    writeFileSync(path.join(root, name, 'f'), textOf(all));
  }
  const args = ['diff', '--no-index', `--unified=${context}`, '--no-prefix', 'a/f', 'b/f'];
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
}

async function offer(patch: string, updates: string | null = null) {
  const source = { kind: 'patch', patch: Buffer.from(patch).toString('base64') } as const;
  return got(await reviews.publishFrom({ target, source, author: 'ai', updates }));
}

const by = { client: 'c' } as never;
const shown = async (suggestion: string) => got(await reviews.service.show({ suggestion, file: null }));
const hunkWith = (hunks: readonly Hunk[], line: string) => {
  const found = hunks.find(({ diff }) => diff.includes(`${line}\n`));
  if (found === undefined) throw new Error(`no hunk has ${line}`);
  return found;
};
/** The number of a line of the diff, below its header. */
const numberOf = ({ diff }: Hunk, line: string) => diff.split('\n').indexOf(line);

async function say(suggestion: string, line: string, comment: string): Promise<void> {
  const hunk = hunkWith((await shown(suggestion)).hunks, line);
  const at = numberOf(hunk, line);
  const lines = { first: at, last: at };
  got(await reviews.desk().comment({ suggestion, hunk: hunk.id, comment, lines }, by));
}

async function split(suggestion: string, line: string): Promise<void> {
  const hunk = hunkWith((await shown(suggestion)).hunks, line);
  const at = numberOf(hunk, line);
  got(await reviews.desk().split({ suggestion, hunk: hunk.id, first: at, last: at }, by));
}

/** Each comment: its text, and the line of the diff that it stands at. */
const remarks = (hunks: readonly Hunk[]) =>
  hunks.flatMap(({ diff, comments }) =>
    comments.map((one) => {
      const line = one.lines === null ? null : diff.split('\n')[one.lines.last];
      return `${one.text} @ ${line ?? (one.place === null ? `gone: ${one.quote}` : 'elsewhere')}`;
    }),
  );
const states = (hunks: readonly Hunk[]) =>
  hunks.map(({ diff, status }) => `${diff.match(/^\+.*/gm)?.join(' ')} ${status}`);

const THREE: Edits = { 5: ['five', 'five b', 'five c'], 30: ['thirty'] };

describe('a part of a hunk', () => {
  it('has comments at its own lines, and keeps them when it is split again and joined', async () => {
    const { id } = await offer(patchOf(lines, edited(THREE)));
    await say(id, '+five b', 'on all');
    await split(id, '+five');
    await say(id, '+five b', 'why b?');
    await say(id, '+five c', 'why c?');
    const one = await shown(id);
    expect(remarks(one.hunks)).toEqual([
      'on all @ +five b',
      'why b? @ +five b',
      'why c? @ +five c',
      'on all @ elsewhere',
    ]);
    await split(id, '+five c');
    expect(remarks((await shown(id)).hunks)).toEqual([
      'on all @ +five b',
      'why b? @ +five b',
      'on all @ elsewhere',
      'on all @ elsewhere',
      'why c? @ +five c',
    ]);
    const { id: hunk } = hunkWith((await shown(id)).hunks, '+five c');
    got(await reviews.desk().join({ suggestion: id, hunk }, by));
    expect(remarks((await shown(id)).hunks)).toEqual([
      'on all @ +five b',
      'why b? @ +five b',
      'why c? @ +five c',
    ]);
  });

  it('keeps its decision in a version that shows more lines around it', async () => {
    const { id } = await offer(patchOf(lines, edited(THREE)));
    await split(id, '+five b');
    await say(id, '+five c', 'why c?');
    const { id: part } = hunkWith((await shown(id)).hunks, '+five c');
    got(await reviews.decide({ suggestion: id, hunk: part, action: 'accept' }));
    const next = await offer(patchOf(lines, edited(THREE), 5), id);
    expect(states(next.hunks)).toEqual(['+five +five c accepted', '+five b pending', '+thirty pending']);
    expect(remarks(next.hunks)).toEqual(['why c? @ +five c']);
    const { id: same } = hunkWith(next.hunks, '+five c');
    got(await reviews.step({ suggestion: id, hunk: same }, 'undo'));
    expect(readFileSync(path.join(target, 'f'), 'utf8')).toBe(textOf(lines));
  });
});

describe('the next version', () => {
  it('keeps an accepted hunk accepted beside one that it does not have any more', async () => {
    const { id, hunks } = await offer(patchOf(lines, edited(THREE)));
    for (const hunk of hunks) got(await reviews.decide({ suggestion: id, hunk: hunk.id, action: 'accept' }));
    const next = await offer(patchOf(lines, edited({ 5: THREE[5] ?? [] })), id);
    expect(states(next.hunks)).toEqual(['+five +five b +five c accepted']);
    expect(next.notes).toContain('1 accepted hunk of an earlier version stays in the files.');
    got(await reviews.step({ suggestion: id, hunk: next.hunks[0]?.id ?? '' }, 'undo'));
    expect(readFileSync(path.join(target, 'f'), 'utf8')).toBe(textOf(edited({ 30: ['thirty'] })));
  });

  it('has comments at their lines, however far these have moved', async () => {
    const { id } = await offer(patchOf(lines, edited({ 5: ['five'], 30: ['thirty', 'more'] })));
    await say(id, '+more', 'why?');
    const longer = [...Array.from({ length: 25 }, (_, at) => `above ${at}`), ...lines];
    const now = edited({ 30: ['five'], 55: ['THIRTY', 'more'] }, longer);
    writeFileSync(path.join(target, 'f'), textOf(longer));
    const next = await offer(patchOf(longer, now), id);
    expect(remarks(next.hunks)).toEqual(['why? @ +more']);
  });

  it('says what no hunk is about any more, also in the version after', async () => {
    const { id } = await offer(patchOf(lines, edited(THREE)));
    await say(id, '+thirty', 'why?');
    const words = 'A comment was on a hunk that is gone: why?';
    expect((await offer(patchOf(lines, edited({ 5: ['five'] })), id)).notes).toContain(words);
    expect((await offer(patchOf(lines, edited({ 5: ['V'] })), id)).notes).toContain(words);
  });
});

describe('a review of the working tree that takes the place of an earlier one', () => {
  const review = async () => {
    const source = { kind: 'working_tree', against: 'head' } as const;
    return got(await reviews.publishFrom({ target, source }));
  };
  const write = (edits: Edits) => writeFileSync(path.join(target, 'f'), textOf(edited(edits)));
  beforeEach(() => {
    git(target, 'init', '-q');
    git(target, 'add', '.');
    git(target, 'commit', '-qm', 'first');
  });

  it('keeps comments on hunks that have changed, and parts of those that have not', async () => {
    write({ 5: ['five', 'five b'], 30: ['thirty', 'more'], 40: ['forty'], 50: ['fifty'] });
    const first = await review();
    const { id: settled } = hunkWith(first.hunks, '+forty');
    const decision = { action: 'reject', comment: 'No.' } as const;
    got(await reviews.decide({ suggestion: first.id, hunk: settled, ...decision }));
    await split(first.id, '+five b');
    await say(first.id, '+five b', 'why b?');
    await say(first.id, '+more', 'why more?');
    await say(first.id, '+fifty', 'why?');
    const { id: part } = hunkWith((await shown(first.id)).hunks, '+five b');
    got(await reviews.decide({ suggestion: first.id, hunk: part, action: 'accept' }));
    write({ 5: ['five', 'five b'], 30: ['THIRTY', 'more'] });
    const second = await review();
    expect(second.replaces).toBe(first.id);
    expect(states(second.hunks)).toEqual(['+five pending', '+five b accepted', '+THIRTY +more pending']);
    expect(remarks(second.hunks)).toEqual(['why b? @ +five b', 'why more? @ +more']);
    expect(second.notes).toEqual(['A comment was on a hunk that is gone: why?']);
    expect((await review()).id).toBe(second.id);
  });
});
