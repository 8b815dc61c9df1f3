/** Ruby. Methods of the class itself are named `self.x`, including those in `class << self`. */
import { wordList } from '../../lib/word-list.ts';
import { scanCode } from '../core/code-scanner.ts';
import { lineString } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function constantName(node: SyntaxNode): string | null {
  const left = node.childForFieldName('left');
  return left?.type === 'constant' ? left.text : null;
}

function required(node: SyntaxNode): readonly string[] {
  const found = /^require(?:_relative)?[\s(]+['"]([^'"]+)['"]/.exec(node.text)?.[1];
  return found === undefined ? [] : [found];
}

export const ruby: Language = {
  name: 'Ruby',
  extensions: ['rb', 'rake', 'gemspec'],
  fileNames: ['gemfile', 'rakefile'],
  interpreter: /\bruby\b/,
  grammar: {
    wasm: 'ruby',
    symbols: {
      module: { kind: 'module', isContainer: true },
      class: { kind: 'class', isContainer: true },
      method: { kind: 'function' },
      singleton_method: {
        kind: 'function',
        name: (node) =>
          `${node.childForFieldName('object')?.text ?? 'self'}.${node.childForFieldName('name')?.text ?? ''}`,
      },
      singleton_class: { kind: 'class', name: () => 'self', isContainer: true },
      assignment: {
        kind: 'constant',
        name: constantName,
        body: 'right',
        // `Point = Struct.new(:x) do`.
        isContainer: (node) => node.childForFieldName('right')?.type === 'call',
      },
    },
    through: new Set(
      wordList(
        'body_statement begin_block block_body do_block block begin rescue ensure then else if unless',
      ),
    ),
    nested: ['method', 'singleton_method', 'class'],
    // A block may define methods, and `private def f` passes one as an argument.
    enters: {
      call: (node) =>
        [node.childForFieldName('block'), node.childForFieldName('arguments')].filter(
          (part) => part !== null,
        ),
    },
    imports: { call: required },
    comments: new Set(['comment']),
  },
  scan: () =>
    scanCode({
      nesting: 'indent',
      lineComments: ['#'],
      fences: [lineString('"'), lineString("'")],
      doc: /^\s*#/,
      heredoc: /<<[~-]?["'`]?([A-Z_]+)/,
      imports: /^\s*require(?:_relative)?\s*\(?['"](?<name>[^'"]+)/,
      declarations: [
        { kind: 'module', isContainer: true, pattern: /^\s*module\s+(?<name>[\w:]+)/ },
        { kind: 'class', isContainer: true, pattern: /^\s*class\s+(?<name>[\w:]+)/ },
        { kind: 'function', pattern: /^\s*def\s+(?<name>[\w.]+[?!=]?)/ },
        { kind: 'constant', pattern: /^\s*(?<name>[A-Z]\w*)\s*=(?!=)/ },
      ],
    }),
};
