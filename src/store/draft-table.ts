/** The newest revision of each draft, line by line, so that a save writes only changes. Drafts with text are kept. */
import type { DraftHead, StoredDraft } from '../protocol/commands/draft.ts';
import type { Draft, DraftEdit, DraftKey } from '../protocol/draft.ts';
import { numberOf, textOf } from './sqlite.ts';
import { Table } from './table.ts';

/** How many empty drafts of closed panes to keep, for their revisions. */
export const DRAFTS_MAX_EMPTY = 200;

/** The gap between two lines' positions, which leaves room for more lines. */
const SPACING = 2 ** 32;
/** A new line goes close to the line before it, because lines are typed downwards. */
const NEAR = 2 ** 12;

export interface StoredHead extends DraftHead {
  readonly nextLineId: number;
  /** As passed by the caller with the last edit. */
  readonly lastEdit: string;
}

export interface EditStamp {
  readonly revision: number;
  readonly updatedAt: number;
  readonly lastEdit: string;
}

interface Place {
  readonly id: number;
  readonly position: number;
  readonly bytes: number;
}

export class DraftTable extends Table {
  get(key: DraftKey): StoredDraft {
    const row = this.#headRow(key);
    if (row === undefined) {
      return { key, draft: { lines: [], pulls: [], nextLineId: 1 }, revision: 0, updatedAt: 0 };
    }
    const id = numberOf(row.id);
    const draft: Draft = {
      lines: this.records('SELECT line AS record FROM draft_lines WHERE draft = ? ORDER BY position', id),
      pulls: this.records('SELECT pull AS record FROM draft_pulls WHERE draft = ? ORDER BY position', id),
      nextLineId: numberOf(row.next_line),
    };
    return { key, draft, revision: numberOf(row.revision), updatedAt: numberOf(row.updated_at) };
  }

  head(key: DraftKey): StoredHead {
    const row = this.#headRow(key);
    if (row === undefined) return { key, revision: 0, updatedAt: 0, lines: 0, nextLineId: 1, lastEdit: '' };
    return {
      key,
      revision: numberOf(row.revision),
      updatedAt: numberOf(row.updated_at),
      lines: numberOf(row.lines),
      nextLineId: numberOf(row.next_line),
      lastEdit: textOf(row.last_edit),
    };
  }

  /** Edits the draft; returns its JSON size in bytes. Call it in a transaction, after checking revision and range. */
  edit(key: DraftKey, edit: DraftEdit, { revision, updatedAt, lastEdit }: EditStamp): number {
    const id = this.#idOf(key);
    const before = this.row('SELECT lines, bytes FROM drafts WHERE id = ?', id);
    const lines = numberOf(before?.lines) - edit.remove + edit.lines.length;
    const bytes = numberOf(before?.bytes) + this.#editLines(id, edit) + this.#editPulls(id, edit.pulls);
    this.run(
      `UPDATE drafts SET revision = ?, updated_at = ?, next_line = ?, lines = ?, bytes = ?, last_edit = ?
         WHERE id = ?`,
      revision,
      updatedAt,
      edit.nextLineId,
      lines,
      bytes,
      lastEdit,
      id,
    );
    if (lines === 0) this.#collect();
    const pulls = numberOf(this.row('SELECT count(*) AS n FROM draft_pulls WHERE draft = ?', id)?.n);
    const frame = JSON.stringify({ lines: [], pulls: [], nextLineId: edit.nextLineId }).length;
    return bytes + frame + Math.max(0, lines - 1) + Math.max(0, pulls - 1);
  }

