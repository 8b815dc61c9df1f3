/** Converts a syntax tree to an outline, by a table of the language. Skips function bodies; survives broken code. */

import type { SymbolKind } from '../../protocol/file-map.ts';
import { docWords } from './code-scanner.ts';
import { type OpenSymbol, type Outline, oneLine, SymbolList } from './outline.ts';

/** The required part of a node, as in tree-sitter. Offsets are UTF-16 code units of the source. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number };
  readonly endPosition: { readonly row: number; readonly column: number };
  readonly namedChildren: readonly (SyntaxNode | null)[];
  readonly hasError: boolean;
  readonly childForFieldName: (name: string) => SyntaxNode | null;
  readonly descendantsOfType: (types: string[]) => readonly (SyntaxNode | null)[];
}

export interface SymbolRule {
  readonly kind: SymbolKind | ((node: SyntaxNode) => SymbolKind);
  /** Default: the text of the field `name`. Null: this node is not a symbol after all. */
  readonly name?: (node: SyntaxNode) => string | null;
  /** The field that holds the body, or how to find it: the signature ends before it. Default: `body`. */
  readonly body?: string | ((node: SyntaxNode) => SyntaxNode | null);
  /** The name is enough. */
  readonly hasNoSignature?: boolean;
  /** A node in it that may be a separate symbol, beside this one. */
  readonly beside?: (node: SyntaxNode) => SyntaxNode | null;
  /** Symbols in the body are children. */
  readonly isContainer?: boolean | ((node: SyntaxNode) => boolean);
  /** It also counts inside a function's body, whatever its kind. */
  readonly isNested?: (node: SyntaxNode) => boolean;
}

export interface Grammar {
  /** The file name of the grammar. */
  readonly wasm: string;
  readonly symbols: Readonly<Record<string, SymbolRule>>;
  /** Nodes that only wrap a declaration (`export`, decorators): the symbol includes them. */
  readonly wrappers?: ReadonlySet<string>;
  /** Nodes whose children count as siblings of the node. */
  readonly through?: ReadonlySet<string>;
  /** Nodes with declarations deeper down: returns those whose children count at this level. */
  readonly enters?: Readonly<Record<string, (node: SyntaxNode) => readonly SyntaxNode[]>>;
  readonly imports?: Readonly<Record<string, (node: SyntaxNode) => readonly string[]>>;
  readonly comments?: ReadonlySet<string>;
  /** Functions and classes that also count inside a function's body; nothing else in it does. */
  readonly nested?: readonly string[];
  /** Nodes that belong to the previous symbol: a body beside its signature. */
  readonly afterSymbol?: ReadonlySet<string>;
  /** Nodes allowed between a comment and its declaration, and not part of a signature. */
  readonly decorations?: ReadonlySet<string>;
  readonly isExported?: (symbol: { name: string; text: string; wrapper: string }) => boolean;
  /** Documentation inside the declaration. */
  readonly innerDoc?: (node: SyntaxNode) => string | null;
  /** The source with only what counts; signatures are taken from it. Every character stays in its place. */
  readonly select?: (source: string) => string;
  /** The text to parse instead of the source, with every character in its place. */
  readonly prepare?: (source: string) => string;
  /** The same for a source with syntax errors: parsed once more, and used if that shows more. */
  readonly repair?: (source: string) => string;
  /** Adds facts to the outline that are not in the tree. */
  readonly finish?: (outline: Outline, source: string) => Outline;
}

/** For a source that the grammar does not understand completely. */
export const BROKEN = 'the file has syntax errors: parts of it may be missing here';
/** The deepest nested block that is examined. */
const MAX_DEPTH = 200;

/** The first child of one of these types. */
export function childOf(node: SyntaxNode, ...types: readonly string[]): SyntaxNode | null {
  return node.namedChildren.find((child) => child !== null && types.includes(child.type)) ?? null;
}

