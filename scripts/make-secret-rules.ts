/**
 * Makes the shipped rules for secrets: `node scripts/make-secret-rules.ts GITLEAKS TLDR`, run by hand to update them.
 * From a checkout of gitleaks (MIT): token patterns. From a checkout of tldr-pages (CC BY 4.0): short options that take
 * a password, which their names do not show.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { commandWords, tokenize } from '../src/completion/core/tokens.ts';

const [gitleaks, tldr, half] = process.argv.slice(2);
if (gitleaks === undefined || tldr === undefined)
  throw new Error('usage: make-secret-rules.ts GITLEAKS TLDR [dev]');
const OUT = path.resolve(import.meta.dirname, '../src/lib/secrets/rules.json');

interface GitleaksRule {
  readonly id: string;
  readonly regex?: string;
  readonly path?: string;
  readonly entropy?: number;
  readonly keywords?: readonly string[];
}

/** Translates a Go pattern to JavaScript: Node 22 has no `(?i)` inside a pattern, and no POSIX classes. */
function translate(pattern: string): string {
  let text = '';
  let isClass = false;
  /** Whether letters of the group, and of those around it, match in both cases. */
  const groups = [false];
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const flags = isClass ? null : /^\(\?(-?i|s:?|-?i:)(\)|(?<=:))/.exec(rest);
    const ignoresCase = groups.at(-1) ?? false;
    if (flags !== null) {
      const [all, name = ''] = flags;
      const next = name.startsWith('s') ? ignoresCase : !name.startsWith('-');
      if (name.endsWith(':')) {
        groups.push(next);
        text += '(?:';
      } else groups[groups.length - 1] = next;
      at += all.length - 1;
      continue;
    }
    const posix = /^\[:(\w+):\]/.exec(rest);
    if (isClass && posix !== null) {
      text += POSIX[posix[1] ?? ''] ?? '';
      at += posix[0].length - 1;
      continue;
    }
    const escaped = /^\\(?:x[0-9a-fA-F]{2}|.)/.exec(rest);
    if (escaped !== null) {
      text += escaped[0] === '\\z' ? '$' : escaped[0] === '\\A' ? '^' : escaped[0];
      at += escaped[0].length - 1;
      continue;
    }
    const range = isClass && ignoresCase ? /^([a-z])-([a-z])|^([A-Z])-([A-Z])/.exec(rest) : null;
    if (range !== null) {
      text += `${range[0].toLowerCase()}${range[0].toUpperCase()}`;
      at += 2;
      continue;
    }
    const character = pattern.charAt(at);
    if (character === '[' && !isClass) isClass = true;
    else if (character === ']' && isClass) isClass = false;
    else if (character === '(' && !isClass) groups.push(ignoresCase);
    else if (character === ')' && !isClass) groups.pop();
    const both = character.toLowerCase() + character.toUpperCase();
    if (ignoresCase && /[a-z]/i.test(character)) text += isClass ? both : `[${both}]`;
    else text += character;
  }
  return text.replaceAll('(?P<', '(?<');
}

const POSIX: Readonly<Record<string, string>> = { alnum: 'A-Za-z0-9', alpha: 'A-Za-z', digit: '0-9' };

/** Rules that need a file path do not apply to command lines; telling names are found by the name rule. */
function tokenRules(): readonly (readonly [keywords: string, pattern: string, entropy: number])[] {
  const text = readFileSync(path.join(gitleaks ?? '', 'config/gitleaks.toml'), 'utf8');
  const { rules } = parse(text) as unknown as { readonly rules: readonly GitleaksRule[] };
  return rules
    .filter(({ id, regex, path: file }) => regex && file === undefined && id !== 'generic-api-key')
    .map(({ regex = '', entropy = 0, keywords = [] }) => {
      const pattern = translate(regex);
      new RegExp(pattern);
      return [keywords.join(' '), pattern, entropy];
    });
}

const SECRET =
  /^(?:[\w ]*[_ -])?(?:password|passphrase|passwd|secret|token|api_?key|access_key|secret_key)\d*$/i;
const NO_SECRET = /file|path|name|_id$|label|length|policy|source|type|count|hash|plugin|sha|salt/i;
const MARK = '\u0001';

/** Each program with the short options that, in examples, only ever take a password. */
function passwordOptions(): Readonly<Record<string, string>> {
  const found = new Map<string, Set<string>>();
  const other = new Map<string, Set<string>>();
  for (const folder of ['pages/common', 'pages/linux', 'pages/osx'])
    for (const file of readdirSync(path.join(tldr ?? '', folder))) {
      if (half === 'dev' && !isDevelopment(file)) continue;
      const page = readFileSync(path.join(tldr ?? '', folder, file), 'utf8');
      for (const [, example = ''] of page.matchAll(/^`(.+)`$/gm)) note(found, other, example);
    }
  return Object.fromEntries(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, options]) => [
        name,
        [...options]
          .filter((one) => other.get(name)?.has(one) !== true)
          .sort()
          .join(' '),
      ])
      .filter(([, options]) => options !== ''),
  );
}

/** Half of the pages: the other half then tests the rules. */
function isDevelopment(file: string): boolean {
  let hash = 0;
  for (const character of file) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % 2 === 0;
}

type Options = Map<string, Set<string>>;

/** Records whether an option has a password or something else in `example`. */
function note(found: Options, other: Options, example: string): void {
  const line = example
    .replace(/\{\{\[([^|\]{}]+)\|[^\]{}]+\]\}\}/g, '$1')
    .replace(/\{\{([^{}]+)\}\}/g, (_, hole: string) => {
      const [first = ''] = hole.split('|');
      return SECRET.test(first) && !NO_SECRET.test(first) ? MARK : 'x';
    });
  const words = commandWords(
    tokenize(line)
      .filter(({ kind }) => kind === 'word')
      .map(({ text }) => text.replaceAll(/["']/g, '')),
  );
  const [name = ''] = words;
  if (!/^[a-z][\w.-]*$/i.test(name) || PRINTERS.has(name)) return;
  for (const [at, word] of words.entries()) {
    const before = /^-[A-Za-z]{1,3}$/.exec(words[at - 1] ?? '')?.[0];
    const inside = /^(-[A-Za-z]{1,2})\u0001/.exec(word)?.[1]?.concat('…');
    if (inside !== undefined) add(found, name, inside);
    if (before !== undefined) add(word.startsWith(MARK) ? found : other, name, before);
  }
}

/** What they print is not their secret. */
const PRINTERS = new Set(['echo', 'printf', 'lid', 'yes']);

function add(options: Options, name: string, option: string): void {
  options.set(name, (options.get(name) ?? new Set()).add(option));
}

const tokens = tokenRules();
const options = passwordOptions();
const rows = (rules: readonly string[]) => `\n${rules.join(',\n')}\n`;
const tokenRows = rows(tokens.map((rule) => JSON.stringify(rule)));
const optionRows = rows(
  Object.entries(options).map((one) => one.map((part) => JSON.stringify(part)).join(': ')),
);
// One rule per line, so that diffs stay small.
writeFileSync(OUT, `{\n"tokens": [${tokenRows}],\n"options": {${optionRows}}\n}\n`);
console.log(`${tokens.length} shapes of tokens, options of ${Object.keys(options).length} programs`);
