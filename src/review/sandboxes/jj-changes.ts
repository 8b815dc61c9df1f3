/** Abandons a jj sandbox's changes or folds them into the target's: only its own, and only if nobody builds on them. */

import { fail, ok, type Result } from '../../lib/result.ts';
import { sha256 } from '../files/hash.ts';
import {
  jjPatch,
  lookAtWorkspace,
  type OpenWorkspace,
  openWorkspace,
  withStore,
} from '../sources/jj-source.ts';
import { git } from '../vcs/git.ts';
import { gitWord } from '../vcs/git-output.ts';
import { type JjChange, jj, listChanges, lookUp } from '../vcs/jj.ts';
import { changedFiles, NOBODY } from './git-sandbox.ts';
import type { SandboxRecord } from './sandbox-store.ts';

/** The sandbox's changes that the target does not have. */
interface OwnChanges {
  readonly opened: OpenWorkspace;
  /** Where they begin. */
  readonly from: string;
  /** The newest one: the sandbox's working copy. */
  readonly head: JjChange;
  readonly changes: readonly JjChange[];
  readonly target: JjChange;
}

type Place = Pick<SandboxRecord, 'name' | 'folder' | 'target'>;

const short = ({ change }: JjChange) => change.slice(0, 12);
const namesOf = (changes: readonly JjChange[]) => changes.map(({ change }) => change).join('|');

/** Finds them; refused if they are not only the sandbox's. `fresh`: snapshots the target too. `only`: one of them. */
async function findOwnChanges(
  { folder, target }: Place,
  { fresh, only = null }: { readonly fresh: boolean; readonly only?: string | null },
): Promise<Result<OwnChanges>> {
  const opened = await openWorkspace(folder, target);
  if (opened === null) return fail('refused', `${folder} is no longer a workspace of the repository.`);
  // The target first: if its change is rewritten, so are those based on it.
  const home = await lookUp(opened.target.top, '@', { fresh });
  if (!home.ok) return home;
  const range = await lookAtWorkspace(opened, null);
  if (!range.ok) return range;
  const { from, to } = range.value;
  const all = `(::${to.change.commit} ~ ::${home.value.change.commit})`;
  const mine = only === null ? all : `(${only} & ${all})`;
  const changes = await listChanges(folder, mine);
  if (!changes.ok) return changes;
  const divergent = [...changes.value, home.value.change].find(({ isDivergent }) => isDivergent);
  if (divergent !== undefined) {
    return fail(
      'refused',
      `The jj change ${short(divergent)} is divergent: it has several commits, so it does not name one.`,
      'Abandon the ones you do not want: jj abandon <commit>.',
    );
  }
  const free = await checkFree(folder, mine, to.change);
  if (!free.ok) return free;
  return ok({ opened, from, head: to.change, changes: changes.value, target: home.value.change });
}

/** Checks that nothing is based on them, no bookmark or other workspace refers to one, and all may be rewritten. */
async function checkFree(folder: string, mine: string, head: JjChange): Promise<Result<void>> {
  const named = await listChanges(folder, `(bookmarks() | immutable()) & ${mine}`);
  if (!named.ok) return named;
  const [kept] = named.value;
  if (kept !== undefined)
    return fail(
      'refused',
      `The jj change ${short(kept)} has a bookmark, or is immutable; it stays as it is.`,
    );
  // "jj commit" leaves an empty change on top, which contains nothing to lose.
  const on = `(children(${mine}) ~ ${mine} ~ (${head.commit} & empty()))`;
  const others = `${on} | (working_copies() & ${mine} ~ ${head.commit})`;
  const dependents = await listChanges(folder, others);
  if (!dependents.ok) return dependents;
  const [other] = dependents.value;
  if (other === undefined) return ok(undefined);
  return fail(
    'refused',
    `The jj change ${short(other)} is built on the sandbox's work; that stays as it is.`,
  );
}

/** Abandons them; the sandbox continues with an empty change where they began. jj keeps them in its operation log. */
export async function abandonOwn(place: Place): Promise<Result<void>> {
  const own = await findOwnChanges(place, { fresh: false });
  if (!own.ok || own.value.changes.length === 0) return own.ok ? ok(undefined) : own;
  const done = await jj(['abandon', '-r', namesOf(own.value.changes)], place.folder);
  return done.ok ? describeNext(place) : done;
}

