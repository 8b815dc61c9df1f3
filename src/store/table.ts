/** The base of the store's tables: cached prepared statements, and records kept as JSON in the column `record`. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { SALVAGE_RULES } from './core/salvage-rules.ts';
import { jsonOf } from './sqlite.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

export class Table {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** By table: a transaction may write thousands of records. */
  readonly #puts = new Map<string, string>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  protected row(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.prepare(sql).get(...values);
  }

  protected rows(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.prepare(sql).all(...values);
  }

  protected record<T>(sql: string, ...values: readonly SQLInputValue[]): T | null {
    const row = this.row(sql, ...values);
    return row === undefined ? null : jsonOf<T>(row.record, fieldsIn(sql));
  }

  protected records<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
    const fields = fieldsIn(sql);
    return this.rows(sql, ...values).map(({ record }) => jsonOf<T>(record, fields));
  }

  protected run(sql: string, ...values: readonly SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Inserts or replaces a record under its key columns. */
  protected putRecord(table: string, key: Row, others: Row, record: object): void {
    const columns = { ...key, ...others, record: JSON.stringify(record) };
    const known = this.#puts.get(table);
    const put = known ?? putStatement(table, Object.keys(key), Object.keys(columns));
    if (known === undefined) this.#puts.set(table, put);
    this.run(put, ...Object.values(columns));
  }

  /** Prepared once; for a loop. */
  protected prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The record fields of the table that a statement reads. */
function fieldsIn(sql: string): readonly string[] {
  const [, name] = /\bFROM (\w+)/.exec(sql) ?? [];
  return SALVAGE_RULES.find(({ table }) => table === name)?.fields ?? [];
}

function putStatement(table: string, key: readonly string[], columns: readonly string[]): string {
  const updates = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${updates.join(', ')}`;
}
