/** Drafts on disk: the newest revision of each, per project folder and AI pane. One that holds text is never dropped. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredDraft } from '../protocol/commands/draft.ts';
import type { Draft, DraftKey } from '../protocol/draft.ts';
import { jsonOf, numberOf } from './sqlite.ts';

/** Panes come and go; of the empty drafts that they leave behind so many are kept, for their revisions. */
export const DRAFTS_MAX_EMPTY = 200;

export class DraftTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #collect: StatementSync;

  constructor(database: DatabaseSync) {
    this.#get = database.prepare(
      'SELECT draft, revision, updated_at FROM drafts WHERE project = ? AND pane = ?',
    );
    this.#put = database.prepare(
      `INSERT INTO drafts (project, pane, draft, revision, updated_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project, pane) DO UPDATE
       SET draft = excluded.draft, revision = excluded.revision, updated_at = excluded.updated_at`,
    );
    this.#collect = database.prepare(
      `DELETE FROM drafts WHERE (project, pane) IN (
         SELECT project, pane FROM drafts WHERE json_array_length(draft, '$.lines') = 0
         ORDER BY updated_at DESC LIMIT -1 OFFSET ${DRAFTS_MAX_EMPTY})`,
    );
  }

  /** The stored draft, or an empty one at revision 0. */
  get(key: DraftKey): StoredDraft {
    const row = this.#get.get(key.project, key.pane);
    if (row === undefined) {
      return { key, draft: { lines: [], pulls: [], nextLineId: 1 }, revision: 0, updatedAt: 0 };
    }
    return {
      key,
      draft: jsonOf<Draft>(row.draft),
      revision: numberOf(row.revision),
      updatedAt: numberOf(row.updated_at),
    };
  }

  /** Writes the draft. Inside a transaction, after the caller compared revisions. */
  put(stored: StoredDraft): void {
    const { key, draft, revision, updatedAt } = stored;
    this.#put.run(key.project, key.pane, JSON.stringify(draft), revision, updatedAt);
    if (draft.lines.length === 0) this.#collect.run();
  }
}
