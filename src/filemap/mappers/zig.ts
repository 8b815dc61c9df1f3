/** Zig. A type is the value of a constant. */
import { childOf, nameIn, type SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const TYPES = {
  struct_declaration: 'struct',
  enum_declaration: 'enum',
  union_declaration: 'struct',
  opaque_declaration: 'struct',
} as const;

const typeOf = (node: SyntaxNode) => childOf(node, ...Object.keys(TYPES), 'error_set_declaration');

export const zig: Language = {
  name: 'Zig',
  extensions: ['zig', 'zon'],
  grammar: {
    wasm: 'zig',
    symbols: {
      function_declaration: { kind: 'function' },
      variable_declaration: {
        kind: (node) =>
          TYPES[typeOf(node)?.type as keyof typeof TYPES] ??
          (/\bconst\s/.test(node.text) ? 'constant' : 'variable'),
        name: nameIn('identifier'),
        body: typeOf,
        isContainer: true,
      },
      container_field: { kind: 'property' },
      test_declaration: {
        kind: 'block',
        name: (node) => `test ${childOf(node, 'string', 'identifier')?.text ?? ''}`,
      },
    },
    imports: {},
    comments: new Set(['comment']),
    isExported: ({ text }) => /^pub\s/.test(text),
  },
};
