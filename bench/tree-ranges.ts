/** Where tree-sitter says that a declaration begins and ends: what the ranges of maps are checked against. */
import { Language, type Node, Parser } from 'web-tree-sitter';
import { grammarFile } from '../src/filemap/grammars.ts';

/** The grammar of a language as ctags calls it, and the nodes that declare what it names. */
const LANGUAGES: Readonly<Record<string, { readonly wasm: string; readonly declares: RegExp }>> = {
  C: {
    wasm: 'cpp',
    declares: /^(?:function_definition|(?:struct|union|enum)_specifier|type_definition)$/,
  },
  'C++': {
    wasm: 'cpp',
    declares:
      /^(?:function_definition|(?:class|struct|union|enum)_specifier|type_definition|alias_declaration|namespace_definition)$/,
  },
  Go: { wasm: 'go', declares: /^(?:(?:function|method)_declaration|type_spec|type_alias)$/ },
  JavaScript: {
    wasm: 'javascript',
    declares:
      /^(?:(?:generator_)?function_declaration|class_declaration|method_definition|variable_declarator|assignment_expression|pair|field_definition)$/,
  },
  Rust: {
    wasm: 'rust',
    declares:
      /^(?:function_(?:signature_)?item|(?:struct|enum|union|trait|type|mod)_item|macro_definition|associated_type)$/,
  },
};
/** What stands about a declaration and may count as part of it: the range may be of either. */
const WRAPS =
  /^(?:template_declaration|export_statement|type_declaration|(?:lexical|variable)_declaration|expression_statement|declaration)$/;

/** Whether a range of a map is that of the declaration of `name` which stands in `line`; null: the tree has none. */
export type TreeRange = (
  at: { readonly name: string; readonly line: number },
  range: { readonly from: number; readonly to: number },
) => { readonly begins: boolean; readonly ends: boolean } | null;

const languages = new Map<string, Promise<Language>>();
let ready: Promise<void> | null = null;

/** Reads a source; null for a language without a grammar here. */
export async function treeRanges(language: string, source: string): Promise<TreeRange | null> {
  const known = LANGUAGES[language];
  if (known === undefined) return null;
  ready ??= grammarFile('runtime').then((wasmBinary) => Parser.init({ wasmBinary }));
  await ready;
  const loaded = languages.get(known.wasm) ?? grammarFile(known.wasm).then((bytes) => Language.load(bytes));
  languages.set(known.wasm, loaded);
  const parser = new Parser();
  parser.setLanguage(await loaded);
  const tree = parser.parse(source);
  const lines = source.split('\n');
  const declarations = tree?.rootNode.descendantsOfType(typesOf(tree.language, known.declares)) ?? [];
  return ({ name, line }, { from, to }) => {
    const found = declarations.filter((node) => declaresAt(node, name, line - 1)).at(-1);
    if (found === undefined) return null;
    const spans = [found, ...wrappersOf(found)].map((node) => ({
      start: node.startPosition.row + 1,
      // A node may take the line feed after it in.
      end: node.endPosition.row + (node.endPosition.column === 0 ? 0 : 1),
    }));
    const begins = spans.some(({ start }) =>
      from <= start
        ? isHead(lines.slice(from - 1, start - 1))
        : lines.slice(start - 1, from - 1).every(isMacro),
    );
    return { begins, ends: spans.some(({ end }) => to === end) };
  };
}

const typesOf = (language: Language, declares: RegExp): string[] =>
  language.types.filter((type) => declares.test(type));

function declaresAt(node: Node, name: string, row: number): boolean {
  if (node.startPosition.row > row || node.endPosition.row < row) return false;
  const named = nameOf(node);
  return named !== null && named.endPosition.row === row && lastWord(named.text) === lastWord(name);
}

const lastWord = (name: string) => /([~\w$#]+)["'`]?\s*$/.exec(name)?.[1] ?? name;

function nameOf(node: Node): Node | null {
  let named =
    node.childForFieldName('name') ?? node.childForFieldName('left') ?? node.childForFieldName('key');
  for (let inner = node.childForFieldName('declarator'); inner !== null && named === null; ) {
    const next = inner.childForFieldName('declarator') ?? inner.namedChildren.find(isDeclarator) ?? null;
    if (next === null) named = inner;
    inner = next;
  }
  return named;
}

const isDeclarator = (node: Node | null): node is Node => node !== null && /declarator$/.test(node.type);

function wrappersOf(node: Node): Node[] {
  const { parent } = node;
  return parent !== null && WRAPS.test(parent.type) ? [parent, ...wrappersOf(parent)] : [];
}

/** The grammar takes a macro on a line of its own for a type; a map leaves it out. */
const isMacro = (line: string) => /^\s*[A-Z][A-Z0-9_]+(?:\(.*\))?\s*$/.test(line);
/** Attributes, decorators, comments and the heads of templates may stand above a declaration and belong to it. */
const isHead = (above: readonly string[]) => above.every((line) => line.trim() !== '' && !/^\}/.test(line));
