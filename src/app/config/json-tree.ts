/** Parses JSONC into a tree with source positions. The only file that uses the parser library. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export interface Position {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** One `"name": value` of an object. */
export interface Property {
  readonly name: string;
  readonly value: unknown;
  readonly nameOffset: number;
  readonly valueNode: Node;
}

export interface JsonTree {
  readonly root: Node | null;
  readonly syntaxErrors: readonly { readonly offset: number; readonly what: string }[];
}

/** Parses as much as possible and lists the errors. Comments and trailing commas are allowed. */
export function readTree(text: string): JsonTree {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const syntaxErrors = errors.map(({ offset, error }) => ({
    offset,
    what: inWords(printParseErrorCode(error)),
  }));
  return { root: root ?? null, syntaxErrors };
}

/** `CommaExpected` → `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** The properties of an object in source order, duplicates included; null if it is not an object. */
export function propertiesOf(node: Node | null): readonly Property[] | null {
  if (node?.type !== 'object') return null;
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined) return [];
    return [
      { name: String(name.value), value: plainValue(value), nameOffset: name.offset, valueNode: value },
    ];
  });
}

/** The value of a node. `__proto__` becomes an ordinary own property. */
function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  const entries = propertiesOf(node) ?? [];
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

/** Line and column of an offset; CR LF counts as one line break. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}
