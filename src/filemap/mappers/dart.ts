/** Dart. A body is beside its signature, not in it. */
import { childOf, nameIn, type SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const body = (node: SyntaxNode) => childOf(node, 'class_body', 'extension_body', 'enum_body');

export const dart: Language = {
  name: 'Dart',
  extensions: ['dart'],
  interpreter: /\bdart\b/,
  grammar: {
    wasm: 'dart',
    symbols: {
      class_definition: { kind: 'class', body, isContainer: true },
      mixin_declaration: { kind: 'class', name: nameIn('identifier'), body, isContainer: true },
      extension_declaration: { kind: 'class', body, isContainer: true },
      enum_declaration: { kind: 'enum', body, isContainer: true },
      enum_constant: { kind: 'constant' },
      function_signature: { kind: 'function' },
      getter_signature: { kind: 'method' },
      setter_signature: { kind: 'method' },
      operator_signature: {
        kind: 'method',
        name: (node) => `operator ${childOf(node, 'binary_operator')?.text ?? ''}`,
      },
      constructor_signature: { kind: 'method' },
      factory_constructor_signature: { kind: 'method', name: nameIn('identifier') },
      constant_constructor_signature: { kind: 'method', name: nameIn('identifier', 'qualified') },
      static_final_declaration: { kind: 'constant', name: nameIn('identifier') },
      initialized_identifier: {
        kind: 'property',
        name: (node) => childOf(node, 'identifier')?.text ?? node.text,
      },
      type_alias: { kind: 'type', name: nameIn('type_identifier') },
    },
    through: new Set([
      'declaration',
      'method_signature',
      'initialized_identifier_list',
      'static_final_declaration_list',
    ]),
    afterSymbol: new Set(['function_body']),
    imports: { import_or_export: (node) => [/['"]([^'"]+)['"]/.exec(node.text)?.[1] ?? ''] },
    comments: new Set(['comment', 'documentation_comment']),
    decorations: new Set(['annotation', 'marker_annotation']),
  },
};
