/** `copane map`: prints the outline of a file, symbols with their line ranges. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { openFileMaps } from '../app/file-maps.ts';
import { fitMap } from '../filemap/core/fit-map.ts';
import { formatMapDiff } from '../filemap/core/map-diff.ts';
import { visibleJson } from '../lib/visible-json.ts';
import { MAP_LEVELS, type MapLevel } from '../protocol/file-map.ts';
import { type CliContext, subcommand, unwrap, wholeNumber } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';

interface MapFlags {
  readonly level?: Exclude<MapLevel, 'cut'>;
  readonly maxBytes?: number;
  readonly changes?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('map', context)
    .description('print the outline of a file: its symbols with their line ranges')
    .argument('<file>', 'the file')
    .addOption(
      new Option('-l, --level <level>', 'detail for each symbol; default: what fits').choices(
        MAP_LEVELS.filter((level) => level !== 'cut'),
      ),
    )
    .option('--max-bytes <n>', 'limit on the length of the text', wholeNumber(1))
    .option('--changes', 'show what changed since this file was last mapped')
    .option(...JSON_OPTION)
    .action((file: string, flags: MapFlags) => map(context, file, flags));
}

async function map(context: CliContext, file: string, flags: MapFlags): Promise<void> {
  const { maps } = openFileMaps(context.env);
  const found = unwrap(context, await maps.get(path.resolve(context.cwd, file)));
  if (context.json) {
    const rendered = fitMap(found.map, flags);
    context.out(`${visibleJson({ ...found.map, ...rendered, changes: found.changes })}\n`);
  } else if (flags.changes) {
    if (found.changes === null)
      context.say('copane: Nothing to compare: the file is unchanged, or this is its first map.');
    else if (found.changes.length === 0) context.say('copane: The file changed, its outline did not.');
    else context.show(formatMapDiff(found.changes));
  } else context.show(fitMap(found.map, flags).text);
}
