/** Input and output of `copane notes`: copane alone decides which lines are notes, so that no editor needs its own extraction. */
import * as z from 'zod';
import { draftPullSchema, noteContextSchema } from './draft.ts';

const bufferLineSchema = z.strictObject({
  text: z.string(),
  /** The editor's mark of a pulled line. It may have slid onto a neighbour; content decides. */
  mark: z.literal('response').optional(),
});

const lineNumber = z.int().nonnegative();

const buffer = { lines: z.array(bufferLineSchema), pulls: z.array(draftPullSchema).default([]) };

/** `copane notes`: which lines of the buffer are sent. Line numbers start at 0. */
export const notesRequestSchema = z.strictObject({
  ...buffer,
  /** Omitted: the configured `note_context`. */
  context: noteContextSchema.optional(),
  /** Lines that the user chose to send when asked; null: not asked. */
  chosen: z.array(lineNumber).nullable().default(null),
  /** Only the notes of these lines, both ends included. */
  range: z.strictObject({ first: lineNumber, last: lineNumber }).nullable().default(null),
});
export type NotesRequest = z.infer<typeof notesRequestSchema>;

/** `copane notes pull`: the buffer with a response below line `below`, or in place of its earlier pull. `newest`: others make room. */
export const notesPullRequestSchema = z.strictObject({
  ...buffer,
  below: lineNumber,
  pull: draftPullSchema,
  newest: z.boolean().default(false),
});

/** `copane notes clear`: the buffer without its response lines; edited ones stay. */
export const notesClearRequestSchema = z.strictObject(buffer);

const anchorSchema = z.strictObject({ turnId: z.string(), row: lineNumber, text: z.string() });

/** A line that goes out (`note`), or about which is asked before (`changed`, `ambiguous`). */
const noteItemSchema = z.strictObject({
  kind: z.enum(['note', 'changed', 'ambiguous']),
  text: z.string(),
  line: lineNumber,
  /** The nearest response line above with something in it; null at the top. */
  anchor: anchorSchema.nullable(),
});

/** Answer of `copane notes`. `text` is exactly what is sent; null when nothing is, and `error` says why. */
const notesAnswerSchema = z.strictObject({
  items: z.array(noteItemSchema),
  /** Lines that are sent only if chosen. */
  undecided: z.array(lineNumber),
  /** Lines that make up `text`. */
  going: z.array(lineNumber),
  text: z.string().nullable(),
  /** Notes with something in them. */
  noteCount: lineNumber,
  lineCount: lineNumber,
  byteCount: lineNumber,
  /** An estimate. */
  tokenCount: lineNumber,
  context: noteContextSchema,
  clearOnSend: z.boolean(),
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
});
export type NotesAnswer = z.infer<typeof notesAnswerSchema>;

/** Replaces `remove` lines from line `at` on by quotes and then the rows `from` to before `to` of the pulled text. */
const bufferEditSchema = z.strictObject({
  at: lineNumber,
  remove: lineNumber,
  /** Quotes that become part of the notes, where the lines that they answer have left the buffer. */
  quotes: z.array(z.string()),
  from: lineNumber,
  to: lineNumber,
});
export type BufferEdit = z.infer<typeof bufferEditSchema>;

/** Answer of `copane notes pull` and `clear`: edits from top to bottom, in line numbers of the buffer that was sent. */
const notesEditsSchema = z.strictObject({
  edits: z.array(bufferEditSchema),
  /** Response lines of the buffer that stay, in line numbers of the buffer that was sent. */
  kept: z.array(z.strictObject({ line: lineNumber, turnId: z.string(), row: lineNumber })),
});
export type NotesEdits = z.infer<typeof notesEditsSchema>;
