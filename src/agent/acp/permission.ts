/**
 * What an agent may do without the user being asked. Its files are a throw-away copy, so it may read and write those;
 * a command or a request over the network leaves the copy, and is the user's to allow. Pure.
 */
import path from 'node:path';

/** The part of a call that is judged (ToolCall of the Agent Client Protocol). */
export interface AskedCall {
  readonly kind: string | null;
  readonly title: string;
  /** Files that it touches, as far as it says. */
  readonly locations: readonly string[];
}

const FILE_WORK = new Set(['read', 'edit', 'delete', 'move', 'search', 'think']);

/** Whether the call stays within `folder`. */
export function staysInside({ kind, locations }: AskedCall, folder: string): boolean {
  if (kind === null || !FILE_WORK.has(kind)) return false;
  return locations.every((location) => {
    const relative = path.relative(folder, path.resolve(folder, location));
    return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  });
}
