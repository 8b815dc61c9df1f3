/** Scala, 2 and 3. */
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const pattern = (node: SyntaxNode) => node.childForFieldName('pattern')?.text ?? null;

export const scala: Language = {
  name: 'Scala',
  extensions: ['scala', 'sc', 'sbt'],
  grammar: {
    wasm: 'scala',
    symbols: {
      package_object: { kind: 'module', isContainer: true },
      class_definition: { kind: 'class', isContainer: true },
      object_definition: { kind: 'class', isContainer: true },
      trait_definition: { kind: 'trait', isContainer: true },
      enum_definition: { kind: 'enum', isContainer: true },
      function_definition: { kind: 'function' },
      function_declaration: { kind: 'function' },
      val_definition: { kind: 'constant', name: pattern, body: 'value' },
      val_declaration: { kind: 'constant' },
      var_definition: { kind: 'variable', name: pattern, body: 'value' },
      var_declaration: { kind: 'variable' },
      given_definition: { kind: 'constant' },
      type_definition: { kind: 'type' },
      simple_enum_case: { kind: 'constant' },
      full_enum_case: { kind: 'class' },
    },
    through: new Set(['package_clause', 'template_body', 'enum_case_definitions', 'extension_definition']),
    imports: { import_declaration: (node) => [node.text.replace(/^import\s+/, '')] },
    comments: new Set(['comment', 'block_comment']),
    decorations: new Set(['annotation']),
  },
};
