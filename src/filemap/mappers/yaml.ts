/** YAML: keys of the first levels of every document, by a real parser; large files by their indentation. */
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseAllDocuments } from 'yaml';
import { counted } from '../core/describe.ts';
import { blockString, Masker } from '../core/mask.ts';
import { type LineMapper, type OpenSymbol, type Outline, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

const MAX_DEPTH = 3;

function parse(text: string): Outline {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, logLevel: 'silent' });
  const list = new SymbolList();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);

  const addPair = (pair: Pair, place: { parent: OpenSymbol | undefined; depth: number }): void => {
    const key = isScalar(pair.key) ? pair.key : null;
    if (key?.range == null) return;
    const value = isMap(pair.value) || isSeq(pair.value) || isScalar(pair.value) ? pair.value : null;
    const startLine = lineAt(key.range[0]);
    const symbol: OpenSymbol = {
      name: oneLine(String(key.value)),
      kind: 'key',
      startLine,
      // The end of a block's range is after its last line feed.
      endLine:
        value?.range == null ? startLine : Math.max(startLine, lineAt(Math.max(0, value.range[1] - 1))),
    };
    if (isSeq(value)) symbol.signature = ` [${counted(value.items.length, 'item')}]`;
    list.add(symbol, place.parent);
    if (isMap(value) && place.depth < MAX_DEPTH) {
      for (const item of value.items) addPair(item, { parent: symbol, depth: place.depth + 1 });
    }
  };
  const shown = Array.isArray(documents) ? documents : [];
  for (const [index, document] of shown.entries()) {
    const { contents } = document;
    let parent: OpenSymbol | undefined;
    if (shown.length > 1 && contents?.range) {
      const startLine = lineAt(contents.range[0]);
      parent = {
        name: `document ${index + 1}`,
        kind: 'section',
        startLine,
        endLine: lineAt(Math.max(0, contents.range[1] - 1)),
      };
      list.add(parent, undefined);
    }
    if (isMap(contents)) for (const item of contents.items) addPair(item, { parent, depth: 1 });
  }
  const broken = shown.some((document) => document.errors.length > 0);
  const notes = broken ? ['the file has syntax errors: parts of it may be missing here'] : [];
  return { symbols: list.symbols, imports: [], notes: [...notes, ...list.notes()] };
}

/** Keys without indentation. */
function scan(): LineMapper {
  const masker = new Masker({
    lineComments: ['#'],
    fences: [blockString('"'), blockString("'", "'", false)],
  });
  const list = new SymbolList();
  return {
    push: (line, number) => {
      const name = /^(?<name>[^\s#:'"&*!|>%@`-][^:#]*):(?:\s|$)/.exec(masker.mask(line))?.groups?.name;
      const last = list.symbols.at(-1);
      if (name !== undefined)
        list.add({ name: oneLine(name), kind: 'key', startLine: number, endLine: number }, undefined);
      else if (last !== undefined && line.trim() !== '') last.endLine = number;
    },
    end: () => ({ symbols: list.symbols, imports: [], notes: list.notes() }),
  };
}

export const yaml: Language = {
  name: 'YAML',
  extensions: ['yaml', 'yml'],
  parse,
  maxParsedBytes: 512 * 1024,
  scan,
};
