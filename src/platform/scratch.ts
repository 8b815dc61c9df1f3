/**
 * Folders for what a process needs for a moment, in the system's temporary folder. Each is named after its process, so
 * that what a killed one left behind can be distinguished from what is in use.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from './process-state.ts';

/** What a scratch folder can be for. */
export type ScratchKind = 'git' | 'hidden' | 'paste' | 'patch' | 'tour';

const NAME = /^copane-(?:git|hidden|paste|patch|tour)-(\d+)-/;

/** The system's temporary folder; /tmp where $TMPDIR names no folder. */
export function temporaryFolder(): string {
  const named = os.tmpdir();
  return statSync(named, { throwIfNoEntry: false })?.isDirectory() ? named : '/tmp';
}

/** Makes a folder that only the user may enter (0700). Throws what the file system throws. */
export function makeScratch(kind: ScratchKind, parent = temporaryFolder()): string {
  return mkdtempSync(path.join(parent, `copane-${kind}-${process.pid}-`));
}

/** Removes the user's scratch folders whose process is gone. */
export function sweepScratch(parent = temporaryFolder()): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() && found.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true });
  }
}
