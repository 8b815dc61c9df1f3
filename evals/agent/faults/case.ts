/** A job with a faulty model or server: what it sends, and how the job must end. */
import type { Answer } from './replies.ts';

/** The faulty part. A row of the table counts its cases. */
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
  /** The model that gave these replies; left out: written by hand. */
  readonly model?: string;
  readonly prompt?: string;
  /** In addition to the files of every case. */
  readonly files?: Readonly<Record<string, string>>;
  /** One per request; the last one repeats. */
  readonly answers: readonly Answer[];
  /** Files as they are once every hunk is accepted, or the sentence that names the cause. */
  readonly ends: { readonly files: Readonly<Record<string, string | null>> } | { readonly says: RegExp };
  /** Text that the model must have received. */
  readonly told?: RegExp;
  /** The most requests allowed; left out: three, one of which is a read. */
  readonly maxRequests?: number;
}

/** Files of every case. */
export const CASE_FILES: Readonly<Record<string, string>> = {
  'b.md': 'alpha\nbeta\ngamma\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  '.gitignore': '*.log\n',
  'noise.log': 'noise\n',
};
