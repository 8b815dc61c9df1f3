/** The name of the database. Loads nothing, for callers that only look at the file. */
import path from 'node:path';

export const databaseFileOf = (stateDir: string): string => path.join(stateDir, 'copane.db');