/** A name that is the first child of one of these types. */
export const nameIn =
  (...types: readonly string[]) =>
  (node: SyntaxNode): string | null =>
    childOf(node, ...types)?.text ?? null;

/** The outline of a parsed source. */
export function outlineOfTree(root: SyntaxNode, source: string, grammar: Grammar): Outline {
  const walk = new Walk(source, grammar);
  walk.children(root, undefined);
  const broken = root.hasError ? [BROKEN] : [];
  const outline: Outline = {
    symbols: walk.list.symbols,
    imports: [...walk.imports],
    notes: [...broken, ...walk.list.notes()],
  };
  return grammar.finish?.(outline, source) ?? outline;
}

/** A function in one of these is not a method. */
const HOLDS_FUNCTIONS: ReadonlySet<SymbolKind> = new Set(['module', 'function', 'method']);
/** The kinds of a body's symbols that are worth a line: no variables. */
const NESTED_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'function',
  'method',
]);

interface Found {
  readonly node: SyntaxNode;
  readonly outer: SyntaxNode;
  /** Type of the outermost wrapper, even if it wraps several declarations. */
  readonly wrapper: string;
  readonly parent: OpenSymbol | undefined;
  readonly doc: string | null;
}

class Walk {
  readonly list = new SymbolList();
  readonly imports = new Set<string>();
  readonly #source: string;
  readonly #grammar: Grammar;
  #depth = 0;

  constructor(source: string, grammar: Grammar) {
    this.#source = source;
    this.#grammar = grammar;
  }

  children(node: SyntaxNode, parent: OpenSymbol | undefined): void {
    if (this.#depth >= MAX_DEPTH) return;
    this.#depth++;
    this.#childrenOf(node, parent);
    this.#depth--;
  }

  #childrenOf(node: SyntaxNode, parent: OpenSymbol | undefined): void {
    const { comments, decorations, afterSymbol } = this.#grammar;
    let run: { first: SyntaxNode; lastRow: number } | null = null;
    for (const child of node.namedChildren) {
      if (child === null) continue;
      if (decorations?.has(child.type)) {
        if (run !== null && run.lastRow >= child.startPosition.row - 1) run.lastRow = lastRow(child);
        continue;
      }
      if (afterSymbol?.has(child.type)) {
        const last = this.list.last;
        if (last !== undefined) last.endLine = Math.max(last.endLine, lastRow(child) + 1);
        continue;
      }
      const { row } = child.startPosition;
      if (comments?.has(child.type)) {
        run = { first: run !== null && run.lastRow >= row - 1 ? run.first : child, lastRow: lastRow(child) };
        continue;
      }
      const doc = run !== null && run.lastRow >= row - 1 ? firstWords(run.first.text) : null;
      run = null;
      this.#visit({ node: child, outer: child, wrapper: child.type, parent, doc });
    }
  }

