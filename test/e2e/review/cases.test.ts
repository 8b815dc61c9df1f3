/** Bytes from public bug reports: each case is published from a patch by real git, decided, and compared. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Suggestion } from '../../../src/protocol/review.ts';
import {
  git,
  makeFolder,
  makeRepository,
  patchTo,
  putTree,
  readText,
  type Tree,
} from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

interface Step {
  readonly do: 'accept' | 'reject' | 'undo';
  /** From 1 without renames; or a kind, `all` or `every`. */
  readonly hunk: number | string;
  readonly lines?: readonly [number, number];
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
}

interface Case {
  readonly id: string;
  readonly report: string;
  readonly base: Tree;
  readonly want?: Tree;
  readonly patch?: string;
  readonly flags?: string[];
  readonly drift?: Tree;
  /** Everything is accepted before the user edits and the steps begin. */
  readonly applied?: boolean;
  readonly user?: Tree;
  readonly steps: readonly Step[];
  readonly expect: { readonly files?: Tree; readonly refused?: boolean; readonly orRefused?: boolean };
}

const fixture = path.resolve(import.meta.dirname, '../../fixtures/review/cases.json');
const cases = JSON.parse(readFileSync(fixture, 'utf8')) as readonly Case[];

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeTree(folder);
});

/** Lines of the hunk's body (from 1) that the step uses: a range, or each of the named lines. */
function linesOf(step: Step, diff: string): (readonly [number, number])[] {
  if (step.lines !== undefined) return [step.lines];
  const body = diff
    .split('\n')
    .slice(1)
    .filter((line) => !line.startsWith('\\'));
  const wanted = [
    ...(step.removed ?? []).map((line) => `-${line}`),
    ...(step.added ?? []).map((line) => `+${line}`),
  ];
  return wanted.map((line) => [body.indexOf(line) + 1, body.indexOf(line) + 1]);
}

const isMany = (hunk: Step['hunk']) => hunk === 'all' || hunk === 'every';

function hunkOf(suggestion: Suggestion, step: Step) {
  const hunks = suggestion.hunks.filter((hunk) =>
    typeof step.hunk === 'number' ? hunk.kind !== 'rename' : hunk.kind === step.hunk,
  );
  return hunks[typeof step.hunk === 'number' ? step.hunk - 1 : 0];
}

async function play(one: Case) {
  const root = makeRepository(one.base);
  const state = makeFolder();
  folders.push(root, state);
  const patch = one.patch ?? patchTo(root, one.want ?? {}, ...(one.flags ?? []));
  if (one.drift !== undefined) putTree(root, one.drift);
  const before = git(root, 'status', '--porcelain', '-z');
  const reviews = openTestReviews(state);
  try {
    const published = await reviews.publish(root, patch);
    if (!published.ok) return { root, before, refused: published.error.message };
    const suggestion = published.value;
    if (one.applied === true)
      must(await reviews.decide({ suggestion: suggestion.id, hunk: 'all', action: 'accept' }));
    if (one.user !== undefined) putTree(root, one.user);
    for (const step of one.steps) {
      const hunk = isMany(step.hunk) ? null : hunkOf(suggestion, step);
      if (hunk === undefined) throw new Error(`no hunk ${step.hunk} in ${JSON.stringify(suggestion.hunks)}`);
      const ref = { suggestion: suggestion.id, hunk: hunk?.id ?? String(step.hunk) };
      const ranges =
        isMany(step.hunk) || (!step.lines && !step.added) ? [null] : linesOf(step, hunk?.diff ?? '');
      for (const range of ranges) {
        const lines = range === null ? null : { first: range[0], last: range[1] };
        const done =
          step.do === 'undo'
            ? await reviews.step(ref, 'undo')
            : await reviews.decide({ ...ref, action: step.do, lines });
        if (!done.ok) return { root, before, refused: done.error.message };
      }
    }
    return { root, before, refused: null };
  } finally {
    reviews.close();
  }
}

describe('public bug reports', () => {
  test.each(cases.map((one) => [`${one.id} (${one.report})`, one] as const))('%s', async (_, one) => {
    const { root, before, refused } = await play(one);
    if (one.expect.refused === true) {
      expect(refused).toMatch(/\w/);
      expect(git(root, 'status', '--porcelain', '-z')).toBe(before);
    } else if (refused === null) {
      for (const [file, text] of Object.entries(one.expect.files ?? {}))
        expect(readText(root, file)).toBe(text);
    } else expect({ refused, allowed: one.expect.orRefused }).toMatchObject({ allowed: true });
  });
});
