/** C#. */
import { wordList } from '../../lib/word-list.ts';
import { scanCode } from '../core/code-scanner.ts';
import { oneBranch } from '../core/conditional.ts';
import { blockString, lineString, slashCode } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function variableName(node: SyntaxNode): string | null {
  const declaration = node.namedChildren.find((child) => child?.type === 'variable_declaration');
  const declarator = declaration?.namedChildren.find((child) => child?.type === 'variable_declarator');
  return declarator?.childForFieldName('name')?.text ?? declarator?.namedChildren[0]?.text ?? null;
}

const MASKED = slashCode(blockString('"""'), blockString('@"', '"', false), lineString('"'));

const MODIFIERS =
  '(?:(?:protected|private|internal|static|sealed|abstract|partial|readonly|virtual|override|async|extern|unsafe|new)\\s+)*';

export const csharp: Language = {
  name: 'C#',
  extensions: ['cs', 'csx'],
  grammar: {
    wasm: 'c-sharp',
    select: (source) => oneBranch(source, MASKED),
    symbols: {
      namespace_declaration: { kind: 'module', isContainer: true },
      file_scoped_namespace_declaration: { kind: 'module' },
      class_declaration: { kind: 'class', isContainer: true },
      record_declaration: { kind: 'class', isContainer: true },
      struct_declaration: { kind: 'struct', isContainer: true },
      interface_declaration: { kind: 'interface', isContainer: true },
      enum_declaration: { kind: 'enum' },
      delegate_declaration: { kind: 'type' },
      method_declaration: { kind: 'method' },
      constructor_declaration: { kind: 'method' },
      destructor_declaration: { kind: 'method' },
      operator_declaration: {
        kind: 'method',
        name: (node) => `operator ${node.childForFieldName('operator')?.text ?? ''}`,
      },
      property_declaration: { kind: 'property', body: 'accessors' },
      field_declaration: { kind: 'property', name: variableName },
      event_field_declaration: { kind: 'property', name: variableName },
    },
    through: new Set(wordList('preproc_if preproc_elif preproc_else preproc_region declaration_list')),
    imports: { using_directive: (node) => [node.text.replace(/^(global\s+)?using\s+(static\s+)?|;$/g, '')] },
    comments: new Set(['comment']),
    decorations: new Set(['attribute_list']),
    isExported: ({ text }) => /(^|\s)public\s/.test(text),
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      ...MASKED,
      doc: /^\s*\/\/\//,
      keywords: new Set(wordList('if for foreach while switch catch return new lock using else')),
      imports: /^\s*using\s+(?<name>[\w.]+);/,
      declarations: [
        { kind: 'module', isContainer: true, pattern: /^\s*namespace\s+(?<name>[\w.]+)/ },
        {
          kind: 'class',
          isContainer: true,
          pattern: new RegExp(
            `^\\s*(?:(?<exported>public)\\s+)?${MODIFIERS}(?:class|record)\\s+(?<name>\\w+)`,
          ),
        },
        {
          kind: 'struct',
          isContainer: true,
          pattern: new RegExp(`^\\s*(?:(?<exported>public)\\s+)?${MODIFIERS}struct\\s+(?<name>\\w+)`),
        },
        {
          kind: 'interface',
          isContainer: true,
          pattern: new RegExp(`^\\s*(?:(?<exported>public)\\s+)?${MODIFIERS}interface\\s+(?<name>\\w+)`),
        },
        {
          kind: 'enum',
          pattern: new RegExp(`^\\s*(?:(?<exported>public)\\s+)?${MODIFIERS}enum\\s+(?<name>\\w+)`),
        },
        {
          kind: 'method',
          pattern: new RegExp(
            `^\\s+(?:(?<exported>public)\\s+)?${MODIFIERS}(?:[\\w.<>,?\\[\\]]+\\s+)?(?<name>\\w+)\\s*(?:<[^>]+>)?\\([^;=]*(?:[{,)}]|=>.*)$`,
          ),
        },
      ],
    }),
};
