/** Options that several subcommands share, and their parsers. */
import { text as readAll } from 'node:stream/consumers';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { readRegular } from '../platform/regular-file.ts';
import { systemCode } from '../platform/system-error.ts';
import type { CliContext } from './cli-context.ts';

export const PANE_OPTION = ['--pane <id>', 'the AI pane: %N, or session:window.pane'] as const;
export const JSON_OPTION = ['--json', 'print the result as JSON'] as const;

export const collect = (value: string, before: string[] = []) => [...before, value];

/** The largest prompt; a larger file is probably a mistake. */
export const INPUT_MAX_BYTES = 8 * 1024 * 1024;

/** Reads a file as text; `-` reads stdin. */
export async function readInput(file: string, context: CliContext): Promise<Result<string>> {
  if (file === '-' && context.stdin.isTTY) {
    context.say('copane: Reading from the terminal; end with Ctrl+D.');
  }
  try {
    const text =
      file === '-'
        ? await readAll(context.stdin)
        : String(await readRegular(file, { maxBytes: INPUT_MAX_BYTES }));
    if (Buffer.byteLength(text) > INPUT_MAX_BYTES)
      return fail('invalid', `${file} is larger than ${INPUT_MAX_BYTES} bytes`);
    return ok(text);
  } catch (thrown) {
    return systemCode(thrown) === 'ENOENT'
      ? fail(
          'invalid',
          `there is no file ${file}`,
          'To pass the text itself, write - instead of the file and pipe it in.',
        )
      : fail('invalid', `cannot read ${file}: ${errorMessage(thrown)}`);
  }
}

export const NEW_OPTION = ['--new', 'only what is new since you last decided or commented'] as const;
