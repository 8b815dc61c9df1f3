/** Python. Documentation is the string at the start of a body. */
import { docWords, scanCode } from '../core/code-scanner.ts';
import { blockString, lineString } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function docstring(node: SyntaxNode): string | null {
  const first = node.childForFieldName('body')?.namedChildren[0];
  const text = first?.type === 'expression_statement' ? first.namedChildren[0] : null;
  if (text?.type !== 'string') return null;
  const words = text.text
    .replace(/^[a-zA-Z]*/, '')
    .split('\n')
    .map(docWords)
    .find((line) => line !== '');
  return words === undefined ? null : words.replace(/^["']|["']$/g, '');
}

function assigned(node: SyntaxNode): string | null {
  const left = node.childForFieldName('left');
  return left?.type === 'identifier' ? left.text : null;
}

function dottedNames(node: SyntaxNode): readonly string[] {
  return node.namedChildren.flatMap((child) => {
    if (child?.type === 'aliased_import') return [child.childForFieldName('name')?.text ?? ''];
    return child?.type === 'dotted_name' ? [child.text] : [];
  });
}

export const python: Language = {
  name: 'Python',
  extensions: ['py', 'pyi', 'pyw'],
  interpreter: /\bpython[\d.]*\b/,
  grammar: {
    wasm: 'python',
    symbols: {
      class_definition: { kind: 'class', isContainer: true },
      function_definition: { kind: 'function' },
      type_alias_statement: {
        kind: 'type',
        name: (node) => node.childForFieldName('left')?.text ?? node.namedChildren[0]?.text ?? null,
      },
      assignment: { kind: 'variable', name: assigned, body: 'right' },
    },
    wrappers: new Set(['decorated_definition', 'expression_statement']),
    through: new Set(['if_statement', 'try_statement', 'else_clause', 'except_clause', 'block']),
    imports: {
      import_statement: dottedNames,
      import_from_statement: (node) => [node.childForFieldName('module_name')?.text ?? ''],
    },
    comments: new Set(['comment']),
    decorations: new Set(['decorator']),
    nested: ['function_definition', 'class_definition'],
    innerDoc: docstring,
  },
  scan: () =>
    scanCode({
      nesting: 'indent',
      lineComments: ['#'],
      fences: [blockString('"""'), blockString("'''"), lineString('"'), lineString("'")],
      imports: /^(?:from\s+(?<name>[\w.]+)\s+import|import\s+(?<plain>[\w.]+))/,
      declarations: [
        { kind: 'class', isContainer: true, pattern: /^\s*class\s+(?<name>\w+)/ },
        { kind: 'function', pattern: /^\s*(?:async\s+)?def\s+(?<name>\w+)/ },
        { kind: 'variable', pattern: /^(?<name>[A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/ },
      ],
    }),
};
