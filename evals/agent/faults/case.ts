/** A job with a model or server that errs: what it sends, and how the job must end. */
import type { Answer } from './replies.ts';

/** What errs. A row of the table counts the cases of each. */
export const FAULTS = [
  'maps',
  'stale reads',
  'forms of edits',
  'bounds and sight',
  'the wire',
  'what it may edit',
] as const;

export interface FaultCase {
  readonly name: string;
  readonly fault: (typeof FAULTS)[number];
  /** Whose replies these are; left out: written by hand. */
  readonly model?: string;
  readonly prompt?: string;
  /** Besides those of every case. */
  readonly files?: Readonly<Record<string, string>>;
  /** One for each request; the last one again for further ones. */
  readonly answers: readonly Answer[];
  /** Files as they are once every hunk is accepted, or the sentence that names the cause. */
  readonly ends: { readonly files: Readonly<Record<string, string | null>> } | { readonly says: RegExp };
  /** What the conversation must have told the model. */
  readonly told?: RegExp;
  /** Most requests; left out: three, of which one reads. */
  readonly maxRequests?: number;
}

/** Files of every case. */
export const CASE_FILES: Readonly<Record<string, string>> = {
  'b.md': 'alpha\nbeta\ngamma\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  '.gitignore': '*.log\n',
  'noise.log': 'noise\n',
};
