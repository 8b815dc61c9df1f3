/** Compares two maps of a file: symbols added, removed or moved; neighbours that moved alike are one entry. Pure. */
import type { FileMap, FileSymbol } from '../../protocol/file-map.ts';
import { lineRange } from './describe.ts';

export type MapChange =
  | {
      readonly kind: 'added' | 'removed';
      readonly name: string;
      readonly startLine: number;
      readonly endLine: number;
    }
  | {
      readonly kind: 'moved';
      readonly name: string;
      /** How many neighbours moved alike, including this one. */
      readonly count: number;
      readonly from: number;
      readonly to: number;
    };

/** Changes in the order of the new file, with removed symbols last. */
export function diffMaps(before: FileMap, after: FileMap): readonly MapChange[] {
  const old = new Map(flatten(before.symbols).map((entry) => [entry.key, entry]));
  const changes: MapChange[] = [];
  for (const entry of flatten(after.symbols)) {
    const was = old.get(entry.key);
    old.delete(entry.key);
    const { startLine, endLine } = entry.symbol;
    if (was === undefined) changes.push({ kind: 'added', name: entry.name, startLine, endLine });
    else if (was.symbol.startLine !== startLine) {
      pushMoved(changes, { name: entry.name, from: was.symbol.startLine, to: startLine });
    }
  }
  for (const { name, symbol } of old.values()) {
    changes.push({ kind: 'removed', name, startLine: symbol.startLine, endLine: symbol.endLine });
  }
  return changes;
}

/** One line per change: `+` added, `~` moved, `-` removed. */
export const formatMapDiff = (changes: readonly MapChange[]): string => changes.map(formatChange).join('');

function formatChange(change: MapChange): string {
  if (change.kind !== 'moved') {
    const sign = change.kind === 'added' ? '+' : '-';
    return `${sign} ${change.name} ${lineRange(change)}\n`;
  }
  const others = change.count > 1 ? ` and the ${change.count - 1} after it` : '';
  return `~ ${change.name}${others} [${change.from} → ${change.to}]\n`;
}

function pushMoved(changes: MapChange[], move: { name: string; from: number; to: number }): void {
  const last = changes.at(-1);
  if (last?.kind === 'moved' && last.to - last.from === move.to - move.from) {
    changes[changes.length - 1] = { ...last, count: last.count + 1 };
  } else changes.push({ kind: 'moved', count: 1, ...move });
}

interface Entry {
  /** Its path and its number among equal ones, to distinguish overloads and repeated headings. */
  readonly key: string;
  readonly name: string;
  readonly symbol: FileSymbol;
}

function flatten(symbols: readonly FileSymbol[]): readonly Entry[] {
  const entries: Entry[] = [];
  const seen = new Map<string, number>();
  const add = (symbol: FileSymbol, parents: string): void => {
    const name = parents === '' ? symbol.name : `${parents} › ${symbol.name}`;
    const alike = `${symbol.kind} ${name}`;
    const nth = seen.get(alike) ?? 0;
    seen.set(alike, nth + 1);
    entries.push({ key: `${alike} ${nth}`, name, symbol });
    for (const child of symbol.children ?? []) add(child, name);
  };
  for (const symbol of symbols) add(symbol, '');
  return entries;
}
