/** Headings of known rank become a tree: each reaches to the next one of its rank or above. Pure. */
import { type OpenSymbol, type Outline, SymbolList } from './outline.ts';

export interface PlacedHeading {
  readonly name: string;
  /** 1 is the highest. */
  readonly rank: number;
  readonly startLine: number;
}

/** The outline; blocks go below the heading that they stand under. Both come in file order. */
export function nestHeadings(
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
