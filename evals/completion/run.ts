/**
 * `npm run eval:completion [-- FOLDER | FILE [--newest-first] [--last N [--warm]]] [--part fit|test|all] [--quick] [--fit] [--most]`: replays histories against the
 * completion engine and prints a table beside what people use today. Without a folder: the seeded synthetic trace, as a
 * gate. Every fourth user of a folder is for fitting weights and for experiments; the table uses the others.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GrammarCatalogue } from '../../src/completion/core/grammar.ts';
import { Knowledge } from '../../src/completion/core/knowledge.ts';
import type { Executed, SourceName } from '../../src/completion/core/suggestion.ts';
import { loadPrior } from '../../src/completion/load-shipped.ts';
import { createTypoSource } from '../../src/completion/sources/typo.ts';
import { matchPreviousCommand, mostFrequent, mostRecent } from './baselines.ts';
import { fitRanking } from './fit.ts';
import { bestLine, bestProposal, bestWord } from './oracles.ts';
import { createOurs } from './ours.ts';
import { calibrationError, keystrokesSaved, type Metrics, quantileMs, replay } from './replay.ts';
import { measureSecrets, secretsIn } from './secrets.ts';
import { makeTraces, type SyntheticTrace } from './synthetic.ts';
import { lastOf, readTextTrace, readTraces, type UserTrace } from './trace.ts';
import { TYPOS, USUAL_NAMES } from './typos.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fit: { type: 'boolean' },
    most: { type: 'boolean' },
    quick: { type: 'boolean' },
    part: { type: 'string', default: 'test' },
    'newest-first': { type: 'boolean', default: false },
    last: { type: 'string' },
    warm: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const prior = loadPrior();
const specs = readSpecs();
const synthetic: readonly SyntheticTrace[] = makeTraces(6, 400, 42);
/** Users in groups of four: the first is for fitting. */
const FOLDS = 4;
const isChosen = (at: number) => values.part === 'all' || (at % FOLDS === 0) === (values.part === 'fit');
const traces: readonly UserTrace[] =
  folder === undefined
    ? synthetic
    : statSync(folder).isFile()
      ? [lastOf(readTextTrace(folder, values['newest-first']), values.last, values.warm)]
      : readTraces(folder).filter((_, at) => isChosen(at));

if (values.fit) {
  // Different synthetic users from the gate's, so that the weights cover folders and failures too.
  const { weights, merge } = fitRanking([...traces, ...makeTraces(6, 400, 7)], prior);
  console.log(`merge: [${merge.join(', ')}]`);
  for (const [source, row] of Object.entries(weights)) console.log(`  ${source}: [${row.join(', ')}],`);
  process.exit(0);
}

const percent = (part: number, whole = 1) => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(1));

