/** Proposes names from project files (npm scripts, make targets, recipes, services, cargo, Python) and of kubectl. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { fresh } from '../../lib/fresh.ts';
import { isRecord } from '../../lib/is-record.ts';
import { wordList } from '../../lib/word-list.ts';
import { readRegular } from '../../platform/regular-file.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import { kubectlNames, kubectlWants } from './kubectl.ts';
import { makeTargets } from './make-targets.ts';
import type { Named, Source } from './source.ts';

const FRESH_MS = 5_000;
const MAX_KEPT = 64;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_NAMES = 400;
const MAX_PROPOSALS = 6;
const MAX_PARENTS = 8;
const MAX_DESCRIPTION_CHARS = 80;

type ReadNames = (text: string, folder: string) => readonly Named[] | Promise<readonly Named[]>;

interface Kind {
  readonly files: readonly string[];
  /** The words before such a name, without options. */
  readonly after: readonly string[];
  /** More than one name may follow. */
  readonly takesMany?: boolean;
  /** Matches an option with a value at the end of the words. */
  readonly valued?: RegExp;
  /** Matches an option for another folder or file, whose names are unknown. */
  readonly elsewhere?: RegExp;
  readonly read: ReadNames;
}

const COMPOSE_MANY = wordList('up logs restart stop start build ps pull push rm kill create pause top watch');
const COMPOSE_ONE = ['exec', 'run', 'port', 'attach', 'cp'];
const COMPOSE = {
  files: ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'],
  // Before the verb -f names a file, after it means "follow".
  valued:
    /compose(?: -\S+ \S+)* (?:-[fp]|--file|--project-name|--profile|--env-file)$| (?:-[ntuw]|--(?:tail|since|until|scale|timeout|index|user|workdir|env))$/,
  elsewhere: /compose(?: -\S+ \S+)* (?:-f|--file)[ =](?!(?:docker-)?compose\.ya?ml(?: |$))/,
  read: composeServices,
} as const;
const underCompose = (verbs: readonly string[]) =>
  verbs.flatMap((verb) => [`docker compose ${verb}`, `docker-compose ${verb}`, `podman compose ${verb}`]);

const KINDS: readonly Kind[] = [
  {
    files: ['package.json'],
    after: ['npm run', 'npm run-script', 'pnpm run', 'pnpm', 'yarn run', 'yarn', 'bun run', 'node --run'],
    valued: / (?:-[wC]|--(?:workspace|prefix|filter|dir|cwd))$/,
    elsewhere: / (?:-[wC]|--(?:workspace|prefix|filter|dir|cwd))(?:[ =]|$)/,
    read: packageScripts,
  },
  {
    files: ['Makefile', 'makefile', 'GNUmakefile'],
    after: ['make', 'gmake'],
    takesMany: true,
    valued: / (?:-[fIoW]|--(?:file|makefile|include-dir))$/,
    elsewhere: / (?:-[Cf]|--(?:directory|file|makefile)(?:[ =]|$))/,
    read: makeTargets,
  },
  {
    files: ['justfile', 'Justfile', '.justfile'],
    after: ['just'],
    valued: / (?:-[fd]|--(?:justfile|working-directory|set))$/,
    elsewhere: / (?:-[fd]|--(?:justfile|working-directory))(?:[ =]|$)/,
    read: justRecipes,
  },
  { ...COMPOSE, after: underCompose(COMPOSE_MANY), takesMany: true },
  { ...COMPOSE, after: underCompose(COMPOSE_ONE) },
  {
    files: ['pyproject.toml'],
    after: ['uv run', 'poetry run', 'pdm run', 'hatch run'],
    read: pyprojectScripts,
  },
];

/** Options of cargo that take a name of the package. */
const CARGO: ReadonlyMap<string, CargoKind> = new Map([
  ['--bin', 'bin'],
  ['--example', 'example'],
  ['--test', 'test'],
  ['--bench', 'bench'],
  ['--features', 'feature'],
  ['-F', 'feature'],
  ['-p', 'package'],
  ['--package', 'package'],
]);
type CargoKind = 'bin' | 'example' | 'test' | 'bench' | 'feature' | 'package';

/** Whether only a script of the project may follow, as after `npm run`. */
export const wantsScript = (words: readonly string[]): boolean =>
  words.length > 1 &&
  (cargoWants(words) !== undefined || KINDS.some(({ after }) => after.includes(words.join(' '))));

