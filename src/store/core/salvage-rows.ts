/** Sorts the rows found in a damaged database into their tables. Pure. */
import { objectIn, SALVAGE_RULES, type SalvageKind, type TableRule } from './salvage-rules.ts';
import type { FoundRow, FoundRows } from './sqlite-pages.ts';
import type { SqlValue } from './sqlite-record.ts';

export interface SalvagedTable {
  readonly rule: TableRule;
  /** In the order of row ids, if the table has any. */
  readonly rows: readonly (readonly SqlValue[])[];
}

export interface SortedRows {
  /** Texts of drafts whose project and pane are lost. */
  readonly loose: readonly string[];
  readonly tables: readonly SalvagedTable[];
  /** Tables with missing rows; null means an unknown table. */
  readonly damaged: ReadonlySet<string | null>;
}

type Kept = ReadonlyMap<string, Map<string, Candidate>>;

/** Sorts rows into their tables: the newest version of each key, and no row without its parent. */
export function sortIntoTables(found: FoundRows): SortedRows {
  const kept: Kept = new Map(SALVAGE_RULES.map(({ table }) => [table, new Map()]));
  const damaged = new Set(found.damaged);
  for (const row of found.rows) {
    const rule = ruleOf(row);
    if (rule !== null) keepNewest(keptOf(kept, rule.table), rule, row);
    else if (row.table !== null && RULED.has(row.table)) damaged.add(row.table);
  }
  const loose = looseTexts(kept);
  if (startFilesAnew(kept)) damaged.add('suggestion_files');
  const tables = SALVAGE_RULES.map((rule) => {
    const rows = keptOf(kept, rule.table);
    if (dropOrphans(rows, rule, kept)) damaged.add(rule.table);
    return { rule, rows: [...rows.values()].sort((a, b) => a.rowid - b.rowid).map(({ values }) => values) };
  });
  return { tables, damaged, loose };
}

const RULED: ReadonlySet<string> = new Set(SALVAGE_RULES.map(({ table }) => table));

function keptOf(kept: Kept, table: string): Map<string, Candidate> {
  const rows = kept.get(table);
  if (rows === undefined) throw new Error(`no rule for ${table}`);
  return rows;
}

/** Whether any row had lost its parent. */
function dropOrphans(rows: Map<string, Candidate>, { parent }: TableRule, kept: Kept): boolean {
  if (parent === undefined) return false;
  const parents = keptOf(kept, parent.table);
  const before = rows.size;
  for (const [key, { values }] of rows) {
    if (!parents.has(JSON.stringify([values[parent.column]]))) rows.delete(key);
  }
  return rows.size < before;
}

/** Lines whose draft is lost, grouped by draft. */
function looseTexts(kept: Kept): readonly string[] {
  const heads = keptOf(kept, 'drafts');
  const lines = [...keptOf(kept, 'draft_lines').values()]
    .filter(({ values }) => !heads.has(JSON.stringify([values[1]])))
    .sort((a, b) => Number(a.values[2]) - Number(b.values[2]));
  return [...Map.groupBy(lines, ({ values }) => values[1]).values()].map((ofOne) =>
    ofOne.map(({ values }) => `${String(objectIn(values[3])?.text ?? '')}\n`).join(''),
  );
}

/** A file of a suggestion without decisions. */
const FRESH_FILE = { base: null, absent: false, origin: null, unmoved: false, parts: [] };

/** A review numbers its files by position. A missing file is read again without decisions, which could apply twice. */
function startFilesAnew(kept: Kept): boolean {
  const files = keptOf(kept, 'suggestion_files');
  const missing = new Set<string>();
  for (const { values } of keptOf(kept, 'suggestions').values()) {
    const names = objectIn(values[3])?.files;
    for (let position = 0; position < (Array.isArray(names) ? names.length : 0); position++) {
      const key = JSON.stringify([values[0], position]);
      if (files.has(key)) continue;
      missing.add(key);
      files.set(key, {
        rowid: 0,
        isNamed: true,
        values: [values[0] ?? null, position, JSON.stringify(FRESH_FILE)],
      });
    }
  }
  const changes = keptOf(kept, 'suggestion_changes');
  for (const [key, { values }] of changes) {
    if (missing.has(JSON.stringify([values[0], objectIn(values[2])?.file]))) changes.delete(key);
  }
  return missing.size > 0;
}

interface Candidate {
  readonly rowid: number;
  readonly values: readonly SqlValue[];
  /** Whether the schema named its table. */
  readonly isNamed: boolean;
}

function ruleOf(row: FoundRow): TableRule | null {
  const rules = row.table === null ? SALVAGE_RULES : SALVAGE_RULES.filter(({ table }) => table === row.table);
  return (
    rules.find((rule) => (row.rowid !== null) === rule.hasRowId && rule.fits(valuesFor(rule, row))) ?? null
  );
}

function valuesFor({ isRowIdFirst }: TableRule, { values, rowid }: FoundRow): readonly SqlValue[] {
  return isRowIdFirst === true && values[0] === null ? [rowid, ...values.slice(1)] : values;
}

function keepNewest(rows: Map<string, Candidate>, rule: TableRule, row: FoundRow): void {
  const values = valuesFor(rule, row);
  const key = JSON.stringify(values.slice(0, rule.keyColumns));
  const known = rows.get(key);
  const next: Candidate = { rowid: row.rowid ?? 0, values, isNamed: row.table !== null };
  if (known === undefined || isNewer(rule, next, known)) rows.set(key, next);
}

/** A page reachable from the schema is current; any other may be stale. */
function isNewer({ version }: TableRule, next: Candidate, known: Candidate): boolean {
  if (next.isNamed !== known.isNamed) return next.isNamed;
  return version === undefined || version(next.values) >= version(known.values);
}

/** The kinds with missing rows, given the damaged tables. */
export function missingKinds(damaged: ReadonlySet<string | null>): readonly SalvageKind[] {
  const kinds = SALVAGE_RULES.filter(({ table }) => damaged.has(table)).map(({ kind }) => kind);
  return [...new Set(kinds)];
}
