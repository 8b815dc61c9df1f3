/** Blanks out strings and comments in a line of code, to hide declarations in them. Keeps every column. Pure. */

/** A stretch of text that is not code. */
export interface Fence {
  readonly open: string;
  readonly close: string;
  /** Continues across the line end. */
  readonly isMultiline: boolean;
  /** A backslash escapes the next character. */
  readonly hasEscapes: boolean;
  readonly isComment: boolean;
}

export interface MaskRules {
  readonly lineComments: readonly string[];
  readonly fences: readonly Fence[];
  /** Other text on a line that is not code: character literals, in languages where a bare quote is not a string. */
  readonly literals?: string;
}

/** Carries the open fence from line to line; one for each file. */
export class Masker {
  readonly #fences: ReadonlyMap<string, Fence>;
  readonly #lineComments: readonly string[];
  readonly #opener: RegExp;
  #inside: Fence | null = null;

  constructor(rules: MaskRules) {
    this.#lineComments = rules.lineComments;
    this.#fences = new Map(rules.fences.map((fence) => [fence.open, fence]));
    const words = [...rules.lineComments, ...this.#fences.keys()].sort((a, b) => b.length - a.length);
    const parts = [...(rules.literals === undefined ? [] : [rules.literals]), ...words.map(escapeRegExp)];
    this.#opener = new RegExp(parts.join('|') || '(?!)', 'g');
  }

  /** The state in which the next line begins. */
  get inside(): 'code' | 'string' | 'comment' {
    if (this.#inside === null) return 'code';
    return this.#inside.isComment ? 'comment' : 'string';
  }

  /** The line with everything but code blanked; the ends of a string that begins here stay as `"`. */
  mask(line: string): string {
    let masked = '';
    let at = 0;
    if (this.#inside !== null) {
      const end = closeAt(line, 0, this.#inside);
      if (end === -1) return ' '.repeat(line.length);
      this.#inside = null;
      masked = ' '.repeat(end);
      at = end;
    }
    for (;;) {
      this.#opener.lastIndex = at;
      const found = this.#opener.exec(line);
      if (found === null) return masked + line.slice(at);
      masked += line.slice(at, found.index);
      const fence = this.#fences.get(found[0]);
      let end = found.index + found[0].length;
      if (fence !== undefined) end = closeAt(line, end, fence);
      else if (this.#lineComments.includes(found[0])) end = -1;
      const isString = fence !== undefined && !fence.isComment;
      if (end === -1) {
        if (fence?.isMultiline) this.#inside = fence;
        const rest = ' '.repeat(line.length - found.index);
        return masked + (isString ? `"${rest.slice(1)}` : rest);
      }
      const blank = ' '.repeat(end - found.index);
      masked += isString ? `"${blank.slice(2)}"` : blank;
      at = end;
    }
  }
}

/** Index after the fence's end; -1 if it is not on this line. */
function closeAt(line: string, from: number, fence: Fence): number {
  for (let at = from; at < line.length; ) {
    if (fence.hasEscapes && line[at] === '\\') at += 2;
    else if (line.startsWith(fence.close, at)) return at + fence.close.length;
    else at++;
  }
  return -1;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A string that ends with its line. */
export function lineString(quote: string): Fence {
  return { open: quote, close: quote, isMultiline: false, hasEscapes: true, isComment: false };
}

/** A string over several lines. */
export function blockString(open: string, close = open, hasEscapes = true): Fence {
  return { open, close, isMultiline: true, hasEscapes, isComment: false };
}

/** A comment over several lines. */
export function blockComment(open: string, close: string): Fence {
  return { open, close, isMultiline: true, hasEscapes: false, isComment: true };
}

/** Code with comments by `//` and between `/*` and its counterpart, these strings, and characters in single quotes. */
export function slashCode(...strings: readonly Fence[]): MaskRules {
  return {
    lineComments: ['//'],
    fences: [blockComment('/*', '*/'), ...strings],
    literals: "'(?:\\\\.[^']*|[^'\\\\])'",
  };
}
