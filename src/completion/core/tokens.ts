/**
 * Cuts a command line into words as a shell would, as far as completion needs it: quotes, escapes, operators,
 * comments. Keeps positions; expands nothing and never fails on an unfinished line.
 */

export interface Token {
  readonly kind: 'word' | 'operator';
  /** The text as typed, with its quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The word ends inside an open quote, or in a lone backslash. */
  readonly open: boolean;
}

const OPERATORS = /(?:\|\||&&|;;|\|&|>>|<<|>&|<&|[|;&()<>\n])/y;
/** An operator after which a new command begins. */
const SEPARATORS = new Set(['||', '&&', ';', ';;', '|', '|&', '&', '(', '\n', '{']);

function wordEnd(line: string, start: number): { end: number; open: boolean } {
  let quote = '';
  let at = start;
  while (at < line.length) {
    const character = line.charAt(at);
    if (quote === '') {
      if (/[\s|;&()<>]/.test(character)) break;
      if (character === '\\') {
        if (at + 1 >= line.length) return { end: line.length, open: true };
        at += 1;
      } else if (character === "'" || character === '"' || character === '`') quote = character;
      else if (character === '$' && line.charAt(at + 1) === '(') {
        const closing = closingParenthesis(line, at + 1);
        if (closing === -1) return { end: line.length, open: true };
        at = closing;
      }
    } else if (character === '\\' && quote !== "'") at += 1;
    else if (character === quote) quote = '';
    at += 1;
  }
  return { end: Math.min(at, line.length), open: quote !== '' };
}

function closingParenthesis(line: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The words and operators of `line`, in order. */
export function tokenize(line: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length) {
    if (/[ \t\r]/.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    OPERATORS.lastIndex = at;
    const operator = OPERATORS.exec(line)?.[0];
    if (operator !== undefined) {
      tokens.push({ kind: 'operator', text: operator, start: at, end: at + operator.length, open: false });
      at += operator.length;
      continue;
    }
    const { end, open } = wordEnd(line, at);
    tokens.push({ kind: 'word', text: line.slice(at, end), start: at, end, open });
    at = end;
  }
  return tokens;
}

/** Where the cursor stands: the words of its own command before it, and the part of the word under it. */
export interface CursorContext {
  /** Complete words of the command under the cursor, before the current word. */
  readonly words: readonly string[];
  /** The part of the current word left of the cursor; empty after a blank. */
  readonly current: string;
  /** Where the current word starts in the line. */
  readonly start: number;
  /** Where the command under the cursor starts in the line. */
  readonly commandStart: number;
  /** The current word is the target of a redirection. */
  readonly redirect: boolean;
}

/** Words before the command name that do not decide what is completed. */
const PREFIXES = new Set([
  'sudo',
  'doas',
  'command',
  'builtin',
  'exec',
  'nohup',
  'time',
  'env',
  'noglob',
  'nice',
]);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

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
  const atWord = last !== undefined && last.kind === 'word' && last.end === left.length;
  const before = atWord ? tokens.slice(0, -1) : tokens;
  let words: string[] = [];
  let commandStart = 0;
  let redirect = false;
  for (const token of before) {
    if (token.kind === 'word') {
      if (words.length === 0 && !redirect) commandStart = token.start;
      if (!redirect) words.push(token.text);
      redirect = false;
    } else if (SEPARATORS.has(token.text)) {
      words = [];
      redirect = false;
    } else redirect = /[<>]/.test(token.text);
  }
  const start = atWord ? last.start : left.length;
  return {
    words,
    current: atWord ? last.text : '',
    start,
    commandStart: words.length === 0 ? start : commandStart,
    redirect,
  };
}
