/** Scripts and targets that the project's own files define: package.json, Makefile, justfile, compose files, Cargo, pyproject. */

import path from 'node:path';
import { fresh } from '../../lib/fresh.ts';
import { readRegular } from '../../platform/regular-file.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const FRESH_MS = 5_000;
const MAX_KEPT = 64;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_NAMES = 200;
const MAX_PROPOSALS = 6;
const MAX_PARENTS = 8;

interface Kind {
  readonly files: readonly string[];
  /** The command words that want a name of this kind next. */
  readonly after: readonly (readonly string[])[];
  readonly read: (text: string) => readonly string[];
}

const namesBy = (pattern: RegExp) => (text: string) =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

const KINDS: readonly Kind[] = [
  {
    files: ['package.json'],
    after: [
      ['npm', 'run'],
      ['npm', 'run-script'],
      ['pnpm', 'run'],
      ['pnpm'],
      ['yarn', 'run'],
      ['yarn'],
      ['bun', 'run'],
      ['node', '--run'],
    ],
    read: packageScripts,
  },
  {
    files: ['Makefile', 'makefile', 'GNUmakefile'],
    after: [['make'], ['gmake']],
    read: namesBy(/^([A-Za-z0-9][\w./-]*)\s*:(?!=)/gm),
  },
  {
    files: ['justfile', 'Justfile', '.justfile'],
    after: [['just']],
    read: namesBy(/^@?([A-Za-z_][\w-]*)(?:\s+[^:=\n]*)?:(?!=)/gm),
  },
  {
    files: ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'],
    after: ['up', 'logs', 'exec', 'restart', 'stop', 'start', 'build', 'run', 'ps'].flatMap((verb) => [
      ['docker', 'compose', verb],
      ['docker-compose', verb],
    ]),
    read: composeServices,
  },
  {
    files: ['Cargo.toml'],
    after: [
      ['cargo', 'run', '--bin'],
      ['cargo', 'build', '--bin'],
    ],
    read: namesBy(/^\[\[bin\]\][^[]*?^name\s*=\s*"([^"\n]+)"/gm),
  },
  {
    files: ['pyproject.toml'],
    after: [
      ['uv', 'run'],
      ['poetry', 'run'],
      ['pdm', 'run'],
      ['hatch', 'run'],
    ],
    read: pyprojectScripts,
  },
];

/** Whether behind these words only a script of the project may stand, as behind `npm run`. */
export const wantsScript = (words: readonly string[]): boolean =>
  words.length > 1 && KINDS.some(({ after }) => after.some((wanted) => wanted.join(' ') === words.join(' ')));

export function createProjectSource(options: { readonly now: () => number }): Source {
  const names = fresh<Promise<readonly string[]>>({ freshMs: FRESH_MS, maxKeys: MAX_KEPT, now: options.now });
  const namesAt = (cwd: string, kind: Kind) =>
    names(`${cwd}\u0000${kind.files[0]}`, () => readNames(cwd, kind));
  return {
    name: 'project',
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start } = contextAt(left);
      const command = commandWords(words);
      const kind = KINDS.find(({ after }) => after.some((wanted) => wanted.join(' ') === command.join(' ')));
      if (kind === undefined || current.startsWith('-') || query.cursor !== query.line.length) return [];
      const matches = (await namesAt(query.cwd, kind)).filter((name) => name.startsWith(current));
      return matches.slice(0, MAX_PROPOSALS).map((name, at) => ({
        line: left.slice(0, start) + name,
        cursor: null,
        source: 'project',
        probability: (0.8 / Math.max(1, Math.min(matches.length, 6))) * 0.97 ** at,
        partial: false,
        why: `defined in ${kind.files[0]}`,
      }));
    },
  };
}

/** Names of one kind, from the nearest folder upwards that has such a file. */
async function readNames(cwd: string, kind: Kind): Promise<readonly string[]> {
  if (!path.isAbsolute(cwd)) return [];
  let folder = cwd;
  for (let depth = 0; depth < MAX_PARENTS; depth += 1) {
    for (const name of kind.files) {
      const file = path.join(folder, name);
      const text = await readRegular(file, { maxBytes: MAX_FILE_BYTES }).then(String, () => null);
      if (text === null) continue;
      return [...new Set(kind.read(text))].filter((one) => /^[\w][\w.:/@-]*$/.test(one)).slice(0, MAX_NAMES);
    }
    const parent = path.dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return [];
}

function packageScripts(text: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    // A package.json in the midst of an edit has no scripts for now.
    return [];
  }
}

function composeServices(text: string): readonly string[] {
  const section = /^services:\s*\n((?:[ \t#].*\n?|\n)*)/m.exec(text)?.[1] ?? '';
  const indent = /^([ \t]+)\S/m.exec(section)?.[1] ?? '  ';
  return [...section.matchAll(new RegExp(`^${indent}([\\w.-]+):`, 'gm'))].map(([, name = '']) => name);
}

function pyprojectScripts(text: string): readonly string[] {
  const sections = text.matchAll(
    /^\[(?:project\.scripts|tool\.poetry\.scripts|tool\.pdm\.scripts)\]\s*\n((?:(?!\[).*\n?)*)/gm,
  );
  return [...sections].flatMap(([, body = '']) => namesBy(/^([\w.-]+)\s*=/gm)(body));
}
