/** `copane suggestions`: lists the suggestions that wait for review. */
import path from 'node:path';
import type { Command } from 'commander';
import { count } from '../lib/count.ts';
import { projectNames } from '../lib/project-names.ts';
import { oneLine } from '../lib/sanitize.ts';
import { widthOf } from '../lib/width.ts';
import type { SuggestionSummary } from '../protocol/review.ts';
import { countToReview, isOfProject } from '../protocol/to-review.ts';
import { realPath } from '../review/files/target-folder.ts';
import { topOf } from '../review/vcs/repository-place.ts';
import { type CliContext, subcommand } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';
import { line, summaryLine, summaryToJson, withHost } from './review-output.ts';

/** How many suggestions are compared with their files, newest first; each must be read. */
const LOOKED_MAX = 100;

interface ListFlags {
  readonly target?: string;
  readonly all?: boolean;
  readonly everywhere?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('suggestions', context)
    .description('list the suggestions waiting for review in this project, newest first')
    .option('--target <dir>', 'those for this folder')
    .option('--everywhere', 'those of every project')
    .option('--all', 'include finished ones')
    .option(...JSON_OPTION)
    .action((flags: ListFlags) => list(context, flags));
}

async function list(context: CliContext, flags: ListFlags): Promise<void> {
  const isWanted = flags.everywhere ? () => true : isOfProject(projectOf(context, flags));
  const all = await withHost(context, async (client) => {
    const ask = () => client.request('review/list', { target: null, ended: flags.all ?? false });
    const listed = await ask();
    if (!listed.ok) return listed;
    // Loading a suggestion counts its hunks against the current files.
    const looked = listed.value.filter(isWanted).filter(isOpen).slice(0, LOOKED_MAX);
    for (const { id } of looked) await client.request('review/show', { suggestion: id, maxDiffBytes: 0 });
    return looked.length === 0 ? listed : ask();
  });
  const found = all.filter(isWanted);
  const unseen = found.filter(isOpen).length - LOOKED_MAX;
  if (unseen > 0) context.say(`copane: The hunks of the ${unseen} oldest were counted when last looked at.`);
  if (context.json) context.out(line(found.map(summaryToJson)));
  else for (const row of table(found)) context.show(`${row}\n`);
  if (found.length > 0) return context.say(`copane: ${count(countToReview(found), 'suggestion')} to review.`);
  const elsewhere =
    all.length === 0 ? '' : ` ${waiting(all.length)} in other projects: --everywhere lists them.`;
  context.say(
    `copane: No suggestion is waiting here.${elsewhere} An AI offers one with "copane publish --patch FILE".`,
  );
}

/** The folder to list: the repository around the current folder, if there is one. */
function projectOf({ cwd }: CliContext, { target }: ListFlags): string {
  const folder = path.resolve(cwd, target ?? '.');
  const top = target === undefined ? (topOf(folder) ?? folder) : folder;
  return realPath(top);
}

const isOpen = ({ status }: SuggestionSummary) => status !== 'finalized' && status !== 'discarded';

const waiting = (amount: number) => (amount === 1 ? 'One waits' : `${amount} wait`);

/** One line per suggestion, with its project in a column. */
function table(found: readonly SuggestionSummary[]): readonly string[] {
  const nameOf = projectNames(found.map(({ target }) => target));
  const names = found.map(({ target }) => oneLine(nameOf(target)));
  const width = Math.max(...names.map(widthOf));
  return found.map((summary, at) => {
    const name = names[at] ?? '';
    const project = `${name}${' '.repeat(width - widthOf(name))}`;
    return summaryLine(summary).replace('  ', `  ${project.replaceAll('$', '$$$$')}  `);
  });
}
