/**
 * `copane init zsh`: piped, prints the code that sets the shell up; at a terminal, shows what it writes into .zshrc,
 * keeps a copy of the file, and writes. `--remove` undoes it.
 */
import {
  chmodSync,
  copyFileSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { addZshBlock, removeZshBlock, zshInitScript } from './init-zsh.ts';

interface InitFlags {
  readonly print?: boolean;
  readonly remove?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('init', context)
    .description(
      'set a program up to work with copane: zsh\n\n  eval "$(copane init zsh)"   in your .zshrc does the same',
    )
    .argument('<program>', 'zsh')
    .addOption(new Option('--print', 'print the code, write nothing').conflicts('remove'))
    .option('--remove', 'take out what was written')
    .action((program: string, flags: InitFlags) => init(context, program, flags));
}

function init(context: CliContext, program: string, flags: InitFlags): void {
  if (program !== 'zsh') {
    unwrap(context, fail('invalid', `copane cannot set up "${program}"`, 'It knows: zsh.'));
    return;
  }
  if (flags.remove) unwrap(context, removeFromZshrc(context));
  else if (flags.print || !process.stdout.isTTY) context.out(zshInitScript(shellFolder()));
  else unwrap(context, writeToZshrc(context));
}

/** The zsh client lies beside the bundle's folder. */
function shellFolder(): string {
  return fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../../shell' : '../shell', import.meta.url),
  );
}

function zshrcFile(context: CliContext): string {
  return path.join(context.env.ZDOTDIR || context.env.HOME || os.homedir(), '.zshrc');
}

function writeToZshrc(context: CliContext): Result<void> {
  const file = zshrcFile(context);
  const before = readIfThere(file);
  if (!before.ok) return before;
  const after = addZshBlock(before.value ?? '', shellFolder());
  if (after === null) {
    context.say(`${file} has the lines already. Open a new shell, or run "exec zsh".`);
    return ok(undefined);
  }
  context.out(after.slice((before.value ?? '').length).trimStart());
  const written = replaceFile(file, after, before.value !== null);
  if (written.ok)
    context.say(
      `Written to ${file}. Open a new shell, or run "exec zsh". "copane init zsh --remove" undoes it.`,
    );
  return written;
}

function removeFromZshrc(context: CliContext): Result<void> {
  const file = zshrcFile(context);
  const before = readIfThere(file);
  if (!before.ok) return before;
  const after = before.value === null ? null : removeZshBlock(before.value);
  if (after === null) {
    context.say(`${file} has no lines of copane.`);
    return ok(undefined);
  }
  const written = replaceFile(file, after, true);
  if (written.ok) context.say(`Taken out of ${file}.`);
  return written;
}

function readIfThere(file: string): Result<string | null> {
  try {
    return ok(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok(null);
    return fail('refused', `cannot read ${file}: ${errorMessage(error)}`);
  }
}

/** Writes beside the file and renames, with its mode; a link stays a link. The old text stays in `.copane-backup`. */
function replaceFile(file: string, text: string, exists: boolean): Result<void> {
  try {
    const target = exists ? realpathSync(file) : file;
    if (exists) copyFileSync(target, `${file}.copane-backup`);
    writeFileSync(`${target}.copane-new`, text);
    if (exists) chmodSync(`${target}.copane-new`, statSync(target).mode);
    renameSync(`${target}.copane-new`, target);
    return ok(undefined);
  } catch (error) {
    return fail('refused', `cannot write ${file}: ${errorMessage(error)}`);
  }
}
