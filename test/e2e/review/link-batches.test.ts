/**
 * Generated changes with links, renames, modes and changes of type, accepted together and one by one: the result
 * matches a model of a folder, nothing leaves the project, and undo in any order restores every byte.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CagedProject } from '../../helpers/caged-project.ts';
import { makeFolder, putTree, type Tree, type TreeEntry } from '../../helpers/git-fixture.ts';
import {
  changesOf,
  created,
  deleted,
  linked,
  moded,
  modified,
  relinked,
  renamed,
  unlinked,
} from '../../helpers/patch-parts.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

/** How many changes are tried; each is written to the disk many times. */
const RUNS = Number(process.env.LINK_RUNS ?? 40);

const PATHS = ['a', 'b', 'a/x', 'a/x/y', 'b/x', 'c', 'c/d/e', 'c/d', 'A', 'A/x', 'docs/hook', 'docs'];
const OUTSIDE = '@outside';
const TARGETS = ['b', 'a', 'A', 'c/d', '.', '..', '../outside', OUTSIDE, '.git/hooks', '.git', 'nowhere'];
const TEXTS = ['one\n', 'two\n'];

type Kind = 'create' | 'run' | 'link' | 'delete' | 'modify' | 'relink' | 'mode' | 'rename' | 'retype';
interface Op {
  readonly kind: Kind;
  readonly path: string;
  readonly to: string;
  readonly text: string;
  readonly target: string;
}

const isInside = (path: string, folder: string) => path.startsWith(`${folder}/`);
const fits = (tree: Tree, path: string) =>
  Object.keys(tree).every((other) => other !== path && !isInside(path, other) && !isInside(other, path));

const entry: fc.Arbitrary<TreeEntry> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...TEXTS).map((run) => ({ run })),
  fc.constantFrom(...TARGETS).map((link) => ({ link })),
);
const tree: fc.Arbitrary<Tree> = fc
  .array(fc.tuple(fc.constantFrom(...PATHS), entry), { maxLength: 5 })
  .map((entries) => {
    const made: Record<string, TreeEntry> = {};
    for (const [path, one] of entries) if (fits(made, path)) made[path] = one;
    return made;
  });
const op: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom<Kind>(
    'create',
    'run',
    'link',
    'link',
    'delete',
    'modify',
    'relink',
    'mode',
    'rename',
    'retype',
  ),
  path: fc.constantFrom(...PATHS),
  to: fc.constantFrom(...PATHS),
  text: fc.constantFrom(...TEXTS),
  target: fc.constantFrom(...TARGETS),
});
/** No path is named twice: such patches are tested elsewhere. */
const ops: fc.Arbitrary<readonly Op[]> = fc.array(op, { minLength: 1, maxLength: 6 }).map((all) => {
  const named = new Set<string>();
  return all.filter(({ kind, path, to }) => {
    const own = kind === 'rename' ? [path, to] : [path];
    if (own.some((one) => named.has(one)) || new Set(own).size < own.length) return false;
    for (const one of own) named.add(one);
    return true;
  });
});

const modeOf = (base: TreeEntry | undefined) =>
  typeof base === 'object' && base !== null && 'run' in base ? '100755' : '100644';
const textOf = (base: TreeEntry | undefined, other: string) =>
  typeof base === 'string'
    ? base
    : typeof base === 'object' && base !== null && 'run' in base
      ? base.run
      : other;
const linkOf = (base: TreeEntry | undefined) =>
  typeof base === 'object' && base !== null && 'link' in base ? base.link : null;

/** The diff of one change, as its author made it from `base`. */
function partOf({ kind, path, to, text, target }: Op, base: Tree): string {
  const own = base[path];
  const link = linkOf(own);
  const old = textOf(own, text);
  switch (kind) {
    case 'create':
      return created(path, text);
    case 'run':
      return created(path, text, '100755');
    case 'link':
      return linked(path, target);
    case 'delete':
      return link === null ? deleted(path, old, modeOf(own)) : unlinked(path, link);
    case 'modify':
      return modified(path, old, `${old}more\n`);
    case 'relink':
      return relinked(path, link ?? 'nowhere', target);
    case 'mode':
      return modeOf(own) === '100755' ? moded(path, '100755', '100644') : moded(path, '100644', '100755');
    case 'rename':
      return renamed(path, to);
    case 'retype':
      return link === null
        ? deleted(path, old, modeOf(own)) + linked(path, target)
        : unlinked(path, link) + created(path, text);
  }
}

