/** The name of the database. Loads nothing: who only looks at the file needs no more. */
import path from 'node:path';

/** The database of a state folder. */
export function databaseFileOf(stateDir: string): string {
  return path.join(stateDir, 'copane.db');
}
