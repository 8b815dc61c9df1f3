/** The outline of code by its lines, for large files and languages without a parser; ends by braces or indentation. */
import type { SymbolKind } from '../../protocol/file-map.ts';
import { Masker, type MaskRules } from './mask.ts';
import { type LineMapper, type OpenSymbol, type Outline, oneLine, SymbolList } from './outline.ts';

export interface Declaration {
  readonly kind: SymbolKind;
  /** Matches a line without strings and comments; group `name` is the symbol, group `exported` marks it as exported. */
  readonly pattern: RegExp;
  /** Declarations inside it are its children. */
  readonly isContainer?: boolean;
  /** Ends with its line. */
  readonly isOneLine?: boolean;
}

export interface ScanRules extends MaskRules {
  readonly nesting: 'braces' | 'indent';
  /** The first match wins. */
  readonly declarations: readonly Declaration[];
  /** The first matching group is the import. */
  readonly imports?: RegExp;
  /** Documentation before a declaration: matches the start of such a line. */
  readonly doc?: RegExp;
  /** Matches the start of a multi-line text; its first group is the line that ends it. */
  readonly heredoc?: RegExp;
  /** Names that a pattern mistakes for a declaration (`if`, `while`). */
  readonly keywords?: ReadonlySet<string>;
}

/** Longer lines are generated or data, and are not searched for declarations. */
const MAX_LINE_CHARS = 2_000;
const MAX_IMPORTS = 200;
/** A parenthesis that is open for longer is none of parameters. */
const HEAD_MAX_LINES = 40;

/** A mapper of one file by its lines. */
export function scanCode(rules: ScanRules): LineMapper {
  const scanner = new CodeScanner(rules);
  return { push: (line, number) => scanner.push(line, number), end: (total) => scanner.end(total) };
}

interface Frame {
  readonly symbol: OpenSymbol;
  /** Brace depth or indentation at the declaration. */
  readonly level: number;
  readonly isContainer: boolean;
  isOpened: boolean;
  /** Parentheses of its parameters that are open, and the line in which the last was closed. */
  parens: number;
  headLine: number;
}

const CLOSERS = /^(end\b|[}\])])/;

class CodeScanner {
  readonly #rules: ScanRules;
  readonly #masker: Masker;
  readonly #list = new SymbolList();
  readonly #imports = new Set<string>();
  readonly #stack: Frame[] = [];
  #depth = 0;
  #lastCodeLine = 0;
  #doc: string | null = null;
  #heredocEnd: string | null = null;

  constructor(rules: ScanRules) {
    this.#rules = rules;
    this.#masker = new Masker(rules);
  }

