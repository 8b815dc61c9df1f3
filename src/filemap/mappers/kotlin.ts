/** Kotlin, by its lines: no grammar of it is at hand. */
import { scanCode } from '../core/code-scanner.ts';
import { blockComment, blockString, lineString } from '../core/mask.ts';
import type { Language } from '../language.ts';

const MODIFIERS =
  '(?:@\\w+(?:\\([^)]*\\))?\\s+|(?:public|private|protected|internal|abstract|final|open|sealed|data|inline|value|annotation|inner|companion|override|suspend|operator|infix|tailrec|external|const|lateinit|expect|actual|fun(?=\\s+interface))\\s+)*';

function declaration(word: string, rest: string): RegExp {
  return new RegExp(`^\\s*${MODIFIERS}${word}\\s+${rest}`);
}

export const kotlin: Language = {
  name: 'Kotlin',
  extensions: ['kt', 'kts'],
  scan: () =>
    scanCode({
      nesting: 'braces',
      lineComments: ['//'],
      fences: [blockComment('/*', '*/'), blockString('"""', '"""', false), lineString('"')],
      literals: "'(?:\\\\.[^']*|[^'\\\\])'",
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
