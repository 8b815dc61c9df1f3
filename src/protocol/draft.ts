/** The draft: the companion's editable buffer, one per project folder and AI pane. */
import * as z from 'zod';

/** A line's tag: `response` came from a pull (`changed`: edited since, sent only if chosen), `note` is the user's. */
export const draftLineSchema = z.strictObject({
  id: z.int(),
  text: z.string(),
  tag: z.enum(['response', 'note']),
  changed: z.boolean(),
  /** The pulled line: turn id, and row in the pulled text. Null for notes. */
  origin: z.strictObject({ turnId: z.string(), row: z.int() }).nullable(),
});
export type DraftLine = z.infer<typeof draftLineSchema>;

/** A pull in the draft. Its text is the reference that tells response lines from notes. */
export const draftPullSchema = z.strictObject({
  turnId: z.string(),
  /** The lines as pulled. */
  lines: z.array(z.string()),
});
export type DraftPull = z.infer<typeof draftPullSchema>;

export const draftSchema = z.strictObject({
  lines: z.array(draftLineSchema),
  pulls: z.array(draftPullSchema),
  nextLineId: z.int(),
});
export type Draft = z.infer<typeof draftSchema>;

/** A change to a draft: the lines to remove, and their replacement. */
export const draftEditSchema = z.strictObject({
  /** Number of unchanged lines before it. */
  from: z.int().nonnegative(),
  remove: z.int().nonnegative(),
  lines: z.array(draftLineSchema),
  nextLineId: z.int(),
  /** Null: unchanged. A number is the earlier index of a pull, whose text is not sent again. */
  pulls: z.array(z.union([z.int().nonnegative(), draftPullSchema])).nullable(),
});
export type DraftEdit = z.infer<typeof draftEditSchema>;

/** Drafts are kept per project folder and AI pane. */
export const draftKeySchema = z.strictObject({ project: z.string(), pane: z.string() });
export type DraftKey = z.infer<typeof draftKeySchema>;

/** How much of the answered line is sent with a note. */
export const noteContextSchema = z.enum(['bare', 'quote', 'line']);
export type NoteContext = z.infer<typeof noteContextSchema>;
