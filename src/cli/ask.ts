/** Asks the user questions on the terminal. */
import { createInterface } from 'node:readline/promises';
import { sanitize } from '../lib/sanitize.ts';
import type { CliContext } from './cli-context.ts';

/** Asks for a line; empty at the end of the input. */
export async function ask(context: CliContext, question: string): Promise<string> {
  const lines = createInterface({ input: context.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(sanitize(question)), closed]);
  lines.close();
  return answer;
}

/** Asks yes or no; Enter and the end of the input mean no. */
export async function confirm(context: CliContext, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(context, `${question} [y/N] `)).trim());
}