/** The folder with some of the changes in it, by a model without a disk. */
function model(base: Tree, taken: readonly Op[]): Tree {
  const now: Record<string, TreeEntry> = { ...base };
  for (const { path } of taken) delete now[path];
  for (const { kind, path, to, text, target } of taken) {
    const own = base[path];
    if (kind === 'create') now[path] = text;
    if (kind === 'run') now[path] = { run: text };
    if (kind === 'link' || kind === 'relink') now[path] = { link: target };
    if (kind === 'modify') {
      const longer = `${textOf(own, text)}more\n`;
      now[path] = modeOf(own) === '100755' ? { run: longer } : longer;
    }
    if (kind === 'mode')
      now[path] = modeOf(own) === '100755' ? textOf(own, text) : { run: textOf(own, text) };
    if (kind === 'rename' && own !== undefined) now[to] = own;
    if (kind === 'retype') now[path] = linkOf(own) === null ? { link: target } : text;
  }
  return now;
}

interface Accepted {
  readonly project: CagedProject;
  readonly suggestion: string;
  readonly taken: readonly Op[];
  readonly before: unknown;
}

const named = (tree: Tree, outside: string): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([path, one]) => [path, linkOf(one) === OUTSIDE ? { link: outside } : one]),
  );
const targeted = (all: readonly Op[], outside: string) =>
  all.map((one) => (one.target === OUTSIDE ? { ...one, target: outside } : one));

/** Files of a tree, as a project shows them. */
function shownAs(wanted: Tree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([path, one]) => {
      if (one === null) return [];
      if (typeof one === 'string') return [[path, one]];
      return [[path, 'link' in one ? `-> ${one.link}` : `x:${one.run}`]];
    }),
  );
}

async function accept(
  reviews: TestReviews,
  base: Tree,
  all: readonly Op[],
  way: 'batch' | 'each',
): Promise<Accepted | null> {
  const project = new CagedProject({});
  const { outside, root } = project;
  const own = named(base, outside);
  putTree(root, own);
  const changes = targeted(all, outside);
  const around = project.around();
  const published = await reviews.publish(root, changesOf(...changes.map((one) => partOf(one, own))));
  if (!published.ok) {
    expect(published.error.message).not.toBe('');
    project.remove();
    return null;
  }
  const { id: suggestion, hunks } = published.value;
  const said: string[] = [];
  const ask = async (hunk: string) => {
    const answer = await reviews.decide({ suggestion, hunk, action: 'accept', onlyFitting: hunk === 'all' });
    said.push(...(answer.ok ? answer.value.notes : [answer.error.message]));
    expect(project.around()).toEqual(around);
  };
  if (way === 'batch') await ask('all');
  else for (let round = 0; round < 3; round += 1) for (const { id } of hunks) await ask(id);
  const shown = must(await reviews.service.show({ suggestion, file: null }));
  const open = shown.hunks.filter(({ status }) => status === 'pending' || status === 'conflict');
  if (open.length > 0) expect([...said, ...open.flatMap(({ reason }) => reason ?? [])]).not.toEqual([]);
  const taken = changes.filter((one) => {
    const mine = shown.hunks.filter(({ file }) => file === (one.kind === 'rename' ? one.to : one.path));
    return mine.length > 0 && mine.every(({ status, reason }) => status === 'accepted' && reason === null);
  });
  return { project, suggestion, taken, before: around };
}

test('accepting matches the model, stays inside the project, and can be undone', {
  timeout: 300_000,
}, async () => {
  const state = makeFolder();
  const reviews = openTestReviews(state);
  try {
    await fc.assert(
      fc.asyncProperty(tree, ops, fc.infiniteStream(fc.nat()), async (base, all, order) => {
        fc.pre(all.length > 0);
        for (const way of ['batch', 'each'] as const) {
          const done = await accept(reviews, base, all, way);
          if (done === null) continue;
          const { project, suggestion, taken, before } = done;
          try {
            const own = named(base, project.outside);
            expect({ way, files: project.files() }).toEqual({ way, files: shownAs(model(own, taken)) });
            await undoAll(reviews, suggestion, order);
            expect({ way, files: project.files() }).toEqual({ way, files: shownAs(own) });
            expect(project.around()).toEqual(before);
          } finally {
            project.remove();
            await reviews.finish({ suggestion, how: 'discard' });
          }
        }
      }),
      { numRuns: RUNS, seed: Number(process.env.LINK_SEED ?? 20_240_611), endOnFailure: false },
    );
  } finally {
    reviews.close();
    removeTree(state);
  }
});

/** One by one, in any order, until nothing is left. */
async function undoAll(reviews: TestReviews, suggestion: string, order: fc.Stream<number>): Promise<void> {
  const { hunks } = must(await reviews.service.show({ suggestion, file: null }));
  const ids = hunks.map(({ id }) => id).sort(() => (order.next().value % 2) - 0.5);
  for (let round = 0; round <= ids.length; round += 1) {
    let undone = 0;
    for (const hunk of ids) if ((await reviews.step({ suggestion, hunk }, 'undo')).ok) undone += 1;
    if (undone === 0) return;
  }
}
