/**
 * The log as a file of bounded size: beyond the limit it becomes `.1` and a new one is begun. Several processes
 * append to the same file; whoever finds it renamed opens the new one. Never throws and never prints: a log that
 * cannot be written costs its own lines only, and says how many when it can again.
 */
// biome-ignore lint/style/noRestrictedImports: opens the log of this process, to write it.
import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';

/** Two files of this size at most. */
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

  /** Appends one line, its line feed included. */
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

  /** Only the process whose file still has the name renames it; the others just open the new one. */
  #rotate(descriptor: number): void {
    const ours = fstatSync(descriptor).ino;
    this.close();
    if (statSync(this.#file, { throwIfNoEntry: false })?.ino === ours)
      renameSync(this.#file, `${this.#file}.1`);
  }
}
