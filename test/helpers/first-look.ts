import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The companion may be about to write. */
const BUSY_MAX_MS = 2_000;

/** The companion of `root` has looked at a working tree: what changes from now on is seen to change. */
export function hasLooked(root: string): boolean {
  const file = path.join(root, 'state/copane/copane.db');
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MAX_MS });
  try {
    const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'observations'").all();
    return tables.length > 0 && database.prepare('SELECT 1 FROM observations').all().length > 0;
  } finally {
    database.close();
  }
}
