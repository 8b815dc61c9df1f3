import { describe, expect, test } from 'vitest';
import { isWholeFile, placeSnippet } from './snippet.ts';

const STATS = `def mean(values):
    total = 0
    for v in values:
        total += v
    return total / len(values)


def largest(values):
    best = values[0]
    for i in range(1, len(values) - 1):
        if values[i] > best:
            best = values[i]
    return best
`;
const GO = `func a() error {
	return nil
}

func b() error {
	if x {
		return nil
	}
	return nil
}
`;
const YAML = 'jobs:\n  test:\n    steps:\n      - run: a\n  other:\n    steps:\n      - run: c\n';
const AREA = '    def area(self):\n        w = self.w\n        return w\n';

/** The file with the snippet in its place; null if it has none. */
function placed(file: string, snippet: string): string | null {
  const lines = file.split('\n').slice(0, -1);
  const place = placeSnippet(lines, snippet.split('\n'));
  if (place === null) return null;
  return `${[...lines.slice(0, place.start), place.newText, ...lines.slice(place.end)].join('\n')}\n`;
}

describe('a piece of code is placed', () => {
  test.each<[string, string, string, string]>([
    [
      'a whole function',
      STATS,
      STATS.slice(STATS.indexOf('def largest')).trimEnd().replace(' - 1', ''),
      STATS.replace(' - 1)', ')'),
    ],
    [
      'a function with less indentation',
      'class A:\n    def f(self):\n        x = 1\n        return x\n',
      'def f(self):\n    x = 2\n    return x',
      'class A:\n    def f(self):\n        x = 2\n        return x\n',
    ],
    [
      'blanks, while the file has tabs',
      GO,
      'func b() error {\n    if x {\n        return errors.New("x")\n    }\n    return nil\n}',
      GO.replace('\t\treturn nil', '\t\treturn errors.New("x")'),
    ],
    [
      'a wrapped, deeper body',
      'def f(x):\n    log(x)\n    send(x)\n',
      'def f(x):\n    if x:\n        log(x)\n        send(x)',
      'def f(x):\n    if x:\n        log(x)\n        send(x)\n',
    ],
    [
      'a list of YAML that moves a level deeper',
      YAML,
      'other:\n  strategy:\n    steps:\n      - run: c',
      YAML.replace('other:\n    steps:\n      -', 'other:\n    strategy:\n      steps:\n        -'),
    ],
    [
      'another last line, while a bracket closes the block',
      GO,
      'func a() error {\n\treturn errors.New("x")\n}',
      GO.replace('return nil', 'return errors.New("x")'),
    ],
    [
      'a docstring that is longer than its function',
      STATS,
      `def mean(values):\n    """\n${'    Words.\n'.repeat(9)}    """\n    total = 0\n    for v in values:\n        total += v\n    return total / len(values)`,
      STATS.replace(
        '(values):\n    total',
        `(values):\n    """\n${'    Words.\n'.repeat(9)}    """\n    total`,
      ),
    ],
    [
      'an added docstring',
      STATS,
      'def mean(values):\n    """The mean."""\n    total = 0\n    for v in values:\n        total += v\n    return total / len(values)',
      STATS.replace('(values):\n    total', '(values):\n    """The mean."""\n    total'),
    ],
  ])('%s', (_, file, snippet, after) => expect(placed(file, snippet)).toBe(after));
});

describe('code that is no part of the file is not placed', () => {
  test.each<[string, string]>([
    ['an example of a call', 'from stats import mean\nprint(mean([1, 2]))'],
    ['a command', 'python3 stats.py'],
    ['a line that stands in it twice', '    return nil'],
    ['JSON of a made-up tool', '{\n  "name": "add_docstring",\n  "arguments": {}\n}'],
    ['lines from far apart', 'def mean(values):\n    return best'],
    ['a line that two lines resemble', '    total = 1\n'],
    ['a header that is another one', 'def biggest(values):\n    best = values[0]\n    return best'],
    ['a call that resembles a header', 'print(mean([1, 2]))'],
    [
      'a function without a line of the file',
      'def mean(values):\n    total = 0\n    return total / len(values)',
    ],
    ['two functions', STATS.trimEnd()],
    [
      'lines in another order',
      'def mean(values):\n    for v in values:\n        total += v\n    total = 0\n    return total / len(values)',
    ],
    ['nothing', ''],
  ])('%s', (name, snippet) => expect(placed(name.includes('twice') ? GO : STATS, snippet)).toBeNull());

  test.each<[string, string, string]>([
    [
      'one of two equal headers',
      `class A:\n${AREA}\nclass B:\n${AREA}`,
      AREA.trimEnd().replace('w\n', 'w / 2\n'),
    ],
    [
      'a method in the place of another',
      'class A:\n    def old(self):\n        return 1\n',
      'class A:\n    def new(self):\n        return 1',
    ],
    [
      'an opened `try` without its end',
      'def f(x):\n    log(x)\n    send(x)\n',
      'def f(x):\n    try:\n        log(x)',
    ],
    ['one bracket too many', GO, 'func a() error {\n\tif x {\n\treturn nil\n}'],
  ])('%s', (_, file, snippet) => expect(placed(file, snippet)).toBeNull());
});

describe('a text is a whole file', () => {
  const [mean = '', largest = ''] = STATS.split('\n\n\n');
  test.each<[string, boolean, string]>([
    ['with a changed line', true, STATS.replace('total = 0', 'total = 0.0')],
    ['with lines at its end', true, `${STATS}\nprint(mean([1]))\n`],
    ['without its last function', false, mean],
    ['without its first function', false, largest],
    ['without everything between its ends', false, 'def mean(values):\n    return best'],
  ])('%s: %s', (_, isWhole, text) => expect(isWholeFile(STATS.split('\n'), text.split('\n'))).toBe(isWhole));

  test('is fast for 40,000 lines', () => {
    const lines = Array.from({ length: 40_000 }, (__, at) => `line number ${at}`);
    expect(
      isWholeFile(
        lines,
        lines.map((line, at) => (at % 10 === 5 ? `${line} q` : line)),
      ),
    ).toBe(true);
  });
});
