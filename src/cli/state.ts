/** `copane state`: shows what is stored, its size and age; deletes data by kind and age. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { openHostNow } from '../app/host-access.ts';
import { deleteFiles, FILE_PURGES, stateUsage, type UsageRow } from '../app/state-usage.ts';
import { ok, type Result } from '../lib/result.ts';
import { purgeKindSchema } from '../protocol/commands/state.ts';
import { confirm } from './ask.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION } from './options.ts';

const DAY_MS = 24 * 3_600_000;
/** A hundred years; older dates are out of range. */
const DAYS_MAX = 36_500;
const KINDS = [...purgeKindSchema.options, ...FILE_PURGES];

interface StateFlags {
  readonly purge?: string;
  /** Days. */
  readonly olderThan: number;
  readonly unfinished?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('state', context)
    .description('show what copane keeps, its size and age; delete what you no longer want')
    .addOption(new Option('--purge <kind>', 'delete the data of this kind').choices(KINDS))
    .option('--older-than <days>', 'with --purge: only data older than this; 0 for everything', daysOf, 30)
    .option(
      '--unfinished',
      'with --purge: also delete drafts with text, prompts on their way and open reviews, without asking',
    )
    .option(...JSON_OPTION)
    .action((flags: StateFlags) => state(context, flags));
}

function daysOf(text: string): number {
  const days = Number(text);
  if (text.trim() === '' || !(days >= 0 && days <= DAYS_MAX))
    throw new InvalidArgumentError(`It must be a number of days, at most ${DAYS_MAX}.`);
  return days;
}

async function state(context: CliContext, flags: StateFlags): Promise<void> {
  if (flags.purge !== undefined) return purge(context, flags.purge, flags);
  const rows = unwrap(context, stateUsage(context.env));
  if (context.json) context.out(jsonLine({ kept: rows.map(rowToJson) }));
  else context.out(describe(rows));
}

const rowToJson = ({ since, ...row }: UsageRow) => ({
  ...row,
  since: since === null ? null : new Date(since).toISOString(),
});

function describe(rows: readonly UsageRow[]): string {
  const lines = rows
    .filter(({ count }) => count > 0)
    .map(({ kind, count, bytes, since, what, bound }) =>
      [
        kind.padEnd(10),
        String(count).padStart(7),
        sizeOf(bytes).padStart(9),
        since === null ? ' '.repeat(10) : new Date(since).toISOString().slice(0, 10),
        `${what} (${bound})`,
      ].join('  '),
    );
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return `${lines.map((line) => `${line}\n`).join('')}${'total'.padEnd(10)}  ${sizeOf(total).padStart(18)}\n`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

async function purge(context: CliContext, kind: string, flags: StateFlags): Promise<void> {
  const before = Date.now() - flags.olderThan * DAY_MS;
  const done = FILE_PURGES.has(kind)
    ? purgeFiles(context, kind, before)
    : await purgeByHost(context, kind, before, flags.unfinished === true);
  const { purged, unfinished } = unwrap(context, done);
  if (context.json) context.out(jsonLine({ kind, purged, unfinished }));
  const left =
    unfinished === 0 ? '' : ` ${unfinished} that are not finished were kept; --unfinished deletes them too.`;
  context.say(`copane: Deleted ${purged} of ${kind}.${left}`);
}

type Purged = { readonly purged: number; readonly unfinished: number };

function purgeFiles({ env }: CliContext, kind: string, before: number): Result<Purged> {
  const deleted = deleteFiles(env, kind, before);
  return deleted.ok ? ok({ purged: deleted.value, unfinished: 0 }) : deleted;
}

/** Deletes finished data at once, and asks before deleting unfinished data if there is a terminal. */
async function purgeByHost(
  context: CliContext,
  name: string,
  before: number,
  unfinished: boolean,
): Promise<Result<Purged>> {
  const kind = purgeKindSchema.parse(name);
  const client = await openHostNow(context.env);
  if (!client.ok) return client;
  try {
    const first = await client.value.request('state/purge', { kind, before, unfinished });
    if (!first.ok || first.value.unfinished === 0 || !(await isWanted(context, first.value.unfinished, kind)))
      return first;
    const rest = await client.value.request('state/purge', { kind, before, unfinished: true });
    return rest.ok ? ok({ ...rest.value, purged: first.value.purged + rest.value.purged }) : rest;
  } finally {
    await client.value.close();
  }
}

const NOT_FINISHED: Readonly<Record<string, string>> = {
  drafts: 'still hold text',
  prompts: 'are on their way',
  reviews: 'are open',
};

async function isWanted(context: CliContext, count: number, kind: string): Promise<boolean> {
  if (!context.stdin.isTTY) return false;
  const what = `${count} of ${kind} ${NOT_FINISHED[kind] ?? 'are not finished'}.`;
  return confirm(context, `${what} Delete them as well?`);
}
