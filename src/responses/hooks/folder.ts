/** Where hooks of AI CLIs leave their events. Loads nothing: a status line asks for it every few seconds. */
import path from 'node:path';

/** The folder of the spool. */
export function hookFolderOf(stateDir: string): string {
  return path.join(stateDir, 'hooks');
}

/** The file that changes with every event. */
export function hookBellOf(stateDir: string): string {
  return path.join(hookFolderOf(stateDir), 'bell');
}
