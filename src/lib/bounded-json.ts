/** Parses untrusted JSON. A scan first checks depth and counts, so that no text can block the process for long. */
import { errorMessage, fail, ok, type Result } from './result.ts';

export interface JsonLimits {
  /** Nesting depth of arrays and objects. */
  readonly maxDepth: number;
  /** Fields and elements in the whole text. */
  readonly maxValues: number;
  /** Fields of one object, or elements of one array. */
  readonly maxMembers: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** After this many plain characters, the scan skips the rest of the run at once. */
const PLAIN_A_LOOK = 64;
/** How much of the parser's message is shown, which quotes the text. */
const WORDS_MAX_LENGTH = 200;

/** The value of `text`. Fails on bad JSON and on anything beyond `limits`. */
export function parseBoundedJson(text: string, limits: JsonLimits): Result<unknown> {
  const excess = excessOf(text, limits);
  if (excess !== null) return fail('invalid', `Invalid JSON: ${excess}.`);
  try {
    return ok(JSON.parse(text));
  } catch (thrown) {
    return fail('invalid', `Invalid JSON: ${errorMessage(thrown).slice(0, WORDS_MAX_LENGTH)}`);
  }
}

/** The limit that `text` exceeds, in words; null if none. */
function excessOf(text: string, { maxDepth, maxValues, maxMembers }: JsonLimits): string | null {
  const members: number[] = [0];
  let values = 1;
  let plain = 0;
  const rest = /[^"[\]{},]+/y;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (members.length > maxDepth) return `it is nested more than ${maxDepth} deep`;
      members.push(1);
      values += 1;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      // The parser reports unbalanced brackets.
      if (members.length > 1) members.pop();
    } else if (code === COMMA) {
      const last = members.length - 1;
      const count = (members[last] ?? 0) + 1;
      members[last] = count;
      values += 1;
      if (count > maxMembers) return `an array or an object in it has more than ${maxMembers} members`;
    } else {
      // A number may have millions of digits: until this loop is compiled, a regular expression is faster.
      plain += 1;
      if (plain % PLAIN_A_LOOK === 0) at = endOfPlain(text, at, rest);
    }
    if (values > maxValues) return `it holds more than ${maxValues} values`;
  }
  return null;
}

/** The offset of the last plain character in the run from `start`. */
function endOfPlain(text: string, start: number, plain: RegExp): number {
  plain.lastIndex = start;
  return plain.test(text) ? plain.lastIndex - 1 : start;
}

/** The end of the string that begins at `start`: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
