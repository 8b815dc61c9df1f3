/**
 * The lines of a packed session file (`.jsonl.zst`). Such a file cannot be read from its end, so it is unpacked
 * as a stream each time it changed, and only the last stretch of lines is held.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { errorMessage } from '../../lib/result.ts';
import { fileAt } from './files.ts';
import type { LineSource } from './jsonl-session.ts';
import { MAX_LINE_BYTES, type TailStep } from './jsonl-tail.ts';
import { type Line, LineSplitter } from './line-splitter.ts';

/** Characters of unpacked lines that are held; older ones are dropped. */
const MAX_HELD_ZST_CHARACTERS = 32 * 1024 * 1024;

export class ZstLines implements LineSource {
  readonly #path: string;
  #seen = '';
  #pending: string | null = null;
  #complete = false;
  readonly canReachBack = false;

  constructor(path: string) {
    this.#path = path;
  }

  get complete(): boolean {
    return this.#complete;
  }

  pendingText(): string | null {
    return this.#pending;
  }

  forget(): void {
    this.#seen = '';
  }

  back(): Promise<readonly Line[] | null> {
    return Promise.resolve([]);
  }

  async poll(): Promise<TailStep> {
    const file = await fileAt(this.#path);
    if (file === null) return { kind: 'unavailable', reason: `${this.#path} cannot be read` };
    const seen = `${file.bytes}:${file.modifiedAt}`;
    if (seen === this.#seen) return { kind: 'unchanged' };
    if (typeof zlib.createZstdDecompress !== 'function')
      return { kind: 'unavailable', reason: 'this Node.js cannot unpack .zst files (22.15 or newer can)' };
    try {
      const lines = await this.#unpack();
      this.#seen = seen;
      return { kind: 'restarted', lines };
    } catch (error) {
      return { kind: 'unavailable', reason: errorMessage(error) };
    }
  }

  async #unpack(): Promise<readonly Line[]> {
    const splitter = new LineSplitter(MAX_LINE_BYTES);
    const held: Line[] = [];
    let characters = 0;
    let dropped = 0;
    const packed = createReadStream(this.#path);
    const unpacked: Readable = packed.pipe(zlib.createZstdDecompress());
    // A stream that fails to read does not end the one it is piped into.
    packed.on('error', (error) => unpacked.destroy(error));
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      for (const line of splitter.push(chunk)) {
        held.push(line);
        characters += lengthOf(line);
      }
      while (characters > MAX_HELD_ZST_CHARACTERS && dropped < held.length - 1) {
        characters -= lengthOf(held[dropped]);
        dropped += 1;
      }
      if (dropped > 10_000) {
        held.splice(0, dropped);
        dropped = 0;
        this.#complete = false;
      }
    }
    this.#pending = splitter.pendingText();
    this.#complete = characters <= MAX_HELD_ZST_CHARACTERS && dropped === 0;
    return held.slice(dropped);
  }
}

/** The first line of a packed file, without unpacking the rest; empty when it cannot be read. */
export async function firstPackedLine(file: string): Promise<string> {
  if (typeof zlib.createZstdDecompress !== 'function') return '';
  const packed = createReadStream(file);
  const unpacked: Readable = packed.pipe(zlib.createZstdDecompress());
  packed.on('error', (error) => unpacked.destroy(error));
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const [line] = splitter.push(chunk);
      if (line !== undefined) return line.kind === 'line' ? line.text : '';
    }
  } catch {
    return '';
  } finally {
    packed.destroy();
  }
  return splitter.pendingText() ?? '';
}

function lengthOf(line: Line | undefined): number {
  return line?.kind === 'line' ? line.text.length : 0;
}
