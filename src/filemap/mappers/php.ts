/** PHP. */
import { scanCode } from '../core/code-scanner.ts';
import { blockComment, blockString } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function firstElement(node: SyntaxNode): string | null {
  const element = node.namedChildren.find((child) => /_element$/.test(child?.type ?? ''));
  return element?.namedChildren[0]?.text ?? null;
}

export const php: Language = {
  name: 'PHP',
  extensions: ['php', 'phtml'],
  interpreter: /\bphp\b/,
  grammar: {
    wasm: 'php',
    symbols: {
      namespace_definition: { kind: 'module', isContainer: true },
      class_declaration: { kind: 'class', isContainer: true },
      interface_declaration: { kind: 'interface', isContainer: true },
      trait_declaration: { kind: 'trait', isContainer: true },
      enum_declaration: { kind: 'enum', isContainer: true },
      function_definition: { kind: 'function' },
      method_declaration: { kind: 'method' },
      const_declaration: { kind: 'constant', name: firstElement },
      property_declaration: { kind: 'property', name: firstElement },
      enum_case: { kind: 'constant' },
    },
    through: new Set(['if_statement', 'compound_statement']),
    nested: ['method_declaration', 'function_definition', 'class_declaration'],
    imports: { namespace_use_declaration: (node) => [node.text.replace(/^use\s+|;$/g, '')] },
    comments: new Set(['comment']),
    decorations: new Set(['attribute_list']),
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      lineComments: ['//', '#'],
      fences: [blockComment('/*', '*/'), blockString('"'), blockString("'")],
      doc: /^\s*\/\*\*/,
      heredoc: /(?<!<)<<<(?!<)\s*["']?(\w+)/,
      imports: /^use\s+(?<name>[\w\\]+)/,
      declarations: [
        {
          kind: 'class',
          isContainer: true,
          pattern: /^\s*(?:(?:abstract|final|readonly)\s+)*class\s+(?<name>\w+)/,
        },
        { kind: 'interface', isContainer: true, pattern: /^\s*interface\s+(?<name>\w+)/ },
        { kind: 'trait', isContainer: true, pattern: /^\s*trait\s+(?<name>\w+)/ },
        { kind: 'enum', isContainer: true, pattern: /^\s*enum\s+(?<name>\w+)/ },
        {
          kind: 'function',
          pattern: /^\s*(?:(?:public|private|protected|static|abstract|final)\s+)*function\s+&?(?<name>\w+)/,
        },
      ],
    }),
};
