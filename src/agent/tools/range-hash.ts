/** Names a range of lines by its exact bytes: what an edit must still find when it is applied. */
import { hash } from 'node:crypto';

/** `sha256:` and the hash over the lines' bytes, line ends included. */
export function rangeHash(lines: readonly string[]): string {
  return `sha256:${hash('sha256', lines.join(''), 'hex')}`;
}
