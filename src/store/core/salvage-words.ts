/** The user-visible report about a damaged database. Pure. */
import type { SalvagedTable } from './salvage-rows.ts';
import type { SalvageKind } from './salvage-rules.ts';

export interface SalvageFacts {
  readonly why: string;
  /** The name under which the damaged file is kept. */
  readonly copy: string;
  readonly tables: readonly SalvagedTable[];
  /** Kinds of which some rows could not be read. */
  readonly missing: readonly SalvageKind[];
  /** Something unknown could not be read either. */
  readonly isMore: boolean;
  /** Drafts whose project and pane are lost; their text goes into the file beside the copy. */
  readonly loose: number;
}

/** One paragraph: what happened, what was carried over, what is missing. */
export function describeSalvage({ why, copy, tables, missing, isMore, loose }: SalvageFacts): string {
  const kept = tables.flatMap(({ rule, rows }) =>
    rule.counts === null || rows.length === 0 ? [] : [`${rows.length} ${rule.counts}`],
  );
  return [
    `The database was damaged (${why}); it was kept as ${copy}.`,
    kept.length === 0 ? 'Nothing of it was carried over.' : `Carried over: ${list(kept)}.`,
    whatIsMissing(missing, isMore),
    ...(loose === 0 ? [] : [`The text of ${loose} drafts without a known place is in ${copy}.txt.`]),
  ].join(' ');
}

function whatIsMissing(missing: readonly SalvageKind[], isMore: boolean): string {
  if (missing.length > 0)
    return `Could not be read, at least in part: ${list(missing)}${isMore ? ', and perhaps more' : ''}.`;
  if (isMore) return 'Part of the file could not be read; what it held is not known.';
  return 'Nothing is missing.';
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
