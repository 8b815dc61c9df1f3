/** Proposes branches, tags and remotes where git's grammar expects one. */

import { quoteRest } from '../core/quoting.ts';
import type { RepositoryNames } from '../core/refs.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { RefsAt } from './git-refs.ts';
import type { Source } from './source.ts';

const MAX_PROPOSALS = 6;
/** Each name is this much less likely than the one used after it. */
const RECENCY = 0.8;

type Wanted = 'branches' | 'refs' | 'remotes';

const WANTS: Readonly<Record<string, Wanted>> = {
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
const NAMING = new Set(['checkout', 'switch', 'branch']);
/** Options followed by a new name. */
const NEW_NAME = /^-(?:b|B|c|C|-create|-orphan|-force-create|m|M|-move)$/;

export function createGitSource(refsAt: RefsAt): Source {
  return {
    name: 'git',
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      const { words, current, start } = contextAt(left);
      const git = withoutGlobals(commandWords(words));
      const [command, subcommand = '', ...rest] = git;
      const wants = command === 'git' && Object.hasOwn(WANTS, subcommand) ? WANTS[subcommand] : undefined;
      if (wants === undefined || current.startsWith('-') || rest.includes('--') || /^\S/.test(right))
        return [];
      if (isMadeUp(git)) return [];
      const names = rest.filter((word) => !word.startsWith('-'));
      const refs = await refsAt(query.cwd);
      const matches = namesFor(wants, refs, names.length).flatMap((name) => {
        const word = wordOf(name, current);
        return word === null ? [] : [{ name, word }];
      });
      const share = 1 / Math.max(1, Math.min(matches.length, MAX_PROPOSALS));
      return matches.slice(0, MAX_PROPOSALS).map(({ name, word }, at) => ({
        line: left.slice(0, start) + word + right,
        cursor: right === '' ? null : start + word.length,
        source: 'git',
        probability: Math.max(0.75 * share, 0.6 * RECENCY ** at * (1 - RECENCY / 2)),
        partial: wants === 'remotes' && names.length === 0,
        why: refs.tags.includes(name) ? 'a tag' : refs.remotes.includes(name) ? 'a remote' : 'a branch',
      }));
    },
    warm(cwd) {
      void refsAt(cwd);
    },
  };
}

/** The name, escaped for the shell since a repository chooses its names; null if it does not continue what is typed. */
function wordOf(name: string, typed: string): string | null {
  if (/\p{C}/u.test(name)) return null;
  const word = quoteRest(name);
  if (word.startsWith(typed)) return word;
  return name.startsWith(typed) ? typed + quoteRest(name.slice(typed.length)) : null;
}

/** Whether the next word names a new branch. */
export function isMadeUp(words: readonly string[]): boolean {
  const [command, subcommand = '', ...rest] = withoutGlobals(words);
  return command === 'git' && NAMING.has(subcommand) && NEW_NAME.test(rest.at(-1) ?? '');
}

/** `git -C FOLDER -c NAME=VALUE status` is a `git status`. */
function withoutGlobals([command = '', ...rest]: readonly string[]): readonly string[] {
  let at = 0;
  for (let word = rest[at]; word?.startsWith('-'); word = rest[at])
    at += word === '-C' || word === '-c' ? 2 : 1;
  return [command, ...rest.slice(at)];
}

function namesFor(
  wants: Wanted,
  { branches, tags, remotes, head }: RepositoryNames,
  before: number,
): readonly string[] {
  if (wants === 'remotes') return before === 0 ? remotes : [...(head === null ? [] : [head]), ...branches];
  return wants === 'branches' ? branches : [...branches, ...tags];
}
