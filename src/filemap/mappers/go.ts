/** Go. A method's name includes its receiver, since methods are beside their type. */
import { scanCode } from '../core/code-scanner.ts';
import { blockString, lineString, slashCode } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function methodName(node: SyntaxNode): string | null {
  const receiver = /\*?\s*([A-Za-z_]\w*)\s*(\[.*\])?\s*\)$/.exec(
    node.childForFieldName('receiver')?.text ?? '',
  )?.[1];
  const name = node.childForFieldName('name')?.text ?? null;
  return name === null || receiver === undefined ? name : `${receiver}.${name}`;
}

function typeKind(node: SyntaxNode): 'struct' | 'interface' | 'type' {
  const type = node.childForFieldName('type')?.type;
  if (type === 'struct_type') return 'struct';
  return type === 'interface_type' ? 'interface' : 'type';
}

export const go: Language = {
  name: 'Go',
  extensions: ['go'],
  grammar: {
    wasm: 'go',
    symbols: {
      function_declaration: { kind: 'function' },
      method_declaration: { kind: 'method', name: methodName },
      type_spec: { kind: typeKind },
      type_alias: { kind: 'type' },
      const_spec: { kind: 'constant' },
      var_spec: { kind: 'variable' },
    },
    wrappers: new Set(['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list']),
    imports: {
      import_declaration: (node) => [...node.text.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ''),
    },
    comments: new Set(['comment']),
    isExported: ({ name }) => /^(\w+\.)?\p{Lu}/u.test(name),
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      ...slashCode(lineString('"'), blockString('`', '`', false)),
      doc: /^\s*\/\//,
      imports: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"(?<name>[\w./-]+)"$/,
      declarations: [
        { kind: 'method', pattern: /^func\s+\([^)]*\)\s*(?<name>\w+)/ },
        { kind: 'function', pattern: /^func\s+(?<name>\w+)/ },
        { kind: 'struct', pattern: /^type\s+(?<name>\w+)(?:\[.*\])?\s+struct\b/ },
        { kind: 'interface', pattern: /^type\s+(?<name>\w+)(?:\[.*\])?\s+interface\b/ },
        { kind: 'type', pattern: /^type\s+(?<name>\w+)/ },
        { kind: 'constant', pattern: /^const\s+(?<name>\w+)/ },
        { kind: 'variable', pattern: /^var\s+(?<name>\w+)/ },
      ],
    }),
};
