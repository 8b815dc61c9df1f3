/** `copane complete`: prints completions of a command line and where they come from. */
import { type Command, Option } from 'commander';
import { completeLine } from '../app/complete.ts';
import { type CompletionReply, DEFAULT_CANDIDATES } from '../protocol/completion.ts';
import { type CliContext, subcommand, wholeNumber } from './cli-context.ts';
import { jsonLine } from './json-line.ts';

interface CompleteFlags {
  readonly input: string;
  readonly cursor?: number;
  readonly cwd?: string;
  readonly number: number;
  readonly explain?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('complete', context)
    .description('print completions of a command line, as the shell is offered them')
    .requiredOption('--input <line>', 'the command line')
    .addOption(
      new Option('--cursor <n>', 'the cursor position in characters (default: the end)').argParser(
        wholeNumber(0),
      ),
    )
    .option('--cwd <folder>', 'the folder of the shell (default: this one)')
    .addOption(
      new Option('-n, --number <n>', 'how many').argParser(wholeNumber(1)).default(DEFAULT_CANDIDATES),
    )
    .option('--explain', 'show the source and the confidence of each')
    .option('--json', 'print the answer as JSON')
    .action((flags: CompleteFlags) => complete(context, flags));
}

async function complete(context: CliContext, flags: CompleteFlags): Promise<void> {
  const reply = await completeLine(context.env, {
    input: flags.input,
    cursor: [...flags.input].slice(0, flags.cursor).join('').length,
    cwd: flags.cwd ?? context.cwd,
    limit: flags.number,
  });
  if (context.json) context.out(jsonLine(reply));
  else for (const line of describe(reply, flags.explain ?? false)) context.show(`${line}\n`);
}

function describe(reply: CompletionReply, explain: boolean): readonly string[] {
  return reply.candidates.map(({ completion, confidence, kind, partial, why }) => {
    const line = completion.replaceAll('\n', '⏎');
    if (!explain) return line;
    const marks = [kind === 'fix' ? 'a correction' : '', partial ? 'more may follow' : ''].filter(Boolean);
    return `${line}\n  ${Math.round(confidence * 100)} %: ${[...(why ?? []), ...marks].join('; ')}`;
  });
}
