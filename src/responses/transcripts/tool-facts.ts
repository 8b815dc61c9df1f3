/** Tool calls and their results, in the record's own words: kept `withTools`, judged by `src/changes/`. */
import type { JsonObject } from './json.ts';

export interface ToolFact {
  /** `mark`: neither call nor result, such as a backup that the program took. */
  readonly kind: 'call' | 'result' | 'mark';
  /** Of the call. Claude's backups name the prompt for which they were taken, Gemini's facts carry their call. */
  readonly id: string;
  /** Of the tool; of a mark what it is; empty where a result does not repeat it. */
  readonly name: string;
  /** ms since the epoch; null when the record has no clock. */
  readonly at: number | null;
  readonly value: JsonObject;
}

/** A line with nothing but facts. */
export interface FactsOnly {
  readonly kind: 'facts';
  readonly facts: readonly ToolFact[];
}

/** A line that could not be read; it keeps its place, so that a chain can continue across it. */
export const GAP = { kind: 'gap' } as const;
export type Gap = typeof GAP;

/** A session's record, with the facts of its line. */
export type Told<R> = (R & { readonly facts?: readonly ToolFact[] }) | Gap | FactsOnly;

export type TurnFacts = ReadonlyMap<string, readonly ToolFact[]>;

/** The facts of a record; empty for a session that was opened without them. */
export function factsOf(record: object): readonly ToolFact[] {
  return 'facts' in record ? (record.facts as readonly ToolFact[]) : [];
}

/** The named fields of a record, without the rest of it. */
export function only(value: JsonObject | null, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (value?.[field] === undefined ? [] : [[field, value[field]]])),
  );
}