  #visit(found: Found): void {
    const { node, parent } = found;
    const { symbols, wrappers, through, enters, imports } = this.#grammar;
    for (const name of imports?.[node.type]?.(node) ?? []) this.imports.add(name);
    const rule = symbols[node.type];
    if (rule !== undefined) this.#declare(found, rule);
    else if (enters?.[node.type] !== undefined)
      for (const inner of enters[node.type]?.(node) ?? []) this.children(inner, parent);
    else if (wrappers?.has(node.type)) this.#unwrap(found);
    else if (through?.has(node.type) || node.type === 'ERROR') this.children(node, parent);
  }

  #unwrap(found: Found): void {
    const inner = found.node.namedChildren.filter((child) => child !== null && this.#leadsOn(child.type));
    for (const node of inner) {
      if (node !== null) this.#visit({ ...found, node, outer: inner.length === 1 ? found.outer : node });
    }
  }

  #leadsOn(type: string): boolean {
    const { symbols, wrappers, through, enters = {} } = this.#grammar;
    return type in symbols || type in enters || wrappers?.has(type) || through?.has(type) || false;
  }

  #declare(found: Found, rule: SymbolRule): void {
    const { node, outer, parent } = found;
    const name = rule.name === undefined ? node.childForFieldName('name')?.text : rule.name(node);
    const body = bodyOf(node, rule);
    const beside = rule.beside?.(node) ?? null;
    if (beside !== null)
      this.#visit({ node: beside, outer: beside, wrapper: beside.type, parent, doc: found.doc });
    const isContainer = typeof rule.isContainer === 'function' ? rule.isContainer(node) : rule.isContainer;
    if (name === undefined || name === null || name === '') {
      if (isContainer && body !== null) this.children(body, parent);
      else if (rule.kind === 'function' && body !== null) this.#nested(body, parent);
      return;
    }
    const kind = typeof rule.kind === 'function' ? rule.kind(node) : rule.kind;
    const doc = found.doc ?? this.#grammar.innerDoc?.(node) ?? null;
    const signature = signatureOf(
      this.#source.slice(this.#signatureStart(outer), body?.startIndex ?? node.endIndex),
    );
    const symbol: OpenSymbol = {
      name: oneLine(name),
      kind:
        kind === 'function' && parent !== undefined && !HOLDS_FUNCTIONS.has(parent.kind) ? 'method' : kind,
      startLine: outer.startPosition.row + 1,
      endLine: lastRow(outer) + 1,
      ...(rule.hasNoSignature ? {} : { signature }),
      ...(doc === null || doc === '' ? {} : { doc }),
      ...(this.#grammar.isExported?.({ name, text: signature, wrapper: found.wrapper })
        ? { isExported: true }
        : {}),
    };
    this.list.add(symbol, parent);
    if (body === null) return;
    if (isContainer) this.children(body, symbol);
    else if (kind === 'function' || kind === 'method') this.#nested(body, symbol);
  }

  /** Declares the symbols that count inside a body; each of these does the same with its own body. */
  #nested(body: SyntaxNode, parent: OpenSymbol | undefined): void {
    const { nested = [], symbols } = this.#grammar;
    if (nested.length === 0 || this.#depth >= MAX_DEPTH) return;
    this.#depth++;
    let declaredTo = 0;
    for (const node of body.descendantsOfType([...nested])) {
      const rule = node === null ? undefined : symbols[node.type];
      if (node === null || rule === undefined || node.startIndex < declaredTo) continue;
      const kind = typeof rule.kind === 'function' ? rule.kind(node) : rule.kind;
      if (!NESTED_KINDS.has(kind) && rule.isNested?.(node) !== true) continue;
      this.#declare({ node, outer: node, wrapper: node.type, parent, doc: null }, rule);
      declaredTo = node.endIndex;
    }
    this.#depth--;
  }

  /** After the decorators, which have separate lines. */
  #signatureStart(outer: SyntaxNode): number {
    const { decorations } = this.#grammar;
    let start = outer.startIndex;
    const [first] = outer.namedChildren;
    const before = first?.type === 'modifiers' ? first.namedChildren : outer.namedChildren;
    for (const child of before) {
      if (child === null || !decorations?.has(child.type)) break;
      start = child.endIndex;
      // The parser may not have seen the arguments.
      GIVEN.lastIndex = start;
      if (GIVEN.test(this.#source)) start = GIVEN.lastIndex;
    }
    return start;
  }
}

const GIVEN = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/y;

const signatureOf = (text: string): string => oneLine(text).replace(/\s*([{:;=]|=>)$/, '');

function bodyOf(node: SyntaxNode, { body = 'body' }: SymbolRule): SyntaxNode | null {
  return typeof body === 'string' ? node.childForFieldName(body) : body(node);
}

/** A node that ends with its line feed reports column 0 of the next row. */
function lastRow(node: SyntaxNode): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

function firstWords(comment: string): string | null {
  for (const line of comment.split('\n')) {
    const words = docWords(line);
    if (words !== '') return words;
  }
  return null;
}
