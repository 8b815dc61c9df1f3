/** TypeScript and JavaScript, JSX included. One table serves all grammars: JavaScript's nodes are a subset. */
import { wordList } from '../../lib/word-list.ts';
import { type ScanRules, scanCode } from '../core/code-scanner.ts';
import { blockComment, blockString, lineString } from '../core/mask.ts';
import type { Grammar, SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function']);

/** Without parentheses and calls on it: `(function () {…})()` is the function. */
function core(node: SyntaxNode | null): SyntaxNode | null {
  let at = node;
  for (let steps = 0; at !== null && steps < MAX_WRAPS; steps += 1) {
    if (at.type === 'parenthesized_expression' || at.type === 'unary_expression')
      at = at.namedChildren.find((child) => child !== null && child.type !== 'comment') ?? null;
    else if (at.type === 'call_expression') at = calledFunction(at);
    else if (at.type === 'assignment_expression') at = at.childForFieldName('right');
    else return at;
  }
  return at;
}

/** The called function; `(function () {…}).call(this)` also calls it. */
function calledFunction(call: SyntaxNode): SyntaxNode | null {
  const called = call.childForFieldName('function');
  const property = called?.type === 'member_expression' ? called.childForFieldName('property')?.text : null;
  return property === 'call' || property === 'apply' ? (called?.childForFieldName('object') ?? null) : called;
}

/** How deep a function may be wrapped: `!(((function () {})))()`. */
const MAX_WRAPS = 8;

const isFunction = (node: SyntaxNode | null) => FUNCTIONS.has(node?.type ?? '');

/** A function that is called where it is defined: its declarations count here. */
function calledBody(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.type !== 'call_expression' && node?.type !== 'unary_expression') return null;
  const inner = core(node);
  return isFunction(inner) ? (inner?.childForFieldName('body') ?? null) : null;
}

/** The declared or assigned value, the last one for `a = b = function () {}`. */
function valueIn(node: SyntaxNode): SyntaxNode | null {
  let value = node.childForFieldName('value') ?? node.childForFieldName('right');
  while (value?.type === 'assignment_expression') value = value.childForFieldName('right');
  return value;
}

function valueKind(node: SyntaxNode): 'function' | 'class' | 'constant' {
  const value = valueIn(node);
  if (isFunction(value)) return 'function';
  return value?.type === 'class' ? 'class' : 'constant';
}

/** Where the signature ends: before the body of a function or a class, or before any other value. */
function valueBody(node: SyntaxNode): SyntaxNode | null {
  const value = valueIn(node);
  return calledBody(value) ?? value?.childForFieldName('body') ?? value;
}

function hasMembers(node: SyntaxNode): boolean {
  const value = valueIn(node);
  return (
    value?.type === 'class' || value?.type === 'object' || isBundled(value) || calledBody(value) !== null
  );
}

/** `{1: [function (require, module) {…}, {}]}`: the modules of a bundle. */
function isBundled(value: SyntaxNode | null): boolean {
  return value?.type === 'array' && value.namedChildren.some(isFunction);
}

const ASSIGNED = new Set(['identifier', 'member_expression', 'subscript_expression']);

/** `exports.parse = function …`, `res.send = …`, `module.exports = {…}`: worth a line if it contains code. */
function assignedName(node: SyntaxNode): string | null {
  const left = node.childForFieldName('left');
  if (left === null || !ASSIGNED.has(left.type) || !(isFunction(valueIn(node)) || hasMembers(node)))
    return null;
  return left.text;
}

/** Only an object's functions, and objects that contain some. */
function memberName(node: SyntaxNode): string | null {
  const value = node.childForFieldName('value');
  if (!isFunction(value) && !holdsFunctions(value)) return null;
  return node.childForFieldName('key')?.text.replace(/^['"]|['"]$/g, '') ?? null;
}

function holdsFunctions(object: SyntaxNode | null): boolean {
  if (object?.type !== 'object') return false;
  return object.namedChildren.some(
    (member) =>
      member?.type === 'method_definition' || isFunction(member?.childForFieldName('value') ?? null),
  );
}

const holdsMethods = (node: SyntaxNode) => holdsFunctions(valueIn(node));

/** The bodies of an immediately called function and of functions passed to it; objects passed to any call. */
function calledParts(node: SyntaxNode): readonly SyntaxNode[] {
  const body = calledBody(node);
  const given = node.childForFieldName('arguments');
  const handed = (given?.namedChildren ?? []).filter((child) => child !== null);
  // In a call: objects with functions, and named functions.
  if (body === null) return given === null ? [] : [given];
  const looked = handed
    .map(core)
    .map((child) => (isFunction(child) ? (child?.childForFieldName('body') ?? null) : child));
  return [
    body,
    ...looked.filter((child) => child?.type === 'statement_block' || child?.type === 'object'),
  ].filter((child) => child !== null);
}

function unquoted(node: SyntaxNode | null): readonly string[] {
  return node === null ? [] : [node.text.slice(1, -1)];
}

/** The common part of TypeScript, TSX and JavaScript. */
export const SCRIPT_GRAMMAR: Omit<Grammar, 'wasm'> = {
  symbols: {
    class_declaration: { kind: 'class', isContainer: true },
    abstract_class_declaration: { kind: 'class', isContainer: true },
    interface_declaration: { kind: 'interface', isContainer: true },
    enum_declaration: { kind: 'enum' },
    type_alias_declaration: { kind: 'type' },
    internal_module: { kind: 'module', isContainer: true },
    module: { kind: 'module', isContainer: true },
    function_declaration: { kind: 'function' },
    function_expression: { kind: 'function' },
    // It has no name, but its contents may.
    arrow_function: { kind: 'function', name: () => null },
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
    variable_declarator: {
      kind: valueKind,
      body: valueBody,
      isContainer: hasMembers,
      isNested: holdsMethods,
    },
    assignment_expression: {
      kind: valueKind,
      name: assignedName,
      body: valueBody,
      isContainer: hasMembers,
      isNested: holdsMethods,
    },
    pair: {
      kind: (node) => (isFunction(valueIn(node)) ? 'method' : 'property'),
      name: memberName,
      body: valueBody,
      isContainer: hasMembers,
    },
  },
  wrappers: new Set(
    wordList(
      'export_statement ambient_declaration expression_statement lexical_declaration variable_declaration return_statement',
    ),
  ),
  through: new Set(['object', 'statement_block', 'parenthesized_expression']),
  nested: wordList(`
    function_declaration generator_function_declaration function_expression class_declaration variable_declarator
    assignment_expression interface_declaration
  `),
  enters: {
    call_expression: calledParts,
    unary_expression: calledParts,
  },
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

const scan = () => scanCode(RULES);

export const typescript: Language = {
  name: 'TypeScript',
  extensions: ['ts', 'mts', 'cts'],
  interpreter: /\b(deno|bun|tsx|ts-node)\b/,
  grammar: { wasm: 'typescript', ...SCRIPT_GRAMMAR },
  scan,
};

export const tsx: Language = {
  name: 'TSX',
  extensions: ['tsx'],
  grammar: { wasm: 'tsx', ...SCRIPT_GRAMMAR },
  scan,
};

export const javascript: Language = {
  name: 'JavaScript',
  extensions: ['js', 'mjs', 'cjs', 'jsx'],
  interpreter: /\bnode(js)?\b/,
  grammar: { wasm: 'javascript', ...SCRIPT_GRAMMAR },
  scan,
};
