/**
 * Branches, tags and remotes where git's grammar wants one. Reads the repository's own files: no git is started,
 * no configuration of a foreign repository is obeyed.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readRegular } from '../../platform/regular-file.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const FRESH_MS = 3_000;
const MAX_REFS = 2_000;
const MAX_DEPTH = 4;
const MAX_PROPOSALS = 6;
const MAX_PARENTS = 32;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

interface Refs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly remotes: readonly string[];
  readonly head: string | null;
}

const NOTHING: Refs = { branches: [], tags: [], remotes: [], head: null };

/** What each subcommand's arguments are. */
const WANTS: Readonly<Record<string, 'branches' | 'refs' | 'remotes'>> = {
  checkout: 'refs',
  switch: 'branches',
  merge: 'refs',
  rebase: 'refs',
  branch: 'branches',
  diff: 'refs',
  log: 'refs',
  show: 'refs',
  'cherry-pick': 'refs',
  reset: 'refs',
  push: 'remotes',
  pull: 'remotes',
  fetch: 'remotes',
};

export function createGitSource(options: { readonly now: () => number }): Source {
  const kept = new Map<string, { readonly at: number; readonly refs: Promise<Refs> }>();
  const refsAt = (cwd: string): Promise<Refs> => {
    const known = kept.get(cwd);
    if (known !== undefined && options.now() - known.at < FRESH_MS) return known.refs;
    if (kept.size > 32) kept.clear();
    const refs = readRefs(cwd).catch(() => NOTHING);
    kept.set(cwd, { at: options.now(), refs });
    return refs;
  };
  return {
    name: 'git',
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start } = contextAt(left);
      const [command, subcommand, ...rest] = commandWords(words);
      const wants = command === 'git' && subcommand !== undefined ? WANTS[subcommand] : undefined;
      if (
        wants === undefined ||
        current.startsWith('-') ||
        rest.includes('--') ||
        query.cursor !== query.line.length
      )
        return [];
      const refs = await refsAt(query.cwd);
      const names = namesFor(wants, refs, rest.filter((word) => !word.startsWith('-')).length);
      const matches = names.filter((name) => name.startsWith(current) && name !== refs.head);
      return matches.slice(0, MAX_PROPOSALS).map((name) => ({
        line: left.slice(0, start) + name,
        cursor: null,
        source: 'git',
        probability: 0.75 / Math.max(1, Math.min(matches.length, 6)),
        partial: wants === 'remotes',
        why: refs.branches.includes(name) ? 'a branch of this repository' : 'a name in this repository',
      }));
    },
    warm(cwd) {
      void refsAt(cwd);
    },
  };
}

function namesFor(wants: 'branches' | 'refs' | 'remotes', refs: Refs, before: number): readonly string[] {
  if (wants === 'remotes')
    return before === 0 ? refs.remotes : [...(refs.head ? [refs.head] : []), ...refs.branches];
  return wants === 'branches' ? refs.branches : [...refs.branches, ...refs.tags];
}

/** The git directory of `cwd`, looking upwards; a worktree's file points at it. */
async function findGitDirectory(cwd: string): Promise<string | null> {
  let folder = cwd;
  for (let depth = 0; depth < MAX_PARENTS; depth += 1) {
    const candidate = path.join(folder, '.git');
    const found = await stat(candidate).catch(() => null);
    if (found?.isDirectory()) return candidate;
    if (found?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(await readSmall(candidate))?.[1];
      return target === undefined ? null : path.resolve(folder, target);
    }
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

async function readRefs(cwd: string): Promise<Refs> {
  if (!path.isAbsolute(cwd)) return NOTHING;
  const own = await findGitDirectory(cwd);
  if (own === null) return NOTHING;
  const shared = path.resolve(own, (await readSmall(path.join(own, 'commondir'))).trim());
  const [branches, tags, packed, head, config] = await Promise.all([
    listRefs(path.join(shared, 'refs/heads')),
    listRefs(path.join(shared, 'refs/tags')),
    readSmall(path.join(shared, 'packed-refs')),
    readSmall(path.join(own, 'HEAD')),
    readSmall(path.join(shared, 'config')),
  ]);
  const packedNames = (kind: string) =>
    [...packed.matchAll(new RegExp(`^[0-9a-f]+ refs/${kind}/(.+)$`, 'gm'))].map(([, name = '']) => name);
  return {
    branches: unique([...branches, ...packedNames('heads')]),
    tags: unique([...tags, ...packedNames('tags')]),
    remotes: unique([...config.matchAll(/^\[remote "([^"\n]+)"\]/gm)].map(([, name = '']) => name)),
    head: /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null,
  };
}

/** Empty where there is no such file, or none that can be read. */
function readSmall(file: string): Promise<string> {
  return readRegular(file, { maxBytes: MAX_FILE_BYTES }).then(String, () => '');
}

async function listRefs(folder: string, prefix = '', depth = 0): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries.slice(0, MAX_REFS)) {
    if (entry.isDirectory())
      names.push(...(await listRefs(path.join(folder, entry.name), `${prefix}${entry.name}/`, depth + 1)));
    else names.push(prefix + entry.name);
  }
  return names;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
    .filter((name) => /^[^\s~^:?*[\\\u0000-\u001f]+$/.test(name))
    .slice(0, MAX_REFS)
    .sort();
}
