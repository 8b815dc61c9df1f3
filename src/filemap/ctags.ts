/** Universal Ctags, if installed, for languages without a mapper. Runs with `--options=NONE` to ignore `.ctags.d/`. */

import { parseRecord } from '../lib/parse-json.ts';
import { run } from '../platform/run.ts';
import type { SymbolKind } from '../protocol/file-map.ts';
import { type OpenSymbol, type Outline, oneLine, SymbolList } from './core/outline.ts';

const TIMEOUT_MS = 5_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const KINDS: Readonly<Record<string, SymbolKind>> = {
  class: 'class',
  interface: 'interface',
  struct: 'struct',
  enum: 'enum',
  module: 'module',
  namespace: 'module',
  package: 'module',
  function: 'function',
  func: 'function',
  subroutine: 'function',
  procedure: 'function',
  method: 'method',
  member: 'property',
  field: 'property',
  variable: 'variable',
  constant: 'constant',
  type: 'type',
  typedef: 'type',
};

interface Tag {
  readonly name: string;
  readonly line: number;
  readonly end?: number;
  readonly kind?: string;
  readonly signature?: string;
  readonly scope?: string;
}

/** The outline by ctags of the file at an absolute path (ctags has no `--`); null if ctags is missing or fails. */
export async function ctagsOutline(file: string): Promise<Outline | null> {
  const outcome = await run(
    'ctags',
    ['--options=NONE', '--output-format=json', '--fields=+neS', '--sort=no', '-o', '-', file],
    { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
  );
  if (outcome.code !== 0) return null;
  const tags = outcome.stdout
    .toString('utf8')
    .split('\n')
    .map(parseTag)
    .filter((tag) => tag !== null);
  return tags.length === 0 ? null : outlineOfTags(tags);
}

function outlineOfTags(tags: readonly Tag[]): Outline {
  const list = new SymbolList();
  const byName = new Map<string, OpenSymbol>();
  for (const tag of [...tags].sort((a, b) => a.line - b.line)) {
    const symbol: OpenSymbol = {
      name: oneLine(tag.name),
      kind: KINDS[tag.kind ?? ''] ?? 'block',
      startLine: tag.line,
      endLine: tag.end ?? tag.line,
      ...(tag.signature === undefined ? {} : { signature: oneLine(tag.signature) }),
    };
    list.add(symbol, tag.scope === undefined ? undefined : byName.get(tag.scope));
    byName.set(tag.scope === undefined ? tag.name : `${tag.scope}.${tag.name}`, symbol);
    if (!byName.has(tag.name)) byName.set(tag.name, symbol);
  }
  return { symbols: list.symbols, imports: [], notes: list.notes() };
}

function parseTag(line: string): Tag | null {
  // A name that is not UTF-8 breaks only its own line.
  const tag = parseRecord(line);
  const isTag = tag?._type === 'tag' && typeof tag.name === 'string' && typeof tag.line === 'number';
  return isTag ? (tag as unknown as Tag) : null;
}
