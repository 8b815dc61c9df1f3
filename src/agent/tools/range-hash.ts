/** Identifies a range of lines by its exact bytes, which an edit must still find when it is applied. */
import { hash } from 'node:crypto';

/** `sha256:` and the hash of the lines' bytes, including line ends. */
export function rangeHash(lines: readonly string[]): string {
  return `sha256:${hash('sha256', lines.join(''), 'hex')}`;
}
