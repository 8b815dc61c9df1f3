/** Parses JSON with comments and trailing commas into a tree with offsets, for the user's files. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export interface JsoncTree {
  /** Null if there is no value, or it is nested too deeply for the parser. */
  readonly root: Node | null;
  readonly errors: readonly { readonly offset: number; readonly what: string }[];
}

/** The parser and everything that walks its tree recurse once per level. */
export const JSONC_MAX_DEPTH = 200;

/** Tokens of the scanner. Its own names exist only for the compiler. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17] as const;

/** Parses as much as possible and lists the errors. */
export function readJsoncTree(text: string): JsoncTree {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== null)
    return { root: null, errors: [{ offset: tooDeep, what: `nested more than ${JSONC_MAX_DEPTH} deep` }] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  return {
    root: root ?? null,
    errors: errors.map(({ offset, error }) => ({ offset, what: inWords(printParseErrorCode(error)) })),
  };
}

/** The offset of the first bracket beyond the limit. */
function tooDeepAt(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > JSONC_MAX_DEPTH) return scanner.getTokenOffset();
  }
  return null;
}

/** `CommaExpected` → `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
