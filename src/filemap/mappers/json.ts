/** JSON, with comments and trailing commas allowed: keys down to a depth, with the shape of their values. */
import { visit } from 'jsonc-parser';
import { counted } from '../core/describe.ts';
import { type LineMapper, type OpenSymbol, type Outline, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

/** Deeper keys are data, not outline. */
const MAX_DEPTH = 4;

interface Level {
  readonly kind: 'object' | 'array';
  /** The key of this value, if listed. */
  readonly key: OpenSymbol | undefined;
  items: number;
}

function parse(text: string): Outline {
  const list = new SymbolList();
  const levels: Level[] = [];
  let pending: OpenSymbol | undefined;
  let root = '';

  const begin = (kind: Level['kind']): void => {
    countItem(levels);
    levels.push({ kind, key: pending, items: 0 });
    pending = undefined;
  };
  const end = (endLine: number): void => {
    const level = levels.pop();
    if (level === undefined) return;
    const size =
      level.kind === 'object' ? `{${counted(level.items, 'key')}}` : `[${counted(level.items, 'item')}]`;
    if (levels.length === 0) root ||= size;
    if (level.key === undefined) return;
    level.key.endLine = endLine + 1;
    level.key.signature = ` ${size}`;
  };
  visit(
    text,
    {
      onObjectBegin: () => begin('object'),
      onArrayBegin: () => begin('array'),
      onObjectEnd: (_, __, line) => end(line),
      onArrayEnd: (_, __, line) => end(line),
      onObjectProperty: (name, _, __, line) => {
        const level = levels.at(-1);
        if (level !== undefined) level.items++;
        pending = undefined;
        const isListed =
          levels.length <= MAX_DEPTH &&
          levels.every((outer, depth) => depth === 0 || outer.key !== undefined);
        if (!isListed) return;
        pending = { name: oneLine(name), kind: 'key', startLine: line + 1, endLine: line + 1 };
        list.add(pending, level?.key);
      },
      onLiteralValue: (_, __, ___, line) => {
        countItem(levels);
        if (pending !== undefined) pending.endLine = line + 1;
        pending = undefined;
      },
    },
    { allowTrailingComma: true },
  );
  return {
    symbols: list.symbols,
    imports: [],
    notes: [...(root === '' ? [] : [`the root is ${root}`]), ...list.notes()],
  };
}

function countItem(levels: readonly Level[]): void {
  const level = levels.at(-1);
  if (level?.kind === 'array') level.items++;
}

/** Indented JSON shows its keys line by line; keys on the same line need a parser. */
function scan(): LineMapper {
  const list = new SymbolList();
  let step = 0;
  return {
    push: (line, number) => {
      const [, indent, name] = /^([ \t]*)"((?:[^"\\]|\\.)*)"\s*:/.exec(line) ?? [];
      if (indent === undefined || name === undefined) return;
      if (step === 0) step = Math.max(1, indent.length);
      if (indent.length > step) return;
      const last = list.symbols.at(-1);
      if (last !== undefined) last.endLine = number - 1;
      list.add({ name: oneLine(name), kind: 'key', startLine: number, endLine: number }, undefined);
    },
    end: (totalLines) => {
      const last = list.symbols.at(-1);
      if (last !== undefined) last.endLine = Math.max(last.startLine, totalLines - 1);
      return { symbols: list.symbols, imports: [], notes: list.notes() };
    },
  };
}

export const json: Language = {
  name: 'JSON',
  extensions: ['json', 'jsonc', 'json5', 'geojson', 'ipynb', 'webmanifest'],
  fileNames: ['.babelrc', '.eslintrc', '.prettierrc'],
  parse,
  maxParsedBytes: 16 * 1024 * 1024,
  scan,
};
