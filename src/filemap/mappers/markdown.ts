/** Markdown: headings up to the next one of their rank, and the code blocks in them. Large files by their lines. */

import { fromMarkdown } from 'mdast-util-from-markdown';
import { wordList } from '../../lib/word-list.ts';
import { type LineMapper, type OpenSymbol, type Outline, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** Parsing inline text takes quadratic time, and only headings show it. */
const BLOCKS_ALONE = {
  disable: {
    null: [
      ...wordList(`
      attention autolink characterEscape characterReference codeText definition hardBreakEscape
      htmlText labelEnd labelStartImage labelStartLink
    `),
    ],
  },
};
/** A heading is cut shorter than this when shown. */
const HEADING_MAX_LENGTH = 400;

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join('');

/** A heading without its marks of emphasis, code and links. */
function headingName(heading: Node): string {
  const written = textOf(heading).slice(0, HEADING_MAX_LENGTH).replace(/\s+/g, ' ');
  return /[*_`[<\\&]/.test(written) ? oneLine(textOf(fromMarkdown(`# ${written}`))) : oneLine(written);
}

/** The parser's time is quadratic in the lines of a list, and in nesting. This much takes it a second or two. */
const LISTS_MAX_WORK = 8_000_000;
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){50}/;
const LIST_ITEM = /^[\s>]*(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;

/** Throws if the parser would take minutes for a text. */
function refuseSlow(text: string): void {
  let listLines = 0;
  let work = 0;
  for (const line of text.split('\n')) {
    if (TOO_DEEP.test(line)) throw new Error('quotes or lists are nested more than 50 deep');
    const isIn = LIST_ITEM.test(line) || (listLines > 0 && !/^[^\s>]/.test(line));
    listLines = isIn ? listLines + 1 : 0;
    work += listLines;
    if (work > LISTS_MAX_WORK) throw new Error('its lists are too long to parse');
  }
}

function parse(text: string): Outline {
  refuseSlow(text);
  // Front matter is not Markdown: its closing line would turn it into a heading.
  const tree = fromMarkdown(
    text.replace(/^---\n[\s\S]*?\n---(?=\n)/, (matter) => matter.replace(/[^\n]/g, '')),
    { extensions: [BLOCKS_ALONE] },
  );
  const placed: PlacedHeading[] = [];
  const blocks: OpenSymbol[] = [];
  for (const node of tree.children) {
    const startLine = node.position?.start.line ?? 1;
    const endLine = node.position?.end.line ?? startLine;
    if (node.type === 'heading') placed.push({ name: headingName(node), rank: node.depth, startLine });
    else if (node.type === 'code') {
      blocks.push({ name: `code ${node.lang ?? ''}`.trim(), kind: 'block', startLine, endLine });
    }
  }
  const end = tree.position?.end;
  const lastLine = end === undefined ? 1 : end.column === 1 ? end.line - 1 : end.line;
  return nestHeadings(placed, { blocks, lastLine });
}

function scan(): LineMapper {
  const placed: PlacedHeading[] = [];
  let fence: string | null = null;
  let isComment = false;
  let before = '';
  return {
    push: (line, startLine) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
      if (fence !== null) {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
        return;
      }
      if (isComment || line.startsWith('<!--')) {
        isComment = !line.includes('-->');
        before = '';
        return;
      }
      fence = mark;
      const [, hashes, name] = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line) ?? [];
      const underline =
        before.trim() === '' || /^[#>\-*]/.test(before) ? undefined : /^(=|-)\1{2,}\s*$/.exec(line)?.[1];
      if (hashes !== undefined) placed.push({ name: oneLine(name ?? ''), rank: hashes.length, startLine });
      else if (underline !== undefined) {
        placed.push({ name: oneLine(before), rank: underline === '=' ? 1 : 2, startLine: startLine - 1 });
      }
      before = line;
    },
    end: (lastLine) => nestHeadings(placed, { blocks: [], lastLine }),
  };
}

export const markdown: Language = {
  name: 'Markdown',
  extensions: ['md', 'markdown', 'mdx', 'mkd'],
  parse,
  maxParsedBytes: 1024 * 1024,
  scan,
};

interface PlacedHeading {
  readonly name: string;
  /** 1 is the highest. */
  readonly rank: number;
  readonly startLine: number;
}

/** The outline; blocks go below their heading. Both come in file order. */
function nestHeadings(
  headings: readonly PlacedHeading[],
  rest: { readonly blocks: readonly OpenSymbol[]; readonly lastLine: number },
): Outline {
  const list = new SymbolList();
  const open: { symbol: OpenSymbol; rank: number }[] = [];
  let nextBlock = 0;
  const addBlocksBefore = (line: number): void => {
    for (
      let block = rest.blocks[nextBlock];
      block !== undefined && block.startLine < line;
      block = rest.blocks[++nextBlock]
    ) {
      list.add(block, open.at(-1)?.symbol);
    }
  };
  const closeTo = (rank: number, lastLine: number): void => {
    for (let top = open.at(-1); top !== undefined && top.rank >= rank; top = open.at(-1)) {
      top.symbol.endLine = Math.max(top.symbol.startLine, lastLine);
      open.pop();
    }
  };
  for (const { name, rank, startLine } of headings) {
    addBlocksBefore(startLine);
    closeTo(rank, startLine - 1);
    const symbol: OpenSymbol = {
      name: `${'#'.repeat(rank)} ${name}`.trimEnd(),
      kind: 'heading',
      startLine,
      endLine: startLine,
    };
    list.add(symbol, open.at(-1)?.symbol);
    open.push({ symbol, rank });
  }
  addBlocksBefore(Number.POSITIVE_INFINITY);
  closeTo(0, rest.lastLine);
  return { symbols: list.symbols, imports: [], notes: list.notes() };
}
