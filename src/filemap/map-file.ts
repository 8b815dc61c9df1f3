/** Maps one file: parses small code, reads all else line by line in limited memory. Refuses what is not text. */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { readHeadOf, readRegular } from '../platform/regular-file.ts';
import type { FileMap, FileSymbol, SymbolKind } from '../protocol/file-map.ts';
import type { LineMapper, Outline } from './core/outline.ts';
import { BROKEN } from './core/tree-outline.ts';
import { ctagsOutline } from './ctags.ts';
import type { Grammars } from './grammars.ts';
import type { Language } from './language.ts';
import { languageOf } from './languages.ts';
import { scanText } from './mappers/plain.ts';
import { readLines } from './read-lines.ts';

/** Above this a syntax tree costs seconds and hundreds of MB; scanning the lines does not. */
export const MAX_PARSED_BYTES = 2 * 1024 * 1024;
/** A zero byte within this many bytes means that the file is not text. */
const SNIFFED_BYTES = 8 * 1024;

type Mapped = { readonly outline: Outline; readonly totalLines: number };

/** The map of the file at an absolute path. Fails if it is missing, not a file, unreadable or binary. */
export async function mapFile(file: string, grammars: Grammars): Promise<Result<FileMap>> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return fail('invalid', `${file} is not a file.`);
    const head = await readHeadOf(file, SNIFFED_BYTES);
    if (head.includes(0)) return fail('invalid', `${file} is binary: it has no map.`);
    const [firstLine = ''] = head.toString('utf8').split('\n', 1);
    const language = languageOf({ name: path.basename(file), firstLine });
    const { outline, totalLines } = await outlineOf({ file, bytes: stats.size, language, grammars });
    const name = language?.name ?? 'Text';
    return ok({ path: file, totalLines, totalBytes: stats.size, language: name, ...outline });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return fail('not_found', `There is no file ${file}.`);
    if (code === 'ENOTREG' || code === 'EISDIR') return fail('invalid', `${file} is not a file.`);
    if (code === 'EFBIG') return fail('invalid', `${errorMessage(thrown)}: it has no map.`);
    if (code === 'EACCES' || code === 'EPERM')
      return fail('invalid', `${file} cannot be read: permission denied.`);
    return fail('internal', `${file} could not be mapped: ${errorMessage(thrown)}`);
  }
}

interface Task {
  readonly file: string;
  readonly bytes: number;
  readonly language: Language | null;
  readonly grammars: Grammars;
}

async function outlineOf(task: Task): Promise<Mapped> {
  const { file, bytes, language, grammars } = task;
  if (language === null) {
    const outline = await ctagsOutline(file);
    if (outline !== null) return { outline, totalLines: await readLines(file, () => undefined) };
    return scanned(file, scanText());
  }
  const scan = language.scan ?? scanText;
  const limit = language.maxParsedBytes ?? MAX_PARSED_BYTES;
  if (bytes > limit) {
    const isFallback = language.grammar !== undefined || language.parse !== undefined;
    return scanned(
      file,
      scan(),
      isFallback ? ['outline from the lines alone: the file is too large to parse'] : [],
    );
  }
  const parse = language.parse ?? null;
  if (parse === null && language.grammar === undefined) return scanned(file, scan());
  const text = String(await readRegular(file, { maxBytes: limit })).replace(/^\uFEFF/, '');
  try {
    const outline =
      parse !== null
        ? parse(text)
        : await grammars.outline(text, language.grammar as NonNullable<typeof language.grammar>);
    // Syntax unknown to a grammar may hide everything after it; scanning the lines then finds more.
    if (language.grammar !== undefined && outline.notes.includes(BROKEN) && language.scan !== undefined) {
      const { outline: lines } = await scanned(file, language.scan());
      const symbols = withSeen(outline.symbols, lines.symbols);
      return { outline: { ...outline, symbols }, totalLines: countLines(text) };
    }
    return { outline, totalLines: countLines(text) };
  } catch (thrown) {
    return scanned(file, scan(), [`outline from the lines alone: ${errorMessage(thrown)}`]);
  }
}

async function scanned(file: string, mapper: LineMapper, notes: readonly string[] = []): Promise<Mapped> {
  const totalLines = await readLines(file, mapper.push);
  const outline = mapper.end(totalLines);
  return { outline: { ...outline, notes: [...notes, ...outline.notes] }, totalLines };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** Kinds in a body that an outline does not list. */
const LOCAL: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'property']);

/** The symbols of the parser, plus those that only the lines show. Both in file order. */
function withSeen(parsed: readonly FileSymbol[], seen: readonly FileSymbol[]): readonly FileSymbol[] {
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

/** The symbol if it is unknown; for a known one, its unknown children. */
function missingOf(symbol: FileSymbol, isKnown: (symbol: FileSymbol) => boolean): readonly FileSymbol[] {
  const { children = [], ...alone } = symbol;
  const missing = children.flatMap((child) => missingOf(child, isKnown));
  if (isKnown(symbol)) return missing;
  return [missing.length === 0 ? alone : { ...alone, children: missing }];
}

const flat = (symbols: readonly FileSymbol[]): readonly FileSymbol[] =>
  symbols.flatMap((symbol) => [symbol, ...flat(symbol.children ?? [])]);

/** Where the parser has `A::b`, the lines have `b`. */
const lastWord = ({ name }: FileSymbol) => name.split(/[.:#\s]+/).at(-1);
