/**
 * Enforces the import directions of docs/ARCHITECTURE.md. A checker that reads nothing reports success, so this also
 * counts the modules it read and plants violations that it and the linter must find.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { boundaryRules, gitRule } from './boundary-rules.ts';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);

/** Fewer than this means that the parser failed, not that the project shrank. */
const LEAST_MODULES = 25;

async function look(paths: string[]): Promise<ICruiseResult> {
  const { output } = await cruise(paths, {
    ...boundaryRules.options,
    ruleSet: { forbidden: boundaryRules.forbidden ?? [] },
    validate: true,
  });
  return output as ICruiseResult;
}

const found = await look(['src']);
const read = found.modules.filter((module) => module.source.startsWith('src/')).length;
if (read < LEAST_MODULES) {
  console.error(`boundaries: only ${read} modules were read; the parser is not working.`);
  process.exit(1);
}
for (const { rule, from, to } of found.summary.violations)
  console.error(`boundaries: ${from} must not import ${to} (${rule.name})`);

/** Modules that bypass the one that calls git. Imports do not show this: other modules start other programs. */
function gitCallers({ modules }: ICruiseResult): string[] {
  const own = modules.map(({ source }) => source).filter((file) => /^src\/.*(?<!\.test)\.tsx?$/.test(file));
  return own.filter((file) => file !== gitRule.only && gitRule.calls.test(readFileSync(file, 'utf8')));
}
const callers = gitCallers(found);
for (const file of callers) console.error(`boundaries: ${file} must not call git itself (${gitRule.name})`);

/** Each plant: the file, what it imports, the rule that must catch it. */
const PLANTS = [
  { file: 'src/lib/planted-leaf.ts', code: "import '../protocol/turn.ts';\n", rule: 'lib-is-a-leaf' },
  { file: 'src/responses/core/planted-io.ts', code: "import 'node:fs';\n", rule: 'core-is-pure' },
  { file: 'src/responses/core/planted-ink.ts', code: "import 'ink';\n", rule: 'core-has-no-surface' },
  { file: 'src/ui/review/planted-up.ts', code: "import '../../platform/run.ts';\n", rule: 'ui-gets-data' },
  {
    file: 'src/ui/review/planted-beside.ts',
    code: "import type {} from '../responses/port.ts';\n",
    rule: 'screens-import-kit-only',
  },
  {
    file: 'src/ui/shell/planted-up.ts',
    code: "import '../app/state.ts';\n",
    rule: 'screens-import-kit-only',
  },
  {
    file: 'src/ui/kit/planted-screen.ts',
    code: "import '../agent/state.ts';\n",
    rule: 'kit-knows-no-screen',
  },
  {
    file: 'src/cli/planted-adapter.ts',
    code: "import '../tmux/command.ts';\n",
    rule: 'cli-goes-through-app',
  },
  {
    file: 'src/review/files/planted-up.ts',
    code: "import '../deciding/plan-decision.ts';\n",
    rule: 'review-files-looks-up',
  },
  {
    file: 'src/tmux/planted-app.ts',
    code: "import '../cli/cli-context.ts';\n",
    rule: 'adapters-do-not-reach-up',
  },
  {
    file: 'src/review/planted-process.ts',
    code: "import 'node:child_process';\n",
    rule: 'processes-have-few-starters',
  },
  {
    file: 'src/responses/planted-database.ts',
    code: "import { DatabaseSync } from 'node:sqlite';\nvoid DatabaseSync;\n",
    rule: 'databases-have-one-door',
  },
  { file: 'src/review/planted-tool.ts', code: "import '../platform/run.ts';\n", rule: 'one-module-a-tool' },
  {
    file: 'src/platform/planted-git.ts',
    code: "import { run } from './run.ts';\nvoid run('git', ['diff']);\n",
    rule: gitRule.name,
  },
];
/** Each opens a file in a different way; the linter must catch all of them. */
const OTHER_WAYS_TO_OPEN = [
  "import { readFile } from 'node:fs/promises';\nawait readFile('x');\n",
  "import { open as look } from 'node:fs/promises';\nawait look('x');\n",
  "import * as fs from 'node:fs';\nfs.openSync('x', 'r');\n",
  "import fs from 'node:fs';\nfs.openSync('x', 'r');\n",
  "import { promises } from 'node:fs';\nawait promises.open('x');\n",
  "export { createReadStream } from 'node:fs';\n",
  "const { copyFile } = await import('node:fs/promises');\nawait copyFile('x', 'y');\n",
].map((code, i) => ({ file: `src/review/sources/planted-opening-${i}.ts`, code }));
const PLANTED_FILES = [...PLANTS, ...OTHER_WAYS_TO_OPEN];

let blind = 0;
try {
  for (const { file, code } of PLANTED_FILES) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  const planted = await look(PLANTS.map(({ file }) => file));
  const plantedCallers = gitCallers(planted);
  for (const { file, rule } of PLANTS) {
    if (rule === gitRule.name && plantedCallers.includes(file)) continue;
    if (
      planted.summary.violations.some((violation) => violation.from === file && violation.rule.name === rule)
    )
      continue;
    console.error(`boundaries: the planted violation of "${rule}" was not caught.`);
    blind += 1;
  }
  const linted = spawnSync(
    'node_modules/.bin/biome',
    ['lint', '--reporter=json', ...OTHER_WAYS_TO_OPEN.map(({ file }) => file)],
    { encoding: 'utf8' },
  );
  for (const { file } of OTHER_WAYS_TO_OPEN) {
    if (linted.stdout.includes(`"path":"${file}"`)) continue;
    console.error(`boundaries: the linter did not catch the way in which ${file} opens a file.`);
    blind += 1;
  }
} finally {
  for (const { file } of PLANTED_FILES) rmSync(file, { force: true });
}

if (found.summary.error > 0 || callers.length > 0 || blind > 0) process.exit(1);
console.log(
  `boundaries: ${read} modules, every import goes down; ${PLANTED_FILES.length} planted violations caught`,
);
