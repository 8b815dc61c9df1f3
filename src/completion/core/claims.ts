/** What a line needs to succeed: a command, the files and folders that it reads, a branch. */
import { wordList } from '../../lib/word-list.ts';
import { commandWords, isSeparator, tokenize } from './tokens.ts';

export interface Claims {
  readonly commands: readonly string[];
  /** Words that name files or folders, as typed. */
  readonly paths: readonly string[];
  /** Names of branches, tags or commits. */
  readonly refs: readonly string[];
}

/** Commands whose arguments must all exist. */
const READERS = new Set(
  wordList(`cd pushd cat bat less more head tail source . ls ll tree file stat wc du xxd diff cmp sort uniq unzip gunzip
  zcat rmdir rm bash sh zsh python python3 node open xdg-open`),
);
/** Commands that create their last argument and read the others. */
const COPIERS = new Set(['cp', 'mv', 'rsync']);
const SCRIPTS = new Set(['bash', 'sh', 'zsh', 'python', 'python3', 'node']);
const REFS = new Set(['checkout', 'switch', 'merge', 'rebase', 'cherry-pick']);
/** Options that may come with a name that must exist, as without them. */
const PLAIN_OPTION = /^(?:-[qfd]|--(?:quiet|force|detach|no-ff|ff-only))$/;
/** A word that the shell expands names something unknown to us. */
const EXPANDED = /[$`*?[\]{}()=]|^[~-](?!\/)|^\d+$|:/;

export function claimsOf(line: string): Claims {
  const claims = { commands: [] as string[], paths: [] as string[], refs: [] as string[] };
  let words: string[] = [];
  const take = () => {
    claim(claims, commandWords(words));
    words = [];
  };
  for (const { kind, text, target, start } of tokenize(line)) {
    if (kind === 'word') words.push(text);
    else if (kind === 'redirect' && /^\d*<(?![<&(])/.test(text))
      claims.paths.push(text.slice(target - start));
    else if (kind === 'operator' && isSeparator(text)) take();
    // Files that the line itself creates cannot be checked in advance.
    if (kind === 'operator' && /^(?:&&|;|\n)$/.test(text)) break;
  }
  take();
  return { ...claims, paths: claims.paths.filter((word) => word !== '' && !EXPANDED.test(word)) };
}

function claim(
  claims: { commands: string[]; paths: string[]; refs: string[] },
  [name = '', ...rest]: readonly string[],
): void {
  if (name === '') return;
  if (name.includes('/')) claims.paths.push(name);
  else claims.commands.push(name);
  const names = rest.filter((word) => !/^[-+]/.test(word));
  const isPlain = rest.every((word) => names.includes(word) || PLAIN_OPTION.test(word));
  if (name === 'git' && REFS.has(rest[0] ?? '') && names.length === 2 && isPlain)
    claims.refs.push(names[1] ?? '');
  else if (SCRIPTS.has(name)) claims.paths.push(...(rest[0]?.startsWith('-') ? [] : names.slice(0, 1)));
  else if (name === 'head' || name === 'tail' || name === 'du' || name === 'sort')
    claims.paths.push(...names.filter((word) => /[./]/.test(word)));
  else if (READERS.has(name)) claims.paths.push(...names);
  else if (COPIERS.has(name)) claims.paths.push(...names.slice(0, -1));
}
