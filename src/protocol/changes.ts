/** Snapshots of a working tree: the files that changed between two looks at it, and their content. */
import * as z from 'zod';
import { sessionRefSchema } from './turn-range.ts';

export const notKeptSchema = z.enum([
  /** The file is larger than a snapshot keeps. */
  'large',
  /** More files changed than a snapshot keeps. */
  'many',
  /** A filter in the repository converts the file, so git stores other bytes. */
  'filter',
  /** copane may not read its earlier content anywhere. */
  'unknown',
]);
export type NotKept = z.infer<typeof notKeptSchema>;

/** A file as seen in one look. `blob`: hash of its bytes, or of a link's target. */
export const observedSideSchema = z.strictObject({
  /** As in git: 0o100644, 0o100755 or 0o120000. */
  mode: z.int(),
  blob: z.string().nullable(),
  notKept: notKeptSchema.optional(),
});
export type ObservedSide = z.infer<typeof observedSideSchema>;

/** A file that changed between two looks; null: no file. */
export const observedFileSchema = z.strictObject({
  /** Relative to the working tree, one character per byte. */
  path: z.string(),
  before: observedSideSchema.nullable(),
  after: observedSideSchema.nullable(),
  /** Modification time of the file, or for a removed file of its folder; ms since the epoch. */
  changedAt: z.number().nullable(),
  /** When it was read, ms since the epoch; older versions omit it. */
  readAt: z.number().optional(),
});
export type ObservedFile = z.infer<typeof observedFileSchema>;

/** What changed in a working tree since the previous look. */
export const observationSchema = z.strictObject({
  files: z.array(observedFileSchema),
  /** What was left out, for people; null if nothing. */
  note: z.string().nullable(),
  /** When the previous look began, ms since the epoch; null or omitted if unknown. */
  since: z.number().nullish(),
  /** copane wrote these files for a reviewer; a later look may see the same change again. */
  isOurs: z.literal(true).optional(),
});
export type Observation = z.infer<typeof observationSchema>;

/** When a turn began and ended, as looks at its working tree. */
export const turnMarkSchema = z.strictObject({
  /** The working tree; absolute, no links. */
  root: z.string(),
  /** The last look before the turn began. */
  from: z.int(),
  /** The look at its end; null while the turn runs. */
  to: z.int().nullable(),
  /** It began before copane followed it, so no snapshot has its first changes. */
  late: z.boolean(),
  /** When the look at its end began, ms since the epoch; omitted during the turn and by older versions. */
  until: z.number().optional(),
  /** The session; older versions omit it. */
  of: sessionRefSchema.optional(),
});
export type TurnMark = z.infer<typeof turnMarkSchema>;

/** Snapshots taken while turns ran. */
export const seenSpanSchema = z.strictObject({
  /** The working tree; null if there was no look. */
  root: z.string().nullable(),
  /** Looks that found changes, oldest first. */
  looks: z.array(
    observationSchema.extend({
      /** ms since the epoch. */
      at: z.number(),
      /** No turn was running. */
      isBetween: z.boolean(),
    }),
  ),
  /** When the last look began, ms since the epoch: later writes are in no look. Null if unknown. */
  until: z.number().nullable(),
  /** Sessions and turns of other AIs in the same working tree during that time. */
  others: z.array(z.strictObject({ session: sessionRefSchema, turns: z.array(z.string()) })),
  /** Why something may be missing, as a sentence; null if nothing is. */
  gap: z.string().nullable(),
});
export type SeenSpan = z.infer<typeof seenSpanSchema>;
