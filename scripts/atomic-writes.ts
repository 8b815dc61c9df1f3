/**
 * Puts what was built in its place file by file, whole or not at all: a companion, a hook or a shell that starts while a
 * build runs must never read half a file. What is there already, as most of the chunks are, is left alone.
 */
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as esbuild from 'esbuild';

/** Replaces the file, unless it holds just that. */
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
    // It is not there.
    return false;
  }
}

/**
 * esbuild leaves other characters than ASCII in regular expressions. V8 keeps the whole text of a module with one of them
 * in two bytes a character.
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
