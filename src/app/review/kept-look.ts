/** How the reader looks at diffs, kept over a restart: a file of words in the state folder. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRegularSync } from '../../platform/regular-file.ts';
import type { KeptLook } from '../../ui/review/port.ts';

const MAX_BYTES = 1024;

/** A file that cannot be read or written means the usual look, and stands in nobody's way. */
export function createKeptLook(stateDir: string, onProblem: (message: string) => void): KeptLook {
  const file = path.join(stateDir, 'review-look');
  return {
    read: () => {
      const words = new Set(textOf(file).split(/\s+/));
      return {
        sides: words.has('two') ? 'two' : words.has('one') ? 'one' : null,
        isWrapped: !words.has('cut'),
      };
    },
    keep: ({ sides, isWrapped }) => {
      try {
        // A new file, in place of whatever stands there.
        rmSync(file, { force: true });
        writeFileSync(file, `${sides ?? ''} ${isWrapped ? '' : 'cut'}\n`, { mode: 0o600, flag: 'wx' });
      } catch (thrown) {
        onProblem(`The look of diffs is not kept: ${String(thrown)}`);
      }
    },
  };
}

function textOf(file: string): string {
  try {
    return String(readRegularSync(file, { maxBytes: MAX_BYTES }));
  } catch {
    return '';
  }
}
