/** What copane itself saw of a working tree: which files changed between two looks at it, and what they held. */
import * as z from 'zod';
import { sessionRefSchema } from './turn-range.ts';

/** Why the bytes of a file are not kept. */
export const notKeptSchema = z.enum([
  /** The file is larger than a snapshot keeps. */
  'large',
  /** More files changed at once than a snapshot keeps. */
  'many',
  /** A filter of the repository stands between the file and what git keeps. */
  'filter',
  /** What it held before is in no place that copane may read. */
  'unknown',
]);
export type NotKept = z.infer<typeof notKeptSchema>;

/** A file at one look. `blob`: the name of its bytes, or of a link's target. */
export const observedSideSchema = z.strictObject({
  /** As git has it: 0o100644, 0o100755 or 0o120000. */
  mode: z.int(),
  blob: z.string().nullable(),
  notKept: notKeptSchema.optional(),
});
export type ObservedSide = z.infer<typeof observedSideSchema>;

/** A file that changed between two looks; null for no file. */
export const observedFileSchema = z.strictObject({
  /** Relative to the working tree, one character a byte. */
  path: z.string(),
  before: observedSideSchema.nullable(),
  after: observedSideSchema.nullable(),
  /** When the file, or the folder that it went from, was changed last; ms since the epoch. */
  changedAt: z.number().nullable(),
  /** When it was read, ms since the epoch; left out by older versions. */
  readAt: z.number().optional(),
});
export type ObservedFile = z.infer<typeof observedFileSchema>;

/** What changed in a working tree since the look before. */
export const observationSchema = z.strictObject({
  files: z.array(observedFileSchema),
  /** What was left out, for people; null when nothing was. */
  note: z.string().nullable(),
  /** When the look before began, ms since the epoch; null or left out when that is not known. */
  since: z.number().nullish(),
  /** Copane itself wrote these files, for a reviewer; a look may see the same once more. */
  isOurs: z.literal(true).optional(),
});
export type Observation = z.infer<typeof observationSchema>;

/** When a turn began and ended, by the looks at its working tree. */
export const turnMarkSchema = z.strictObject({
  /** The working tree; absolute, without links. */
  root: z.string(),
  /** The last look before it began. */
  from: z.int(),
  /** The look at its end; null while it goes on. */
  to: z.int().nullable(),
  /** It had begun before it was followed: what it did first is in no snapshot. */
  late: z.boolean(),
  /** When the look at its end began, ms since the epoch; left out while it goes on, and by older versions. */
  until: z.number().optional(),
  /** The session; left out by older versions. */
  of: sessionRefSchema.optional(),
});
export type TurnMark = z.infer<typeof turnMarkSchema>;

/** What was seen while turns went on. */
export const seenSpanSchema = z.strictObject({
  /** The working tree; null when nobody looked. */
  root: z.string().nullable(),
  /** Looks at which something had changed, the oldest first. */
  looks: z.array(
    observationSchema.extend({
      /** ms since the epoch. */
      at: z.number(),
      /** No turn went on. */
      isBetween: z.boolean(),
    }),
  ),
  /** When the last look began, ms since the epoch: what was written later is in none. Null when that is not known. */
  until: z.number().nullable(),
  /** What other AIs did in the same working tree meanwhile: their sessions, and turns of these. */
  others: z.array(z.strictObject({ session: sessionRefSchema, turns: z.array(z.string()) })),
  /** Why something may be missing; a sentence for people, null when nothing is. */
  gap: z.string().nullable(),
});
export type SeenSpan = z.infer<typeof seenSpanSchema>;
