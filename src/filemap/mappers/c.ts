/** C and C++, read by the C++ grammar, which covers C. */
import { wordList } from '../../lib/word-list.ts';
import { scanCode } from '../core/code-scanner.ts';
import { oneBranch } from '../core/conditional.ts';
import { lineString, slashCode } from '../core/mask.ts';
import type { Grammar, SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function declarators(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let at = innerOf(node); at !== null; at = innerOf(at)) found.push(at);
  return found;
}

/** The name is inside pointers, references, arrays and parameter lists. */
function innerOf(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'reference_declarator') return node.namedChildren.at(-1) ?? null;
  return node.childForFieldName('declarator');
}

function isFunction(node: SyntaxNode): boolean {
  return declarators(node).some(({ type }) => type === 'function_declarator' || type === 'operator_cast');
}

/** A conversion (`operator bool() const`) is named by its type. */
function declaredName(node: SyntaxNode): string | null {
  const all = declarators(node);
  const conversion = all.find(({ type }) => type === 'operator_cast');
  const name = all.at(-1)?.text ?? null;
  return conversion === undefined ? name : `operator ${conversion.childForFieldName('type')?.text ?? ''}`;
}

/** The type that a declaration defines together with its variable. */
function typeOf(node: SyntaxNode): SyntaxNode | null {
  const type = node.childForFieldName('type');
  return type === null || bodied(type) === null ? null : type;
}

/** A type that is only named is used, not declared. */
function bodied(node: SyntaxNode): string | null {
  return node.childForFieldName('body') === null ? null : (node.childForFieldName('name')?.text ?? null);
}

const MACRO_BEFORE_NAME =
  /(\b(?:class|struct|union|enum(?:\s+class)?)\s+)([A-Z][A-Z0-9_]*(?:\([^()\n]*\))?)(?=\s+[A-Za-z_]\w*(?:\s+final)?\s*[:{])/g;
const MACRO_LINE = /^[ \t]*[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]*:?[ \t]*$/gm;

/** A macro before a type or a name: `FMT_CONSTEXPR buffer(`. A type may look the same, so it is tried last. */
const MACRO_WORD = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b(?:\([^()\n]*\))?(?=\s+[A-Za-z_~])/g;

const blank = (text: string) => ' '.repeat(text.length);

const MASKED = slashCode(lineString('"'));

const GRAMMAR: Grammar = {
  wasm: 'cpp',
  select: (source) => oneBranch(source, MASKED),
  symbols: {
    namespace_definition: { kind: 'module', isContainer: true },
    class_specifier: { kind: 'class', name: bodied, isContainer: true },
    struct_specifier: { kind: 'struct', name: bodied, isContainer: true },
    union_specifier: { kind: 'struct', name: bodied, isContainer: true },
    enum_specifier: { kind: 'enum', name: bodied },
    function_definition: { kind: 'function', name: declaredName },
    declaration: {
      kind: (node) => (isFunction(node) ? 'function' : 'variable'),
      name: declaredName,
      beside: typeOf,
    },
    field_declaration: {
      kind: (node) => (isFunction(node) ? 'method' : 'property'),
      name: declaredName,
      beside: typeOf,
    },
    type_definition: { kind: 'type', name: declaredName, beside: typeOf },
    alias_declaration: { kind: 'type' },
    concept_definition: { kind: 'type' },
    preproc_function_def: { kind: 'function' },
    preproc_def: { kind: 'constant' },
  },
  wrappers: new Set(['template_declaration', 'friend_declaration']),
  through: new Set(
    wordList(`
    linkage_specification declaration_list preproc_ifdef preproc_if preproc_else preproc_elif
    export_declaration
  `),
  ),
  nested: ['class_specifier', 'struct_specifier', 'union_specifier', 'enum_specifier', 'function_definition'],
  imports: { preproc_include: (node) => [node.childForFieldName('path')?.text.slice(1, -1) ?? ''] },
  comments: new Set(['comment']),
  decorations: new Set(['access_specifier']),
  // A macro before a name (`class API_EXPORT Parser`) is mistaken for the name, one alone on a line for a type.
  prepare: (source) =>
    source
      .replace(MACRO_BEFORE_NAME, (_, before: string, macro: string) => before + blank(macro))
      .replace(MACRO_LINE, blank),
  repair: (source) => source.replace(/^(?!\s*#).*$/gm, (line) => line.replace(MACRO_WORD, blank)),
};

function scan() {
  return scanCode({
    nesting: 'braces',
    ...MASKED,
    doc: /^\s*(\/\*\*|\/\/\/)/,
    keywords: new Set(['if', 'for', 'while', 'switch', 'return', 'sizeof', 'else', 'catch']),
    imports: /^\s*#\s*include\s+[<"](?<name>[^>"]+)[>"]/,
    declarations: [
      { kind: 'module', isContainer: true, pattern: /^\s*(?:inline\s+)?namespace\s+(?<name>[\w:]+)/ },
      {
        kind: 'class',
        isContainer: true,
        pattern: /^\s*(?:template\s*<.*>\s*)?class\s+(?:\w+\s+)*?(?<name>\w+)\s*(?:final\s*)?(?:[:{]|$)/,
      },
      {
        kind: 'struct',
        isContainer: true,
        pattern:
          /^\s*(?:template\s*<.*>\s*)?(?:typedef\s+)?(?:struct|union)\s+(?<name>\w+)\s*(?:final\s*)?(?:[:{]|$)/,
      },
      { kind: 'enum', pattern: /^\s*(?:typedef\s+)?enum\s+(?:class\s+|struct\s+)?(?<name>\w+)/ },
      { kind: 'type', pattern: /^\s*typedef\b.*?(?<name>\w+)\s*;$/ },
      { kind: 'type', pattern: /^\s*using\s+(?<name>\w+)\s*=/ },
      { kind: 'constant', isOneLine: true, pattern: /^\s*#\s*define\s+(?<name>\w+)/ },
      {
        kind: 'function',
        pattern:
          /^\s*(?:template\s*<.*>\s*)?(?:[\w:<>,*&~[\]]+\s+)*[*&]*(?<name>~?[\w:~]+|operator\s*\S+)\s*\([^;]*[),][\w\s]*(?:->[^;{]*)?\{?$/,
      },
    ],
  });
}

export const cpp: Language = {
  name: 'C++',
  extensions: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'h++', 'c++', 'ino'],
  grammar: GRAMMAR,
  scan,
};

export const c: Language = { name: 'C', extensions: ['c', 'h'], grammar: GRAMMAR, scan };
