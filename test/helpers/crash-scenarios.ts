/** Decisions whose process is killed: after each, disk and store must agree. */
import { linkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { SeenSide } from '../../src/changes/core/attribute.ts';
import { turnPatch } from '../../src/changes/turn-source.ts';
import type { Hunk } from '../../src/protocol/review.ts';
import type { TurnSource } from '../../src/review/publishing/turn-review.ts';
import { makeFolder, makeRepository, patchTo, putTree, readTree, type Tree } from './git-fixture.ts';
import { killAt, type Thread } from './kill-points.ts';
import { testProgram } from './product.ts';
import { removeTree } from './remove-tree.ts';
import { openTestReviews } from './review-service.ts';
import { must } from './review-subject.ts';

export interface Scenario {
  readonly name: string;
  readonly base: Tree;
  readonly want: Tree;
  readonly flags?: readonly string[];
  /** Every hunk is decided separately, all at once. */
  readonly each?: boolean;
  /** A second hard link to this file: it cannot be replaced by a rename. */
  readonly hardLink?: string;
  /** The process is killed while it undoes this. */
  readonly undo?: boolean;
  /** An AI turn made `want` from `base`, you have since made this of it, and the whole turn is undone. */
  readonly since?: Tree;
}

const long = Array.from(
  { length: 400 },
  (_, i) => `line ${i} of a file that is more than one page long\n`,
).join('');

const BATCH = {
  base: { f: long, 'd/gone': 'g\n' },
  want: { f: long.replace('line 7 ', 'LINE seven '), 'd/gone': null, 'e/n': 'n\n', l: { link: 'f' } },
};

export const SCENARIOS: readonly Scenario[] = [
  { name: 'a change', base: { f: long }, want: { f: long.replace('line 7 ', 'LINE seven ') } },
  {
    name: 'three decisions at once',
    base: { f: long },
    want: {
      f: ['7', '150', '390'].reduce((text, line) => text.replace(`line ${line} `, `LINE ${line}! `), long),
    },
    each: true,
  },
  {
    name: 'a file with a hard link',
    base: { f: long },
    want: { f: long.replace('line 7 ', 'LINE seven ') },
    hardLink: 'f',
  },
  {
    name: 'a shorter file with a hard link',
    base: { f: long },
    want: { f: long.slice(0, 60) },
    hardLink: 'f',
  },
  { name: 'a new file in a new folder', base: {}, want: { 'd/n': long } },
  { name: 'a deletion', base: { 'd/f': long }, want: { 'd/f': null } },
  {
    name: 'a rename with an edit',
    base: { f: long },
    want: { f: null, 'd/g': long.replace('line 7 ', 'LINE seven ') },
    flags: ['-M'],
  },
  { name: 'a link', base: { l: { link: 'x' } }, want: { l: { link: 'y' } } },
  { name: 'a batch', ...BATCH },
  { name: 'an undo of a batch', ...BATCH, undo: true },
  {
    name: 'a turn taken back',
    base: { f: long, 'd/gone': 'g\n' },
    want: { f: long.replace('line 7 ', 'LINE seven '), 'd/gone': null, 'e/n': 'n\n' },
    since: { f: long.replace('line 7 ', 'LINE seven ').replace('line 300 ', 'mine ') },
  },
];

/** What a turn made of these trees, as observed. */
function turnIn(root: string, { base, want }: Scenario): TurnSource {
  const side = (content: Tree[string] | undefined): SeenSide =>
    typeof content === 'string' ? { mode: 0o100644, bytes: Buffer.from(content) } : null;
  const files = Object.keys(want).map((name) => ({
    change: {
      path: path.join(root, name),
      kind: 'edit',
      hunks: [],
      wholeBy: ['tool'],
      exact: true,
      binary: false,
    } as const,
    review: { before: side(base[name]), after: side(want[name]) },
  }));
  return async () => turnPatch(root, files);
}

async function prepareTurn(scenario: Scenario): Promise<Prepared> {
  const root = makeRepository(scenario.base);
  const state = makeFolder();
  const mine = { ...scenario.want, ...scenario.since };
  putTree(root, mine);
  const before = readTree(root);
  const reviews = openTestReviews(state, {}, turnIn(root, scenario));
  const session = { cli: 'claude', path: '/s', sessionId: 's' } as const;
  const source = { kind: 'turn', session, from: 't', to: 't' } as const;
  const { id } = must(await reviews.publishFrom({ target: root, source }));
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
  const after = readTree(root);
  must(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
  expect(readTree(root)).toEqual(before);
  reviews.close();
  return {
    root,
    state,
    before,
    after,
    suggestion: id,
    args: [testProgram('review-child'), state, id, 'all', 'reject'],
    remove: () => {
      for (const folder of [root, state]) removeTree(folder);
    },
  };
}

export interface Prepared {
  readonly root: string;
  readonly state: string;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  readonly args: readonly string[];
  readonly suggestion: string;
  remove(): void;
}

/** A published suggestion, ready for another process to decide. */
export async function prepare(scenario: Scenario): Promise<Prepared> {
  if (scenario.since !== undefined) return prepareTurn(scenario);
  const root = makeRepository(scenario.base);
  const state = makeFolder();
  const outside = makeFolder();
  const patch = patchTo(root, scenario.want, ...(scenario.flags ?? []));
  const before = readTree(root);
  putTree(root, scenario.want);
  const after = readTree(root);
  putTree(root, {
    ...Object.fromEntries(Object.keys(scenario.want).map((name) => [name, null])),
    ...scenario.base,
  });
  if (scenario.hardLink !== undefined)
    linkSync(path.join(root, scenario.hardLink), path.join(outside, 'second'));
  const reviews = openTestReviews(state);
  const { id } = must(await reviews.publish(root, patch));
  if (scenario.undo) must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  reviews.close();
  return {
    root,
    state,
    before,
    after,
    suggestion: id,
    args: [
      testProgram('review-child'),
      state,
      id,
      scenario.each === true ? 'each' : 'all',
      scenario.undo === true ? 'undo' : 'accept',
    ],
    remove: () => {
      for (const folder of [root, state, outside]) removeTree(folder);
    },
  };
}

/** Kills the decision there, checks with a fresh store, and continues deciding: nothing is lost or torn. */
export async function crashAt(scenario: Scenario, thread: Thread, call: number): Promise<string> {
  const prepared = await prepare(scenario);
  const { root, state, before, after, suggestion } = prepared;
  const action = scenario.since === undefined ? 'accept' : 'reject';
  const wanted = `${action}ed`;
  try {
    const said = await killAt(prepared.args, thread, call);
    const reviews = openTestReviews(state);
    try {
      const shown = must(await reviews.service.show({ suggestion: suggestion, file: null }));
      const decided = shown.hunks.every((hunk) => hunk.status === wanted);
      const open = shown.hunks.every((hunk) => hunk.status === 'pending');
      expect({ said, tree: readTree(root) }).toEqual({
        said,
        tree: treeOf(shown.hunks, wanted, { before, after }),
      });
      if (said.includes('done'))
        expect({ decided, open }).toEqual({ decided: !scenario.undo, open: scenario.undo === true });
      if (!decided) must(await reviews.decide({ suggestion, hunk: 'all', action }));
      expect(readTree(root)).toEqual(after);
      must(await reviews.step({ suggestion, hunk: 'all' }, 'undo'));
      expect(readTree(root)).toEqual(before);
      return decided ? 'new' : open ? 'old' : 'some';
    } finally {
      reviews.close();
    }
  } finally {
    prepared.remove();
  }
}

/** The expected tree, given each file's own hunks: of several files, some may have been written. */
function treeOf(
  hunks: readonly Hunk[],
  wanted: string,
  { before, after }: Pick<Prepared, 'before' | 'after'>,
): Record<string, string> {
  const isTaken = (name: string) =>
    hunks.filter(({ file }) => file === name).every(({ status }) => status === wanted);
  if (hunks.every(({ status }) => status === wanted)) return after;
  if (hunks.every(({ status }) => status === 'pending')) return before;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = (isTaken(name) ? after : before)[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
