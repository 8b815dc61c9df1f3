/** A subcommand's access to its environment, and its exit codes. Data goes to stdout, messages to stderr. */
import { Command, InvalidArgumentError } from 'commander';
import { exitCodeOf, type Failure, fail, formatFailure, type Result, sentence } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import type { TmuxPort } from '../tmux/port.ts';

export interface CliContext {
  readonly env: Env;
  readonly cwd: string;
  /** The process in which the user started the command. */
  readonly pid: number;
  /** The tmux client; by default each call spawns tmux and blocks. */
  readonly tmux?: TmuxPort;
  readonly stdin: NodeJS.ReadStream;
  /** Writes data to stdout: unchanged to a file or pipe, with hidden characters made visible on a terminal. */
  readonly out: (text: string) => void;
  /** Writes text to stdout with hidden characters made visible. */
  readonly show: (text: string) => void;
  /** The same for stderr. */
  readonly say: (line: string) => void;
  /** Whether `--json` was given; set before the command's action runs. */
  json?: boolean;
}

/** The default export of each file in `src/cli/`: builds the command with its options and action. */
export type CliModule = { readonly command: (context: CliContext) => Command };

/** Carries an exit code to `runCommand` after the user has been told the outcome. */
export class ExitWith extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** The exit code when a write conflicts with the target; nothing was written. */
export const EXIT_CONFLICT = 3;

/** A command that throws its usage errors, so that only `main` decides how the process ends. */
export function subcommand(name: string, context: CliContext): Command {
  return new Command(`copane ${name}`)
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: (text) => context.say(text.trimEnd()),
      outputError: (text, write) =>
        write(
          text
            .replace(/\n(?!\(Did|$)/g, '␊')
            .replace(/^error: (.)/, (_, first: string) => `copane: ${first.toUpperCase()}`),
        ),
    })
    .showHelpAfterError(`Run "copane ${name} --help" for its options.`)
    .hook('preAction', (_, acting) => {
      context.json = acting.opts().json === true;
    });
}

/** Returns a function that creates subcommands of `group`. */
export function subcommandsOf(group: Command): (name: string) => Command {
  return (name) => {
    const part = new Command(name).copyInheritedSettings(group);
    group.addCommand(part);
    return part;
  };
}

/** The value of a success. Reports a failure and exits with its code; with `--json` also prints it to stdout. */
export function unwrap<T>(context: CliContext, result: Result<T>): T {
  if (result.ok) return result.value;
  const { error } = result;
  if (context.json)
    context.show(`${JSON.stringify({ error: { ...error, message: sentence(error.message) } })}\n`);
  throw reported(context, error);
}

/** Reports a failure and exits with its code. */
export function refuse(context: CliContext, ...failure: Parameters<typeof fail>): never {
  return unwrap(context, fail(...failure));
}

/** Reports a failure; returns the exit with its code. */
export function reported(context: CliContext, error: Failure): ExitWith {
  context.say(`copane: ${formatFailure(error)}`);
  return new ExitWith(exitCodeOf(error));
}

/** Parses a whole number of at least `least`. Commander names the option only for this class of error. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least)
      throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
    return value;
  };
}
