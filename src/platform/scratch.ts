/** Temporary folders, named after their process, so that those of a killed process can be recognized. */
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from './process-state.ts';
import { systemProcesses } from './process-tree.ts';

const KINDS = ['eval', 'git', 'hidden', 'paste', 'patch', 'tour'] as const;
export type ScratchKind = (typeof KINDS)[number];

const NAME = new RegExp(`^copane-(?:${KINDS.join('|')})-(\\d+)-`);

/** The system's temporary folder; /tmp if $TMPDIR does not name a folder. */
export function temporaryFolder(): string {
  const named = os.tmpdir();
  return statSync(named, { throwIfNoEntry: false })?.isDirectory() ? named : '/tmp';
}

/** Creates a folder that only the user may enter (0700). Throws file system errors. */
export function makeScratch(kind: ScratchKind, parent = temporaryFolder()): string {
  return mkdtempSync(path.join(parent, `copane-${kind}-${process.pid}-`));
}

/** The clock may have been set after a folder was created. */
const CLOCK_SET_MAX_MS = 3_600_000;

/** Removes the user's scratch folders whose process is gone, even if another process has its pid now. */
export async function sweepScratch(
  parent = temporaryFolder(),
  startedAt = systemProcesses.startedAt,
): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined) continue;
    const folder = path.join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    const began = isAlive(Number(pid)) ? ((await startedAt(Number(pid))) ?? 0) : Number.POSITIVE_INFINITY;
    if (began > found.ctimeMs + CLOCK_SET_MAX_MS) rmSync(folder, { recursive: true, force: true });
  }
}
