/**
 * Extracts the grammar of commands (subcommands, options) from @withfig/autocomplete, without its generators, which run
 * programs. One command per line: name, TAB, JSON; sorted. Leaves out the three largest catalogues.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');
const PACKAGE = path.join(root, 'node_modules/@withfig/autocomplete');
const LEFT_OUT = new Set(['aws', 'gcloud', 'az', 'index']);
const MAX_DEPTH = 4;
const MAX_CHILDREN = 250;
const FORMAT = 2;

interface FigNode {
  readonly name?: string | readonly string[];
  readonly subcommands?: readonly FigNode[];
  readonly options?: readonly { readonly name?: string | readonly string[]; readonly hidden?: boolean }[];
  readonly hidden?: boolean;
}

/** `s`: subcommands by name, aliases by the name that they stand for; `o`: options. Empty parts are left out. */
interface Slim {
  s?: Record<string, Slim | string>;
  o?: string[];
}

const namesOf = (name: string | readonly string[] | undefined): readonly string[] =>
  (typeof name === 'string' ? [name] : (name ?? [])).filter((one) =>
    /^[\w@][\w.:@/+-]*$|^-{1,2}[\w?#@][\w.:-]*$/.test(one),
  );

/** What a command's description says about its subcommands and options, at most MAX_DEPTH deep. */
export function slim(node: FigNode, depth = 0): Slim {
  const out: Slim = {};
  if (depth < MAX_DEPTH && Array.isArray(node.subcommands)) {
    // Names inherited from Object must not appear.
    const children: Record<string, Slim | string> = Object.create(null);
    for (const child of node.subcommands.slice(0, MAX_CHILDREN)) {
      const [name, ...others] = namesOf(child.name);
      if (name === undefined || child.hidden) continue;
      children[name] = slim(child, depth + 1);
      for (const other of others) children[other] ??= name;
    }
    if (Object.keys(children).length > 0) out.s = children;
  }
  if (Array.isArray(node.options)) {
    const options = node.options
      .slice(0, MAX_CHILDREN)
      .flatMap((option) => (option.hidden ? [] : namesOf(option.name)));
    if (options.length > 0) out.o = options;
  }
  return out;
}

/** The catalogue as text; made once per package version. */
export async function extractSpecs(): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = path.join(root, 'node_modules/.cache/copane', `specs-${version}-${FORMAT}.txt`);
  if (existsSync(cache)) return readFileSync(cache, 'utf8');
  const lines: string[] = [];
  for (const file of readdirSync(path.join(PACKAGE, 'build')).sort()) {
    const name = file.slice(0, -3);
    if (!file.endsWith('.js') || LEFT_OUT.has(name) || !/^[\w@][\w.+-]*$/.test(name)) continue;
    const spec = (
      (await import(pathToFileURL(path.join(PACKAGE, 'build', file)).href)) as { default?: unknown }
    ).default;
    // A spec that is a function first asks the installed program for its version.
    if (typeof spec !== 'object' || spec === null) continue;
    const grammar = slim(spec as FigNode);
    if (grammar.s !== undefined || grammar.o !== undefined) lines.push(`${name}\t${JSON.stringify(grammar)}`);
  }
  const text = `${lines.join('\n')}\n`;
  mkdirSync(path.dirname(cache), { recursive: true });
  writeFileSync(cache, text);
  return text;
}
