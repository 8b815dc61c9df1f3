/** What differs in a working tree according to git, and what git ignores. */

import { ok, type Result } from '../../lib/result.ts';
import type { ByteString } from '../core/bytes.ts';
import { type GitOptions, git } from '../vcs/git.ts';
import { diffRows, gitWord, namesAsInput } from '../vcs/git-output.ts';
import type { ChangedFile, SetAside } from './set-aside.ts';

/** What to ask git about. */
export interface Listed {
  /** Git runs with an index of our own. */
  readonly options: GitOptions;
  /** The tree or commit to compare with. */
  readonly base: string;
  /** Compares only staged content, regardless of the disk. */
  readonly stagedOnly?: boolean;
}

/** Entries of an index and a disk, except files that git tracks normally. */
interface Entries {
  readonly submodules: readonly ByteString[];
  readonly untracked: readonly ByteString[];
  /** Files that git was told to ignore, with the letter of the flag. */
  readonly flagged: ReadonlyMap<ByteString, string>;
}

/** An untracked file, a flagged entry or a submodule. */
const ENTRY = /(?:^|\0)(?:\? |(?:([a-zS]) \d+|H 160000) [0-9a-f]+ \d\t)([^\0]+)/g;
const OTHERS: readonly string[] = ['--others', '--exclude-standard'];

/** Lists what `ENTRY` matches; untracked files on request. */
export async function listEntries(options: GitOptions, others: boolean): Promise<Result<Entries>> {
  const listed = await git(['ls-files', '-v', '-s', '-z', ...(others ? OTHERS : [])], options);
  if (!listed.ok) return listed;
  const flagged = new Map<ByteString, string>();
  const [submodules, untracked]: ByteString[][] = [[], []];
  for (const [entry, flag, name = ''] of listed.value.stdout.toString('latin1').matchAll(ENTRY)) {
    if (flag !== undefined) flagged.set(name, flag);
    else (/^\0?\?/.test(entry) ? untracked : submodules)?.push(name);
  }
  return ok({ flagged, submodules: submodules ?? [], untracked: untracked ?? [] });
}

/** Lists what differs. `own`: the options without settings that hide what a checkout omits. */
export async function listChanges({ options, base, stagedOnly }: Listed, own: GitOptions) {
  const differing = () => (stagedOnly ? ok([]) : rawDiff(['diff-files'], options, true));
  const [staged, unflagged, entries] = await Promise.all([
    // A file announced by "git add -N" has nothing staged.
    rawDiff(['diff-index', '--cached', '--ita-invisible-in-index', base], options, false),
    differing(),
    stagedOnly ? ok(NOTHING) : listEntries(own, true),
  ]);
  if (!staged.ok) return staged;
  if (!entries.ok) return entries;
  const { submodules, untracked } = entries.value;
  const looks = entries.value.flagged.size > 0 ? await lookAtFlagged(entries.value.flagged, own) : ok(false);
  if (!looks.ok) return looks;
  const onDisk = looks.value ? await differing() : unflagged;
  if (!onDisk.ok) return onDisk;
  const flagged: SetAside = new Map(
    [...entries.value.flagged].map(([name, flag]) => {
      const how = flag === 'S' ? 'skip-worktree' : 'assume-unchanged';
      return [name, `git is told not to look at it (${how})`];
    }),
  );
  const fresh = untracked.map(
    (name): ChangedFile => ({ name, blob: null, oldBlob: null, status: 'A', modes: [0, 0], onDisk: true }),
  );
  return ok({ staged: staged.value, onDisk: onDisk.value, fresh, flagged, submodules });
}

const NOTHING: Entries = { submodules: [], untracked: [], flagged: new Map() };

/** Makes git look at flagged files, in our own index. Returns whether there are any. */
async function lookAtFlagged(flagged: Entries['flagged'], options: GitOptions): Promise<Result<boolean>> {
  const all = [...flagged];
  const unchanged = all.filter(([, flag]) => flag !== 'S');
  // A file omitted by a sparse checkout is rightly missing, but git still looks at it if it is on disk.
  const skipped = (await isSparse(options)) ? [] : all.filter(([, flag]) => /s/i.test(flag));
  const looks = { '--no-assume-unchanged': unchanged, '--no-skip-worktree': skipped };
  for (const [look, files] of Object.entries(looks)) {
    if (files.length === 0) continue;
    const input = namesAsInput(files.map(([name]) => name));
    const done = await git(['update-index', look, '-z', '--stdin'], { ...options, input });
    if (!done.ok) return done;
  }
  return ok(unchanged.length + skipped.length > 0);
}

async function isSparse(options: GitOptions): Promise<boolean> {
  const setting = await gitWord(['config', '--type=bool', 'core.sparseCheckout'], options);
  return setting.ok && setting.value === 'true';
}

/** Files that differ, as in `--raw`. A submodule counts by its commit: looking inside would run git there. */
async function rawDiff(
  [command = '', ...rest]: readonly string[],
  options: GitOptions,
  onDisk: boolean,
): Promise<Result<ChangedFile[]>> {
  const rows = await diffRows([command, '--ignore-submodules=dirty', ...rest], options);
  if (!rows.ok) return rows;
  const files = new Map<ByteString, ChangedFile>();
  for (const { path: name, modes, blobs, status } of rows.value) {
    // An unmerged file is listed again for its file on disk.
    if (files.get(name)?.status === 'U') continue;
    const [oldBlob, newBlob] = blobs;
    files.set(name, { name, blob: onDisk ? oldBlob : newBlob, oldBlob, status, modes, onDisk });
  }
  return ok([...files.values()]);
}
