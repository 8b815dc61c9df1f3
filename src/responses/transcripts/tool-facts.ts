/** Tool calls and their results, in the record's own words: kept `withTools`, judged by `src/changes/`. */
import type { JsonObject } from './json.ts';

export interface ToolFact {
  /** `mark`: neither call nor result, such as a backup made by the program. */
  readonly kind: 'call' | 'result' | 'mark';
  /** The call's id. Claude's backups name the prompt for which they were made, Gemini's facts contain their call. */
  readonly id: string;
  /** The tool's name, or the kind of a mark; empty if a result does not repeat it. */
  readonly name: string;
  /** ms since the epoch; null if the record has no time. */
  readonly at: number | null;
  readonly value: JsonObject;
}

/** A line that contains only facts. */
export interface FactsOnly {
  readonly kind: 'facts';
  readonly facts: readonly ToolFact[];
}

/** An unreadable line; it keeps its place, so that a chain can continue across it. */
export const GAP = { kind: 'gap' } as const;
export type Gap = typeof GAP;

/** A session's record, with the facts of its line. */
export type WithFacts<R> = (R & { readonly facts?: readonly ToolFact[] }) | Gap | FactsOnly;

export type TurnFacts = ReadonlyMap<string, readonly ToolFact[]>;

/** The facts of a record; empty if the session was opened without them. */
export function factsOf(record: object): readonly ToolFact[] {
  return 'facts' in record ? (record.facts as readonly ToolFact[]) : [];
}

/** Only the named fields of a record. */
export function only(value: JsonObject | null, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (value?.[field] === undefined ? [] : [[field, value[field]]])),
  );
}
