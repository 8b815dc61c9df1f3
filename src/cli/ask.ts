/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import { sanitize } from '../lib/sanitize.ts';
import type { CliContext } from './cli-context.ts';

/** Whether the answer is a yes; Enter and the end of the input are a no. */
export async function confirm(context: CliContext, question: string): Promise<boolean> {
  const lines = createInterface({ input: context.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(`${sanitize(question)} [y/N] `), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
