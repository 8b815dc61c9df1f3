/** Tree-sitter with the shipped grammars: each is loaded for its first file, then kept. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser } from 'web-tree-sitter';
import { errorMessage } from '../lib/result.ts';
import { readRegular } from '../platform/regular-file.ts';
import { countSymbols, type Outline } from './core/outline.ts';
import { BROKEN, type Grammar, outlineOfTree } from './core/tree-outline.ts';

const GRAMMAR_MAX_BYTES = 64 * 1024 * 1024;

/** Parses sources with the grammar files. One per process. */
export class Grammars {
  readonly #languages = new Map<string, Promise<Language>>();
  #ready: Promise<void> | null = null;

  /** The outline of a source; throws if a grammar's file is missing or broken. */
  async outline(source: string, grammar: Grammar): Promise<Outline> {
    this.#ready ??= grammarFile('runtime').then((wasmBinary) => Parser.init({ wasmBinary }));
    await this.#ready;
    let language = this.#languages.get(grammar.wasm);
    if (language === undefined) {
      language = grammarFile(grammar.wasm).then((bytes) => Language.load(bytes));
      this.#languages.set(grammar.wasm, language);
    }
    const selected = grammar.select?.(source) ?? source;
    const parser = new Parser();
    try {
      parser.setLanguage(await language);
      const parse = (text: string): Outline => {
        const tree = parser.parse(text);
        if (tree === null) throw new Error(`the parser for ${grammar.wasm} gave nothing`);
        try {
          return outlineOfTree(tree.rootNode, selected, grammar);
        } finally {
          tree.delete();
        }
      };
      const prepared = grammar.prepare?.(selected) ?? selected;
      const outline = parse(prepared);
      if (grammar.repair === undefined || !outline.notes.includes(BROKEN)) return outline;
      const repaired = parse(grammar.repair(prepared));
      return countSymbols(repaired.symbols) > countSymbols(outline.symbols) ? repaired : outline;
    } finally {
      parser.delete();
    }
  }
}

const readGrammar = (file: string | URL) => readRegular(file, { maxBytes: GRAMMAR_MAX_BYTES });

/** Beside the program if installed; in the packages if run from source. */
export async function grammarFile(name: string): Promise<Uint8Array> {
  try {
    const shipped = new URL(`./grammars/${name}.wasm.br`, import.meta.url);
    // Compressed: 2 MB on disk instead of 36.
    if (existsSync(shipped)) return brotliDecompressSync(await readGrammar(shipped));
    return withNewDylink(await readGrammar(packagedGrammarFile(name)));
  } catch (thrown) {
    // Node adds a list of folders to what it cannot find.
    throw new Error(`the grammar ${name} cannot be read: ${errorMessage(thrown).split('\n')[0]}`);
  }
}

/** Where the packages keep a grammar; `runtime` is tree-sitter itself. The build packs these files. */
export function packagedGrammarFile(name: string): string {
  const require = createRequire(import.meta.url);
  if (name === 'runtime') return require.resolve('web-tree-sitter/web-tree-sitter.wasm');
  const folder = MORE_GRAMMARS.has(name)
    ? path.join(path.dirname(require.resolve('tree-sitter-wasms/package.json')), 'out')
    : path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  return path.join(folder, `tree-sitter-${name}.wasm`);
}

/** Grammars that only the larger collection has. */
const MORE_GRAMMARS = new Set(['kotlin', 'swift', 'scala', 'zig', 'elixir', 'dart']);

const WASM_HEADER_BYTES = 8;
const MEMORY_FIELDS = 4;

/**
 * A module with the section `dylink` converted to `dylink.0`, which tree-sitter's runtime requires: the same four
 * numbers, as a subsection (DynamicLinking.md of WebAssembly's tool conventions). Other modules are unchanged.
 */
export function withNewDylink(wasm: Uint8Array): Uint8Array {
  const [size, body] = readLeb(wasm, WASM_HEADER_BYTES + 1);
  const [nameLength, nameStart] = readLeb(wasm, body);
  const name = Buffer.from(wasm.subarray(nameStart, nameStart + nameLength)).toString('latin1');
  if (wasm[WASM_HEADER_BYTES] !== 0 || name !== 'dylink') return wasm;
  let at = nameStart + nameLength;
  const memory: number[] = [];
  for (let field = 0; field < MEMORY_FIELDS; field += 1) {
    const [value, next] = readLeb(wasm, at);
    memory.push(...leb(value));
    at = next;
  }
  const MEMORY_INFO = 1;
  const section = Buffer.from([
    ...leb(8),
    ...Buffer.from('dylink.0'),
    MEMORY_INFO,
    ...leb(memory.length),
    ...memory,
  ]);
  const head = Buffer.from([0, ...leb(section.length)]);
  return Buffer.concat([wasm.subarray(0, WASM_HEADER_BYTES), head, section, wasm.subarray(body + size)]);
}

function readLeb(bytes: Uint8Array, start: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = start, shift = 0; ; at += 1, shift += 7) {
    const byte = bytes[at] ?? 0;
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return [value >>> 0, at + 1];
  }
}

function leb(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}
