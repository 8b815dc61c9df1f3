/** `copane status`: shows what every AI pane is doing. Never starts a host. */

import type { Command } from 'commander';
import { readStatus, readStatusLine, type StatusReport } from '../app/status.ts';
import { count } from '../lib/count.ts';
import { folderName, sessionTitle } from '../lib/pane-names.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { HostStatus } from '../protocol/commands/host.ts';
import type { AiState } from '../protocol/pane.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION } from './options.ts';

interface StatusFlags {
  readonly tmux?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('status', context)
    .description('show what every AI pane is doing')
    .option(
      '--tmux',
      'print one short segment for the status line of tmux: set -ga status-right " #(copane status --tmux)"',
    )
    .option(...JSON_OPTION)
    .action((flags: StatusFlags) => status(context, flags));
}

async function status(context: CliContext, flags: StatusFlags): Promise<void> {
  if (flags.tmux && !context.json) {
    context.show(`${segment(unwrap(context, await readStatusLine(context.env, context.tmux)))}\n`);
    return;
  }
  const report = unwrap(context, await readStatus(context.env, context.tmux));
  if (context.json) context.out(jsonLine(report));
  else context.show(describe(report));
}

const GLYPHS: Readonly<Record<AiState, string>> = {
  working: '●',
  waiting: '!',
  idle: '○',
  unknown: '·',
  suspended: '×',
  gone: '×',
};

/** For example `claude ●  codex !  2 to review`. */
function segment({ panes, suggestions }: Omit<StatusReport, 'host'>): string {
  const states = panes.map(({ cli, state }) => `${cli} ${GLYPHS[state]}`);
  return [...states, ...(suggestions === 0 ? [] : [`${suggestions} to review`])].join('  ');
}

function describe({ host, panes, suggestions }: StatusReport): string {
  const lines = panes.map(({ identity, label, cli, state, cwd, branch, title }) => {
    const about = [cwd, branch ?? '', sessionTitle(cli, title, folderName(cwd))].filter(
      (fact) => fact !== '',
    );
    return [identity.paneId, label, cli, state, ...about.map(oneLine)].join('  ');
  });
  if (panes.length === 0) lines.push('No AI pane. Start one with: copane up');
  if (host === null) lines.push('No companion is running.');
  else if ('suspended' in host)
    lines.push(`The companion (pid ${host.suspended}) is stopped; "fg" in its terminal continues it.`);
  else
    lines.push(`The companion leads with pid ${host.pid}; ${host.clients} connected.`, ...serverLines(host));
  if (suggestions > 0) lines.push(`${count(suggestions, 'suggestion')} to review: copane suggestions`);
  return `${lines.join('\n')}\n`;
}

function serverLines({ server, notices }: HostStatus): string[] {
  const open = server?.openToAll ? ' without tokens: every program on this machine may decide' : '';
  return [...(server === null ? [] : [`Suggestions on ${server.address}${open}.`]), ...notices];
}
