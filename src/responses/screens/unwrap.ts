/** Joins lines that an AI CLI wrapped: only if the next word did not fit, and only outside code and tables. */
import { graphemesOf, widthOf } from '../../lib/width.ts';

/** A list item after its indentation; the marker's length gives the hanging indent. aider draws ` 1 First`. */
const LIST_ITEM = /^(\s*)((?:[-*+•◦▪‣]|\d{1,3}[.)]|(?<=\s)\d{1,3})\s+)\S/;
const HEADING = /^\s*#{1,6}\s/;
const QUOTE = /^\s*(?:>|▎|┃|│|▌)/;
const TABLE = /[│┃├┌└┼─━]{1}|^\s*\|.*\|\s*$/;
const STARTS_ANEW = /^\s*[-=*_]{3,}\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** Lines that only code contains. */
const CODE = /[{}]\s*$|^\s*(?:\/\/|\/\*|#include|#!|\$ )|=>|^[+-]{3} |^@@ /;
const CODE_WORD =
  /^\s*(?:import|export|const|let|var|def|class|function|fn|func|return|public|private|if|for|while)\b.*[(){}=;:]/;
const CODE_END = /[(=].*;\s*$/;

const isCode = (line: string): boolean => CODE.test(line) || CODE_WORD.test(line) || CODE_END.test(line);

/** Blanks before the first character. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;

const isWide = (grapheme: string | undefined): boolean => grapheme !== undefined && widthOf(grapheme) > 1;

/** Where continued text may begin: below the item's text, below the item's marker, or at the left edge. */
function allowsIndent(first: string, next: string): boolean {
  const indent = indentOf(next);
  const item = LIST_ITEM.exec(first);
  if (item === null) return indent === indentOf(first);
  const marker = (item[1] ?? '').length;
  return indent === marker + (item[2] ?? '').length || indent === marker || indent === 0;
}

/** The glue between a full row and the next one; null if the row was not wrapped at its width. */
export function glueBetween(row: string, next: string, cells: number): '' | ' ' | null {
  const room = cells - widthOf(row);
  const text = next.trimStart();
  const head = graphemesOf(text.slice(0, 8))[0];
  if (isWide(head)) {
    if (room >= 2) return null;
    return isWide(graphemesOf(row.slice(-8)).at(-1)) ? '' : ' ';
  }
  const word = text.split(/\s/u)[0] ?? '';
  if (room > widthOf(word)) return null;
  // A word longer than the width is cut at the row's end: such a row is one word, or ends in an address.
  const tail = row.trimStart().split(/\s/u).at(-1) ?? '';
  const isCut = room <= 0 && (tail === row.trimStart() || tail.includes('://'));
  return isCut && widthOf(tail) + widthOf(word) > cells ? '' : ' ';
}

function mayJoin(first: string, next: string): boolean {
  if (LIST_ITEM.test(next) || HEADING.test(next) || QUOTE.test(next) || STARTS_ANEW.test(next)) return false;
  return !HEADING.test(first) && !QUOTE.test(first) && allowsIndent(first, next);
}

function unwrapBlock(block: readonly string[], cells: number): readonly string[] {
  if (block.some((line) => isCode(line) || TABLE.test(line))) return block;
  const joined: string[] = [];
  let row = '';
  for (const line of block) {
    const first = joined.at(-1);
    const glue = first === undefined || !mayJoin(first, line) ? null : glueBetween(row, line, cells);
    if (first === undefined || glue === null) joined.push(line);
    else joined[joined.length - 1] = first + glue + line.trimStart();
    row = line;
  }
  return joined;
}

export interface Unwrapped {
  readonly lines: readonly string[];
  /** Something was joined. */
  readonly reflowed: boolean;
}

/** Joins lines that were wrapped at `cells`, the width of the CLI's text. */
export function unwrap(lines: readonly string[], cells: number): Unwrapped {
  const out: string[] = [];
  let block: string[] = [];
  const flush = () => {
    out.push(...unwrapBlock(block, cells));
    block = [];
  };
  let isFenced = false;
  for (const line of lines) {
    const isFence = FENCE.test(line);
    if (!isFence && !isFenced && line.trim() !== '') {
      block.push(line);
      continue;
    }
    flush();
    out.push(line);
    if (isFence) isFenced = !isFenced;
  }
  flush();
  return { lines: out, reflowed: out.length < lines.length };
}
