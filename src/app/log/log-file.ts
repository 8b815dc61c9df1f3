/**
 * A log file of bounded size: at the limit it is renamed to `.1` and a new one is started. Several processes append to
 * the same file; a process that finds it renamed opens the new one. Never throws or prints: while the log cannot be
 * written its lines are lost, and their number is logged afterwards.
 */
// biome-ignore lint/style/noRestrictedImports: opens the log of this process, to write it.
import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';

/** The limit of each of the two files. */
const LOG_MAX_BYTES = 4 * 1024 * 1024;

export class LogFile {
  readonly #file: string;
  readonly #maxBytes: number;
  #descriptor: number | null = null;
  #bytes = 0;
  #lostLines = 0;

  constructor(file: string, maxBytes: number = LOG_MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** Appends one line, including its line feed. */
  write(line: string): void {
    try {
      const descriptor = this.#ready(Buffer.byteLength(line));
      const lost =
        this.#lostLines === 0 ? '' : `{"level":40,"msg":"${this.#lostLines} log lines were lost"}\n`;
      this.#bytes += writeSync(descriptor, lost + line);
      this.#lostLines = 0;
    } catch {
      this.#lostLines += 1;
      this.close();
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #ready(nextBytes: number): number {
    if (this.#descriptor !== null && this.#bytes + nextBytes > this.#maxBytes) this.#rotate(this.#descriptor);
    this.#descriptor ??= this.#open();
    return this.#descriptor;
  }

  #open(): number {
    ensurePrivateFolder(path.dirname(this.#file), STATE_LEVELS);
    const descriptor = openSync(this.#file, 'a', 0o600);
    this.#bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  /** Only the process whose file still has the name renames it; others just reopen it. */
  #rotate(descriptor: number): void {
    const ours = fstatSync(descriptor).ino;
    this.close();
    if (statSync(this.#file, { throwIfNoEntry: false })?.ino === ours)
      renameSync(this.#file, `${this.#file}.1`);
  }
}