function row(name: string, metrics: Metrics, calibrated: boolean): string {
  const cells = [
    name,
    percent(keystrokesSaved(metrics)),
    percent(keystrokesSaved(metrics, 'keysByDefault')),
    percent(metrics.exactFirst, metrics.commands),
    percent(metrics.exactShown, metrics.commands),
    percent(metrics.usefulShown, metrics.commands),
    percent(metrics.emptyFirst, metrics.commands),
    percent(metrics.emptyShown, metrics.commands),
    calibrated ? calibrationError(metrics).toFixed(3) : '-',
    quantileMs(metrics, 0.5).toFixed(2),
    quantileMs(metrics, 0.99).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

const commands = traces.reduce((sum, trace) => sum + trace.commands.length, 0);
console.log(`${traces.length} users, ${commands} commands\n`);
console.log(
  '| | saved % | by default % | hit@1 | hit@4 | useful@4 | empty@1 | empty@4 | calibration error | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|---|---|---|---|',
);
console.log(row('most recent (zsh-autosuggestions `history`)', replay(traces, mostRecent), false));
console.log(row('most frequent', replay(traces, mostFrequent), false));
console.log(row('`match_prev_cmd`', replay(traces, matchPreviousCommand), false));
const ours = replay(traces, () => createOurs({ prior, specs }));
console.log(row('**copane**', ours, true));
if (values.most) {
  console.log(
    row(
      'at most: the best proposal of copane',
      replay(traces, () => bestProposal({ prior, specs })),
      false,
    ),
  );
  console.log(row('at most: the best line of the history', replay(traces, bestLine), false));
  console.log(row('at most: every word that came before', replay(traces, bestWord), false));
}
const SOURCES: readonly SourceName[] = ['history', 'sequence', 'tokens', 'words', 'prior', 'specs', 'typo'];
if (!values.quick)
  for (const source of SOURCES)
    console.log(
      row(
        `copane without ${source}`,
        replay(traces, () => createOurs({ prior, specs, without: [source] })),
        true,
      ),
    );

/** The command grammar comes from a build. */
function readSpecs(): GrammarCatalogue | null {
  const file = new URL('../../dist/completion-specs.txt', import.meta.url);
  if (existsSync(file)) return new GrammarCatalogue(readFileSync(file, 'utf8'));
  console.error('eval: without the grammar of commands: "npm run build" makes it');
  return null;
}

/** How many typos of the synthetic trace does the first suggestion correct? */
function typoRate(): { readonly right: number; readonly all: number } {
  let right = 0;
  let all = 0;
  for (const { commands: list, slips } of synthetic) {
    const knowledge = new Knowledge();
    const typos = createTypoSource(knowledge, prior);
    const names = new Set(
      list.filter(({ exit }) => exit !== 127).map(({ line }) => line.split(' ')[0] ?? ''),
    );
    knowledge.setExisting(names);
    for (const command of list) knowledge.learn({ ...command, session: 's' } satisfies Executed);
    for (const slip of slips) {
      all += 1;
      const query = { line: slip.wrong, cursor: slip.wrong.length, cwd: '/', session: 's', limit: 4 };
      const found = typos.suggest(query, new AbortController().signal);
      if (!(found instanceof Promise) && found[0]?.line === slip.right) right += 1;
    }
  }
  return { right, all };
}

/** How many typos of the list does the first suggestion correct, on a machine where every intended program is installed? */
function listedTypoRate(): { readonly right: number; readonly all: number } {
  const knowledge = new Knowledge();
  knowledge.setExisting(new Set(TYPOS.flatMap(([, right]) => right.split(/\W+/)).concat(USUAL_NAMES)));
  const typos = createTypoSource(knowledge, prior, specs);
  const right = TYPOS.filter(([wrong, meant]) => {
    const query = { line: wrong, cursor: wrong.length, cwd: '/', session: 's', limit: 4 };
    const found = typos.suggest(query, new AbortController().signal);
    return !(found instanceof Promise) && found[0]?.line === meant;
  });
  return { right: right.length, all: TYPOS.length };
}

const typos = typoRate();
console.log(`\nSlips repaired by the first row: ${percent(typos.right, typos.all)} % of ${typos.all}`);
const listed = listedTypoRate();
console.log(
  `Slips of the list repaired by the first row: ${percent(listed.right, listed.all)} % of ${listed.all}`,
);
const leaks = (await secretsIn(ours.shownLines)).length;
console.log(`Secrets shown, by secretlint: ${leaks}`);
const secrets = measureSecrets();
console.log(
  `Secrets found: ${percent(secrets.found, secrets.shapes)} % of ${secrets.shapes} shapes; false alarms: ${percent(secrets.alarms, secrets.harmless)} % of ${secrets.harmless} lines`,
);

/** The gate of the synthetic trace: well below our result, well above that of a broken engine. */
if (folder === undefined) {
  const gain = keystrokesSaved(ours) - keystrokesSaved(replay(traces, mostRecent));
  const failures = [
    gain < 0.1 ? `saves only ${percent(gain)} points more than the most recent line` : '',
    calibrationError(ours) > 0.05 ? `calibration error ${calibrationError(ours).toFixed(3)}` : '',
    typos.right / typos.all < 0.8 ? `repairs only ${percent(typos.right, typos.all)} % of the slips` : '',
    listed.right / listed.all < 0.9 ? 'repairs too few slips of the list' : '',
    secrets.found / secrets.shapes < 0.95 ? 'finds too few secrets' : '',
    secrets.alarms / secrets.harmless > 0.05 ? 'takes too much for secrets' : '',
    leaks > 0 ? `showed ${leaks} secrets` : '',
  ].filter(Boolean);
  for (const failure of failures) console.error(`eval: ${failure}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
