/** Where hooks of AI CLIs write their events. Loads nothing, since a status line asks for it every few seconds. */
import path from 'node:path';

export const hookFolderOf = (stateDir: string): string => path.join(stateDir, 'hooks');

/** The file that changes with every event. */
export const hookBellOf = (stateDir: string): string => path.join(hookFolderOf(stateDir), 'bell');