const cargoWants = ([name, ...rest]: readonly string[]): CargoKind | undefined =>
  name === 'cargo' ? CARGO.get(rest.at(-1) ?? '') : undefined;

/** A project's names are not sorted by use: each is a little less likely than the one before. */
const DECAY = 0.97;
/** kubectl's types are sorted by use, so the first that fits is mostly meant. */
const RESOURCES_DECAY = 0.4;

/** Where names come from, and what is already typed. */
interface Place {
  readonly key: string;
  readonly why: string;
  readonly used: readonly string[];
  /** How much less likely each name is than the one before. */
  readonly decay: number;
  readonly names: () => Promise<readonly Named[]>;
}

export interface ProjectOptions {
  readonly home: string;
  readonly now: () => number;
  readonly kubeconfig?: string | undefined;
}

export function createProjectSource(options: ProjectOptions): Source {
  const names = fresh<Promise<readonly Named[]>>({ freshMs: FRESH_MS, maxKeys: MAX_KEPT, now: options.now });
  return {
    name: 'project',
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start } = contextAt(left);
      if (current.startsWith('-')) return [];
      const place = placeOf(commandWords(words), query.cwd, options);
      if (place === null) return [];
      const found = await names(place.key, async () => usable(await place.names()));
      const matches = found.filter(({ name }) => name.startsWith(current) && !place.used.includes(name));
      const shares = matches.slice(0, MAX_PROPOSALS).map((_, at) => place.decay ** at);
      const whole = shares.reduce((sum, share) => sum + share, 0);
      return matches.slice(0, MAX_PROPOSALS).map(({ name, description }, at) => ({
        line: left.slice(0, start) + name,
        cursor: null,
        source: 'project',
        probability: (0.8 * (shares[at] ?? 0)) / whole,
        partial: false,
        why: place.why,
        ...(description ? { description } : {}),
      }));
    },
  };
}

function placeOf(command: readonly string[], cwd: string, options: ProjectOptions): Place | null {
  const wanted = kubectlWants(command);
  if (wanted !== null) {
    const read = () => kubectlNames(wanted, { home: options.home, kubeconfig: options.kubeconfig });
    const decay = wanted === 'resources' ? RESOURCES_DECAY : DECAY;
    return { key: wanted, why: 'known to kubectl', used: [], decay, names: read };
  }
  const cargo = cargoWants(command);
  if (cargo !== undefined)
    return inProject(cwd, ['Cargo.toml'], cargo, (text, folder) => cargoNames(text, folder, cargo));
  for (const { files, after, takesMany, valued, elsewhere, read } of KINDS) {
    if (elsewhere?.test(command.join(' '))) continue;
    const isValue = (at: number) => valued?.test(command.slice(0, at + 1).join(' ')) === true;
    if (isValue(command.length - 1)) continue;
    const plain = command.filter((word, at) => !word.startsWith('-') && !isValue(at - 1));
    const verb = after.find(
      (one) =>
        plain.join(' ') === one ||
        command.join(' ') === one ||
        (takesMany && plain.join(' ').startsWith(`${one} `)),
    );
    if (verb === undefined) continue;
    return { ...inProject(cwd, files, '', read), used: plain.slice(verb.split(' ').length) };
  }
  return null;
}

const inProject = (cwd: string, files: readonly string[], part: string, read: ReadNames): Place => ({
  key: `${cwd}\u0000${files[0]}\u0000${part}`,
  why: `defined in ${files[0]}`,
  used: [],
  decay: DECAY,
  names: () => readNames(cwd, files, read),
});

