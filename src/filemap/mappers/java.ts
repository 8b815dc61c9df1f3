/** Java. */
import { scanCode } from '../core/code-scanner.ts';
import { blockString, lineString, slashCode } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function fieldName(node: SyntaxNode): string | null {
  return node.childForFieldName('declarator')?.childForFieldName('name')?.text ?? null;
}

export const java: Language = {
  name: 'Java',
  extensions: ['java'],
  grammar: {
    wasm: 'java',
    symbols: {
      class_declaration: { kind: 'class', isContainer: true },
      record_declaration: { kind: 'class', isContainer: true },
      interface_declaration: { kind: 'interface', isContainer: true },
      annotation_type_declaration: { kind: 'interface', isContainer: true },
      enum_declaration: { kind: 'enum', isContainer: true },
      method_declaration: { kind: 'method' },
      constructor_declaration: { kind: 'method' },
      annotation_type_element_declaration: { kind: 'method' },
      field_declaration: { kind: 'property', name: fieldName },
      constant_declaration: { kind: 'constant', name: fieldName },
    },
    through: new Set(['enum_body_declarations']),
    imports: { import_declaration: (node) => [node.text.replace(/^import\s+|;$/g, '')] },
    comments: new Set(['block_comment', 'line_comment']),
    isExported: ({ text }) => /(^|\s)public\s/.test(text),
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      ...slashCode(blockString('"""'), lineString('"')),
      doc: /^\s*\/\*\*/,
      keywords: new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'new', 'synchronized', 'else']),
      imports: /^import\s+(?<name>[\w.* ]+);/,
      declarations: [
        {
          kind: 'class',
          isContainer: true,
          pattern:
            /^\s*(?:@\w+\s+)*(?:(?<exported>public)\s+)?(?:(?:protected|private|static|final|abstract|sealed|non-sealed)\s+)*(?:class|record)\s+(?<name>\w+)/,
        },
        {
          kind: 'interface',
          isContainer: true,
          pattern:
            /^\s*(?:@\w+\s+)*(?:(?<exported>public)\s+)?(?:(?:protected|private|static|sealed)\s+)*@?interface\s+(?<name>\w+)/,
        },
        {
          kind: 'enum',
          isContainer: true,
          pattern: /^\s*(?:(?<exported>public)\s+)?(?:(?:protected|private|static)\s+)*enum\s+(?<name>\w+)/,
        },
        {
          kind: 'method',
          pattern:
            /^\s+(?:@\w+\s+)*(?:(?<exported>public)\s+)?(?:(?:protected|private|static|final|abstract|synchronized|native|default)\s+)*(?:<[^>]+>\s+)?(?:[\w.<>,?[\]]+\s+)?(?<name>\w+)\s*\([^;=]*(?:[{,)}]|throws.*)$/,
        },
      ],
    }),
};
