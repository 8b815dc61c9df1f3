/** Input and output of `copane notes`. Only copane decides which lines are notes, so no editor needs its own logic. */
import * as z from 'zod';
import { draftPullSchema, noteContextSchema } from './draft.ts';

const bufferLineSchema = z.strictObject({
  text: z.string(),
  /** The editor's mark of a pulled line. It may have moved to a neighbour, so content decides. */
  mark: z.literal('response').optional(),
});

const lineNumber = z.int().nonnegative();

const buffer = { lines: z.array(bufferLineSchema), pulls: z.array(draftPullSchema).default([]) };

/** `copane notes`: which lines of the buffer to send. Line numbers start at 0. */
export const notesRequestSchema = z.strictObject({
  ...buffer,
  /** Omitted: the configured `note_context`. */
  context: noteContextSchema.optional(),
  /** Lines that the user chose to send when asked; null: not asked. */
  chosen: z.array(lineNumber).nullable().default(null),
  /** Only the notes in these lines, inclusive. */
  range: z.strictObject({ first: lineNumber, last: lineNumber }).nullable().default(null),
});
export type NotesRequest = z.infer<typeof notesRequestSchema>;

/** `copane notes pull`: puts a response below line `below`, or over its earlier pull. `newest`: drops other pulls. */
export const notesPullRequestSchema = z.strictObject({
  ...buffer,
  below: lineNumber,
  pull: draftPullSchema,
  newest: z.boolean().default(false),
});

/** `copane notes clear`: removes the buffer's response lines except edited ones. */
export const notesClearRequestSchema = z.strictObject(buffer);

const anchorSchema = z.strictObject({ turnId: z.string(), row: lineNumber, text: z.string() });

/** A line to send (`note`), or to ask about first (`changed`, `ambiguous`). */
const noteItemSchema = z.strictObject({
  kind: z.enum(['note', 'changed', 'ambiguous']),
  text: z.string(),
  line: lineNumber,
  /** The nearest non-blank response line above; null at the top. */
  anchor: anchorSchema.nullable(),
});

/** Answer of `copane notes`. `text` is exactly what to send; null if there is nothing, and `error` says why. */
const notesAnswerSchema = z.strictObject({
  items: z.array(noteItemSchema),
  /** Lines to send only if chosen. */
  undecided: z.array(lineNumber),
  /** Lines that make up `text`. */
  going: z.array(lineNumber),
  text: z.string().nullable(),
  /** Notes that are not blank. */
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

/** Replaces `remove` lines from line `at` with the quotes, then rows `from` to `to` (exclusive) of the pulled text. */
const bufferEditSchema = z.strictObject({
  at: lineNumber,
  remove: lineNumber,
  /** Quotes that join the notes because the lines that they answer have left the buffer. */
  quotes: z.array(z.string()),
  from: lineNumber,
  to: lineNumber,
});
export type BufferEdit = z.infer<typeof bufferEditSchema>;

/** Answer of `copane notes pull` and `clear`: edits from top to bottom, in line numbers of the sent buffer. */
const notesEditsSchema = z.strictObject({
  edits: z.array(bufferEditSchema),
  /** Response lines that stay, in line numbers of the sent buffer. */
  kept: z.array(z.strictObject({ line: lineNumber, turnId: z.string(), row: lineNumber })),
});
export type NotesEdits = z.infer<typeof notesEditsSchema>;
