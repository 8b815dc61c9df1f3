/** Writes the tour's session file where the companion looks for it, as AI CLIs do. It is deleted with the tour. */
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { createPrivateFile, ensurePrivateFolder } from '../../platform/private-files.ts';
import { isAlive } from '../../platform/process-state.ts';
import { type TourRecord, tourSessionFile } from '../../responses/transcripts/tour.ts';

export interface TourSession {
  /** Records a prompt of the visitor. `at`: ms since the epoch. */
  prompt(text: string, at: number): void;
  answer(text: string): void;
  /** Deletes the file. */
  close(): void;
}

/** The session of this process; fails if the state folder is not writable. */
export function createTourSession(env: Env): Result<TourSession> {
  const file = tourSessionFile(env, process.pid);
  try {
    ensurePrivateFolder(path.dirname(file));
    forgetKilled(path.dirname(file));
    rmSync(file, { force: true });
    createPrivateFile(file);
  } catch (thrown) {
    return fail(
      'refused',
      `the tour cannot keep its answers: ${errorMessage(thrown)}`,
      'Run "copane doctor" to see why.',
    );
  }
  let count = 0;
  const append = (record: TourRecord) => appendFileSync(file, `${JSON.stringify(record)}\n`);
  return ok({
    prompt: (text, at) => {
      count += 1;
      append({ kind: 'prompt', id: `${count}`, text, at });
    },
    answer: (text) => append({ kind: 'answer', text }),
    close: () => rmSync(file, { force: true }),
  });
}

function forgetKilled(folder: string): void {
  for (const name of readdirSync(folder))
    if (!isAlive(Number.parseInt(name, 10))) rmSync(path.join(folder, name), { force: true });
}
