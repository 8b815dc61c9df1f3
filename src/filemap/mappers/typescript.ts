/** TypeScript and JavaScript, JSX included. One table serves all grammars: JavaScript's nodes are a subset. */
import { wordList } from '../../lib/word-list.ts';
import { type ScanRules, scanCode } from '../core/code-scanner.ts';
import { blockComment, blockString, lineString } from '../core/mask.ts';
import type { Grammar, SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function']);

function valueKind(node: SyntaxNode): 'function' | 'class' | 'constant' {
  const type = node.childForFieldName('value')?.type ?? '';
  if (FUNCTIONS.has(type)) return 'function';
  return type === 'class' ? 'class' : 'constant';
}

function unquoted(node: SyntaxNode | null): readonly string[] {
  return node === null ? [] : [node.text.slice(1, -1)];
}

const GRAMMAR: Omit<Grammar, 'wasm'> = {
  symbols: {
    class_declaration: { kind: 'class', isContainer: true },
    abstract_class_declaration: { kind: 'class', isContainer: true },
    interface_declaration: { kind: 'interface', isContainer: true },
    enum_declaration: { kind: 'enum' },
    type_alias_declaration: { kind: 'type' },
    internal_module: { kind: 'module', isContainer: true },
    module: { kind: 'module', isContainer: true },
    function_declaration: { kind: 'function' },
    generator_function_declaration: { kind: 'function' },
    function_signature: { kind: 'function' },
    method_definition: { kind: 'method' },
    method_signature: { kind: 'method' },
    abstract_method_signature: { kind: 'method' },
    public_field_definition: { kind: 'property', body: 'value' },
    field_definition: {
      kind: 'property',
      name: (node) => node.childForFieldName('property')?.text ?? null,
      body: 'value',
    },
    property_signature: { kind: 'property' },
    variable_declarator: { kind: valueKind, body: 'value' },
  },
  wrappers: new Set(
    wordList(
      'export_statement ambient_declaration expression_statement lexical_declaration variable_declaration',
    ),
  ),
  imports: {
    import_statement: (node) => unquoted(node.childForFieldName('source')),
    export_statement: (node) => unquoted(node.childForFieldName('source')),
  },
  comments: new Set(['comment']),
  decorations: new Set(['decorator']),
  isExported: ({ wrapper }) => wrapper === 'export_statement',
};

const RULES: ScanRules = {
  nesting: 'braces',
  lineComments: ['//'],
  fences: [blockComment('/*', '*/'), lineString('"'), lineString("'"), blockString('`')],
  doc: /^\s*\/\*\*/,
  keywords: new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'function', 'super', 'await', 'new']),
  imports: /^\s*(?:import|export)\b.*?\bfrom\s+['"](?<name>[^'"]+)['"]|^import\s+['"](?<bare>[^'"]+)['"]/,
  declarations: [
    {
      kind: 'class',
      isContainer: true,
      pattern:
        /^\s*(?<exported>export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/,
    },
    {
      kind: 'interface',
      isContainer: true,
      pattern: /^\s*(?<exported>export\s+)?(?:declare\s+)?interface\s+(?<name>[\w$]+)/,
    },
    {
      kind: 'enum',
      pattern: /^\s*(?<exported>export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+(?<name>[\w$]+)/,
    },
    {
      kind: 'type',
      pattern: /^\s*(?<exported>export\s+)?(?:declare\s+)?type\s+(?<name>[\w$]+)\s*(?:<.*>)?\s*=/,
    },
    {
      kind: 'module',
      isContainer: true,
      pattern: /^\s*(?<exported>export\s+)?(?:declare\s+)?(?:namespace|module)\s+(?<name>[\w$.]+)/,
    },
    {
      kind: 'function',
      pattern:
        /^\s*(?<exported>export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*(?<name>[\w$]+)/,
    },
    {
      kind: 'function',
      pattern:
        /^\s*(?<exported>export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\b[^=]*=\s*(?:async\s*)?(?:\([^)]*\)?|[\w$]+)\s*(?::[^=]+)?=>/,
    },
    {
      kind: 'constant',
      pattern: /^\s*(?<exported>export\s+)?(?:declare\s+)?(?:const|let|var)\s+(?<name>[\w$]+)/,
    },
    {
      kind: 'method',
      pattern:
        /^\s+(?:(?:public|private|protected|static|override|readonly|async|abstract|get|set)\s+)*\*?(?<name>#?[\w$]+)\s*(?:<[^>]*>)?\((?:[^;]*|.*\{.*\})$/,
    },
    {
      kind: 'property',
      pattern:
        /^\s+(?:(?:public|private|protected|static|override|readonly|declare)\s+)+(?<name>#?[\w$]+)\s*[?!:=;]/,
    },
  ],
};

function scan() {
  return scanCode(RULES);
}

export const typescript: Language = {
  name: 'TypeScript',
  extensions: ['ts', 'mts', 'cts'],
  interpreter: /\b(deno|bun|tsx|ts-node)\b/,
  grammar: { wasm: 'typescript', ...GRAMMAR },
  scan,
};

export const tsx: Language = { name: 'TSX', extensions: ['tsx'], grammar: { wasm: 'tsx', ...GRAMMAR }, scan };

export const javascript: Language = {
  name: 'JavaScript',
  extensions: ['js', 'mjs', 'cjs', 'jsx'],
  interpreter: /\bnode(js)?\b/,
  grammar: { wasm: 'javascript', ...GRAMMAR },
  scan,
};
