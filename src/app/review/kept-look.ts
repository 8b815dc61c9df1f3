/** How the reader displays diffs, kept across restarts in a file in the state folder. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRegularSync } from '../../platform/regular-file.ts';
import type { KeptLook } from '../../ui/review/port.ts';

const MAX_BYTES = 1024;

/** A file that cannot be read or written means the default look, and blocks nothing. */
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
        // Creates a new file, whatever is there.
        rmSync(file, { force: true });
        writeFileSync(file, `${sides ?? ''} ${isWrapped ? '' : 'cut'}\n`, { mode: 0o600, flag: 'wx' });
      } catch (thrown) {
        onProblem(`The display settings of diffs cannot be saved: ${String(thrown)}`);
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