/** Abandons one that was published by itself, if it is unchanged since. */
export async function abandonPublished(
  place: Place,
  { change, patch }: { readonly change: string; readonly patch: string },
): Promise<Result<void>> {
  const own = await findOwnChanges(place, { fresh: false, only: change });
  if (!own.ok) return own;
  const { opened, changes, head } = own.value;
  if (changes.length === 0)
    return fail('refused', 'it does not belong to the sandbox, or is already abandoned.');
  const now = await jjPatch(opened, change);
  if (!now.ok) return now;
  if (sha256([now.value.patch]) !== patch) return fail('refused', 'it has changed since it was published.');
  const done = await jj(['abandon', '-r', namesOf(changes)], place.folder);
  if (!done.ok) return done;
  return changes.some((one) => one.change === head.change) ? describeNext(place) : ok(undefined);
}

/**
 * Folds them into the target's change, which already has their content: its files stay the same, byte for byte. Refused
 * if that would change the target, because something in them was not accepted or not published. `description` names the
 * target's change if it has no name; null leaves it unnamed.
 */
export async function squashOwn(place: Place, description: string | null): Promise<Result<void>> {
  const own = await findOwnChanges(place, { fresh: true });
  if (!own.ok || own.value.changes.length === 0) return own.ok ? ok(undefined) : own;
  const contained = await checkContained(own.value);
  if (!contained.ok) return contained;
  const { opened, changes } = own.value;
  const message = await messageFor(opened.target.top, description);
  if (!message.ok) return message;
  const squash = ['squash', '--from', namesOf(changes), '--into', '@', message.value];
  const done = await jj(squash, opened.target.top);
  if (!done.ok) return done;
  // Its change was rewritten from outside; jj preserves edits made there at that moment beside it.
  const updated = await jj(['workspace', 'update-stale'], place.folder);
  return updated.ok ? describeNext(place) : updated;
}

/** The user's own description stays. */
async function messageFor(target: string, description: string | null): Promise<Result<string>> {
  const words = await jj(['log', '--no-graph', '-r', '@', '-T', 'description'], target);
  if (!words.ok) return words;
  if (description === null || words.value.stdout.toString('utf8').trim() !== '')
    return ok('--use-destination-message');
  const text = description.trim();
  return ok(`--message=${text === '' ? 'Accept reviewed changes' : text}`);
}

async function describeNext({ folder, name }: Place): Promise<Result<void>> {
  const described = await jj(['describe', '-m', `suggestion: ${name}`], folder);
  return described.ok ? ok(undefined) : described;
}

/** Checks that merging them into the target would change nothing there. */
function checkContained({ opened, from, head, target }: OwnChanges): Promise<Result<void>> {
  if (target.hasConflict)
    return Promise.resolve(fail('refused', `The jj change ${short(target)} has conflicts in it.`));
  return withStore(opened.own, async (options) => {
    const asNobody = { ...options, env: { ...options.env, ...NOBODY } };
    const work = await gitWord(['commit-tree', `${head.commit}^{tree}`, '-p', from], {
      ...asNobody,
      input: 'work\n',
    });
    if (!work.ok) return work;
    const merged = await git(['merge-tree', '--write-tree', '-z', target.commit, work.value], {
      ...asNobody,
      okCodes: [0, 1],
    });
    if (!merged.ok) return merged;
    const [tree = ''] = merged.value.stdout.toString('latin1').split('\0');
    const beyond = await changedFiles(options, target.commit, tree);
    if (!beyond.ok) return beyond;
    if (merged.value.code === 0 && beyond.value.length === 0) return ok(undefined);
    const [first] = beyond.value;
    const where = first === undefined ? '' : `: ${first.path}`;
    return fail(
      'refused',
      `The jj change ${short(head)} holds more than was accepted${where}; it is not squashed.`,
      `"jj squash --from ${short(head)} -i" chooses by hand.`,
    );
  });
}
