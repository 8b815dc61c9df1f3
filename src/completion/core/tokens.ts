/** Cuts a command line into words, operators, redirections and comments, with positions. Accepts unfinished lines. */
import { wordList } from '../../lib/word-list.ts';

export interface Token {
  /** A redirection is one token with its file descriptor and its target. */
  readonly kind: 'word' | 'operator' | 'redirect' | 'comment';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Something in it is not closed: a quote, a bracket, a lone backslash, a redirection without a target. */
  readonly open: boolean;
  /** Where the target of a redirection starts in the line; `start` for all others. */
  readonly target: number;
}

const BLANK = /[ \t\r]/;
const OPERATORS = /(?:\|\||&&|;;|;&|;\||\|&|&[|!]|[|;&()\n])/y;
/** With the descriptor before it, by number or by name; the longest forms first. */
const REDIRECTION = /(?:\d+|\{\w+\})?(?:<<<|<<-|<<|<>|<&|<(?!\()|>>?&[|!]?|>>[|!]?|>[|!]|>(?!\()|&>>?[|!]?)/y;
/** An operator after which a new command begins. */
const SEPARATORS = new Set(['||', '&&', ';', ';;', ';&', ';|', '|', '|&', '&', '&|', '&!', '(', '\n', '{']);

export const isSeparator = (text: string): boolean => SEPARATORS.has(text);

interface End {
  readonly end: number;
  readonly open: boolean;
}

/** Characters without a special meaning. */
const PLAIN = /[\w./:=,@%+~^-]+/y;

/** Where the word that starts at `start` ends. */
function wordEnd(line: string, start: number): End {
  PLAIN.lastIndex = start;
  let at = PLAIN.test(line) ? PLAIN.lastIndex : start;
  // Text that begins with "=(" may be a substitution: examine it from its start.
  if (line.startsWith('=(', start)) at = start;
  while (at < line.length) {
    const character = line.charAt(at);
    const opening = bracketAt(line, at, start);
    if (opening !== -1) {
      const closing = closingBracket(line, opening);
      if (closing === -1) return { end: line.length, open: true };
      at = closing + 1;
    } else if (/[\s|;&()<>]/.test(character)) break;
    else if (character === '\\') {
      if (at + 1 >= line.length) return { end: line.length, open: true };
      at += 2;
    } else if (QUOTES.has(character)) {
      const closing = closingQuote(line, at);
      if (closing === -1) return { end: line.length, open: true };
      at = closing + 1;
    } else at += 1;
  }
  return { end: at, open: false };
}

/** The bracket that opens at `at` in a word: `$(`, `${`, a process substitution, an array, a glob; -1 if none. */
function bracketAt(line: string, at: number, start: number): number {
  const two = line.slice(at, at + 2);
  if (two === '$(' || two === '${' || two === '<(' || two === '>(') return at + 1;
  if (two === '=(' && at === start) return at + 1;
  return line.charAt(at) === '(' && at > start ? at : -1;
}

const QUOTES = new Set(["'", '"', '`']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** Limit of nested quotes and brackets; deeper ones count as unclosed. */
const NESTED_MAX = 100;

function closingQuote(line: string, opening: number, depth = 0): number {
  const quote = line.charAt(opening);
  const hasEscapes = quote !== "'" || line.charAt(opening - 1) === '$';
  for (let at = opening + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '\\' && hasEscapes) at += 1;
    else if (character === quote) return at;
    else if (quote === '"' && character === '$' && line.charAt(at + 1) === '(') {
      const closing = closingBracket(line, at + 1, depth + 1);
      if (closing === -1) return -1;
      at = closing;
    }
  }
  return -1;
}

function closingBracket(line: string, opening: number, inside = 0): number {
  if (inside > NESTED_MAX) return -1;
  const open = line.charAt(opening);
  const close = CLOSING[open];
  let depth = 0;
  for (let at = opening; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '\\') at += 1;
    else if (QUOTES.has(character)) {
      const closing = closingQuote(line, at, inside);
      if (closing === -1) return -1;
      at = closing;
    } else if (character === open) depth += 1;
    else if (character === close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function matchAt(pattern: RegExp, line: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.test(line) ? line.slice(at, pattern.lastIndex) : null;
}

/** The start of a token that is not a word; a digit or a brace may be the descriptor of a redirection. */
const SPECIAL = /[\d{<>|&;()\n#]/;

function tokenAt(line: string, start: number, mayBeArithmetic: boolean): Token {
  const token = (kind: Token['kind'], { end, open }: End, target = start): Token => ({
    kind,
    text: line.slice(start, end),
    start,
    end,
    open,
    target,
  });
  if (!SPECIAL.test(line.charAt(start))) return token('word', wordFrom(line, start));
  const redirection = matchAt(REDIRECTION, line, start);
  if (redirection !== null) {
    let target = start + redirection.length;
    while (BLANK.test(line.charAt(target))) target += 1;
    const { end, open } = wordEnd(line, target);
    return token('redirect', { end: Math.max(end, target), open: open || end <= target }, target);
  }
  if (mayBeArithmetic && line.startsWith('((', start)) {
    // Arithmetic is one word, unless it turns out to be a group in a group.
    const closing = closingBracket(line, start);
    if (closing === -1) return token('word', { end: line.length, open: true });
    if (closingBracket(line, start + 1) === closing - 1)
      return token('word', { end: closing + 1, open: false });
  }
  const operator = matchAt(OPERATORS, line, start);
  if (operator !== null) return token('operator', { end: start + operator.length, open: false });
  if (line.charAt(start) === '#') {
    const end = line.indexOf('\n', start);
    return token('comment', { end: end === -1 ? line.length : end, open: false });
  }
  return token('word', wordFrom(line, start));
}

/** A character that matches no rule, such as a form feed, is a separate word. */
function wordFrom(line: string, start: number): End {
  const found = wordEnd(line, start);
  return found.end > start ? found : { end: start + 1, open: false };
}

/** After this many open groups `((` counts as a nested group: each search for its end reads the whole line. */
const GROUPS_MAX = 32;

/** The words, operators, redirections and comments of `line`, in order. */
export function tokenize(line: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let groups = 0;
  while (at < line.length) {
    if (BLANK.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    const token = tokenAt(line, at, groups < GROUPS_MAX);
    if (token.text === '(' && line.startsWith('((', at)) groups += 1;
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** The command substitutions in `word`; an unclosed one extends to the end. */
export function substitutionsIn(word: string): readonly string[] {
  const found: string[] = [];
  let isQuoted = false;
  for (let at = 0; at < word.length; at += 1) {
    const character = word.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '`' || (character === "'" && !isQuoted)) {
      const closing = closingQuote(word, at);
      const end = closing === -1 ? word.length : closing;
      if (character === '`') found.push(word.slice(at + 1, end));
      at = end;
    } else if (word.charAt(at + 1) === '(' && (character === '$' || (!isQuoted && /[<>]/.test(character)))) {
      const closing = closingBracket(word, at + 1);
      const end = closing === -1 ? word.length : closing;
      found.push(word.slice(at + 2, end));
      at = end;
    }
  }
  return found;
}

/** The context of the cursor: the words of its command before it, and the part of the word under it. */
export interface CursorContext {
  /** Complete words of the command under the cursor, before the current word. */
  readonly words: readonly string[];
  /** The part of the current word left of the cursor; empty after a blank. */
  readonly current: string;
  /** Where the current word starts in the line. */
  readonly start: number;
  readonly commandStart: number;
  /** The current word is the target of a redirection. */
  readonly redirect: boolean;
}

/** Words before the command name that do not affect what is completed. */
const PREFIXES = new Set(wordList('sudo doas command builtin exec nohup time env noglob nice'));
/** A variable set before the command. */
export const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** `words` without assignments and wrappers such as `sudo` before the command name. */
export function commandWords(words: readonly string[]): readonly string[] {
  let first = 0;
  while (first < words.length) {
    const word = words[first] ?? '';
    if (!ASSIGNMENT.test(word) && !PREFIXES.has(word)) break;
    first += 1;
  }
  return words.slice(first);
}

/** The context at the end of `left`, the part of a line before the cursor. */
export function contextAt(left: string): CursorContext {
  const tokens = tokenize(left);
  const last = tokens.at(-1);
  const isUnderCursor =
    last !== undefined && (last.kind === 'word' || last.kind === 'redirect') && last.end === left.length;
  let words: string[] = [];
  let commandStart = 0;
  for (const token of isUnderCursor ? tokens.slice(0, -1) : tokens) {
    if (token.kind === 'operator') {
      if (isSeparator(token.text)) words = [];
    } else if (token.kind === 'word') {
      if (words.length === 0) commandStart = token.start;
      words.push(token.text);
    }
  }
  const start = isUnderCursor ? last.target : left.length;
  return {
    words,
    current: left.slice(start),
    start,
    commandStart: words.length === 0 ? start : commandStart,
    redirect: isUnderCursor && last.kind === 'redirect',
  };
}