/** Names of one kind, from the nearest such file in the folder or above. */
async function readNames(cwd: string, files: readonly string[], read: ReadNames): Promise<readonly Named[]> {
  if (!path.isAbsolute(cwd)) return [];
  let folder = cwd;
  for (let depth = 0; depth < MAX_PARENTS; depth += 1) {
    for (const name of files) {
      const text = await readRegular(path.join(folder, name), { maxBytes: MAX_FILE_BYTES }).then(
        String,
        () => null,
      );
      if (text === null) continue;
      return read(text, folder);
    }
    const parent = path.dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return [];
}

/** Distinct names that need no quotes, with short descriptions. The files are not trusted. */
function usable(found: readonly Named[]): readonly Named[] {
  const byName = new Map<string, Named>();
  for (const one of found)
    if (/^[\w][\w.:/@+-]*$/.test(one.name) && !byName.has(one.name)) byName.set(one.name, one);
  return [...byName.values()].slice(0, MAX_NAMES).map(shortened);
}

function shortened({ name, description }: Named): Named {
  const line = description?.replace(/[\u0000-\u0020\u007f-\u009f]+/g, ' ').trim() ?? '';
  return line === '' ? { name } : { name, description: line.slice(0, MAX_DESCRIPTION_CHARS) };
}

/** Parses a file's text; an empty record if it is invalid, as during an edit. */
function parsed(parse: (text: string) => unknown, text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const recordIn = (
  value: Readonly<Record<string, unknown>>,
  ...keys: readonly string[]
): Readonly<Record<string, unknown>> =>
  keys.reduce<Readonly<Record<string, unknown>>>(
    (inner, key) => (isRecord(inner[key]) ? inner[key] : {}),
    value,
  );

const described = (entries: Readonly<Record<string, unknown>>): readonly Named[] =>
  Object.entries(entries).map(([name, value]) =>
    typeof value === 'string' ? { name, description: value } : { name },
  );

function packageScripts(text: string): readonly Named[] {
  return described(recordIn(parsed(JSON.parse, text), 'scripts'));
}

function composeServices(text: string): readonly Named[] {
  const services = recordIn(parsed(parseYaml, text), 'services');
  return Object.entries(services).map(([name, service]) => {
    const image = isRecord(service) ? service.image : undefined;
    return typeof image === 'string' ? { name, description: image } : { name };
  });
}

function pyprojectScripts(text: string): readonly Named[] {
  const value = parsed(parseToml, text);
  const tables = [
    ['project', 'scripts'],
    ['tool', 'poetry', 'scripts'],
    ['tool', 'pdm', 'scripts'],
  ];
  return tables.flatMap((keys) => described(recordIn(value, ...keys)));
}

/** Folders in which cargo finds programs by name. */
const CARGO_FOLDERS = { bin: 'src/bin', example: 'examples', test: 'tests', bench: 'benches' } as const;

async function cargoNames(text: string, folder: string, kind: CargoKind): Promise<readonly Named[]> {
  const value = parsed(parseToml, text);
  if (kind === 'feature') return Object.keys(recordIn(value, 'features')).map((name) => ({ name }));
  const own = recordIn(value, 'package').name;
  if (kind === 'package') {
    const { members } = recordIn(value, 'workspace');
    const listed = Array.isArray(members)
      ? members.filter((one) => typeof one === 'string' && !one.includes('*'))
      : [];
    return [own, ...listed.map((one) => path.posix.basename(String(one)))].flatMap((name) =>
      typeof name === 'string' ? [{ name }] : [],
    );
  }
  const tables = Array.isArray(value[kind]) ? value[kind].filter(isRecord) : [];
  const named = tables.flatMap(({ name }) => (typeof name === 'string' ? [{ name }] : []));
  const files = await readdir(path.join(folder, CARGO_FOLDERS[kind])).catch(() => []);
  const found = files
    .filter((file) => file.endsWith('.rs') || !file.includes('.'))
    .map((file) => ({ name: file.replace(/\.rs$/, '') }));
  const main = kind === 'bin' && named.length === 0 && typeof own === 'string' ? [{ name: own }] : [];
  return [...named, ...found, ...main];
}

/** Public recipes, with the comment above each. */
function justRecipes(text: string): readonly Named[] {
  const names: Named[] = [];
  let comment = '';
  let isPrivate = false;
  for (const line of text.split('\n')) {
    const recipe = /^@?([A-Za-z][\w-]*)(.*)$/.exec(line);
    const alias = /^alias\s+([\w-]+)\s*:=\s*([\w-]+)/.exec(line);
    if (line.startsWith('#')) comment = line.slice(1).trim();
    else if (/^\[/.test(line)) isPrivate ||= /\bprivate\b/.test(line);
    else {
      const rest = recipe?.[2]?.replace(/'[^']*'|"[^"]*"/g, '') ?? '';
      if (alias?.[1] !== undefined) names.push({ name: alias[1], description: alias[2] ?? '' });
      else if (recipe?.[1] !== undefined && /^(?:\s+[^:]*)?:(?!=)/.test(rest) && !isPrivate)
        names.push({ name: recipe[1], description: comment });
      [comment, isPrivate] = ['', false];
    }
  }
  return names;
}
