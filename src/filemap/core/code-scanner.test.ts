import { expect, it } from 'vitest';
import type { FileSymbol } from '../../protocol/file-map.ts';
import { type ScanRules, scanCode } from './code-scanner.ts';
import { blockComment, blockString, lineString } from './mask.ts';

const BRACES: ScanRules = {
  nesting: 'braces',
  lineComments: ['//'],
  fences: [blockComment('/*', '*/'), lineString('"'), blockString('`')],
  literals: "'(?:\\\\.|[^'\\\\])'",
  doc: /^\s*(\/\*\*|\/\/\/)/,
  declarations: [
    { kind: 'class', pattern: /^\s*(?<exported>export\s+)?class\s+(?<name>\w+)/, isContainer: true },
    { kind: 'function', pattern: /^\s*(?<exported>export\s+)?fun\s+(?<name>\w+)/ },
  ],
  imports: /^import "(?<name>[^"]+)"/,
};

const INDENT: ScanRules = {
  nesting: 'indent',
  lineComments: ['#'],
  fences: [blockString('"""'), lineString('"')],
  declarations: [
    { kind: 'class', pattern: /^\s*class\s+(?<name>\w+)/, isContainer: true },
    { kind: 'function', pattern: /^\s*def\s+(?<name>\w+)/ },
  ],
};

function scan(rules: ScanRules, text: string) {
  const mapper = scanCode(rules);
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    mapper.push(line, index + 1);
  });
  return mapper.end(lines.length);
}

/** `name[a-b]` with children in braces. */
function shape(symbols: readonly FileSymbol[]): string {
  return symbols
    .map((s) => `${s.name}[${s.startLine}-${s.endLine}]${s.children ? `{${shape(s.children)}}` : ''}`)
    .join(' ');
}

it.each<[string, ScanRules, string, string]>([
  [
    'parameters over several lines',
    BRACES,
    'fun f(a,\n  b) {\n  x;\n}\nfun g(\n  a,\n  b)\n{\n}\nfun p(a,\n  b);\nfun q() {\n}',
    'f[1-4] g[5-9] p[10-11] q[12-13]',
  ],
  [
    'a parenthesis that nothing closes',
    BRACES,
    `fun f(a\n${'x\n'.repeat(60)}fun g() {\n}`,
    'f[1-42] g[62-63]',
  ],
  [
    'nested',
    BRACES,
    'class A {\n  fun f() {\n    fun no() {}\n  }\n  fun g() {}\n}\nfun h() {\n}',
    'A[1-6]{f[2-4] g[5-5]} h[7-8]',
  ],
  ['brace on the next line', BRACES, 'fun f(a)\n{\n}\nfun g()\n{ }', 'f[1-3] g[4-5]'],
  [
    'braces in strings and comments',
    BRACES,
    'fun f() {\n  x = "{" // {\n  /* { */ y = `{\n {`\n  c = \'{\'\n}\nfun g() {}',
    'f[1-6] g[7-7]',
  ],
  [
    'declarations in strings and comments',
    BRACES,
    '/*\nfun no() {}\n*/\n// fun no()\nx = `\nfun no() {}\n`\nfun yes() {}',
    'yes[8-8]',
  ],
  ['without a body', BRACES, 'fun f();\nfun g() {}', 'f[1-1] g[2-2]'],
  ['a file cut off', BRACES, 'class A {\n  fun f() {\n    x', 'A[1-3]{f[2-3]}'],
  [
    'by indentation',
    INDENT,
    'class A:\n  def f():\n    def no(): pass\n\n  def g():\n    x\n\nx = 1\ndef h():\n  pass',
    'A[1-6]{f[2-3] g[5-6]} h[9-10]',
  ],
  ['its end word', INDENT, 'class A\n  def f\n    x\n  end\nend\ndef g\nend', 'A[1-5]{f[2-4]} g[6-7]'],
  ['text in a long string', INDENT, 'x = """\ndef no():\n"""\ndef yes():\n  pass', 'yes[4-5]'],
])('finds declarations: %s', (_, rules, text, expected) => {
  expect(shape(scan(rules, text).symbols)).toBe(expected);
});

it('keeps signature, documentation, export and imports', () => {
  const outline = scan(
    BRACES,
    'import "fs"\n/**\n * Adds two.\n * More.\n */\nexport fun add(a, b) {\n}\n\n// plain\nfun f() {}',
  );
  expect(outline.imports).toEqual(['fs']);
  expect(outline.symbols).toEqual([
    {
      name: 'add',
      kind: 'function',
      startLine: 6,
      endLine: 7,
      signature: 'export fun add(a, b)',
      doc: 'Adds two.',
      isExported: true,
    },
    { name: 'f', kind: 'function', startLine: 10, endLine: 10, signature: 'fun f() {}' },
  ]);
});

it('limits the symbols and says how many it left out', () => {
  const outline = scan(BRACES, Array.from({ length: 20_003 }, (_, n) => `fun f${n}() {}`).join('\n'));
  expect(outline.symbols).toHaveLength(20_000);
  expect(outline.notes).toEqual(['3 further symbols not in this map']);
});
