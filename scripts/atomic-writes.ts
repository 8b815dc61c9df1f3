/**
 * Installs built files one by one, each whole or not at all: a companion, hook or shell that starts during a build must
 * never read half a file. Unchanged files, as most chunks are, are left alone.
 */
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as esbuild from 'esbuild';

/** Replaces the file, unless it already has this content. */
export function replaceFile(file: string, contents: Uint8Array | string): void {
  const bytes = Buffer.from(contents);
  if (holds(file, bytes)) {
    const now = new Date();
    utimesSync(file, now, now);
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, bytes);
  renameSync(fresh, file);
}

function holds(file: string, bytes: Buffer): boolean {
  try {
    return readFileSync(file).equals(bytes);
  } catch {
    // It does not exist.
    return false;
  }
}

/**
 * esbuild leaves non-ASCII characters in regular expressions. One of them makes V8 keep the module's whole text at two
 * bytes per character.
 */
function escapeNonAscii(code: string): string {
  return code.replace(/[^\p{ASCII}]/gv, (character) =>
    Array.from({ length: character.length }, (_, unit) => {
      const hex = character.charCodeAt(unit).toString(16);
      return `\\u${hex.padStart(4, '0')}`;
    }).join(''),
  );
}

export const atomicWrites: esbuild.Plugin = {
  name: 'atomic-writes',
  setup(build) {
    build.initialOptions.write = false;
    build.onEnd(({ outputFiles = [] }) => {
      for (const { path: file, text, contents } of outputFiles)
        replaceFile(file, file.endsWith('.js') ? escapeNonAscii(text) : contents);
    });
  },
};
