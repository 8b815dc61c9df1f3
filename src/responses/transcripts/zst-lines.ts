/** The lines of a compressed session file (`.jsonl.zst`), decompressed at each change; keeps only the end. */
import type { Readable } from 'node:stream';
import { type Line, LineSplitter } from '../../lib/line-splitter.ts';
import { streamRegular } from '../../platform/regular-file.ts';
import { MAX_LINE_BYTES, type TailLimits } from './jsonl-tail.ts';
import { RereadLines, type WholeReading } from './reread-lines.ts';

/** A larger file is not a session. */
const PACKED_MAX_BYTES = 4 * 1024 * 1024 * 1024;
/** Limit in characters for the lines kept; older lines are dropped. */
const MAX_HELD_ZST_CHARACTERS = 32 * 1024 * 1024;
/** Lines are dropped in batches, since shifting the list costs its length. */
const DROP_AT_ONCE = 10_000;

/** Loaded on demand: few commands need it. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** The packed file as a source of lines. */
export function zstLines(file: string, { endOffset }: TailLimits = {}): RereadLines {
  return new RereadLines(file, async (packed) =>
    typeof zlib().createZstdDecompress === 'function'
      ? unpack(packed, endOffset)
      : { unavailable: 'this Node.js cannot unpack .zst files (22.15 or newer can)' },
  );
}

async function unpack(file: string, endOffset = Number.POSITIVE_INFINITY): Promise<WholeReading> {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  const held: Line[] = [];
  let characters = 0;
  let dropped = 0;
  let wasCut = false;
  let bytes = 0;
  for await (const chunk of unpackedStream(file)) {
    if (bytes >= endOffset) break;
    bytes += chunk.length;
    for (const line of splitter.push(chunk)) {
      held.push(line);
      characters += lengthOf(line);
    }
    while (characters > MAX_HELD_ZST_CHARACTERS && dropped < held.length - 1) {
      characters -= lengthOf(held[dropped]);
      dropped += 1;
      wasCut = true;
    }
    if (dropped > DROP_AT_ONCE) {
      held.splice(0, dropped);
      dropped = 0;
    }
  }
  return { lines: held.slice(dropped), pending: splitter.pendingText(), complete: !wasCut };
}

function unpackedStream(file: string): AsyncIterable<Buffer> & Readable {
  const packed = streamRegular(file, { maxBytes: PACKED_MAX_BYTES });
  const unpacked: Readable = packed.pipe(zlib().createZstdDecompress());
  // A stream that fails to read does not end the one it is piped into.
  packed.on('error', (error) => unpacked.destroy(error));
  unpacked.once('close', () => packed.destroy());
  return unpacked;
}

/** The first line of a compressed file, without decompressing the rest; empty if it cannot be read. */
export async function firstPackedLine(file: string): Promise<string> {
  if (typeof zlib().createZstdDecompress !== 'function') return '';
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  try {
    for await (const chunk of unpackedStream(file)) {
      const [line] = splitter.push(chunk);
      if (line !== undefined) return line.kind === 'line' ? line.text : '';
    }
  } catch {
    return '';
  }
  return splitter.pendingText() ?? '';
}

const lengthOf = (line: Line | undefined): number => (line?.kind === 'line' ? line.text.length : 0);
