/** Finds the fenced code blocks of a Markdown response by the rules of CommonMark. */

export interface CodeBlock {
  /** First word after the fence, in lower case; empty if there is none. */
  readonly language: string;
  /** The rest of the opening line: `ts title="a.ts"`. */
  readonly info: string;
  /** The code, without fences and their indentation. */
  readonly text: string;
  /** Line of the opening fence, and line after the closing one, from 0. */
  readonly start: number;
  readonly end: number;
  /** False if the response ends inside the block: it is still streaming, or truncated. */
  readonly closed: boolean;
}

/** Up to three blanks, or the indentation and markers of the enclosing list or quote; then the fence. */
const OPENING = /^(?<lead>\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*\s*)(?<fence>`{3,}|~{3,})(?<info>.*)$/;

interface OpenBlock {
  readonly info: string;
  readonly fence: string;
  /** Columns of the fence's indentation, which is removed from each line. */
  readonly indent: number;
  readonly isQuoted: boolean;
  readonly start: number;
  readonly lines: string[];
}

/** In order. A fence closes a block only if it has the same character, is at least as long, and has no info. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split('\n');
  let open: OpenBlock | null = null;
  lines.forEach((line, at) => {
    if (open === null) open = openingOf(line, at);
    else if (isClosing(line, open)) {
      blocks.push(finished(open, at + 1, true));
      open = null;
    } else open.lines.push(unindented(line, open));
  });
  if (open !== null) blocks.push(finished(open, lines.length, false));
  return blocks;
}

function openingOf(line: string, start: number): OpenBlock | null {
  const found = OPENING.exec(line)?.groups;
  if (found === undefined) return null;
  const { lead = '', fence = '', info = '' } = found;
  // A backtick in the info string makes it inline code.
  if (fence.startsWith('`') && info.includes('`')) return null;
  return { info: info.trim(), fence, indent: lead.length, isQuoted: lead.includes('>'), start, lines: [] };
}

function isClosing(line: string, { fence, isQuoted }: OpenBlock): boolean {
  const bare = (isQuoted ? line.replace(/^\s*(?:>\s?)+/, '') : line).trim();
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}

function unindented(line: string, { indent, isQuoted }: OpenBlock): string {
  if (isQuoted) return line.replace(/^\s*(?:> ?)+/, '');
  const blanks = line.search(/\S|$/);
  return line.slice(Math.min(indent, blanks));
}

function finished({ info, start, lines }: OpenBlock, end: number, closed: boolean): CodeBlock {
  const language = /^[^\s{,]*/.exec(info)?.[0].toLowerCase() ?? '';
  return { language, info, text: lines.join('\n'), start, end, closed };
}
