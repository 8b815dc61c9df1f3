/** Proposes files and folders for the word under the cursor, quoted as the user does. Reads limited directories. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fresh } from '../../lib/fresh.ts';
import { wordList } from '../../lib/word-list.ts';
import { quoteRest, unquoted } from '../core/quoting.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const MAX_ENTRIES = 5_000;
const MAX_PROPOSALS = 6;
/** Cache time, so that a burst of keys reads a directory once. */
const FRESH_MS = 2_000;
const MAX_KEPT_DIRECTORIES = 32;

interface Entry {
  readonly name: string;
  readonly isDirectory: boolean;
}

const FOLDERS_ONLY = new Set(['cd', 'pushd', 'rmdir', 'mkdir', 'z']);
/** Commands that take mostly files; elsewhere a word is a path only if it looks like one. */
const TAKES_FILES = new Set(
  wordList(
    'cat less more head tail vim nvim vi nano emacs code ls cp mv rm ln chmod chown touch stat file wc sort uniq diff grep rg sed awk source . bash sh zsh python python3 node tar unzip zip scp rsync open bat jq du tree find cmp patch tee gzip gunzip xz zcat xxd strings shellcheck sha256sum md5sum',
  ),
);

const PYTHON = /\.py$/;
const ARCHIVE = /\.(?:tar|tgz|tbz2?|txz|tzst)$|\.tar\.\w+$/;
/** What a command reads: such names come first. */
const READS: ReadonlyMap<string, RegExp> = new Map([
  ['python', PYTHON],
  ['python3', PYTHON],
  ['node', /\.[cm]?[jt]s$/],
  ['tar', ARCHIVE],
  ['unzip', /\.(?:zip|jar|whl)$/],
  ['gunzip', /\.t?gz$/],
]);

/** The names that fit as the next word of a command. An archive that is written is none of those that are here. */
function readBy([command = '', options = '']: readonly string[]): RegExp | null {
  return command === 'tar' && /^-{0,2}\w*c/.test(options) ? null : (READS.get(command) ?? null);
}

/** Subcommands of git that take files. After `--` all arguments are files. */
const GIT_ON_FILES = new Set(['add', 'stage', 'rm', 'mv', 'restore', 'blame', 'check-ignore']);

function takesFiles([command = '', ...rest]: readonly string[]): boolean {
  if (command === 'git') return GIT_ON_FILES.has(rest[0] ?? '') || rest.includes('--');
  // Its first word is what to do: `tar z.tar` would be options.
  if (command === 'tar') return rest.length > 0;
  return TAKES_FILES.has(command) || FOLDERS_ONLY.has(command);
}

export interface PathsOptions {
  readonly home: string;
  readonly now: () => number;
}

export function createPathsSource(options: PathsOptions): Source {
  const kept = { freshMs: FRESH_MS, maxKeys: MAX_KEPT_DIRECTORIES, now: options.now };
  const entriesOf = fresh<Promise<readonly Entry[]>>(kept);
  const list = (directory: string) => entriesOf(directory, () => readEntries(directory));
  return {
    name: 'paths',
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      const context = contextAt(left);
      const command = commandWords(context.words);
      const wanted = wantedPath(context.current, command, context.redirect);
      if (wanted === null || (right !== '' && !/^\s/.test(right))) return [];
      const directory = resolveDirectory(wanted.folder, query.cwd, options.home);
      if (directory === null) return [];
      const entries = (await list(directory)).filter(
        ({ name, isDirectory }) =>
          (isDirectory || !wanted.foldersOnly) && (wanted.start !== '' || !name.startsWith('.')),
      );
      const exact = entries.filter(({ name }) => name.startsWith(wanted.start));
      const lower = wanted.start.toLowerCase();
      // Without an exact match the case may be wrong.
      const isOtherCase = exact.length === 0;
      const matches = (
        isOtherCase ? entries.filter(({ name }) => name.toLowerCase().startsWith(lower)) : [...exact]
      )
        // Nobody names a file twice in one command.
        .filter(
          ({ name, isDirectory }) => isDirectory || !context.words.includes(wordOf(wanted, name, false)),
        )
        .sort((a, b) => Number(b.isDirectory) - Number(a.isDirectory) || (a.name < b.name ? -1 : 1));
      const read = context.redirect ? null : readBy(command);
      const fitting = matches.filter((entry) => !entry.isDirectory && read?.test(entry.name) === true);
      const others = matches.filter((entry) => !fitting.includes(entry));
      const few = (count: number) => Math.max(1, Math.min(count, 8));
      return [...fitting, ...others].slice(0, MAX_PROPOSALS).map((entry, at) => {
        const { name, isDirectory } = entry;
        const word = wordOf(wanted, name, isDirectory);
        return {
          line: left.slice(0, context.start) + word + right,
          cursor: right === '' ? null : context.start + word.length,
          source: 'paths',
          probability:
            (wanted.sure ? 0.7 : 0.4) /
            (at < fitting.length ? few(fitting.length) : few(matches.length) + fitting.length),
          partial: isDirectory,
          ...(isOtherCase ? { kind: 'fix' as const } : {}),
          why: isDirectory ? 'a folder here' : 'a file here',
        };
      });
    },
    warm(cwd) {
      void list(cwd);
    },
  };
}

async function readEntries(directory: string): Promise<readonly Entry[]> {
  // The folder is missing or not readable.
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .slice(0, MAX_ENTRIES)
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
    .filter(({ name }) => !/[\u0000-\u001f\u007f]/.test(name));
}

interface WantedPath {
  /** The opening quote of the word, or nothing. */
  readonly quote: string;
  readonly typedFolder: string;
  readonly folder: string;
  readonly start: string;
  readonly foldersOnly: boolean;
  /** The word can only be a path. */
  readonly sure: boolean;
}

/** The path that the word may start; null if it is none. */
function wantedPath(word: string, words: readonly string[], redirect: boolean): WantedPath | null {
  const [command = ''] = words;
  const quote = /^["']/.exec(word)?.[0] ?? '';
  const text = word.slice(quote.length);
  // Only the shell can expand a variable, a glob or a substitution.
  if (text.startsWith('-') || /[$`*?[\]{}()]/.test(text) || (quote !== '' && text.includes(quote)))
    return null;
  const looksLikePath = /^(?:~\/|\.{0,2}\/)/.test(text) || text.includes('/');
  const isFileHere = takesFiles(words);
  if (!redirect && !looksLikePath && !isFileHere) return null;
  if (words.length === 0 && !looksLikePath && !redirect) return null;
  const slash = text.lastIndexOf('/') + 1;
  return {
    quote,
    typedFolder: text.slice(0, slash),
    folder: unquoted(text.slice(0, slash)),
    start: unquoted(text.slice(slash)),
    foldersOnly: FOLDERS_ONLY.has(command),
    sure: looksLikePath || isFileHere || redirect,
  };
}

/** Quotes the name as a word of the line; a folder's quote stays open. */
function wordOf({ quote, typedFolder }: WantedPath, name: string, isDirectory: boolean): string {
  return quote + typedFolder + quoteRest(name, quote) + (isDirectory ? '/' : quote);
}

function resolveDirectory(folder: string, cwd: string, home: string): string | null {
  if (folder.startsWith('~/')) return path.join(home, folder.slice(2));
  if (folder.startsWith('~')) return null;
  if (path.isAbsolute(folder)) return folder;
  return path.isAbsolute(cwd) ? path.join(cwd, folder) : null;
}
