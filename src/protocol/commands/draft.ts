/** Commands of the draft. */
import * as z from 'zod';
import { draftEditSchema, draftKeySchema, draftSchema } from '../draft.ts';

/** A stored draft. A save that names an older revision is refused, so two companions cannot overwrite each other. */
export const storedDraftSchema = z.strictObject({
  key: draftKeySchema,
  draft: draftSchema,
  revision: z.int(),
  updatedAt: z.number(),
});
export type StoredDraft = z.infer<typeof storedDraftSchema>;

/** A stored draft without its text, which the writer knows and other clients load. */
export const draftHeadSchema = storedDraftSchema.omit({ draft: true }).extend({ lines: z.int() });
export type DraftHead = z.infer<typeof draftHeadSchema>;

export const draftCommands = {
  'draft/load': { params: z.strictObject({ key: draftKeySchema }), result: storedDraftSchema },
  'draft/save': {
    params: z.strictObject({
      key: draftKeySchema,
      baseRevision: z.int(),
      /** What changed since `baseRevision`; or `draft` has the whole draft. */
      edit: draftEditSchema.optional(),
      draft: draftSchema.optional(),
    }),
    result: draftHeadSchema,
  },
  /** Appends text to the draft as notes (`copane append`). */
  'draft/append': {
    params: z.strictObject({ key: draftKeySchema, text: z.string() }),
    result: draftHeadSchema,
  },
} as const;
