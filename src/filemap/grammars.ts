/** Tree-sitter with the grammars that are shipped: each loaded when its first file comes, then kept. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Language, Parser } from 'web-tree-sitter';
import { readRegular } from '../platform/regular-file.ts';
import type { Outline } from './core/outline.ts';
import { type Grammar, outlineOfTree } from './core/tree-outline.ts';

const GRAMMAR_MAX_BYTES = 64 * 1024 * 1024;

/** Parses sources by the grammars' own files. One for each thread. */
export class Grammars {
  readonly #languages = new Map<string, Promise<Language>>();
  #ready: Promise<void> | null = null;

  /** The outline of a source; throws when a grammar's file is missing or broken. */
  async outline(source: string, grammar: Grammar): Promise<Outline> {
    this.#ready ??= grammarFile('runtime').then((wasmBinary) => Parser.init({ wasmBinary }));
    await this.#ready;
    let language = this.#languages.get(grammar.wasm);
    if (language === undefined) {
      language = grammarFile(grammar.wasm).then((bytes) => Language.load(bytes));
      this.#languages.set(grammar.wasm, language);
    }
    const parser = new Parser();
    try {
      parser.setLanguage(await language);
      const tree = parser.parse(source);
      if (tree === null) throw new Error(`the parser for ${grammar.wasm} gave nothing`);
      try {
        return outlineOfTree(tree.rootNode, source, grammar);
      } finally {
        tree.delete();
      }
    } finally {
      parser.delete();
    }
  }
}

const readGrammar = (file: string | URL) => readRegular(file, { maxBytes: GRAMMAR_MAX_BYTES });

/** Beside the program when it is installed; from the packages when it runs from source. */
async function grammarFile(name: string): Promise<Uint8Array> {
  try {
    // Packed: 2 MB on disk in place of 20.
    return gunzipSync(await readGrammar(new URL(`./grammars/${name}.wasm.gz`, import.meta.url)));
  } catch {
    return readGrammar(packagedGrammarFile(name));
  }
}

/** Where the packages keep a grammar; `runtime` is tree-sitter itself. The build packs from here. */
export function packagedGrammarFile(name: string): string {
  const require = createRequire(import.meta.url);
  if (name === 'runtime') return require.resolve('web-tree-sitter/web-tree-sitter.wasm');
  return path.join(
    path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')),
    `wasm/tree-sitter-${name}.wasm`,
  );
}
