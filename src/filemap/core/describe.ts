/** Short sentences about a file and its symbols. Pure. */
import { oneLine } from '../../lib/sanitize.ts';
import type { FileMap, FileMapDetails, FileSymbol } from '../../protocol/file-map.ts';

/** All symbols, including nested ones. */
export function countSymbols(symbols: readonly FileSymbol[]): number {
  let count = symbols.length;
  for (const { children } of symbols) if (children !== undefined) count += countSymbols(children);
  return count;
}

export const fileName = (path: string): string => oneLine(path.slice(path.lastIndexOf('/') + 1));

/** `1,234`: the same in every locale. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 line`, `1,234 lines`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const KIB = 1024;

/** Bytes for users: `512 B`, `195.3 KB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  if (bytes < KIB * KIB) return `${(bytes / KIB).toFixed(1)} KB`;
  return `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

/** The data shown of a collapsed map. */
export function detailsOf(map: FileMap): FileMapDetails {
  return {
    filePath: map.path,
    totalLines: map.totalLines,
    totalBytes: map.totalBytes,
    symbolCount: countSymbols(map.symbols),
    language: map.language,
  };
}

/** `[3-9]`, `[3]`. */
export function lineRange({
  startLine,
  endLine,
}: {
  readonly startLine: number;
  readonly endLine: number;
}): string {
  return startLine === endLine ? `[${startLine}]` : `[${startLine}-${endLine}]`;
}
