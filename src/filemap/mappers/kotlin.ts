/** Kotlin. Its grammar names no fields: name and body are the first nodes of their kind. */
import { scanCode } from '../core/code-scanner.ts';
import { blockString, lineString, slashCode } from '../core/mask.ts';
import { childOf, nameIn, type SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const body = (node: SyntaxNode) => childOf(node, 'class_body', 'enum_class_body', 'function_body');

const MODIFIERS =
  '(?:@\\w+(?:\\([^)]*\\))?\\s+|(?:public|private|protected|internal|abstract|final|open|sealed|data|inline|value|annotation|inner|companion|override|suspend|operator|infix|tailrec|external|const|lateinit|expect|actual|fun(?=\\s+interface))\\s+)*';

const MULTIPLATFORM =
  /\b(?:actual|expect)(?=\s+(?:\w+\s+)*(?:constructor|val|var|fun|class|interface|object|typealias|annotation|enum)\b)/g;
const DELEGATED =
  /(\b(?:object|class)\b[^{}\n]{0,400}:\s*[\w.<>, ]{1,400}?)(\s+by\s+[\w.]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*\{)/g;

/** A constructor on the line below its class. */
const CONSTRUCTOR =
  /(?<=\bclass\s+\w+(?:<[^>\n]*>)?)\s*\n[ \t]*(?:@\w+\s+|(?:internal|private|protected|public)\s+)*constructor\s*\([^()]*(?:\([^()]*\)[^()]*)*\)/g;

/** The arguments of an annotation: with them, the grammar may take everything after for an expression. */
const ANNOTATED = /(?<=@[\w.:]+)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

const blanked = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Removes syntax unknown to the grammar, none of which is a symbol. */
const prepare = (source: string): string =>
  source
    .replace(ANNOTATED, blanked)
    .replace(MULTIPLATFORM, blanked)
    .replace(DELEGATED, (_, before: string, by: string) => before + blanked(by))
    .replace(CONSTRUCTOR, blanked);

const declaration = (word: string, rest: string): RegExp => new RegExp(`^\\s*${MODIFIERS}${word}\\s+${rest}`);

export const kotlin: Language = {
  name: 'Kotlin',
  extensions: ['kt', 'kts'],
  grammar: {
    wasm: 'kotlin',
    symbols: {
      class_declaration: {
        kind: (node) => {
          const [words = ''] = node.text.split(childOf(node, 'type_identifier')?.text ?? '{', 1);
          if (/\benum\s+class\b/.test(words)) return 'enum';
          return /\binterface\b/.test(words) ? 'interface' : 'class';
        },
        name: nameIn('type_identifier'),
        body,
        isContainer: true,
      },
      object_declaration: { kind: 'class', name: nameIn('type_identifier'), body, isContainer: true },
      companion_object: {
        kind: 'class',
        name: (node) => childOf(node, 'type_identifier')?.text ?? 'Companion',
        body,
        isContainer: true,
      },
      function_declaration: { kind: 'function', name: nameIn('simple_identifier'), body },
      secondary_constructor: { kind: 'method', name: () => 'constructor' },
      property_declaration: {
        kind: 'property',
        name: (node) => {
          const variable = childOf(node, 'variable_declaration');
          return variable === null ? null : (childOf(variable, 'simple_identifier')?.text ?? null);
        },
        body: (node) =>
          childOf(
            childOf(node, 'object_literal') ?? node,
            'class_body',
            'property_delegate',
            'getter',
            'setter',
          ),
        // `val factory = object : Factory { … }`.
        isContainer: (node) => childOf(node, 'object_literal') !== null,
      },
      enum_entry: { kind: 'constant', name: nameIn('simple_identifier') },
      type_alias: { kind: 'type', name: nameIn('type_identifier') },
    },
    through: new Set(['import_list']),
    nested: ['function_declaration', 'class_declaration'],
    imports: {
      import_header: (node) => [childOf(node, 'identifier')?.text ?? ''],
    },
    comments: new Set(['multiline_comment', 'line_comment']),
    decorations: new Set(['annotation']),
    prepare,
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      ...slashCode(blockString('"""', '"""', false), lineString('"')),
      doc: /^\s*\/\*\*/,
      imports: /^import\s+(?<name>[\w.*]+)/,
      declarations: [
        { kind: 'enum', isContainer: true, pattern: declaration('enum\\s+class', '(?<name>\\w+)') },
        { kind: 'interface', isContainer: true, pattern: declaration('interface', '(?<name>\\w+)') },
        { kind: 'class', isContainer: true, pattern: declaration('class', '(?<name>\\w+)') },
        { kind: 'class', isContainer: true, pattern: declaration('object', '(?<name>\\w+)') },
        { kind: 'class', isContainer: true, pattern: /^\s*(?<name>companion object)\b/ },
        {
          kind: 'function',
          pattern: declaration('fun', '(?:<[^>]+>\\s*)?(?:[\\w<>?,. ]+\\.)?(?<name>\\w+|`[^`]+`)\\s*\\('),
        },
        { kind: 'type', pattern: declaration('typealias', '(?<name>\\w+)') },
        {
          kind: 'property',
          pattern: declaration('va[lr]', '(?:<[^>]+>\\s*)?(?:[\\w<>?]+\\.)?(?<name>\\w+)'),
        },
      ],
    }),
};
