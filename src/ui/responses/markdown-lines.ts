/** Renders Markdown: each source line is one drawn line, with styles for signs. Pure; loaded after the first frame. */
import type { Nodes, Parents, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { widthOf } from '../../lib/width.ts';
import type { Styled, StyledLine } from './reading-doc.ts';

/** A wider table stays as written: its rows would be wrapped anyway. */
const TABLE_MAX_CELLS = 100;

/** A stretch of the source that is omitted or replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Findings {
  readonly edits: Edit[];
  readonly styles: Styled[];
}

/** In one paragraph: the parser compares each emphasis sign and image start with those before it. */
const EMPHASIS_MAX_SIGNS = 1_000;
const IMAGES_MAX = 200;
/** Quotes and list items at line starts, also nested: each costs as much as there are of them. */
const CONTAINER = /^[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/gm;
const CONTAINERS_MAX_LINES = 2_000;
const NESTED = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))[ \t]*){2}/gm;
const NESTED_MAX_LINES = 500;
/** The same, plus columns before a list sign, for each of which the parser recurses. */
const DEEP =
  /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))[ \t]*){16}|^[ \t]{60,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

/** What stays as written, because parsing it would delay a key for seconds or overflow the stack. */
function tooHard(source: string): string[] {
  const paragraphs = source.split(/\n[ \t]*\n/);
  const isOver = (texts: readonly string[], sign: RegExp, most: number) =>
    texts.some((text) => (text.match(sign)?.length ?? 0) > most);
  const isNested =
    DEEP.test(source) ||
    isOver([source], CONTAINER, CONTAINERS_MAX_LINES) ||
    isOver([source], NESTED, NESTED_MAX_LINES);
  return [
    ...(isOver(paragraphs, /\*+|_+/g, EMPHASIS_MAX_SIGNS) ? ['attention'] : []),
    ...(isOver(paragraphs, /!\[/g, IMAGES_MAX) ? ['labelStartImage', 'labelStartLink', 'labelEnd'] : []),
    ...(isNested ? ['blockQuote', 'list'] : []),
  ];
}

/** A text with more lines stays as written: parsing it would delay a key for seconds in any case. */
const LINES_MAX = 10_000;

/** A text's drawn lines, as many as it has. */
export function markdownLines(source: string): readonly StyledLine[] {
  const plain = source.split('\n');
  if (plain.length > LINES_MAX) return plain.map((text) => ({ text, styles: [] }));
  const found: Findings = { edits: [], styles: [] };
  const tree = fromMarkdown(source, {
    extensions: [gfmTable(), { disable: { null: tooHard(source) } }],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  visit(tree, source, found);
  return linesOf(source, found);
}

const startOf = (node: Nodes): number => node.position?.start.offset ?? 0;

const endOf = (node: Nodes): number => node.position?.end.offset ?? 0;

function visit(node: Nodes, source: string, found: Findings): void {
  const [start, end] = [startOf(node), endOf(node)];
  switch (node.type) {
    case 'heading':
      found.styles.push([start, end, 'heading']);
      unwrap(node, found);
      break;
    case 'strong':
      found.styles.push([start, end, 'strong']);
      unwrap(node, found);
      break;
    case 'emphasis':
      found.styles.push([start, end, 'emphasis']);
      unwrap(node, found);
      break;
    case 'inlineCode':
      inlineCode(source, start, end, found);
      break;
    case 'code':
      found.styles.push([start, end, 'code']);
      break;
    case 'link':
      link(node, source, found);
      break;
    case 'thematicBreak':
    case 'html':
    case 'definition':
      found.styles.push([start, end, 'dim']);
      break;
    case 'listItem':
      found.styles.push([start, start + markerLength(source.slice(start, end)), 'key']);
      break;
    case 'blockquote':
      quoteSigns(source, start, end, found);
      break;
    case 'table':
      table(node, source, found);
      return;
    default:
  }
  if ('children' in node) for (const child of (node as Parents).children) visit(child, source, found);
}

/** Omits the signs around the content: `**`, `# `, the closing of a heading. */
function unwrap(node: Parents, { edits }: Findings): void {
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (first === undefined || last === undefined) return;
  edits.push({ start: startOf(node), end: startOf(first), text: '' });
  edits.push({ start: endOf(last), end: endOf(node), text: '' });
}

function inlineCode(source: string, start: number, end: number, { edits, styles }: Findings): void {
  const fence = /^`+/.exec(source.slice(start, end))?.[0].length ?? 0;
  styles.push([start, end, 'code']);
  edits.push({ start, end: start + fence, text: '' }, { start: end - fence, end, text: '' });
}

/** The link's text, followed by its address if that says more. */
function link(node: Extract<Nodes, { type: 'link' }>, source: string, { edits, styles }: Findings): void {
  const [start, end] = [startOf(node), endOf(node)];
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (first === undefined || last === undefined || source[start] !== '[') {
    styles.push([start, end, 'link']);
    return;
  }
  const words = source.slice(startOf(first), endOf(last));
  const target = endOf(last);
  styles.push([startOf(first), target, 'link'], [target, end, 'dim']);
  edits.push({ start, end: startOf(first), text: '' });
  if (words === node.url) edits.push({ start: target, end, text: '' });
  else edits.push({ start: target, end: target + 1, text: ' ' });
}

const markerLength = (item: string): number => /^(?:[-*+]|\d{1,9}[.)])/.exec(item)?.[0].length ?? 0;

function quoteSigns(source: string, start: number, end: number, { styles }: Findings): void {
  for (let at = start; at < end; ) {
    const sign = /^\s*>/.exec(source.slice(at, end))?.[0].length ?? 0;
    if (sign > 0) styles.push([at, at + sign, 'rule-active']);
    const next = source.indexOf('\n', at);
    if (next === -1) return;
    at = next + 1;
  }
}

/** Aligns columns to the widest cell. Draws the cells as written. */
function table(node: Table, source: string, { edits, styles }: Findings): void {
  const rows = node.children.map((row) =>
    row.children.map((cell) => {
      const [first, last] = [cell.children[0], cell.children.at(-1)];
      return first === undefined || last === undefined ? '' : source.slice(startOf(first), endOf(last));
    }),
  );
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(3, ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const total = widths.reduce((sum, width) => sum + width + 3, 0);
  const [head] = node.children;
  if (head !== undefined) styles.push([startOf(head), endOf(head), 'strong']);
  if (total > TABLE_MAX_CELLS) return;
  node.children.forEach((row, index) => {
    const cells = widths.map((width, at) => pad(rows[index]?.[at] ?? '', width, node.align?.[at] ?? null));
    edits.push({ start: startOf(row), end: endOf(row), text: cells.join(' | ').trimEnd() });
  });
  // The row of dashes between the first and second row has no node.
  const dashes = head === undefined ? -1 : source.indexOf('\n', endOf(head)) + 1;
  if (dashes <= 0) return;
  const lineEnd = source.indexOf('\n', dashes);
  const end = lineEnd === -1 ? source.length : lineEnd;
  const start = dashes + (/^\s*/.exec(source.slice(dashes, end))?.[0].length ?? 0);
  edits.push({ start, end, text: widths.map((width) => '-'.repeat(width)).join('-+-') });
  styles.push([start, end, 'rule']);
}

function pad(cell: string, width: number, align: 'left' | 'right' | 'center' | null): string {
  const room = Math.max(0, width - widthOf(cell));
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return `${' '.repeat(before)}${cell}${' '.repeat(room - before)}`;
}

/** Splits the source into lines, applies the edits in each, and shifts the styles. */
function linesOf(source: string, { edits, styles }: Findings): readonly StyledLine[] {
  const ordered = edits.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start);
  const lines: StyledLine[] = [];
  let at = 0;
  let nextEdit = 0;
  const byLine = styled(source, styles);
  for (const text of source.split('\n')) {
    const end = at + text.length;
    const own: Edit[] = [];
    for (; (ordered[nextEdit]?.start ?? Number.POSITIVE_INFINITY) < end; nextEdit += 1) {
      const edit = ordered[nextEdit];
      // An edit that would cross the line's end is dropped: lines must stay lines.
      if (edit !== undefined && edit.end <= end && edit.start >= (own.at(-1)?.end ?? at)) own.push(edit);
    }
    lines.push(editedLine(text, at, own, byLine[lines.length] ?? []));
    at = end + 1;
  }
  return lines;
}

/** The styles by line, in source offsets. */
function styled(source: string, styles: readonly Styled[]): readonly (readonly Styled[])[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  const byLine: Styled[][] = starts.map(() => []);
  for (const [start, end, role] of styles) {
    let line = starts.findLastIndex((offset) => offset <= start);
    for (; line < starts.length && (starts[line] ?? end) < end; line += 1) {
      const lineStart = starts[line] ?? 0;
      const lineEnd = (starts[line + 1] ?? source.length + 1) - 1;
      if (start < lineEnd) byLine[line]?.push([Math.max(start, lineStart), Math.min(end, lineEnd), role]);
    }
  }
  return byLine;
}

function editedLine(
  text: string,
  offset: number,
  edits: readonly Edit[],
  styles: readonly Styled[],
): StyledLine {
  if (edits.length === 0)
    return { text, styles: styles.map(([start, end, role]) => [start - offset, end - offset, role]) };
  let drawn = '';
  let at = offset;
  // Where each source offset is in the drawn line.
  const moves: { readonly from: number; readonly shift: number }[] = [{ from: offset, shift: -offset }];
  for (const { start, end, text: instead } of edits) {
    drawn += text.slice(at - offset, start - offset) + instead;
    at = end;
    moves.push({ from: end, shift: drawn.length - end });
  }
  drawn += text.slice(at - offset);
  const moved = (position: number, edge: 'start' | 'end'): number => {
    const inside = edits.find(({ start, end }) => position > start && position < end);
    if (inside !== undefined) return moved(edge === 'start' ? inside.start : inside.end, edge);
    const move = moves.findLast(({ from }) => from <= position);
    return position + (move?.shift ?? 0);
  };
  return {
    text: drawn,
    styles: styles
      .map(([start, end, role]): Styled => [moved(start, 'start'), moved(end, 'end'), role])
      .filter(([start, end]) => end > start),
  };
}
