/** Shell scripts: bash, zsh, sh. Functions, top-level variables and aliases. */
import { scanCode } from '../core/code-scanner.ts';
import { blockString } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const ALIAS = /^alias\s+(?:-\w+\s+)*([\w.-]+)=/;

function sourced(node: SyntaxNode): readonly string[] {
  const found = /^(?:source|\.)\s+(\S+)/.exec(node.text)?.[1];
  return found === undefined ? [] : [found];
}

export const shell: Language = {
  name: 'Shell',
  extensions: ['sh', 'bash', 'zsh', 'ksh', 'bats'],
  fileNames: ['.bashrc', '.bash_profile', '.zshrc', '.zshenv', '.zprofile', '.profile'],
  interpreter: /\b(ba|z|k|da)?sh\b/,
  grammar: {
    wasm: 'bash',
    symbols: {
      function_definition: { kind: 'function' },
      variable_assignment: { kind: 'variable' },
      command: { kind: 'variable', name: ({ text }) => ALIAS.exec(text)?.[1] ?? null },
    },
    wrappers: new Set(['declaration_command']),
    through: new Set(['if_statement', 'elif_clause', 'else_clause', 'list', 'compound_statement']),
    nested: ['function_definition'],
    imports: { command: sourced },
    comments: new Set(['comment']),
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      lineComments: ['#'],
      fences: [blockString("'", "'", false), blockString('"')],
      // A comment starts a word: `$#` and `${name#prefix}` contain none.
      literals: '\\\\.|[^\\s;&|()"\'`]#',
      doc: /^\s*#/,
      heredoc: /(?<!<)<<(?!<)-?\s*["'\\]?(\w+)/,
      imports: /^\s*(?:source|\.)\s+(?<name>\S+)/,
      declarations: [
        { kind: 'function', pattern: /^\s*(?:function\s+)?(?<name>[\w:.@+~/-]+)\s*\(\s*\)/ },
        { kind: 'function', pattern: /^\s*function\s+(?<name>[\w:.@+~/-]+)/ },
        {
          kind: 'variable',
          pattern: /^(?:(?:export|readonly|declare|typeset|local)\s+(?:-\w+\s+)*)?(?<name>[A-Za-z_]\w*)=/,
        },
      ],
    }),
};