  push(line: string, number: number): void {
    if (this.#heredocEnd !== null) {
      if (line.trim() === this.#heredocEnd) this.#heredocEnd = null;
      this.#lastCodeLine = number;
      return;
    }
    const { inside } = this.#masker;
    const code = this.#masker.mask(line).trimEnd();
    const trimmed = code.trimStart();
    if (trimmed === '') {
      if (inside === 'string') this.#lastCodeLine = number;
      else this.#noteDoc(line, inside === 'comment');
      return;
    }
    const level = this.#rules.nesting === 'braces' ? this.#depth : code.length - trimmed.length;
    // The rest of a string's last line has the depth of the string's start, not of its own indentation.
    if (inside === 'code') {
      if (this.#rules.nesting === 'indent') this.#closeByIndent(level, trimmed, number);
      if (line.length <= MAX_LINE_CHARS) this.#look({ line, code, level, number });
    }
    this.#doc = null;
    this.#lastCodeLine = number;
    if (this.#rules.nesting === 'braces') this.#countBraces(code, number);
    this.#heredocEnd = (code.includes('<<') ? this.#rules.heredoc?.exec(line)?.[1] : undefined) ?? null;
  }

  end(totalLines: number): Outline {
    const last = Math.min(this.#lastCodeLine, totalLines);
    for (const { symbol } of this.#stack) symbol.endLine = Math.max(symbol.endLine, last);
    return { symbols: this.#list.symbols, imports: [...this.#imports], notes: this.#list.notes() };
  }

  #look(found: { line: string; code: string; level: number; number: number }): void {
    const { line, code, level, number } = found;
    const imported = Object.values(this.#rules.imports?.exec(line)?.groups ?? {}).find(
      (name) => name !== undefined,
    );
    if (imported !== undefined && this.#imports.size < MAX_IMPORTS) this.#imports.add(imported);
    const parent = this.#stack.at(-1);
    if (parent !== undefined && !parent.isContainer) return;
    if (this.#rules.nesting === 'braces' && level !== (parent === undefined ? 0 : parent.level + 1)) return;
    for (const declaration of this.#rules.declarations) {
      const groups = declaration.pattern.exec(code)?.groups;
      if (groups?.name === undefined || this.#rules.keywords?.has(groups.name)) continue;
      const symbol: OpenSymbol = {
        name: groups.name.trim(),
        kind:
          declaration.kind === 'function' && parent !== undefined && parent.symbol.kind !== 'module'
            ? 'method'
            : declaration.kind,
        startLine: number,
        endLine: number,
        signature: oneLine(line).replace(/\s*[{:]$/, ''),
        ...(this.#doc === null ? {} : { doc: this.#doc }),
        ...(groups.exported === undefined ? {} : { isExported: true }),
      };
      this.#list.add(symbol, parent?.symbol);
      if (declaration.isOneLine) return;
      const isContainer = declaration.isContainer ?? false;
      this.#stack.push({ symbol, level, isContainer, isOpened: false, parens: 0, headLine: number });
      return;
    }
  }

  #countBraces(code: string, number: number): void {
    for (const char of code) {
      if (char === '{') {
        this.#depth++;
        const top = this.#stack.at(-1);
        if (top !== undefined && this.#depth === top.level + 1) top.isOpened = true;
      } else if (char === '}') {
        this.#depth = Math.max(0, this.#depth - 1);
        for (
          let top = this.#stack.at(-1);
          top !== undefined && top.level >= this.#depth;
          top = this.#stack.at(-1)
        ) {
          top.symbol.endLine = number;
          this.#stack.pop();
        }
      }
    }
    const top = this.#stack.at(-1);
    if (top === undefined || top.isOpened || this.#depth !== top.level) return;
    if (this.#isInHead(top, code, number)) return;
    // A declaration without a body ends with its statement.
    const isOver = /[;,]$/.test(code) || number > top.headLine || !/[({[=<|&+,]$/.test(code);
    if (!isOver) return;
    // `function f(a)` with its brace on the next line has not ended yet.
    if (number === top.headLine && /\)\s*(\S+\s*)*$/.test(code) && !/[;}]$/.test(code)) return;
    top.symbol.endLine = number;
    this.#stack.pop();
  }

  /** Whether its parameters go on in the next line. */
  #isInHead(frame: Frame, code: string, number: number): boolean {
    if (number - frame.symbol.startLine > HEAD_MAX_LINES) return false;
    const wasOpen = frame.parens > 0;
    for (const char of code) frame.parens += char === '(' ? 1 : char === ')' ? -1 : 0;
    if (wasOpen) frame.headLine = number;
    return frame.parens > 0;
  }

  #closeByIndent(indent: number, trimmed: string, number: number): void {
    for (let top = this.#stack.at(-1); top !== undefined && top.level >= indent; top = this.#stack.at(-1)) {
      const closes = top.level === indent && CLOSERS.test(trimmed);
      top.symbol.endLine = closes ? number : Math.max(top.symbol.endLine, this.#lastCodeLine);
      this.#stack.pop();
      if (closes) return;
    }
  }

  /** The first words of the comment right before a declaration. */
  #noteDoc(line: string, startsInside: boolean): void {
    if (line.trim() === '') {
      this.#doc = null;
      return;
    }
    const words = docWords(line);
    if (words === '' || !(startsInside || this.#rules.doc?.test(line))) return;
    if (!startsInside && !/^\s*(\/\*|--\[)/.test(line) && this.#doc !== null) return;
    this.#doc ??= words;
  }
}

const COMMENT_START = /^\s*(\/\*+!?|\*+\/?|\/{2,}!?|#+!?|-{2,}(\[=*\[)?|"{3}|'{3}|;+)?\s?/;
const COMMENT_END = /(\*\/|"{3}|'{3}|\]=*\])\s*$/;
const DOC_TAGS = /<\/?(summary|remarks|para)>/g;

/** A comment that is an order to the compiler or a linter of Go. */
const GO_DIRECTIVE = /^\s*\/\/(?:[a-z]+:[a-z]|export |line | \+build )/;

/** A line of a comment without its comment marks. */
export function docWords(line: string): string {
  if (GO_DIRECTIVE.test(line)) return '';
  return oneLine(line.replace(COMMENT_START, '').replace(COMMENT_END, '').replace(DOC_TAGS, ''));
}
