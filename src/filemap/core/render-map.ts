/** A map as text, at one level of detail: mainly for a model, but also for users. Pure. */
import { wordList } from '../../lib/word-list.ts';
import type { FileMap, FileMapDetails, FileSymbol, MapLevel } from '../../protocol/file-map.ts';
import { counted, fileName, formatSize, lineRange } from './describe.ts';

const RULE = '───────────────────────────────────────';
/** Further imports are counted, not named. */
const MAX_IMPORTS = 40;

/** The name of the call in most AI CLIs. */
const READ_CALL = 'read(path, offset=LINE, limit=N)';

/** Kinds that the name alone does not show. */
const NAMED_BY_KIND: ReadonlySet<string> = new Set(
  wordList('class interface struct enum type trait module table'),
);

/** Lines of symbols at a level, in file order. */
export function symbolLines(symbols: readonly FileSymbol[], level: MapLevel): readonly string[] {
  const lines: string[] = [];
  const deepest =
    level === 'full' || level === 'compact' ? Number.POSITIVE_INFINITY : level === 'minimal' ? 1 : 0;
  const add = (symbol: FileSymbol, depth: number): void => {
    lines.push('  '.repeat(depth) + symbolLine(symbol, level));
    if (depth < deepest) for (const child of symbol.children ?? []) add(child, depth + 1);
  };
  for (const symbol of symbols) add(symbol, 0);
  return lines;
}

/** The whole text: a head with the file's size, imports, notes, the given lines, and how to read on. */
export function renderMap(map: FileMap, lines: readonly string[], readCall = READ_CALL): string {
  const shown = map.imports.slice(0, MAX_IMPORTS).join(', ');
  const more = map.imports.length > MAX_IMPORTS ? ` and ${map.imports.length - MAX_IMPORTS} more` : '';
  const head = [
    RULE,
    `File Map: ${fileName(map.path)}`,
    `${counted(map.totalLines, 'line')} │ ${formatSize(map.totalBytes)} │ ${map.language}`,
    RULE,
    ...map.notes.map((note) => `[${note}]`),
    ...(shown === '' ? [] : [`imports: ${shown}${more}`]),
  ];
  const body = lines.length > 0 ? lines : ['(no symbols found)'];
  return [...head, '', ...body, '', `Use ${readCall} for targeted reads.`, ''].join('\n');
}

/** The line of a collapsed map, without the key that opens it. */
export function collapsedLine(map: Omit<FileMapDetails, 'totalBytes'>): string {
  return [
    `File Map: ${fileName(map.filePath)}`,
    counted(map.symbolCount, 'symbol'),
    counted(map.totalLines, 'line'),
    map.language,
  ].join(' │ ');
}

function symbolLine(symbol: FileSymbol, level: MapLevel): string {
  const doc = level === 'full' && symbol.doc !== undefined ? ` — ${symbol.doc}` : '';
  return `${title(symbol, level)}: ${lineRange(symbol)}${doc}`;
}

function title(symbol: FileSymbol, level: MapLevel): string {
  const { name, kind, signature } = symbol;
  const exported = symbol.isExported ? 'export ' : '';
  const named = NAMED_BY_KIND.has(kind) ? `${kind} ${name}` : name;
  if (level !== 'full' || signature === undefined) return exported + named;
  if (signature.startsWith('(') || signature.startsWith(' ')) return `${exported}${named}${signature}`;
  // A declaration may have its own word for "exported" (`pub`, `public`), which need not be repeated.
  return /(^|\s)(export|pub|public)\b/.test(signature) ? signature : exported + signature;
}
