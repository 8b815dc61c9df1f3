/** Commands, arguments and options as plain data, read from the command definitions, so that it matches the help. */
import type { Argument, Command, Option } from 'commander';
import type { CliContext } from '../../src/cli/cli-context.ts';
import { COMMANDS } from '../../src/cli/commands.ts';

/** An argument, or the value of an option. */
export interface ValueDoc {
  readonly name: string;
  readonly about: string;
  /** The allowed words; empty for any. */
  readonly choices: readonly string[];
}

export interface OptionDoc {
  /** As the help shows it: `-r, --range <start:end>`. */
  readonly flags: string;
  readonly long: string;
  readonly short: string | null;
  readonly about: string;
  /** Null for a switch. */
  readonly value: ValueDoc | null;
}

export interface CommandDoc {
  /** Without the name of the program: `sandbox new`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly usage: string;
  readonly args: readonly ValueDoc[];
  readonly options: readonly OptionDoc[];
  readonly subcommands: readonly CommandDoc[];
}

/** Commands are only described here: nothing runs. */
const CONTEXT: CliContext = {
  env: {},
  cwd: '/',
  pid: process.pid,
  stdin: process.stdin,
  out: () => undefined,
  show: () => undefined,
  say: () => undefined,
};

/** Every command, in the order of the help. */
export async function commandTable(): Promise<readonly CommandDoc[]> {
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, { summary, load }]) => {
      const { command } = await load();
      return describe(command(CONTEXT), name, summary);
    }),
  );
}

function describe(command: Command, name: string, summary: string): CommandDoc {
  return {
    name,
    summary,
    description: command.description(),
    usage: `copane ${name} ${command.usage()}`.trim(),
    args: command.registeredArguments.map(argumentDoc),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionDoc), HELP],
    subcommands: command.commands.map((part) =>
      describe(part, `${name} ${part.name()}`, part.summary() || firstLine(part.description())),
    ),
  };
}

const HELP: OptionDoc = {
  flags: '-h, --help',
  long: '--help',
  short: '-h',
  about: 'display help for command',
  value: null,
};

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function argumentDoc(argument: Argument): ValueDoc {
  return { name: argument.name(), about: argument.description, choices: argument.argChoices ?? [] };
}

function optionDoc(option: Option): OptionDoc {
  const takes = option.required || option.optional;
  const value = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1] ?? option.attributeName();
  return {
    flags: option.flags,
    long: option.long ?? option.short ?? '',
    short: option.long === undefined ? null : (option.short ?? null),
    about: option.description,
    value: takes ? { name: value, about: '', choices: option.argChoices ?? [] } : null,
  };
}
