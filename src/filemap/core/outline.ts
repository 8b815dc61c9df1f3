/** The result of a mapper, and the two kinds of mappers without a parser: by the whole text, or line by line. Pure. */
import type { FileSymbol } from '../../protocol/file-map.ts';
import { counted } from './describe.ts';

export interface Outline {
  readonly symbols: readonly FileSymbol[];
  readonly imports: readonly string[];
  /** The limitations of the outline, one sentence each. */
  readonly notes: readonly string[];
}

/** Maps a file of any size in limited memory: lines come in order, counted from 1, without their line end. */
export interface LineMapper {
  readonly push: (line: string, number: number) => void;
  /** `totalLines` counts the lines received. */
  readonly end: (totalLines: number) => Outline;
}

/** How many symbols of a file are kept; the rest is only counted. A larger map would be cut anyway. */
export const MAX_SYMBOLS = 20_000;

/** A symbol whose end is not known yet. */
export type OpenSymbol = Omit<FileSymbol, 'children'> & { children?: OpenSymbol[] };

/** Collects symbols up to the limit; counts the refused ones. */
export class SymbolList {
  readonly symbols: OpenSymbol[] = [];
  last: OpenSymbol | undefined;
  #kept = 0;
  #refused = 0;

  /** Adds below `parent`, or at the top. */
  add(symbol: OpenSymbol, parent: OpenSymbol | undefined): void {
    if (this.#kept >= MAX_SYMBOLS) {
      this.#refused++;
      return;
    }
    this.#kept++;
    this.last = symbol;
    if (parent === undefined) this.symbols.push(symbol);
    else {
      parent.children ??= [];
      parent.children.push(symbol);
    }
  }

  /** The message about refused symbols; empty if there were none. */
  notes(): readonly string[] {
    return this.#refused === 0 ? [] : [`${counted(this.#refused, 'further symbol')} not in this map`];
  }
}

/** How many symbols there are, including children. */
export function countSymbols(symbols: readonly FileSymbol[]): number {
  return symbols.reduce((sum, { children }) => sum + 1 + countSymbols(children ?? []), 0);
}

/** Longest signature and documentation line, in characters. */
const MAX_WORDS = 160;

/** Source text on one line, cut at a limit. */
export function oneLine(text: string): string {
  const joined = text.replace(/\s+/g, ' ').trim();
  return joined.length <= MAX_WORDS ? joined : `${joined.slice(0, MAX_WORDS - 1)}…`;
}
