/** `copane trace JOB`: prints everything that a job did, one line per event. */
import type { Command } from 'commander';
import { ok } from '../lib/result.ts';
import type { AgentEvent } from '../protocol/agent.ts';
import { eventLine } from './agent-output.ts';
import { type CliContext, subcommand } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';
import { line, withHost } from './review-output.ts';

const PAGE_EVENTS = 1000;

interface TraceFlags {
  readonly full?: boolean;
}

export const command = (context: CliContext): Command => addTrace(subcommand('trace', context), context);

/** Adds the same command as a subcommand. */
export function addTrace(part: Command, context: CliContext): Command {
  return part
    .description('show what a job did, event by event')
    .argument('<job>')
    .option('--full', 'include the data of each event')
    .option(...JSON_OPTION)
    .action((job: string, flags: TraceFlags) => trace(context, job, flags));
}

async function trace(context: CliContext, job: string, flags: TraceFlags): Promise<void> {
  const { events, dropped } = await withHost(context, async (client) => {
    const all: AgentEvent[] = [];
    let lost = 0;
    for (let cursor = 0; ; ) {
      const page = await client.request('agent/events', { job_id: job, cursor, limit: PAGE_EVENTS });
      if (!page.ok) return page;
      lost += page.value.dropped;
      all.push(...page.value.events);
      cursor = page.value.next_cursor;
      if (page.value.events.length < PAGE_EVENTS) return ok({ events: all, dropped: lost });
    }
  });
  for (const event of events) {
    if (context.json) context.out(line(event));
    else context.show(`${eventLine(event)}\n`);
    if (flags.full && !context.json) context.show(`${detailLines(event)}\n`);
  }
  if (dropped > 0) context.say(`copane: ${dropped} older events were dropped.`);
}

const detailLines = ({ data }: AgentEvent) =>
  JSON.stringify(data, null, 2)
    .split('\n')
    .map((text) => `       ${text}`)
    .join('\n');
