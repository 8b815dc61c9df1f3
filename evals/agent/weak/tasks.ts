/** Single-file tasks, as people give them to a small model. A task is done when the file is right to the byte. */
import type { EvalTask } from '../task.ts';
import { HELD_OUT_TASKS } from './held-out.ts';
import { oneFileTask as task, withPattern } from './one-file.ts';

const STATS_PY = `def mean(values):
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
const CART_TS = `export interface Item {
  name: string;
  price: number;
}

export function sum(items: Item[]): number {
  let result = 0;
  for (const item of items) result += item.price;
  return result;
}

export function report(items: Item[]): string {
  return \`Total: \${sum(items)}\`;
}
`;
const SERVER_GO = `package server

import "time"

const timeout = 30 * time.Second

// Start runs the server.
func Start(port int) error {
	if port == 0 {
		port = 8080
	}
	return listen(port)
}

func listen(port int) error {
	return nil
}

func unused() int {
	return 42
}
`;
const README_MD = `# Weather

A small tool that prints the wether of a city.

## Install

Run \`npm install\`.

## Options

| Option | Meaning | Default |
| --- | --- | --- |
| --city | Name of the city | Berlin |
| --days | Number of days | 3 |
| --unit | Unit of the temperature | C |
`;
const CI_YAML = `name: test
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
`;
const BACKUP_SH = `#!/bin/sh
set -eu
TARGET=/var/backups
KEEP=7

backup() {
  tar -czf "$TARGET/$1.tar.gz" "$1"
}

backup "$HOME/notes"
`;
const TODO_MD = `# Shopping

- milk
- eggs
- bread

Thanks!
`;
const TEST_PY = `from stats import mean


def test_mean_of_one():
    assert mean([4]) == 4
`;
const MAKEFILE = `build:
	go build ./...

test:
	go test ./...
`;
const CONFIG_INI = '[server]\r\nhost = localhost\r\nport = 8080\r\n\r\n[log]\r\nlevel = info\r\n';

const PY = { file: 'stats.py', before: STATS_PY };
const TS = { file: 'cart.ts', before: CART_TS };
const GO = { file: 'server.go', before: SERVER_GO };
const MD = { file: 'README.md', before: README_MD };
const YAML = { file: 'ci.yml', before: CI_YAML };
const SH = { file: 'backup.sh', before: BACKUP_SH };
const INI = { file: 'config.ini', before: CONFIG_INI };

/** Where a guard may go among the statements of `mean`, and other ways to write it. */
const { source: TOTAL } = / {4}total = 0\n/;
const { source: ADD } = / {4}for v in values:\n {8}total \+= v\n/;
const { source: MEAN } = / {4}return total \/ len\(values\)\n/;
const { source: IF_EMPTY } =
  /\n? {4}if (?:not values|not len\(values\)|len\(values\) == 0|values == \[\]):(?:\n {8}| )return 0(?:\.0)?\n\n?/;
const { source: NEGATIVE } = /\tif port < 0 \{\n\t\treturn errors\.New\("[^"\n]*"\)\n\t\}\n/;
const { source: DEFAULT } = /\tif port == 0 \{\n\t\tport = 8080\n\t\}\n/;
const { source: BUILD } = /build:\n\tgo build \.\/\.\.\.\n/;
const { source: TEST } = /test:\n\tgo test \.\/\.\.\.\n/;
const { source: LINT } = /lint:\n\tgo vet \.\/\.\.\.\n/;

const oneOf = (...sources: readonly string[]): RegExp => new RegExp(`(?:${sources.join('|')})`);

/** The tasks that the agent was tuned with. */
const KNOWN_TASKS: readonly EvalTask[] = [
  task(
    'py-off-by-one',
    'largest() in stats.py never looks at the last value. Fix the off-by-one error.',
    PY,
    STATS_PY.replace('len(values) - 1', 'len(values)'),
  ),
  task(
    'py-docstring',
    'Add a docstring to the function mean in stats.py.',
    PY,
    withPattern(STATS_PY, [
      'def mean(values):\n',
      /def mean\(values\):\n {4}(?:"""(?:(?!""")[^\\])+"""|'''(?:(?!''')[^\\])+''')\n\n?/,
    ]),
  ),
  task(
    'py-rename',
    'Rename the function largest in stats.py to maximum.',
    PY,
    STATS_PY.replace('largest', 'maximum'),
  ),
  task(
    'py-guard',
    'In stats.py, make mean return 0 when values is empty.',
    PY,
    withPattern(STATS_PY, [
      STATS_PY.slice(STATS_PY.indexOf('    total'), STATS_PY.indexOf('\n\ndef largest')),
      oneOf(
        IF_EMPTY + TOTAL + ADD + MEAN,
        TOTAL + IF_EMPTY + ADD + MEAN,
        TOTAL + ADD + IF_EMPTY + MEAN,
        TOTAL +
          ADD +
          / {4}return total \/ len\(values\) if (?:values|len\(values\)(?: (?:>|!=) 0)?) else 0(?:\.0)?\n/
            .source,
      ),
    ]),
  ),
  task(
    'py-add-test',
    'Add a test to test_stats.py that the mean of [2, 4] is 3.',
    { file: 'test_stats.py', before: TEST_PY },
    withPattern(TEST_PY, [
      '    assert mean([4]) == 4\n',
      / {4}assert mean\(\[4\]\) == 4\n\n{1,3}def test_(?!mean_of_one\()\w+\(\):\n {4}assert mean\(\[2, ?4\]\) == 3(?:\.0)?\n+/,
    ]),
  ),
  task(
    'ts-rename',
    'Rename the function sum in cart.ts to total, where it is called too.',
    TS,
    CART_TS.replace('function sum', 'function total').replace('{sum(', '{total('),
  ),
  task(
    'ts-parameter',
    'In cart.ts, give report a second parameter currency of type string.',
    TS,
    withPattern(
      CART_TS,
      ['report(items: Item[])', /report\(items: Item\[\], currency: string\)/],
      // Its purpose is not stated: it may be shown, or not.
      [
        `Total: \${sum(items)}`,
        /Total: (?:\$\{currency\} ?\$\{sum\(items\)\}|\$\{sum\(items\)\}(?: ?\$\{currency\})?)/,
      ],
    ),
  ),
  task(
    'ts-field',
    'Add a field "quantity: number" to the interface Item in cart.ts, after price.',
    TS,
    CART_TS.replace('price: number;\n', 'price: number;\n  quantity: number;\n'),
  ),
  task(
    'ts-doc',
    'Put a one-line JSDoc comment above the function sum in cart.ts.',
    TS,
    withPattern(CART_TS, [
      'export function sum',
      /\/\*\*(?: (?:(?!\*\/)[^\n])+ |\n(?: \*(?:(?!\*\/)[^\n])*\n)+ )\*\/\nexport function sum/,
    ]),
  ),
  task(
    'go-constant',
    'Change the timeout in server.go to 60 seconds.',
    GO,
    SERVER_GO.replace('30 * time', '60 * time'),
  ),
  task(
    'go-delete',
    'Delete the function unused from server.go.',
    GO,
    withPattern(SERVER_GO, ['\nfunc unused() int {\n\treturn 42\n}\n', /\n?/]),
  ),
  task(
    'go-default',
    'In server.go, make the default port 9090 instead of 8080.',
    GO,
    SERVER_GO.replace('8080', '9090'),
  ),
  task(
    'go-check',
    'In server.go, let Start return an error when port is negative. Use errors.New and import "errors".',
    GO,
    withPattern(
      SERVER_GO,
      [
        'import "time"\n',
        oneOf(
          'import "errors"\nimport "time"\n',
          'import "time"\nimport "errors"\n',
          'import \\(\n\t"errors"\n\t"time"\n\\)\n',
          'import \\(\n\t"time"\n\t"errors"\n\\)\n',
        ),
      ],
      [
        '\tif port == 0 {\n\t\tport = 8080\n\t}\n',
        oneOf(`${NEGATIVE}\n?${DEFAULT}`, `${DEFAULT}\n?${NEGATIVE}`),
      ],
    ),
  ),
  task(
    'md-typo',
    'Fix the typo in the first sentence of README.md.',
    MD,
    README_MD.replace('wether', 'weather'),
  ),
  task(
    'md-table-row',
    'In the table of README.md, change the default of --days to 5.',
    MD,
    README_MD.replace('| 3 |', '| 5 |'),
  ),
  task(
    'md-table-add',
    'Add a row to the table of options in README.md: --lang, Language of the output, en. It comes last.',
    MD,
    `${README_MD}| --lang | Language of the output | en |\n`,
  ),
  task(
    'md-heading',
    'In README.md, rename the heading "Install" to "Installation".',
    MD,
    README_MD.replace('## Install\n', '## Installation\n'),
  ),
  task(
    'md-list',
    'Add "butter" to the end of the list in shopping.md.',
    { file: 'shopping.md', before: TODO_MD },
    TODO_MD.replace('- bread\n', '- bread\n- butter\n'),
  ),
  task(
    'yaml-step',
    'In ci.yml, add a step that runs "npm run lint" before the tests.',
    YAML,
    CI_YAML.replace('      - run: npm test', '      - run: npm run lint\n      - run: npm test'),
  ),
  task(
    'yaml-value',
    'In ci.yml, run the job on ubuntu-24.04.',
    YAML,
    CI_YAML.replace('ubuntu-latest', 'ubuntu-24.04'),
  ),
  task(
    'sh-constant',
    'Keep 14 backups instead of 7 in backup.sh.',
    SH,
    BACKUP_SH.replace('KEEP=7', 'KEEP=14'),
  ),
  task(
    'sh-line',
    'Back up $HOME/photos too, at the end of backup.sh.',
    SH,
    `${BACKUP_SH}backup "$HOME/photos"\n`,
  ),
  task('crlf-value', 'Set the port in config.ini to 9000.', INI, CONFIG_INI.replace('8080', '9000')),
  task(
    'crlf-line',
    'In config.ini, add the line "file = app.log" at the end of the section [log].',
    INI,
    `${CONFIG_INI}file = app.log\r\n`,
  ),
  task(
    'tabs-target',
    'Add a target "lint" to the Makefile that runs "go vet ./...".',
    { file: 'Makefile', before: MAKEFILE },
    withPattern(MAKEFILE, [
      MAKEFILE,
      oneOf(`${LINT}\n?${BUILD}\n${TEST}`, `${BUILD}\n${LINT}\n?${TEST}`, `${BUILD}\n${TEST}\n?${LINT}`),
    ]),
  ),
];

export const ONE_FILE_TASKS: readonly EvalTask[] = [...KNOWN_TASKS, ...HELD_OUT_TASKS];
