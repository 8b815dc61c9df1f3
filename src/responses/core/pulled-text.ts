/** The pulled texts, to tell the AI's lines from the user's. Lines are equal if they differ only in white space. */
import type { DraftPull } from '../../protocol/draft.ts';

export interface PulledRow {
  readonly turnId: string;
  readonly row: number;
  readonly text: string;
  /** The text with white space collapsed: lines with equal keys are equal lines. Empty for a blank line. */
  readonly key: string;
}

export interface PulledText {
  readonly rows: readonly PulledRow[];
  /** Indices into `rows` by key, in order; without blank lines. */
  readonly rowsByKey: ReadonlyMap<string, readonly number[]>;
}

const WORD_SIGN = /[\p{L}\p{N}]/u;

/** Reads the pulls once. */
export function readPulls(pulls: readonly DraftPull[]): PulledText {
  const rows: PulledRow[] = [];
  const rowsByKey = new Map<string, number[]>();
  for (const { turnId, lines } of pulls) {
    lines.forEach((text, row) => {
      const key = lineKey(text);
      if (key !== '') {
        const same = rowsByKey.get(key);
        if (same === undefined) rowsByKey.set(key, [rows.length]);
        else same.push(rows.length);
      }
      rows.push({ turnId, row, text, key });
    });
  }
  return { rows, rowsByKey };
}

/** `text` with white space collapsed and trimmed. */
export function lineKey(text: string): string {
  const trimmed = text.trim();
  return /\s\s|[^\S ]/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}

/** Whether `text` consists of symbols only: a fence, a rule, a closing brace. */
export const isWordless = (text: string): boolean => !WORD_SIGN.test(text);
