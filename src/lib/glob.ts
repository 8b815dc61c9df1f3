/** Matches untrusted globs against paths in linear time: `*`, `?`, `[…]`, `**`, `{a,b}`. */

/** Most alternatives that the braces of one glob may expand to. */
const ALTERNATIVES_MAX = 64;
/** Length of all alternatives together. At this limit, a path of 4,095 characters takes a few milliseconds. */
const ALTERNATIVES_MAX_LENGTH = 2_048;

export type GlobMatch = (path: string) => boolean;

/** The matcher of `glob`; null for too many alternatives. A glob without `/` matches names at any depth. */
export function compileGlob(glob: string): GlobMatch | null {
  const alternatives = expandBraces(glob.replace(/^\.?\//, ''));
  return alternatives === null
    ? null
    : matcherOf(alternatives.map((one) => (one.includes('/') ? one : `**/${one}`)));
}

/** Matches what `globs` name, and everything in those folders. Null if too long. Without `/`: top level only. */
export function compileGlobs(globs: readonly string[]): GlobMatch | null {
  // Every brace takes time to expand, even when it yields little.
  if (globs.join('').length > 2 * ALTERNATIVES_MAX_LENGTH) return null;
  const alternatives = globs.map((glob) => expandBraces(glob.replace(/^\.?\//, '').replace(/\/$/, '')));
  const patterns = alternatives.flatMap((some) => some ?? []);
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  if (alternatives.includes(null) || length > ALTERNATIVES_MAX_LENGTH) return null;
  return matcherOf(patterns.flatMap((pattern) => [pattern, `${pattern}/**`]));
}

function matcherOf(patterns: readonly string[]): GlobMatch {
  const compiled = patterns.map((pattern) => {
    const parts = pattern.split('/');
    // At the end, `**` means the folder's contents, not the folder itself.
    return (parts.at(-1) === '**' ? [...parts, '*'] : parts).map(compilePart);
  });
  return (path) => {
    const parts = path.split('/').map((part) => Array.from(part));
    return compiled.some((pattern) => matchParts(pattern, parts));
  };
}

/** `a{b,c}d` → `abd`, `acd`. An unclosed brace is a character. */
function expandBraces(glob: string): string[] | null {
  if (glob.length > ALTERNATIVES_MAX_LENGTH) return null;
  const ready: string[] = [];
  const open = [glob];
  let length = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = /\{([^{}]*)\}/.exec(next);
    if (found === null) {
      ready.push(next);
      length += next.length;
    } else {
      const [whole, inner = ''] = found;
      const before = next.slice(0, found.index);
      const after = next.slice(found.index + whole.length);
      open.push(...inner.split(',').map((choice) => before + choice + after));
    }
    if (ready.length + open.length > ALTERNATIVES_MAX || length > ALTERNATIVES_MAX_LENGTH) return null;
  }
  return ready;
}

type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly characters: string }
  | { readonly kind: 'character'; readonly character: string };

/** Matches any number of folders (`**`), or one name. */
type Part = '**' | readonly Token[];

const compilePart = (part: string): Part => (part === '**' ? part : tokenize(part));

/** Greedy with one step back: only the last `**` ever needs to match more. */
function matchParts(pattern: readonly Part[], parts: readonly (readonly string[])[]): boolean {
  return matchGreedy(pattern.length, parts.length, {
    isStar: (at) => pattern[at] === '**',
    fits: (at, part) => matchPart(pattern[at] ?? [], parts[part] ?? []),
  });
}

function matchPart(tokens: Part, characters: readonly string[]): boolean {
  if (tokens === '**') return false;
  return matchGreedy(tokens.length, characters.length, {
    isStar: (at) => tokens[at]?.kind === 'star',
    fits: (at, character) => fitsToken(tokens[at], characters[character] ?? ''),
  });
}

function fitsToken(token: Token | undefined, character: string): boolean {
  if (token === undefined || token.kind === 'star') return false;
  if (token.kind === 'any') return true;
  if (token.kind === 'character') return token.character === character;
  return inSet(token.characters, character) !== token.negated;
}

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let rest = pattern; rest !== ''; ) {
    const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(rest);
    const [first = ''] = rest;
    const width = String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
    if (set !== null && set[2] !== '') {
      tokens.push({ kind: 'set', negated: set[1] !== undefined, characters: set[2] ?? '' });
      rest = rest.slice(set[0].length);
    } else if (first === '\\' && rest.length > 1) {
      tokens.push({ kind: 'character', character: rest.charAt(1) });
      rest = rest.slice(2);
    } else {
      if (first === '*') tokens.push({ kind: 'star' });
      else if (first === '?') tokens.push({ kind: 'any' });
      else tokens.push({ kind: 'character', character: rest.slice(0, width) });
      rest = rest.slice(width);
    }
  }
  return tokens;
}

/** Whether the character is in a class such as `a-z_`. */
function inSet(characters: string, character: string): boolean {
  for (let at = 0; at < characters.length; at += 1) {
    const from = characters.charAt(at);
    if (characters.charAt(at + 1) === '-' && at + 2 < characters.length) {
      if (from <= character && character <= characters.charAt(at + 2)) return true;
      at += 2;
    } else if (from === character) return true;
  }
  return false;
}

interface Matcher {
  readonly isStar: (patternAt: number) => boolean;
  readonly fits: (patternAt: number, textAt: number) => boolean;
}

function matchGreedy(patternLength: number, textLength: number, matcher: Matcher): boolean {
  let pattern = 0;
  let starAt = -1;
  let starText = 0;
  for (let text = 0; text < textLength; ) {
    if (pattern < patternLength && matcher.isStar(pattern)) {
      starAt = pattern;
      starText = text;
      pattern += 1;
    } else if (pattern < patternLength && matcher.fits(pattern, text)) {
      pattern += 1;
      text += 1;
    } else if (starAt >= 0) {
      starText += 1;
      text = starText;
      pattern = starAt + 1;
    } else return false;
  }
  while (pattern < patternLength && matcher.isStar(pattern)) pattern += 1;
  return pattern === patternLength;
}
