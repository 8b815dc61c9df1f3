/** Swift. Classes, structures, enumerations and extensions are one node of its grammar. */
import { childOf, type SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const WORDS = { struct: 'struct', enum: 'enum', actor: 'class', extension: 'class', class: 'class' } as const;

function kindOf({ text }: SyntaxNode) {
  const word = /\b(struct|enum|actor|extension|class)\b/.exec(text)?.[1] as keyof typeof WORDS | undefined;
  return WORDS[word ?? 'class'];
}

export const swift: Language = {
  name: 'Swift',
  extensions: ['swift'],
  interpreter: /\bswift\b/,
  grammar: {
    wasm: 'swift',
    symbols: {
      class_declaration: { kind: kindOf, isContainer: true },
      protocol_declaration: { kind: 'interface', isContainer: true },
      function_declaration: { kind: 'function' },
      protocol_function_declaration: { kind: 'method' },
      init_declaration: { kind: 'method', name: () => 'init' },
      deinit_declaration: { kind: 'method', name: () => 'deinit' },
      subscript_declaration: { kind: 'method', name: () => 'subscript' },
      property_declaration: {
        kind: 'property',
        body: (node) => node.childForFieldName('computed_value') ?? node.childForFieldName('value'),
      },
      protocol_property_declaration: { kind: 'property' },
      enum_entry: { kind: 'constant' },
      typealias_declaration: { kind: 'type' },
      associatedtype_declaration: { kind: 'type' },
    },
    imports: { import_declaration: (node) => [childOf(node, 'identifier')?.text ?? ''] },
    comments: new Set(['comment', 'multiline_comment']),
    isExported: ({ text }) => /(^|\s)(public|open)\s/.test(text),
  },
};
