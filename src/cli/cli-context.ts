/**
 * What a subcommand may touch of the outside, and how its outcome becomes an exit code.
 * Data goes to stdout, words for people to stderr.
 */
import { Command, InvalidArgumentError } from 'commander';
import { exitCodeOf, formatFailure, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import type { TmuxPort } from '../tmux/port.ts';

export interface CliContext {
  readonly env: Env;
  readonly cwd: string;
  /** The process that was started with the command. */
  readonly pid: number;
  /** How tmux is asked; left out: by a process per call, which this one waits for. */
  readonly tmux?: TmuxPort;
  readonly stdin: NodeJS.ReadStream;
  /** Writes data to stdout: as it is into a file or a pipe, at a terminal with everything hidden made visible. */
  readonly out: (text: string) => void;
  /** Writes text for people to stdout, with everything hidden made visible. */
  readonly show: (text: string) => void;
  /** The same to stderr, as one line or more. */
  readonly say: (line: string) => void;
}

/** One file under `src/cli/` default-exports this: the command with its options and its action. */
export type CliModule = { readonly command: (context: CliContext) => Command };

/** An outcome that is not a plain success and has been told to the user: carries the exit code to `runCommand`. */
export class ExitWith extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** What a command was to write is in conflict with what is there; nothing was written. */
export const EXIT_CONFLICT = 3;

/** A command that reports usage errors by throwing, so that `main` alone decides how the process ends. */
export function subcommand(name: string, context: CliContext): Command {
  return new Command(`copane ${name}`)
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: (text) => context.say(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'copane: ')),
    })
    .showHelpAfterError(`Run "copane ${name} --help" for its options.`);
}

/** Makes the commands below a command. */
export function subcommandsOf(group: Command): (name: string) => Command {
  return (name) => {
    const part = new Command(name).copyInheritedSettings(group);
    group.addCommand(part);
    return part;
  };
}

/** Ends a command: on failure says why and leaves with its exit code; with `json` the failure goes to stdout as well. */
export function unwrap<T>(context: CliContext, result: Result<T>, options: { json?: boolean } = {}): T {
  if (result.ok) return result.value;
  if (options.json) context.out(`${JSON.stringify({ error: result.error })}\n`);
  context.say(`copane: ${formatFailure(result.error)}`);
  throw new ExitWith(exitCodeOf(result.error));
}

/** A whole number within bounds, for an option's value. Only this kind of error is told by commander with its option. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least)
      throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
    return value;
  };
}