  #headRow(key: DraftKey) {
    return this.row('SELECT * FROM drafts WHERE project = ? AND pane = ?', key.project, key.pane);
  }

  #idOf(key: DraftKey): number {
    const row = this.#headRow(key);
    if (row !== undefined) return numberOf(row.id);
    const added = this.run(
      `INSERT INTO drafts (project, pane, revision, updated_at, next_line, lines, bytes, last_edit)
         VALUES (?, ?, 0, 0, 1, 0, 0, '')`,
      key.project,
      key.pane,
    );
    return added.id;
  }

  /** Returns the growth of the draft in bytes. */
  #editLines(draft: number, { from, remove, lines }: DraftEdit): number {
    if (remove === 0 && lines.length === 0) return 0;
    const texts = lines.map((line) => JSON.stringify(line));
    // The line before the edit, the removed lines, and the line after.
    const near = this.#placesAt(draft, Math.max(0, from - 1), remove + 2);
    const before = from === 0 ? null : (near[0] ?? null);
    const rest = from === 0 ? near : near.slice(1);
    const removed = rest.slice(0, remove);
    const behind = rest[remove] ?? null;
    const reused = Math.min(removed.length, texts.length);
    const update = this.prepare('UPDATE draft_lines SET line = ? WHERE id = ?');
    for (let index = 0; index < reused; index++) update.run(texts[index] ?? '', removed[index]?.id ?? 0);
    const drop = this.prepare('DELETE FROM draft_lines WHERE id = ?');
    for (const { id } of removed.slice(reused)) drop.run(id);
    const above = removed[reused - 1] ?? before;
    this.#insertBetween(
      draft,
      texts.slice(reused),
      above?.position ?? null,
      behind?.position ?? null,
      from + reused,
    );
    const grown = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return grown - removed.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #placesAt(draft: number, offset: number, limit: number): readonly Place[] {
    return this.rows(
      `SELECT id, position, octet_length(line) AS bytes FROM draft_lines
         WHERE draft = ? ORDER BY position LIMIT ? OFFSET ?`,
      draft,
      limit,
      offset,
    ).map((row) => ({ id: numberOf(row.id), position: numberOf(row.position), bytes: numberOf(row.bytes) }));
  }

  #insertBetween(
    draft: number,
    texts: readonly string[],
    above: number | null,
    below: number | null,
    index: number,
  ): void {
    if (texts.length === 0) return;
    const step = stepFor(texts.length, above, below);
    if (step === 0) {
      this.#spread(draft);
      const [upper, lower] = [
        this.#placesAt(draft, Math.max(0, index - 1), 1)[0],
        this.#placesAt(draft, index, 1)[0],
      ];
      this.#insertBetween(
        draft,
        texts,
        index === 0 ? null : (upper?.position ?? null),
        lower?.position ?? null,
        index,
      );
      return;
    }
    const first = above === null && below !== null ? below - step * texts.length : (above ?? 0) + step;
    const insert = this.prepare('INSERT INTO draft_lines (draft, position, line) VALUES (?, ?, ?)');
    for (const [at, text] of texts.entries()) insert.run(draft, first + at * step, text);
  }

  /** Spreads the positions of all lines evenly. */
  #spread(draft: number): void {
    const rows = this.rows('SELECT id FROM draft_lines WHERE draft = ? ORDER BY position', draft);
    const move = this.prepare('UPDATE draft_lines SET position = ? WHERE id = ?');
    for (const [index, row] of rows.entries()) move.run((index + 1) * SPACING, numberOf(row.id));
  }

  /** Returns the growth of the draft in bytes. */
  #editPulls(draft: number, pulls: DraftEdit['pulls']): number {
    if (pulls === null) return 0;
    const known = this.rows(
      'SELECT id, octet_length(pull) AS bytes FROM draft_pulls WHERE draft = ? ORDER BY position',
      draft,
    );
    const move = this.prepare('UPDATE draft_pulls SET position = ? WHERE id = ?');
    const insert = this.prepare('INSERT INTO draft_pulls (draft, position, pull) VALUES (?, ?, ?)');
    const stay = new Set<number>();
    let grown = 0;
    for (const [position, pull] of pulls.entries()) {
      if (typeof pull === 'number') {
        stay.add(pull);
        move.run(position, numberOf(known[pull]?.id));
      } else {
        const text = JSON.stringify(pull);
        grown += Buffer.byteLength(text);
        insert.run(draft, position, text);
      }
    }
    const drop = this.prepare('DELETE FROM draft_pulls WHERE id = ?');
    for (const [place, row] of known.entries()) {
      if (stay.has(place)) continue;
      grown -= numberOf(row.bytes);
      drop.run(numberOf(row.id));
    }
    return grown;
  }

  #collect(): void {
    this.run(`DELETE FROM drafts WHERE id IN (
         SELECT id FROM drafts WHERE lines = 0 ORDER BY updated_at DESC LIMIT -1 OFFSET ${DRAFTS_MAX_EMPTY})`);
  }
}

/** The step at which `count` lines fit between two positions; 0 if there is no room. */
function stepFor(count: number, above: number | null, below: number | null): number {
  if (below === null) return SPACING;
  const room = Math.floor((below - (above ?? -(2 ** 52))) / (count + 1));
  return Math.min(NEAR, room);
}
