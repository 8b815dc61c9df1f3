/** Adds symbols found by scanning lines to an outline that the parser could not finish. Pure. */
import type { FileSymbol, SymbolKind } from '../../protocol/file-map.ts';

/** What a body may hold and an outline does not list below it. */
const LOCAL: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'property']);

/** The symbols of the parser, and those of the lines that it has not. Both in the order of the file. */
export function withSeen(parsed: readonly FileSymbol[], seen: readonly FileSymbol[]): readonly FileSymbol[] {
  const known = Map.groupBy(flat(parsed), lastWord);
  const lines = new Set(flat(parsed).flatMap(({ kind, startLine }) => (LOCAL.has(kind) ? [] : [startLine])));
  const isKnown = (symbol: FileSymbol) =>
    lines.has(symbol.startLine) ||
    (known.get(lastWord(symbol)) ?? []).some(
      ({ startLine, endLine }) => startLine <= symbol.startLine && symbol.startLine <= endLine,
    );
  const missing = seen.flatMap((symbol) => missingOf(symbol, isKnown));
  const bodies = missing.filter(({ kind }) => !LOCAL.has(kind));
  const isIn = ({ startLine, endLine }: FileSymbol) =>
    bodies.some((body) => body.startLine <= startLine && endLine <= body.endLine);
  const kept = parsed.filter((symbol) => !(LOCAL.has(symbol.kind) && isIn(symbol)));
  return [...kept, ...missing].sort((a, b) => a.startLine - b.startLine);
}

/** The symbol where it is unknown; of a known one the children that are not. */
function missingOf(symbol: FileSymbol, isKnown: (symbol: FileSymbol) => boolean): readonly FileSymbol[] {
  const { children = [], ...alone } = symbol;
  const missing = children.flatMap((child) => missingOf(child, isKnown));
  if (isKnown(symbol)) return missing;
  return [missing.length === 0 ? alone : { ...alone, children: missing }];
}

const flat = (symbols: readonly FileSymbol[]): readonly FileSymbol[] =>
  symbols.flatMap((symbol) => [symbol, ...flat(symbol.children ?? [])]);

/** Where the parser says `A::b` the lines say `b`. */
const lastWord = ({ name }: FileSymbol) => name.split(/[.:#\s]+/).at(-1);
